#include "xlac/data.h"
#include "xlac/ops.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <unistd.h>

namespace fs = std::filesystem;

namespace xlac::data {
namespace {

class SyntheticDigits : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("xlac-digits-test-" + std::to_string(getpid()));
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string bytes(const std::string &folder, const std::string &name) const {
    std::ifstream file(folder_ / folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_;
};

TEST_F(SyntheticDigits, AreReadAsMnist) {
  write_synthetic_digits(folder_ / "a", {.train_size = 300, .test_size = 50});
  datasets::MNIST train(folder_ / "a"), test(folder_ / "a", false);
  ASSERT_EQ(train.size(), 300u);
  ASSERT_EQ(test.size(), 50u);
  std::vector<int> counts(10);
  for (size_t i = 0; i < train.size(); ++i) {
    auto [image, label] = train.get(i);
    ++counts.at(static_cast<size_t>(label.item<int64_t>()));
    // Bright strokes on a dark background.
    EXPECT_GT(image.max().item<float>(), 0.6) << i;
    double mean = image.mean().item<float>();
    EXPECT_TRUE(mean > 0.03 && mean < 0.35) << i << " " << mean;
    // Digits are not clipped: rows and columns at the edges have only noise and
    // scratches.
    EXPECT_LT(image.select(1, 0).mean().item<float>(), 0.3) << i;
  }
  for (int digit = 0; digit < 10; ++digit)
    EXPECT_GT(counts[digit], 12) << digit;
  EXPECT_FALSE(equal(train.get(0).data, test.get(0).data));
}

TEST_F(SyntheticDigits, AreTheSameForASeed) {
  const std::string images = "train-images-idx3-ubyte";
  write_synthetic_digits(folder_ / "a", {.train_size = 20, .test_size = 5});
  write_synthetic_digits(folder_ / "b", {.train_size = 20, .test_size = 9});
  write_synthetic_digits(folder_ / "c",
                         {.train_size = 20, .test_size = 5, .seed = 1});
  EXPECT_EQ(bytes("a", images).size(), 16u + 20 * 784);
  EXPECT_EQ(bytes("a", images), bytes("b", images));
  EXPECT_NE(bytes("a", images), bytes("c", images));
}

TEST_F(SyntheticDigits, MayBeCompressed) {
  write_synthetic_digits(folder_ / "a", {.train_size = 20, .test_size = 5});
  write_synthetic_digits(folder_ / "b",
                         {.train_size = 20, .test_size = 5, .compress = true});
  EXPECT_TRUE(fs::exists(folder_ / "b/t10k-labels-idx1-ubyte.gz"));
  datasets::MNIST plain(folder_ / "a"), packed(folder_ / "b");
  for (size_t i = 0; i < plain.size(); ++i)
    EXPECT_TRUE(equal(plain.get(i).data, packed.get(i).data));
}

TEST_F(SyntheticDigits, AreRefusedWithReasons) {
  EXPECT_THROW(write_synthetic_digits(folder_, {.train_size = -1}), ValueError);
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "in the way";
  EXPECT_THROW(write_synthetic_digits(folder_ / "file", {.train_size = 1}),
               RuntimeError);
  fs::create_directories(folder_ / "a/train-images-idx3-ubyte");
  EXPECT_THROW(write_synthetic_digits(folder_ / "a", {.train_size = 1}),
               RuntimeError);
}

} // namespace
} // namespace xlac::data
