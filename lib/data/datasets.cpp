// Datasets of tensors and of files in the IDX format.
#include "xlac/data.h"

#include "xlac/lazy/errors.h"
#include "xlac/ops.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <array>
#include <zlib.h>

namespace xlac::data {

using lazy::raise;

static void check_index(size_t index, size_t size) {
  if (index >= size)
    raise<IndexError>("index " + std::to_string(index) +
                      " is out of bounds for a dataset of size " +
                      std::to_string(size));
}

//===- Tensors ------------------------------------------------------------===//

TensorDataset::TensorDataset(Tensor data, Tensor target)
    : data_(std::move(data)), target_(std::move(target)) {
  XLAC_CALL("TensorDataset");
  if (data_.dim() == 0 || target_.dim() == 0 ||
      data_.size(0) != target_.size(0))
    raise<ShapeError>("wanted as many rows of data as of targets, got " +
                      front::describe(data_) + " and " +
                      front::describe(target_));
}

Example<> TensorDataset::get(size_t index) const {
  XLAC_CALL("TensorDataset::get");
  check_index(index, size());
  auto row = static_cast<int64_t>(index);
  return {data_[row], target_[row]};
}

size_t TensorDataset::size() const {
  return static_cast<size_t>(data_.size(0));
}

//===- IDX files ----------------------------------------------------------===//

namespace {

/// A file of bytes with their sizes in front, compressed or not: zlib reads
/// plain files as they are.
class IdxFile {
public:
  explicit IdxFile(const std::filesystem::path &path) : path_(found(path)) {
    file_ = gzopen(path_.c_str(), "rb");
    if (!file_)
      raise<RuntimeError>("cannot read " + path_.string());
  }
  IdxFile(const IdxFile &) = delete;
  IdxFile &operator=(const IdxFile &) = delete;
  ~IdxFile() { gzclose(file_); }

  /// The bytes behind a header of these sizes; -1 stands for any size, which is
  /// set.
  Bytes read(std::vector<int64_t> &sizes) {
    constexpr int64_t kUnsignedBytes = 0x800;
    if (number() != kUnsignedBytes + static_cast<int64_t>(sizes.size()))
      damaged("it is no IDX file of bytes of " + std::to_string(sizes.size()) +
              " dimensions");
    size_t count = 1;
    for (int64_t &size : sizes) {
      int64_t own = number();
      if (size >= 0 && own != size)
        damaged("wanted a size of " + std::to_string(size) + ", got " +
                std::to_string(own));
      size = own;
      count *= static_cast<size_t>(size);
    }
    return read_bytes(count);
  }

  [[noreturn]] void damaged(const std::string &what) const {
    raise<RuntimeError>(path_.string() + " is damaged: " + what);
  }

private:
  static std::filesystem::path found(const std::filesystem::path &path) {
    std::filesystem::path compressed = path;
    compressed += ".gz";
    if (std::filesystem::exists(path))
      return path;
    if (std::filesystem::exists(compressed))
      return compressed;
    raise<RuntimeError>("there is neither " + path.string() + " nor " +
                        compressed.string());
  }

  /// Grows as it reads: sizes of a damaged file may be anything.
  Bytes read_bytes(size_t count) {
    constexpr size_t kBlock = 1 << 20;
    Bytes bytes;
    while (bytes.size() < count) {
      size_t done = bytes.size(), wanted = std::min(kBlock, count - done);
      bytes.resize(done + wanted);
      int got =
          gzread(file_, bytes.data() + done, static_cast<unsigned>(wanted));
      if (got != static_cast<int>(wanted))
        damaged("it ends early");
    }
    return bytes;
  }

  int64_t number() {
    Bytes bytes = read_bytes(4);
    return int64_t{bytes[0]} << 24 | int64_t{bytes[1]} << 16 |
           int64_t{bytes[2]} << 8 | int64_t{bytes[3]};
  }

  std::filesystem::path path_;
  gzFile file_ = nullptr;
};

} // namespace

//===- MNIST --------------------------------------------------------------===//

namespace datasets {

constexpr int64_t kSide = 28, kPixels = kSide * kSide;

struct MNIST::Files {
  Bytes images, labels;
};

MNIST::MNIST(const std::filesystem::path &root, bool train) {
  XLAC_CALL("MNIST");
  auto files = std::make_shared<Files>();
  const std::string part = train ? "train" : "t10k";
  std::vector<int64_t> sizes = {-1, kSide, kSide};
  files->images = IdxFile(root / (part + "-images-idx3-ubyte")).read(sizes);
  sizes.resize(1);
  files->labels = IdxFile(root / (part + "-labels-idx1-ubyte")).read(sizes);
  files_ = std::move(files);
}

Example<> MNIST::get(size_t index) const {
  XLAC_CALL("MNIST::get");
  check_index(index, size());
  std::array<float, kPixels> pixels;
  const uint8_t *bytes = files_->images.data() + index * kPixels;
  std::transform(bytes, bytes + kPixels, pixels.begin(),
                 [](uint8_t byte) { return byte / 255.0f; });
  return {from_data(pixels.data(), {1, kSide, kSide}, Device(kCPU)),
          tensor(int64_t{files_->labels[index]}, Device(kCPU))};
}

size_t MNIST::size() const { return files_->labels.size(); }

} // namespace datasets

//===- Functions of examples ----------------------------------------------===//

Example<> Normalize::operator()(Example<> example) const {
  XLAC_CALL("Normalize");
  return {(example.data - mean) / std, example.target};
}

} // namespace xlac::data
