#include "xlac/ops/attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace xlac::ops {

#include "enum_names.inc"
#include "xlac/ops/op_dispatch.inc"

IntElements IntElements::matrix(int64_t columns, std::vector<int64_t> values) {
  int64_t rows =
      columns > 0 ? static_cast<int64_t>(values.size()) / columns : 0;
  return {{rows, columns}, std::move(values)};
}

//===- DenseElements ------------------------------------------------------===//

namespace {

DenseElements hold(TensorType type, std::vector<std::byte> bytes, bool splat) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  DenseElements elements;
  elements.type = std::move(type);
  elements.bytes = *owner;
  elements.owner = std::move(owner);
  elements.splat = splat;
  return elements;
}

/// Compares the memory with itself, shifted by one element.
bool all_equal(std::span<const std::byte> bytes, size_t size) {
  return bytes.size() > size && std::memcmp(bytes.data(), bytes.data() + size,
                                            bytes.size() - size) == 0;
}

template <class T>
void append(std::span<const std::byte> bytes, std::vector<int64_t> &values) {
  for (size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + i, sizeof(T));
    values.push_back(static_cast<int64_t>(value));
  }
}

} // namespace

DenseElements DenseElements::make(TensorType type,
                                  std::vector<std::byte> bytes) {
  size_t size = static_cast<size_t>(byte_size(type.element));
  // A single element is a splat too, so that every constant has a unique form.
  bool splat = bytes.size() == size || all_equal(bytes, size);
  if (splat)
    bytes.resize(size);
  return hold(std::move(type), std::move(bytes), splat);
}

DenseElements DenseElements::make_splat(TensorType type,
                                        std::vector<std::byte> value) {
  if (type.element_count() == 0)
    value.clear();
  bool splat = !value.empty();
  return hold(std::move(type), std::move(value), splat);
}

std::optional<std::vector<int64_t>> DenseElements::integers() const {
  constexpr int64_t kMost = 1 << 20;
  std::optional<int64_t> count = type.element_count();
  if (!count || *count > kMost || type.quantization ||
      !(is_integer(type.element) || is_boolean(type.element)))
    return std::nullopt;
  std::vector<int64_t> values;
  values.reserve(static_cast<size_t>(*count));
  bool is_signed = is_signed_integer(type.element);
  switch (byte_size(type.element)) {
  case 1:
    is_signed ? append<int8_t>(bytes, values) : append<uint8_t>(bytes, values);
    break;
  case 2:
    is_signed ? append<int16_t>(bytes, values)
              : append<uint16_t>(bytes, values);
    break;
  case 4:
    is_signed ? append<int32_t>(bytes, values)
              : append<uint32_t>(bytes, values);
    break;
  default:
    append<int64_t>(bytes, values);
  }
  if (splat && !values.empty())
    values.resize(static_cast<size_t>(*count), values.front());
  return values;
}

bool DenseElements::operator==(const DenseElements &other) const {
  return splat == other.splat && type == other.type &&
         std::ranges::equal(bytes, other.bytes);
}

//===- Hash and text ------------------------------------------------------===//

namespace {

//===- Default values -----------------------------------------------------===//

template <class T>
bool are_all(const std::vector<T> &values, const std::type_identity_t<T> &one) {
  return std::ranges::all_of(values, [&](T value) { return value == one; });
}

/// True for a value equivalent to the absence of the attribute. Bytecode cannot
/// represent absence, so reading it drops such values.
bool is_default(std::string_view name, const std::vector<int64_t> &values) {
  if (name.starts_with("known_"))
    return values.empty();
  return name != "broadcast_dimensions" && are_all(values, 1);
}
bool is_default(std::string_view, const std::vector<bool> &values) {
  return are_all(values, false);
}
bool is_default(std::string_view, const std::vector<Precision> &values) {
  return are_all(values, Precision::DEFAULT);
}
bool is_default(std::string_view name, const IntElements &elements) {
  return name == "padding" ? are_all(elements.values, 0)
                           : elements.values.empty();
}
bool is_default(std::string_view, ComparisonType type) {
  return type == ComparisonType::NOTYPE;
}
bool is_default(std::string_view, const OpaqueAttribute &attribute) {
  return attribute.text == "\"\"" || attribute.text == "[]" ||
         attribute.text == "{}";
}
template <class T> bool is_default(std::string_view, const T &) {
  return false;
}

/// Hashes every member in order. Optionals and lists include presence and
/// length, so that different attributes never hash the same bytes.
template <class AnyHasher> struct HashVisitor {
  AnyHasher &hasher;

  template <class T> void operator()(std::string_view, const T &member) {
    feed(member);
  }
  template <class T>
  void operator()(std::string_view name, const std::optional<T> &member) {
    bool counts = member && !is_default(name, *member);
    hasher.update(counts);
    if (counts)
      feed(*member);
  }
  /// The channel type of a collective has no meaning, and bytecode lacks it.
  void operator()(std::string_view,
                  const std::optional<ChannelHandle> &member) {
    hasher.update(member ? member->handle : 0);
  }

  template <class T> void feed(const T &value) {
    if constexpr (std::is_enum_v<T>)
      hasher.update(static_cast<int64_t>(value));
    else if constexpr (std::is_floating_point_v<T>)
      hasher.update(static_cast<double>(value));
    else if constexpr (std::is_integral_v<T>)
      hasher.update(static_cast<int64_t>(value));
    else
      value.visit(*this);
  }
  void feed(const std::string &value) {
    hasher.update(std::string_view(value));
  }
  void feed(const TensorType &type) {
    if constexpr (std::is_same_v<AnyHasher, FastHasher>)
      hasher.update(type);
    else
      hasher.update(to_string(type));
  }
  void feed(std::span<const std::byte> bytes) { hasher.update(bytes); }
  template <class T> void feed(const std::optional<T> &value) {
    hasher.update(value.has_value());
    if (value)
      feed(*value);
  }
  template <class T> void feed(const std::vector<T> &values) {
    hasher.update(static_cast<uint64_t>(values.size()));
    for (const auto &value : values)
      feed(static_cast<const T &>(value));
  }
};

struct TextVisitor {
  std::string text;

