#include "print_call.h"

#include "npy.h"
#include "xlac/host/literal.h"
#include "xlac/library/custom_calls.h"
#include "xlac/support/element_type.h"
#include "xlac/support/program_names.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace xlac::cli {
namespace {

uint64_t load_bits(const std::byte *at, int size) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, size);
  return bits;
}

double float_value(ElementType type, uint64_t bits) {
  if (type == ElementType::F64)
    return std::bit_cast<double>(bits);
  if (type == ElementType::F32)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return host::decode_small_float(type, static_cast<uint16_t>(bits));
}

/// The decimal digits of a number: 0.d1d2d3… * 10^(power + 1).
struct Decimal {
  std::string digits; ///< the first one precedes the point
  int power = 0;
};

/// Returns the first `count` digits; the last one is rounded half up, as LLVM
/// does.
Decimal round_decimal(double value, size_t count) {
  std::string text = fmt::format("{:.60e}", std::fabs(value));
  size_t mark = text.find('e');
  Decimal result{text.substr(0, 1) + text.substr(2, mark - 2),
                 std::stoi(text.substr(mark + 1))};
  bool goes_up = result.digits[count] >= '5';
  result.digits.resize(count);
  size_t at = count;
  while (goes_up && at > 0 && result.digits[at - 1] == '9')
    result.digits[--at] = '0';
  if (goes_up && at > 0) {
    ++result.digits[at - 1];
  } else if (goes_up) {
    result.digits.insert(0, 1, '1').pop_back();
    ++result.power;
  }
  return result;
}

/// Formats all significant digits of a type in LLVM's notation: fixed with up
/// to three added zeros, else with an exponent.
std::string many_digits(double value, size_t precision) {
  auto [digits, power] = round_decimal(value, precision);
  digits.erase(digits.find_last_not_of('0') + 1);
  int count = static_cast<int>(digits.size()), zeros = power - count + 1;
  bool plain = power < 0    ? power >= -3
               : zeros <= 0 ? true
                            : zeros <= 3 && power < static_cast<int>(precision);
  if (!plain)
    return fmt::format("{}.{}E{}{}", digits.substr(0, 1),
                       count > 1 ? digits.substr(1) : "0",
                       power < 0 ? '-' : '+', std::abs(power));
  if (power < 0)
    return "0." + std::string(-power - 1, '0') + digits;
  if (zeros >= 0)
    return digits + std::string(zeros, '0');
  return digits.substr(0, power + 1) + '.' + digits.substr(power + 1);
}

/// Formats a float as MLIR does: with six digits if they parse to the value,
/// else with all digits. It is formatted as bits if it is not finite, or if all
/// its digits have no point, since that is an integer's text.
std::string float_text(ElementType type, uint64_t bits) {
  double value = float_value(type, bits);
  std::string as_bits =
      fmt::format("0x{:0{}X}", bits, (bit_width(type) + 3) / 4);
  if (!std::isfinite(value))
    return as_bits;
  std::string sign = std::signbit(value) ? "-" : "";
  auto [digits, power] = round_decimal(value, 6);
  std::string few =
      fmt::format("{}{}.{}0e{}{:02}", sign, digits.substr(0, 1),
                  digits.substr(1), power < 0 ? '-' : '+', std::abs(power));
  bool is_wide = type == ElementType::F64;
  bool reads_back = is_wide ? std::stod(few) == value
                            : type != ElementType::F32 ||
                                  std::strtof(few.c_str(), nullptr) == value;
  if (reads_back)
    return few;
  std::string many = many_digits(value, is_wide ? 17 : 9);
  return many.find('.') == std::string::npos ? as_bits : sign + many;
}

std::string element_text(ElementType type, const std::byte *at) {
  if (is_complex(type)) {
    ElementType part = real_part_type(type);
    return fmt::format("[{}, {}]", element_text(part, at),
                       element_text(part, at + byte_size(part)));
  }
  uint64_t bits = load_bits(at, byte_size(type));
  if (is_boolean(type))
    return bits ? "true" : "false";
  if (is_float(type))
    return float_text(type, bits);
  if (is_unsigned_integer(type))
    return fmt::format("{}", bits);
  int unused = 64 - 8 * byte_size(type);
  return fmt::format("{}", static_cast<int64_t>(bits << unused) >> unused);
}

void print_part(const CustomCallTensor &tensor, ElementType type, size_t dim,
                const std::byte *at, const std::string &indent,
                std::string &out) {
  int64_t count = tensor.sizes[dim];
  int64_t stride = tensor.strides[dim] * byte_size(type);
  bool innermost = dim + 1 == tensor.sizes.size();
  bool on_one_line = innermost || count == 0;
  out += indent + "[";
  for (int64_t i = 0; i < count; ++i) {
    if (on_one_line) {
      out += (i ? ", " : "") + element_text(type, at + i * stride);
      continue;
    }
    out += i ? ",\n" : "\n";
    print_part(tensor, type, dim + 1, at + i * stride, indent + "  ", out);
  }
  out += on_one_line ? "]" : "\n" + indent + "]";
}

} // namespace

std::string interpreter_text(const CustomCallTensor &tensor) {
  std::string out = "tensor<";
  for (int64_t size : tensor.sizes)
    out += fmt::format("{}x", size);
  out += fmt::format("{}> {{", tensor.element_type);
  ElementType type = *parse_element_type(tensor.element_type);
  auto data = static_cast<const std::byte *>(tensor.data);
  if (tensor.sizes.empty())
    return out + element_text(type, data) + "}";
  out += "\n";
  print_part(tensor, type, 0, data, "  ", out);
  return out + "\n}";
}

void register_print_call(std::FILE *stream) {
  auto print = [stream](const CustomCall &call) {
    std::string text;
    if (const CustomCallValue *label = call.find("label"))
      if (auto name = std::get_if<std::string>(label))
        text = *name + " = ";
    for (const CustomCallTensor &operand : call.operands)
      text += interpreter_text(operand) + "\n";
    // A single write is atomic, since stdio locks the stream.
    std::fwrite(text.data(), 1, text.size(), stream);
  };
  (void)library::add_custom_call(names::kPrintCall, print);
}

} // namespace xlac::cli
