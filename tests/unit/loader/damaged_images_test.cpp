// Files of images with flipped bits and cut ends: each is refused. Small files
// are tested bit by bit, larger ones with weights and with long programs are
// sampled. DAMAGED_IMAGES is the number of samples of each.
#include "image_cases.h"

#include "xlac/support/file_writer.h"
#include "xlac/support/read_file.h"

#include <filesystem>
#include <random>

namespace xlac {
namespace {

using Bytes = std::vector<std::byte>;

int64_t tested = 0; ///< damaged files

/// Reads a file from memory, as users do. Whatever is accepted must compute
/// what the sound file computes.
void expect_refused(std::span<const std::byte> bytes, const std::string &how) {
  ++tested;
  auto file = runtime::read_image_file(bytes);
  if (!file) {
    EXPECT_FALSE(file.error().message.empty()) << how;
    EXPECT_EQ(file.error().failure_kind, FailureKind::Runtime) << how;
    return;
  }
  ADD_FAILURE() << how << ": is accepted";
}

/// The same for a mapped file on the disk.
void expect_file_refused(const Bytes &bytes, const std::string &how) {
  std::string path = testing::TempDir() + "/damaged.xlax";
  ASSERT_TRUE(write_whole_file(
      path, {reinterpret_cast<const char *>(bytes.data()), bytes.size()},
      {.sync_folder = false}));
  auto mapped = map_file(path);
  ASSERT_TRUE(mapped) << mapped.error().message;
  ++tested;
  auto file = runtime::read_image_file(*mapped, mapped->owner());
  EXPECT_FALSE(file) << how << ": is accepted";
}

void flip(Bytes &bytes, size_t bit) {
  bytes[bit / 8] ^= std::byte(1 << bit % 8);
}

void test_all(Bytes bytes) {
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    flip(bytes, bit);
    expect_refused(bytes, "bit " + std::to_string(bit));
    flip(bytes, bit);
  }
  for (size_t size = 0; size < bytes.size(); ++size)
    expect_refused(std::span(bytes).first(size),
                   "cut to " + std::to_string(size));
  EXPECT_TRUE(runtime::read_image_file(bytes));
}

/// Flips bits, overwrites, exchanges, inserts, removes and cuts.
void test_samples(const Bytes &bytes, int count, uint32_t seed) {
  std::mt19937 random(seed);
  auto below = [&](size_t limit) { return random() % limit; };
  for (int round = 0; round < count; ++round) {
    Bytes damaged = bytes;
    size_t at = below(bytes.size()), kind = below(6);
    std::string how = "seed " + std::to_string(seed) + ", round " +
                      std::to_string(round) + ", kind " + std::to_string(kind);
    if (kind == 0) {
      damaged.resize(at);
    } else if (kind == 1) {
      damaged.insert(damaged.begin() + std::ptrdiff_t(at), std::byte(random()));
    } else if (kind == 2) {
      damaged.erase(damaged.begin() + std::ptrdiff_t(at));
    } else if (kind == 3) {
      std::swap(damaged[at], damaged[below(bytes.size())]);
    } else {
      for (size_t i = 0; i <= below(kind == 4 ? 1 : 64); ++i)
        flip(damaged, below(8 * bytes.size()));
    }
    if (damaged == bytes)
      continue;
    if (round % 8 == 0)
      expect_file_refused(damaged, how);
    else
      expect_refused(damaged, how);
  }
}

int samples() {
  const char *text = std::getenv("DAMAGED_IMAGES");
  return text ? std::atoi(text) : 200;
}

TEST(DamagedImagesTest, EveryOneIsRefused) {
  tested = 0;
  Source small{test::kDouble, "twice.mlir", "twice"};
  test_all(runtime::image_file_bytes(test::image_file(small)));
  test_all(runtime::image_file_bytes(
      test::image_file(small, {}, ImageExtras::Names)));
  std::string weights = test::with_weights(50000);
  test_samples(runtime::image_file_bytes(
                   test::image_file(Source{weights, "weights.mlir"})),
               samples(), 1);
  test_samples(runtime::image_file_bytes(test::image_file(
                   Source{weights, "weights.mlir"}, {}, ImageExtras::Names)),
               samples(), 2);
  std::string chain =
      "func.func @main(%v0: tensor<8xf32>) -> tensor<8xf32> {\n";
  for (int i = 0; i < 300; ++i)
    chain += "  %v" + std::to_string(i + 1) + " = stablehlo.sine %v" +
             std::to_string(i) + " : tensor<8xf32> loc(\"layer" +
             std::to_string(i) + "\")\n";
  chain += "  return %v300 : tensor<8xf32>\n}\n";
  test_samples(
      runtime::image_file_bytes(test::image_file(Source{chain, "chain.mlir"})),
      samples(), 3);
  std::printf("%lld damaged images, each refused\n",
              static_cast<long long>(tested));
  RecordProperty("damaged_images", static_cast<int>(tested));
}

} // namespace
} // namespace xlac
