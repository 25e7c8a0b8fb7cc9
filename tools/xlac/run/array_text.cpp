#include "array_text.h"

#include "xlac/host/literal.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <complex>
#include <limits>
#include <string>

namespace xlac::cli {

namespace {

constexpr std::string_view kSeparators = ", []\t\n";

Failure bad_text(const std::string &what) {
  return failure(FailureKind::User, what);
}

/// Splits the text into elements; the parts of a complex one stay together.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    size_t begin = text.find_first_not_of(kSeparators);
    if (begin == std::string_view::npos)
      return words;
    text.remove_prefix(begin);
    size_t end =
        text[0] == '(' ? text.find(')') : text.find_first_of(kSeparators);
    if (text[0] == '(' && end != std::string_view::npos)
      ++end;
    end = std::min(end, text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

template <class T> std::optional<T> number(std::string_view word) {
  if (word.starts_with('+'))
    word.remove_prefix(1);
  T value{};
  auto [end, error] =
      std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size())
    return std::nullopt;
  return value;
}

/// As number<double>; a number beyond the range becomes an infinity or zero.
std::optional<double> real_number(std::string_view word) {
  std::string text(word);
  char *end = nullptr;
  // strtod would also accept leading blanks and hexadecimal numbers.
  if (text.empty() || text.find_first_of("xXpP \t") != std::string::npos)
    return std::nullopt;
  double value = std::strtod(text.c_str(), &end);
  return *end ? std::nullopt : std::optional(value);
}

std::optional<std::complex<double>> complex_number(std::string_view word) {
  if (!word.starts_with('(')) {
    auto real = real_number(word);
    return real ? std::optional<std::complex<double>>(*real) : std::nullopt;
  }
  size_t comma = word.find(',');
  if (comma == std::string_view::npos || !word.ends_with(')'))
    return std::nullopt;
  std::string_view second = word.substr(comma + 1, word.size() - comma - 2);
  second.remove_prefix(std::min(second.find_first_not_of(' '), second.size()));
  auto real = real_number(word.substr(1, comma - 1)),
       imaginary = real_number(second);
  if (!real || !imaginary)
    return std::nullopt;
  return std::complex(*real, *imaginary);
}

/// The 64 bits of an integer or boolean that the type can hold.
std::optional<int64_t> integer_number(ElementType type, std::string_view word) {
  if (word == "true" || word == "false")
    return is_boolean(type) ? std::optional<int64_t>(word == "true")
                            : std::nullopt;
  int width = bit_width(type);
  if (is_boolean(type) || is_unsigned_integer(type)) {
    auto value = number<uint64_t>(word);
    if (!value || (width < 64 && *value >> width))
      return std::nullopt;
    return static_cast<int64_t>(*value);
  }
  auto value = number<int64_t>(word);
  if (!value ||
      (width < 64 && (*value >> (width - 1)) != (*value < 0 ? -1 : 0)))
    return std::nullopt;
  return value;
}

/// Stores element `at`; false if the word is not a number of the type.
bool store_word(host::Literal &to, int64_t at, std::string_view word) {
  ElementType type = to.type().element;
  auto store_one = [&](auto value) {
    if (value)
      host::store(to, at, 1, &*value);
    return value.has_value();
  };
  if (is_complex(type))
    return store_one(complex_number(word));
  if (is_float(type))
    return store_one(real_number(word));
  return store_one(integer_number(type, word));
}

} // namespace

std::optional<TensorType> parse_array_type(std::string_view text) {
  TensorType type;
  while (true) {
    if (auto element = parse_element_type(text)) {
      type.element = *element;
      return type;
    }
    size_t end = text.find('x');
    if (end == std::string_view::npos || end == 0)
      return std::nullopt;
    auto size = number<int64_t>(text.substr(0, end));
    if (!size || *size < 0 || text[0] == '+')
      return std::nullopt;
    type.dims.push_back(*size);
    text.remove_prefix(end + 1);
  }
}

Result<HostArray> parse_array(std::string_view text) {
  size_t equals = text.find('=');
  auto type = parse_array_type(text.substr(0, equals));
  if (!type || equals == std::string_view::npos)
    return bad_text(
        fmt::format("'{}' is not an array such as 2xf32=1,2", text));
  auto words = split(text.substr(equals + 1));
  auto count = type->element_count();
  if (!count || !type->byte_count())
    return bad_text(fmt::format("{} is too large", to_string(*type)));
  if (static_cast<int64_t>(words.size()) != *count && words.size() != 1)
    return bad_text(fmt::format("{} has {} elements, got {}", to_string(*type),
                                *count, words.size()));
  auto literal = host::Literal::allocate(*type);
  if (!literal)
    return literal.error();
  for (int64_t i = 0; i < *count; ++i) {
    std::string_view word = words[words.size() == 1 ? 0 : i];
    if (!store_word(*literal, i, word))
      return bad_text(fmt::format("'{}' is not a number of {}", word,
                                  element_type_name(type->element)));
  }
  const std::byte *data = literal->data();
  return HostArray{*type, {data, data + *type->byte_count()}};
}

} // namespace xlac::cli
