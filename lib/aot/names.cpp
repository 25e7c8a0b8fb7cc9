#include "names.h"

#include "xlac/aot/aot.h"

#include <algorithm>
#include <array>

namespace xlac::aot {

namespace {

/// Keywords of C11 and C++20.
constexpr std::array kKeywords = {"alignas",
                                  "alignof",
                                  "and",
                                  "and_eq",
                                  "asm",
                                  "auto",
                                  "bitand",
                                  "bitor",
                                  "bool",
                                  "break",
                                  "case",
                                  "catch",
                                  "char",
                                  "char16_t",
                                  "char32_t",
                                  "char8_t",
                                  "class",
                                  "co_await",
                                  "co_return",
                                  "co_yield",
                                  "compl",
                                  "concept",
                                  "const",
                                  "const_cast",
                                  "consteval",
                                  "constexpr",
                                  "constinit",
                                  "continue",
                                  "decltype",
                                  "default",
                                  "delete",
                                  "do",
                                  "double",
                                  "dynamic_cast",
                                  "else",
                                  "enum",
                                  "explicit",
                                  "export",
                                  "extern",
                                  "false",
                                  "float",
                                  "for",
                                  "friend",
                                  "goto",
                                  "if",
                                  "inline",
                                  "int",
                                  "long",
                                  "mutable",
                                  "namespace",
                                  "new",
                                  "noexcept",
                                  "not",
                                  "not_eq",
                                  "nullptr",
                                  "operator",
                                  "or",
                                  "or_eq",
                                  "private",
                                  "protected",
                                  "public",
                                  "register",
                                  "reinterpret_cast",
                                  "requires",
                                  "restrict",
                                  "return",
                                  "short",
                                  "signed",
                                  "sizeof",
                                  "static",
                                  "static_assert",
                                  "static_cast",
                                  "struct",
                                  "switch",
                                  "template",
                                  "this",
                                  "thread_local",
                                  "throw",
                                  "true",
                                  "try",
                                  "typedef",
                                  "typeid",
                                  "typename",
                                  "typeof",
                                  "union",
                                  "unsigned",
                                  "using",
                                  "virtual",
                                  "void",
                                  "volatile",
                                  "wchar_t",
                                  "while",
                                  "xor",
                                  "xor_eq"};

/// Types of the header, and macros that compilers and headers of C define.
constexpr std::array kTaken = {
    "int8_t",   "int16_t",  "int32_t", "int64_t", "uint8_t",   "uint16_t",
    "uint32_t", "uint64_t", "linux",   "unix",    "i386",      "I",
    "NULL",     "EOF",      "BUFSIZ",  "complex", "imaginary", "errno",
    "assert",   "stdin",    "stdout",  "stderr",  "noreturn"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The letters and digits of `name`; other characters between them become one
/// underscore.
std::string identifier(std::string_view name) {
  std::string result;
  bool gap = false;
  for (char c : name) {
    if (!is_letter(c) && !is_digit(c)) {
      gap = true;
      continue;
    }
    if (gap && !result.empty() && result.back() != '_')
      result += '_';
    gap = false;
    result += c;
  }
  // A leading underscore is reserved in places.
  result.erase(0, std::min(result.find_first_not_of('_'), result.size()));
  if (!result.empty() && is_digit(result[0]))
    result.insert(0, "v");
  if (!result.empty() && !is_free_name(result))
    result += '_';
  return result;
}

} // namespace

bool is_c_identifier(std::string_view name) {
  if (name.empty() || !is_letter(name[0]))
    return false;
  return std::ranges::all_of(
             name, [](char c) { return is_letter(c) || is_digit(c); }) &&
         std::ranges::find(kKeywords, name) == kKeywords.end();
}

bool is_free_name(std::string_view name) {
  return is_c_identifier(name) &&
         std::ranges::find(kTaken, name) == kTaken.end();
}

std::string capitals(std::string_view name) {
  std::string result(name);
  for (char &c : result)
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
  return result;
}

std::vector<std::string> c_names(const std::vector<std::string> &names,
                                 std::string_view unnamed,
                                 std::vector<std::string> &taken) {
  std::vector<std::string> result;
  for (size_t i = 0; i < names.size(); ++i) {
    std::string base = identifier(names[i]);
    if (base.empty())
      base = std::string(unnamed) + std::to_string(i);
    std::string name = base;
    for (int next = 2; std::ranges::find(taken, capitals(name)) != taken.end();
         ++next)
      name = base + '_' + std::to_string(next);
    taken.push_back(capitals(name));
    result.push_back(std::move(name));
  }
  return result;
}

} // namespace xlac::aot
