// Datasets of tensors and of files.
#include "byte_file.h"

#include "xlac/data/datasets.h"
#include "xlac/ops.h"
#include "xlac/serialization.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <array>

namespace xlac::data {

static void check_index(size_t index, size_t size) {
  if (index >= size)
    raise<IndexError>("index " + std::to_string(index) +
                      " is out of bounds for a dataset of size " +
                      std::to_string(size));
}

/// Converts bytes to numbers in [0, 1].
template <size_t Count>
static Tensor image_of(const uint8_t *bytes, const Shape &sizes) {
  std::array<float, Count> pixels;
  std::transform(bytes, bytes + Count, pixels.begin(),
                 [](uint8_t byte) { return byte / 255.0f; });
  return from_data(pixels.data(), sizes, Device(kCPU));
}

//===- Tensors ------------------------------------------------------------===//

TensorDataset::TensorDataset(Tensor data, Tensor target)
    : data_(std::move(data)), target_(std::move(target)) {
  XLAC_CALL("TensorDataset");
  if (data_.dim() == 0 || target_.dim() == 0 ||
      data_.size(0) != target_.size(0))
    raise<ShapeError>("wanted as many rows of data as of targets, got " +
                      frontend::describe(data_) + " and " +
                      frontend::describe(target_));
}

TensorDataset TensorDataset::from_npz(const std::filesystem::path &path,
                                      const std::string &data,
                                      const std::string &target) {
  StateDict arrays = load_npz(path);
  return TensorDataset(arrays.at(data), arrays.at(target));
}

TensorDataset TensorDataset::from_npy(const std::filesystem::path &data,
                                      const std::filesystem::path &target) {
  return TensorDataset(load_npy(data), load_npy(target));
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

namespace datasets {

//===- MNIST --------------------------------------------------------------===//

constexpr int64_t kSide = 28, kPixels = kSide * kSide;

struct MNIST::Files {
  Bytes images, labels;
};

/// Reads a big-endian number of four bytes.
static int64_t number(ByteFile &file) {
  Bytes bytes = file.read(4);
  return int64_t{bytes[0]} << 24 | int64_t{bytes[1]} << 16 |
         int64_t{bytes[2]} << 8 | int64_t{bytes[3]};
}

/// Reads the bytes after an IDX header with these sizes; -1 accepts any size
/// and is replaced by it.
static Bytes read_idx(const std::filesystem::path &path,
                      std::vector<int64_t> &sizes) {
  constexpr int64_t kUnsignedBytes = 0x800;
  ByteFile file(path);
  if (number(file) != kUnsignedBytes + static_cast<int64_t>(sizes.size()))
    file.damaged("it is not an IDX file of bytes of " +
                 std::to_string(sizes.size()) + " dimensions");
  size_t count = 1;
  for (int64_t &size : sizes) {
    int64_t own = number(file);
    if (size >= 0 && own != size)
      file.damaged("wanted a size of " + std::to_string(size) + ", got " +
                   std::to_string(own));
    size = own;
    count *= static_cast<size_t>(size);
  }
  return file.read(count);
}

MNIST::MNIST(const std::filesystem::path &root, bool train) {
  XLAC_CALL("MNIST");
  auto files = std::make_shared<Files>();
  const std::string part = train ? "train" : "t10k";
  std::vector<int64_t> sizes = {-1, kSide, kSide};
  files->images = read_idx(root / (part + "-images-idx3-ubyte"), sizes);
  sizes.resize(1);
  files->labels = read_idx(root / (part + "-labels-idx1-ubyte"), sizes);
  files_ = std::move(files);
}

Example<> MNIST::get(size_t index) const {
  XLAC_CALL("MNIST::get");
  check_index(index, size());
  return {image_of<kPixels>(files_->images.data() + index * kPixels,
                            {1, kSide, kSide}),
          tensor(int64_t{files_->labels[index]}, Device(kCPU))};
}

size_t MNIST::size() const { return files_->labels.size(); }

//===- CIFAR-10 -----------------------------------------------------------===//

// A record is a class and the red, green and blue planes.
constexpr int64_t kColours = 3, kCifarSide = 32, kClasses = 10;
constexpr size_t kCifarBytes = kColours * kCifarSide * kCifarSide;
constexpr size_t kRecord = 1 + kCifarBytes;

static void append_records(Bytes &records, const std::filesystem::path &path) {
  ByteFile file(path);
  Bytes bytes = file.read_rest();
  if (bytes.empty() || bytes.size() % kRecord != 0)
    file.damaged("its " + std::to_string(bytes.size()) +
                 " bytes are not records of " + std::to_string(kRecord));
  for (size_t start = 0; start < bytes.size(); start += kRecord)
    if (bytes[start] >= kClasses)
      file.damaged("record " + std::to_string(start / kRecord) +
                   " is of class " + std::to_string(bytes[start]));
  records.insert(records.end(), bytes.begin(), bytes.end());
}

CIFAR10::CIFAR10(const std::filesystem::path &root, bool train) {
  XLAC_CALL("CIFAR10");
  const std::filesystem::path inner = root / "cifar-10-batches-bin";
  const std::filesystem::path &folder =
      std::filesystem::is_directory(inner) ? inner : root;
  auto records = std::make_shared<Bytes>();
  if (train)
    for (int part = 1; part <= 5; ++part)
      append_records(*records,
                     folder / ("data_batch_" + std::to_string(part) + ".bin"));
  else
    append_records(*records, folder / "test_batch.bin");
  records_ = std::move(records);
}

Example<> CIFAR10::get(size_t index) const {
  XLAC_CALL("CIFAR10::get");
  check_index(index, size());
  const uint8_t *record = records_->data() + index * kRecord;
  return {image_of<kCifarBytes>(record + 1, {kColours, kCifarSide, kCifarSide}),
          tensor(int64_t{record[0]}, Device(kCPU))};
}

size_t CIFAR10::size() const { return records_->size() / kRecord; }

} // namespace datasets
} // namespace xlac::data
