#include "xlac/support/npy_header.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

namespace xlac {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;

/// Codes of NumPy's dtypes, without the byte order.
constexpr std::array<std::pair<std::string_view, ElementType>, 14> kCodes{{
    {"b1", ElementType::I1},
    {"i1", ElementType::I8},
    {"i2", ElementType::I16},
    {"i4", ElementType::I32},
    {"i8", ElementType::I64},
    {"u1", ElementType::UI8},
    {"u2", ElementType::UI16},
    {"u4", ElementType::UI32},
    {"u8", ElementType::UI64},
    {"f2", ElementType::F16},
    {"f4", ElementType::F32},
    {"f8", ElementType::F64},
    {"c8", ElementType::Complex64},
    {"c16", ElementType::Complex128},
}};

std::string code_of(ElementType type) {
  for (const auto &[code, element] : kCodes)
    if (element == type)
      return std::string(code);
  // Types that NumPy lacks: narrow integers, and floats as their bits.
  char kind = is_signed_integer(type) ? 'i' : 'u';
  return fmt::format("{}{}", kind, byte_size(type));
}

Failure bad(std::string what) {
  return failure(FailureKind::User, std::move(what));
}

/// The Python dictionary of a header, whose values are strings, booleans and
/// tuples of integers.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  Result<NpyHeader> parse() {
    if (!take('{'))
      return bad("has a damaged header");
    while (!take('}')) {
      XLAC_RETURN_IF_ERROR(read_entry());
      if (!take(',') && peek() != '}')
        return bad("has a damaged header");
    }
    if (peek() != '\0')
      return bad("has text after its header");
    if (!has_type_ || !has_order_ || !has_shape_)
      return bad("not a .npy header: 'descr', 'fortran_order' or 'shape' is "
                 "missing");
    if (!header_.type.byte_count())
      return bad("has a shape with more than 2^63 bytes");
    return header_;
  }

private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted)
      return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    peek();
    if (!text_.substr(at_).starts_with(word))
      return false;
    at_ += word.size();
    return true;
  }
  std::optional<std::string_view> take_text() {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      return std::nullopt;
    size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    std::string_view taken = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return taken;
  }

  Status read_entry() {
    auto key = take_text();
    if (!key || !take(':'))
      return bad("has a damaged header");
    if (*key == "descr" && !std::exchange(has_type_, true))
      return read_type();
    if (*key == "fortran_order" && !std::exchange(has_order_, true))
      return read_order();
    if (*key == "shape" && !std::exchange(has_shape_, true))
      return read_shape();
    return bad(fmt::format("has an unexpected '{}' in its header",
                           key->substr(0, 40)));
  }

  Status read_type() {
    if (peek() == '[')
      return bad("holds records; expected an array of numbers");
    auto text = take_text();
    if (!text)
      return bad("has a damaged header");
    std::string_view order = text->substr(0, 1);
    for (const auto &[code, element] : kCodes)
      if (text->substr(order.size()) == code &&
          std::string_view("<>=|").find(order) != std::string_view::npos) {
        header_.type.element = element;
        header_.is_big_endian = order == ">" && byte_size(element) > 1;
        return {};
      }
    // NumPy does not name dtypes of other libraries: bfloat16 of ml_dtypes is
    // stored as raw data of two bytes, and no other raw data has that size.
    if (*text == "<V2" || *text == "|V2") {
      header_.type.element = ElementType::BF16;
      return {};
    }
    return bad(
        fmt::format("has dtype '{}'; expected a number", text->substr(0, 40)));
  }

  Status read_order() {
    header_.is_column_major = take("True");
    if (!header_.is_column_major && !take("False"))
      return bad("has a damaged header");
    return {};
  }

  Status read_shape() {
    if (!take('('))
      return bad("has a malformed shape");
    while (!take(')')) {
      peek();
      int64_t size = 0;
      const char *end = text_.data() + text_.size();
      auto [next, error] = std::from_chars(text_.data() + at_, end, size);
      if (error != std::errc() || size < 0)
        return bad("has a malformed shape");
      at_ = static_cast<size_t>(next - text_.data());
      take('L'); // Python 2 wrote long integers with this suffix
      header_.type.dims.push_back(size);
      if (!take(',') && peek() != ')')
        return bad("has a malformed shape");
    }
    return {};
  }

  std::string_view text_;
  size_t at_ = 0;
  NpyHeader header_;
  bool has_type_ = false, has_order_ = false, has_shape_ = false;
};

} // namespace

Result<NpyHeader> parse_npy_header(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + 4)
    return bad("is not a .npy file");
  auto byte = [&](size_t at) -> uint64_t {
    return at < bytes.size() ? static_cast<uint8_t>(bytes[at]) : 0;
  };
  uint64_t version = byte(kMagic.size()), at = kMagic.size() + 2;
  if (version < 1 || version > 3)
    return bad(fmt::format("has version {}; expected 1 to 3", version));
  uint64_t length = byte(at) | byte(at + 1) << 8;
  at += 2;
  if (version > 1) { // the length has four bytes
    length |= byte(at) << 16 | byte(at + 1) << 24;
    at += 2;
  }
  if (length > kMaxNpyHeaderSize - 12)
    return bad("has a damaged header");
  if (at > bytes.size() || length > bytes.size() - at)
    return bad("ends inside its header");
  Result<NpyHeader> header = HeaderParser(bytes.substr(at, length)).parse();
  if (header)
    header->size = at + length;
  return header;
}

std::string make_npy_header(const TensorType &type) {
  std::string shape;
  for (int64_t dim : type.dims)
    shape += fmt::format("{}, ", dim);
  if (type.rank() == 1)
    shape.pop_back(); // "(3,)" is a tuple, "(3)" a number
  else if (type.rank() > 1)
    shape.resize(shape.size() - 2);
  char order = byte_size(type.element) == 1 ? '|' : '<';
  std::string text = fmt::format(
      "{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}", order,
      code_of(type.element), shape);
  size_t before = kMagic.size() + 4;
  text.append(kAlignment - 1 - (before + text.size()) % kAlignment, ' ');
  text += '\n';
  std::string header(kMagic);
  header += {1, 0, static_cast<char>(text.size() & 0xff),
             static_cast<char>(text.size() >> 8)};
  return header + text;
}

} // namespace xlac
