#include "legacy_file.h"

#include "tensor_loader.h"

#include "xlac/support/raise.h"

#include <cstring>
#include <map>

namespace xlac::serialize {

namespace {

/// The pickled number at the start of each file, including the pickle's end.
constexpr std::string_view kMagic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a"
                                    "\xa8\x50\x19.";
constexpr int64_t kVersion = 1001;

[[noreturn]] void damaged_legacy_file(const std::string &what) {
  raise<UserError>("the file is damaged: " + what);
}

/// The location of a storage; size 0 until it is known.
struct StorageLocation {
  uint64_t element_size = 0;
  uint64_t offset = 0, size = 0; ///< in bytes, within the file
};

class LegacyFile {
public:
  explicit LegacyFile(std::string_view bytes) : bytes_(bytes) {
    // Newer protocols have a frame length first.
    constexpr size_t kBeforeMagic = 16;
    size_t magic = bytes.substr(0, kBeforeMagic + kMagic.size()).find(kMagic);
    if (magic == std::string_view::npos)
      damaged_legacy_file(
          "it is neither a zip file nor starts as torch.save did before");
    at_ = magic + kMagic.size();
    if (next_integer() != kVersion)
      raise<UnsupportedError>("the file has another version than 1001");
    check_system();
    find_storages();
  }

  Value load(const LoadOptions &options) {
    TensorLoader tensors(
        [&](const std::string &key) {
          const StorageLocation &place = places_.at(key);
          return std::string(bytes_.substr(place.offset, place.size));
        },
        bytes_.size(), options);
    UnpickleOptions unpickle;
    unpickle.load = [&](const TensorRecord &record) {
      return tensors.load(record);
    };
    return read_pickle(bytes_.substr(data_at_), unpickle);
  }

private:
  std::string_view rest() const { return bytes_.substr(at_); }

  /// Reads a pickle without tensors.
  Value next() {
    UnpickleOptions unpickle;
    unpickle.load = [](const TensorRecord &) -> Tensor {
      damaged_legacy_file("a tensor is where none belongs");
    };
    size_t size = 0;
    Value value = read_pickle(rest(), unpickle, &size);
    at_ += size;
    return value;
  }
  int64_t next_integer() {
    Value value = next();
    return value.is<int64_t>() ? value.to<int64_t>() : -1;
  }

  void check_system() {
    Value system = next();
    const auto *facts = system.get_if<Value::Dict>();
    if (!facts)
      damaged_legacy_file("the facts of its machine are missing");
    for (const auto &[key, fact] : *facts) {
      const auto *name = key.get_if<std::string>();
      if (name && *name == "little_endian" && fact.is<bool>() &&
          !fact.to<bool>())
        raise<UnsupportedError>("the file's numbers have their high bytes "
                                "first");
    }
  }

  /// The pickled data name the storages that follow them, and the sizes of
  /// their elements. So the data are read once for these, and again when the
  /// locations of the storages are known.
  void find_storages() {
    data_at_ = at_;
    UnpickleOptions unpickle;
    unpickle.load = [&](const TensorRecord &record) {
      StorageLocation &place = places_[record.key];
      place.element_size = record.is_untyped ? 1 : element_size(record.dtype);
      return Tensor();
    };
    size_t size = 0;
    read_pickle(rest(), unpickle, &size);
    at_ += size;
    Value keys = next();
    if (!keys.is<Value::List>())
      damaged_legacy_file("the list of its storages is missing");
    for (const Value &key : keys.items())
      pass_storage(key);
    for (const auto &[key, place] : places_)
      if (place.offset == 0)
        damaged_legacy_file("a storage is missing");
  }

  /// Skips a storage: the number of its elements, and the elements.
  void pass_storage(const Value &key) {
    const auto *name = key.get_if<std::string>();
    auto found = name ? places_.find(*name) : places_.end();
    if (found == places_.end())
      raise<UnsupportedError>("the file has a storage that no tensor shows");
    StorageLocation &place = found->second;
    uint64_t count = 0;
    if (place.offset != 0 || rest().size() < sizeof count)
      damaged_legacy_file("its storages end early or occur twice");
    std::memcpy(&count, rest().data(), sizeof count);
    at_ += sizeof count;
    if (count > rest().size() / place.element_size)
      damaged_legacy_file("a storage is too short");
    place.offset = at_;
    place.size = count * place.element_size;
    at_ += place.size;
  }

  std::string_view bytes_;
  size_t at_ = 0, data_at_ = 0;
  std::map<std::string, StorageLocation> places_;
};

} // namespace

Value load_legacy(std::string_view bytes, const LoadOptions &options) {
  return LegacyFile(bytes).load(options);
}

} // namespace xlac::serialize
