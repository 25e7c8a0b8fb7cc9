// Tensor files with a few bytes changed, moved or removed. Each file loads or
// is rejected with an xlac::Error, and never crashes the process. Memory use is
// limited by the file's size.
#include "xlac/formats/zip_file.h"

#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

namespace xlac {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Applies one to four changes that typically break readers: other bytes, other
/// numbers of four and eight bytes, moved parts, truncation.
std::string damaged(std::string bytes, std::mt19937 &random) {
  static constexpr char kOften[] = "\0\1\2\x7f\x80\xff{}[]\",:0123456789.-Rbtu";
  auto place = [&](size_t length) {
    return random() % (bytes.size() - length + 1);
  };
  for (unsigned change = random() % 4; change != ~0u; --change) {
    if (bytes.size() < 32)
      return bytes;
    switch (random() % 8) {
    case 0:
    case 1:
      bytes[place(1)] = static_cast<char>(random());
      break;
    case 2:
    case 3:
      bytes[place(1)] = kOften[random() % (sizeof kOften - 1)];
      break;
    case 4: {
      uint32_t number = random() % 2 ? ~uint32_t{0} >> (random() % 32) : 0;
      std::memcpy(&bytes[place(4)], &number, 4);
      break;
    }
    case 5: {
      uint64_t number = ~uint64_t{0} >> (random() % 64);
      std::memcpy(&bytes[place(8)], &number, 8);
      break;
    }
    case 6: {
      size_t length = 1 + random() % 24;
      std::memmove(&bytes[place(length)], &bytes[place(length)], length);
      break;
    }
    default:
      // Truncation is rare, since readers detect it early at the directory or
      // the end of a pickle.
      if (random() % 8 == 0)
        bytes.resize(place(1));
    }
  }
  return bytes;
}

/// Damages one record of a zip file, with correct checksums.
std::string damaged_inside(std::string bytes, std::mt19937 &random) {
  std::istringstream is(bytes);
  formats::ZipReader from(is);
  std::ostringstream os;
  formats::ZipWriter to(os);
  // Half of the time it is the first record, which is the pickle if there is
  // one.
  size_t place = random() % 2 * (random() % from.names().size());
  for (size_t i = 0; i < from.names().size(); ++i) {
    std::string record = from.read(from.names()[i]);
    to.add(from.names()[i], {i == place ? damaged(record, random) : record});
  }
  to.finish();
  return os.str();
}

struct Reader {
  const char *file;
  std::function<void(const fs::path &)> read;
  std::string (*damage)(std::string, std::mt19937 &) = damaged;
};

/// Accesses the elements, which must exist for the tensor's sizes.
void look_at(const Tensor &tensor) {
  if (tensor.defined())
    EXPECT_EQ(tensor.contiguous().numel(), tensor.numel());
}
void look_at_value(const Value &value) { for_each_tensor(value, look_at); }
void look_at_all(const StateDict &tensors) {
  for_each_tensor(tensors, look_at);
}

void read_torch(const fs::path &path) { look_at_value(load(path)); }
void read_safetensors(const fs::path &path) {
  look_at_all(load_safetensors(path));
}
void read_npz(const fs::path &path) { look_at_all(load_npz(path)); }
void read_npy(const fs::path &path) { look_at(load_npy(path)); }

class DamagedFiles : public testing::TestWithParam<Reader> {};

TEST_P(DamagedFiles, GiveAValueOrAnError) {
  xu::TmpFolder folder;
  fs::path path = folder.name() / "file";
  std::string good = content(fs::path(XLAC_COMPAT_FOLDER) / GetParam().file);
  ASSERT_FALSE(good.empty());
  std::mt19937 random(20);
  int64_t loaded = 0, refused = 0;
  auto try_to_read = [&](const std::string &bytes) {
    // A new file each time, since tensors may map the pages of the previous
    // one.
    fs::remove(path);
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      GetParam().read(path);
      ++loaded;
    } catch (const Error &) {
      ++refused;
    }
  };
  size_t step = 1 + good.size() / 500;
  for (size_t size = 0; size < good.size(); size += step)
    try_to_read(good.substr(0, size));
  for (int i = 0; i < XLAC_DAMAGED_FILES; ++i)
    try_to_read(GetParam().damage(good, random));
  EXPECT_GT(loaded, 0);
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, DamagedFiles,
    testing::Values(Reader{"torch_values.pt", read_torch},
                    Reader{"torch_protocol5.pt", read_torch},
                    Reader{"torch_values.pt", read_torch, damaged_inside},
                    Reader{"torch_protocol4.pt", read_torch, damaged_inside},
                    Reader{"numpy_arrays.npz", read_npz, damaged_inside},
                    Reader{"torch_legacy.pt", read_torch},
                    Reader{"torch_legacy_protocol4.pt", read_torch},
                    Reader{"values.safetensors", read_safetensors},
                    Reader{"numpy_arrays.npz", read_npz},
                    Reader{"numpy_compressed.npz", read_npz},
                    Reader{"numpy_columns.npy", read_npy}),
    [](const auto &info) {
      std::string name = info.param.file;
      std::replace(name.begin(), name.end(), '.', '_');
      return name + (info.param.damage == damaged ? "" : "_inside");
    });

} // namespace
} // namespace xlac
