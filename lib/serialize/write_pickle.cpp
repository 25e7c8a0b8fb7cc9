#include "pickle.h"

#include <bit>
#include <map>

namespace xlac::serialize {

std::string_view storage_class(Dtype dtype) {
  switch (dtype) {
  case kBool:
    return "BoolStorage";
  case kInt8:
    return "CharStorage";
  case kInt16:
    return "ShortStorage";
  case kInt32:
    return "IntStorage";
  case kInt64:
    return "LongStorage";
  case kUInt8:
    return "ByteStorage";
  case kFloat16:
    return "HalfStorage";
  case kBFloat16:
    return "BFloat16Storage";
  case kFloat32:
    return "FloatStorage";
  case kFloat64:
    return "DoubleStorage";
  case kComplex64:
    return "ComplexFloatStorage";
  case kComplex128:
    return "ComplexDoubleStorage";
  case kUInt16:
  case kUInt32:
  case kUInt64:
  case kFloat8_e5m2:
  case kFloat8_e4m3fn:
  case kFloat8_e5m2fnuz:
  case kFloat8_e4m3fnuz:
  case kFloat8_e8m0fnu:
    break;
  }
  return {};
}

namespace {

class PickleWriter {
public:
  explicit PickleWriter(const PickleOptions &options) : options_(options) {}

  std::string write_all(const Value &value) {
    bytes_ = "\x80\x02";
    write(value);
    bytes_ += '.';
    return std::move(bytes_);
  }

private:
  template <class T> void put(T value) {
    for (size_t i = 0; i < sizeof(T); ++i)
      bytes_ += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
  }

  void write(const Value &value) {
    if (const bool *flag = value.get_if<bool>())
      bytes_ += *flag ? '\x88' : '\x89';
    else if (const int64_t *number = value.get_if<int64_t>())
      write_integer(*number);
    else if (const double *number = value.get_if<double>())
      write_real(*number);
    else if (const auto *text = value.get_if<std::string>())
      write_text(*text);
    else if (const Bytes *raw = value.get_if<Bytes>())
      write_bytes(*raw);
    else if (const Tensor *tensor = value.get_if<Tensor>())
      write_tensor(*tensor);
    else if (const Value::Dict *dict = value.get_if<Value::Dict>())
      write_dict(*dict);
    else if (const Value::Tuple *tuple = value.get_if<Value::Tuple>())
      write_tuple(tuple->items);
    else if (const Value::Set *set = value.get_if<Value::Set>())
      write_set(*set);
    else if (const Value::List *list = value.get_if<Value::List>())
      write_list(*list);
    else
      bytes_ += 'N';
  }

  void write_integer(int64_t number) {
    if (number >= INT32_MIN && number <= INT32_MAX) {
      bytes_ += 'J';
      put<int32_t>(static_cast<int32_t>(number));
    } else {
      bytes_ += "\x8a\x08";
      put<int64_t>(number);
    }
  }
  void write_real(double number) {
    // The only big-endian number of a pickle.
    bytes_ += 'G';
    auto bits = std::bit_cast<uint64_t>(number);
    for (int shift = 56; shift >= 0; shift -= 8)
      bytes_ += static_cast<char>(bits >> shift);
  }
  void write_text(std::string_view text) {
    bytes_ += 'X';
    put<uint32_t>(static_cast<uint32_t>(text.size()));
    bytes_ += text;
  }
  /// Encodes bytes as a latin-1 string, since protocol 2 has no bytes.
  void write_bytes(const Bytes &raw) {
    write_global("_codecs", "encode");
    std::string text;
    for (uint8_t byte : raw) {
      if (byte < 0x80) {
        text += static_cast<char>(byte);
      } else {
        text += static_cast<char>(0xc0 | (byte >> 6));
        text += static_cast<char>(0x80 | (byte & 0x3f));
      }
    }
    write_text(text);
    write_text("latin1");
    bytes_ += "\x86R";
  }
  void write_global(std::string_view module, std::string_view name) {
    ((bytes_ += 'c') += module) += '\n';
    (bytes_ += name) += '\n';
  }
  void write_list(const Value::List &list) {
    bytes_ += "](";
    for (const Value &item : list)
      write(item);
    bytes_ += 'e';
  }
  void write_tuple(const std::vector<Value> &items) {
    bytes_ += '(';
    for (const Value &item : items)
      write(item);
    bytes_ += 't';
  }
  void write_set(const Value::Set &set) {
    write_global("__builtin__", "set");
    write_list(set.items);
    bytes_ += "\x85R";
  }
  void write_dict(const Value::Dict &dict) {
    bytes_ += "}(";
    for (const auto &[key, item] : dict) {
      write(key);
      write(item);
    }
    bytes_ += 'u';
  }
  void write_sizes(const Shape &sizes) {
    bytes_ += '(';
    for (int64_t size : sizes)
      write_integer(size);
    bytes_ += 't';
  }
  void write_empty_hooks() {
    write_global("collections", "OrderedDict");
    bytes_ += ")R";
  }

  void write_tensor(const Tensor &tensor) {
    auto [place, added] =
        memo_.try_emplace(tensor.id(), static_cast<uint32_t>(memo_.size()));
    uint32_t number = place->second;
    if (added) {
      StorageName storage = options_.store(tensor);
      if (options_.by_number)
        write_reference(storage);
      else
        write_record(tensor, storage);
    }
    bytes_ += added ? 'r' : 'j'; // stores in the memo, or loads from it
    put<uint32_t>(number);
  }
  void write_reference(const StorageName &storage) {
    bytes_ += '(';
    write_text("xser");
    write_text(storage.key);
    bytes_ += "tQ";
  }
  void write_record(const Tensor &tensor, const StorageName &storage) {
    std::string_view known = storage_class(tensor.dtype());
    write_global("torch._utils",
                 known.empty() ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2");
    bytes_ += "((";
    write_text("storage");
    if (known.empty())
      write_global("torch.storage", "UntypedStorage");
    else
      write_global("torch", known);
    write_text(storage.key);
    write_text(storage.location);
    write_integer(known.empty() ? tensor.nbytes() : tensor.numel());
    bytes_ += "tQ";
    Shape sizes = tensor.sizes(), strides(sizes.size(), 1);
    for (size_t i = sizes.size(); i-- > 1;)
      strides[i - 1] = strides[i] * std::max<int64_t>(sizes[i], 1);
    write_integer(0);
    write_sizes(sizes);
    write_sizes(strides);
    bytes_ += tensor.requires_grad() ? '\x88' : '\x89';
    write_empty_hooks();
    if (known.empty())
      write_global("torch", name(tensor.dtype()));
    bytes_ += "tR";
  }

  const PickleOptions &options_;
  std::string bytes_;
  std::map<int64_t, uint32_t> memo_;
};

} // namespace

std::string write_pickle(const Value &value, const PickleOptions &options) {
  return PickleWriter(options).write_all(value);
}

} // namespace xlac::serialize