  template <class T> void operator()(std::string_view name, const T &member) {
    if (!text.empty() && text.back() != '{')
      text += ", ";
    text += name;
    text += " = ";
    print(member);
  }

  template <class T> void print(const T &value) {
    if constexpr (std::is_enum_v<T>)
      text += enum_name(value);
    else if constexpr (std::is_arithmetic_v<T>)
      text += fmt::format("{}", value);
    else {
      text += '{';
      value.visit(*this);
      text += '}';
    }
  }
  void print(const std::string &value) { text += fmt::format("{:?}", value); }
  void print(const SymbolName &value) { text += "@" + value.name; }
  void print(const OpaqueAttribute &value) { text += value.text; }
  void print(const TensorType &type) { text += to_string(type); }
  void print(std::span<const std::byte> bytes) {
    constexpr size_t kShown = 16;
    text += "0x";
    for (std::byte byte : bytes.first(std::min(bytes.size(), kShown)))
      text += fmt::format("{:02x}", std::to_integer<int>(byte));
    if (bytes.size() > kShown)
      text += fmt::format("… ({} bytes)", bytes.size());
  }
  template <class T> void print(const std::optional<T> &value) {
    if (value)
      print(*value);
    else
      text += "none";
  }
  template <class T> void print(const std::vector<T> &values) {
    text += '[';
    const char *separator = "";
    for (const auto &value : values) {
      text += separator;
      print(static_cast<const T &>(value));
      separator = ", ";
    }
    text += ']';
  }
};

} // namespace

bool OpAttributes::operator==(const OpAttributes &other) const {
  if (held_ == other.held_)
    return true;
  if (!held_ || !other.held_ || kind_ != other.kind_)
    return false;
  bool equal = false;
  dispatch(kind_, [&](auto type) {
    using T = typename decltype(type)::type;
    equal = get<T>() == other.get<T>();
  });
  return equal;
}

template <class T> static Digest digest_of(const T &attributes) {
  Hasher hasher;
  attributes.visit(HashVisitor<Hasher>{hasher});
  return hasher.finish();
}

void OpAttributes::hash(Hasher &hasher) const {
  if (empty()) {
    hasher.update(false);
    return;
  }
  dispatch(kind_, [&](auto type) {
    using T = typename decltype(type)::type;
    static const Digest absent = digest_of(T());
    Digest own = digest_of(get<T>());
    // Attributes with default values count as absent.
    hasher.update(own != absent);
    if (own == absent)
      return;
    hasher.update(op_name(kind_));
    hasher.update(std::as_bytes(std::span(own)));
  });
}

void OpAttributes::hash(FastHasher &hasher) const {
  if (empty())
    return;
  hasher.update(static_cast<uint64_t>(kind_));
  dispatch(kind_, [&](auto type) {
    get<typename decltype(type)::type>().visit(HashVisitor<FastHasher>{hasher});
  });
}

std::string OpAttributes::text(OpKind kind) const {
  TextVisitor visitor;
  dispatch(kind, [&](auto type) {
    visitor.text += '{';
    get<typename decltype(type)::type>().visit(visitor);
    visitor.text += '}';
  });
  return visitor.text;
}

} // namespace xlac::ops
