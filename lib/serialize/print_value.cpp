// Prints Values in the format of Python's repr.
#include "xlac/tree.h"

#include <charconv>
#include <cmath>

namespace xlac {

namespace {

/// Formats `number` with the fewest digits that parse to it, in Python's
/// layout: with an exponent below 1e-4 and from 1e16 on.
std::string real_text(double number) {
  if (std::isnan(number))
    return "nan";
  if (std::isinf(number))
    return number < 0 ? "-inf" : "inf";
  double size = std::fabs(number);
  bool has_exponent = size != 0 && (size < 1e-4 || size >= 1e16);
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, number,
                           has_exponent ? std::chars_format::scientific
                                        : std::chars_format::fixed);
  std::string text(buffer, end.ptr);
  bool is_integral = text.find('.') == std::string::npos;
  return is_integral && !has_exponent ? text + ".0" : text;
}

/// Quotes `text`; with `escapes_high` (for bytes) escapes bytes of 128 and
/// above.
std::string quoted(std::string_view text, bool escapes_high) {
  bool has_single = text.find('\'') != std::string_view::npos;
  bool has_double = text.find('"') != std::string_view::npos;
  char quote = has_single && !has_double ? '"' : '\'';
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string result(1, quote);
  for (char c : text) {
    auto code = static_cast<unsigned char>(c);
    if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (c == '\r')
      result += "\\r";
    else if (c == '\\' || c == quote)
      (result += '\\') += c;
    else if (code < 0x20 || code == 0x7f || (escapes_high && code > 0x7f))
      ((result += "\\x") += kDigits[code >> 4]) += kDigits[code & 15];
    else
      result += c;
  }
  return result + quote;
}

void print_items(std::ostream &os, const char *open,
                 const std::vector<Value> &items, const char *close) {
  const char *separator = "";
  os << open;
  for (const Value &item : items) {
    os << separator << item;
    separator = ", ";
  }
  os << close;
}

struct Printer {
  std::ostream &os;

  void operator()(const Value::Dict &dict) {
    const char *separator = "";
    os << "{";
    for (const auto &[key, item] : dict) {
      os << separator << key << ": " << item;
      separator = ", ";
    }
    os << "}";
  }
  void operator()(const Value::List &list) { print_items(os, "[", list, "]"); }
  void operator()(const Value::Tuple &tuple) {
    print_items(os, "(", tuple.items, tuple.items.size() == 1 ? ",)" : ")");
  }
  void operator()(const Value::Set &set) {
    if (set.items.empty())
      os << "set()";
    else
      print_items(os, "{", set.items, "}");
  }
  void operator()(const Tensor &tensor) { os << tensor; }
  void operator()(const Bytes &bytes) {
    os << "b"
       << quoted({reinterpret_cast<const char *>(bytes.data()), bytes.size()},
                 true);
  }
  void operator()(const std::string &text) { os << quoted(text, false); }
  void operator()(double number) { os << real_text(number); }
  void operator()(int64_t number) { os << std::to_string(number); }
  void operator()(bool flag) { os << (flag ? "True" : "False"); }
};

template <class Held> bool print_if(std::ostream &os, const Value &value) {
  const Held *held = value.get_if<Held>();
  if (held)
    Printer{os}(*held);
  return held;
}

template <class... Held> bool print_any(std::ostream &os, const Value &value) {
  return (print_if<Held>(os, value) || ...);
}

} // namespace

std::ostream &operator<<(std::ostream &os, const Value &value) {
  if (!print_any<bool, int64_t, double, std::string, Bytes, Tensor, Value::List,
                 Value::Tuple, Value::Set, Value::Dict>(os, value))
    os << "None";
  return os;
}

} // namespace xlac
