#include "tensor_loader.h"

#include "files.h"

#include "xlac/lazy/devices.h"
#include "xlac/ops.h"
#include "xlac/support/logging.h"

#include <cstring>
#include <iostream>

namespace xlac::serialize {

namespace {

/// Limits the memory of a file's tensors relative to its size, since strides
/// may repeat elements.
constexpr uint64_t kBytesPerByte = 64, kBytesMore = 64 << 20;

[[noreturn]] void damaged(const std::string &what) {
  raise<UserError>("the file is damaged: " + what);
}

} // namespace

TensorLoader::TensorLoader(
    std::function<std::string(const std::string &key)> read_storage,
    uint64_t file_size, const LoadOptions &options)
    : read_storage_(std::move(read_storage)), options_(options),
      bytes_left_(kBytesPerByte * file_size + kBytesMore) {}

/// Whether the elements are contiguous in the storage.
static bool is_contiguous(const TensorRecord &record) {
  int64_t expected = 1;
  for (size_t i = record.sizes.size(); i-- > 0;) {
    if (record.sizes[i] != 1 && record.strides[i] != expected)
      return false;
    expected *= record.sizes[i];
  }
  return true;
}

Tensor TensorLoader::load(const TensorRecord &record) {
  check(record);
  // Tensors of one storage are usually adjacent.
  if (storage_name_ != record.key) {
    storage_ = read_storage_(record.key);
    storage_name_ = record.key;
  }
  uint64_t size = element_size(record.dtype);
  if (storage_.size() / size < record.storage_elements)
    damaged("a storage is too short");
  std::string gathered;
  // An empty tensor may have any offset.
  char *elements = storage_.data() + (count_ ? record.offset * size : 0);
  if (!is_contiguous(record)) {
    gathered.resize(count_ * size);
    copy_elements(record, gathered.data());
    elements = gathered.data();
  }
  if (record.dtype == kBool)
    make_booleans(elements, count_);
  Tensor tensor =
      detail::from_memory(elements, record.dtype, record.sizes,
                          TensorOptions(Device(kCPU)), record.dtype);
  if (record.is_conjugated)
    tensor = conj(tensor).clone();
  if (record.is_negated)
    tensor = neg(tensor);
  Tensor result = placed_at(tensor, record.location);
  if (record.requires_grad &&
      (tensor.is_floating_point() || tensor.is_complex()))
    result.requires_grad_();
  return result;
}

/// Sets the number of elements. Throws UserError for elements outside of the
/// storage.
void TensorLoader::check(const TensorRecord &record) {
  if (record.sizes.size() != record.strides.size() || record.offset < 0)
    damaged("a tensor has sizes and strides that do not fit");
  auto reach = static_cast<unsigned __int128>(record.offset);
  unsigned __int128 count = 1;
  for (size_t i = 0; i < record.sizes.size(); ++i) {
    int64_t size = record.sizes[i], stride = record.strides[i];
    if (size < 0 || stride < 0)
      damaged("a tensor has negative sizes or strides");
    count *= static_cast<uint64_t>(size);
    if (count >> 63)
      damaged("a tensor is too large");
    if (size > 0)
      reach += static_cast<unsigned __int128>(size - 1) *
               static_cast<uint64_t>(stride);
    if (reach >> 63)
      damaged("a tensor reaches out of its storage");
  }
  count_ = static_cast<uint64_t>(count);
  if (count_ > 0 && reach >= record.storage_elements)
    damaged("a tensor reaches out of its storage");
  uint64_t size = element_size(record.dtype);
  if (count_ > bytes_left_ / size)
    raise<UnsupportedError>("the file's tensors are too large for its size");
  bytes_left_ -= count_ * size;
}

void TensorLoader::copy_elements(const TensorRecord &record, char *to) const {
  if (count_ == 0)
    return;
  auto size = static_cast<size_t>(element_size(record.dtype));
  Shape index(record.sizes.size(), 0);
  int64_t from = record.offset;
  for (uint64_t i = 0; i < count_; ++i) {
    std::memcpy(to + i * size, storage_.data() + from * size, size);
    for (size_t d = index.size(); d-- > 0;) {
      from += record.strides[d];
      if (++index[d] < record.sizes[d])
        break;
      from -= record.strides[d] * record.sizes[d];
      index[d] = 0;
    }
  }
}

Tensor TensorLoader::placed_at(const Tensor &tensor,
                               const std::string &location) {
  if (!location.starts_with("xla"))
    return placed(tensor, options_);
  if (options_.map_location && !has_warned_) {
    log_warning("load(): map_location is ignored for xla tensors");
    has_warned_ = true;
  }
  Device device;
  try {
    device = lazy::resolve(Device(location));
  } catch (const UserError &) {
    raise<DeviceError>("a tensor was saved from " + location.substr(0, 40) +
                       ", which is not available");
  }
  return tensor.to(device);
}

} // namespace xlac::serialize
