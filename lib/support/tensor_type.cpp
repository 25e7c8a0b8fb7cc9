#include "xlac/support/tensor_type.h"

#include <fmt/format.h>

#include <cassert>

namespace xlac {
namespace {

/// Product of non-negative numbers; empty above 2^63 - 1.
std::optional<int64_t> checked_multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    return std::nullopt;
  return product;
}

std::string quantization_text(const Quantization &q) {
  std::string text = fmt::format(
      "!quant.uniform<{}<{}:{}>:{}", element_type_name(q.storage_type),
      q.storage_min, q.storage_max, element_type_name(q.expressed_type));
  if (q.quantization_dimension)
    text += fmt::format(":{}", *q.quantization_dimension);
  text += ", ";
  bool list = q.scales.size() != 1 || q.quantization_dimension.has_value();
  if (list)
    text += '{';
  for (size_t i = 0; i < q.scales.size(); ++i) {
    if (i)
      text += ',';
    text += fmt::format("{}:{}", q.scales[i],
                        i < q.zero_points.size() ? q.zero_points[i] : 0);
  }
  if (list)
    text += '}';
  return text + ">";
}

std::string joined(const std::vector<Type> &types) {
  std::string text;
  for (const Type &type : types) {
    if (!text.empty())
      text += ", ";
    text += to_string(type);
  }
  return text;
}

} // namespace

bool TensorType::is_static() const {
  for (int64_t dim : dims)
    if (dim == kDynamic)
      return false;
  return true;
}

std::optional<int64_t> TensorType::element_count() const {
  if (!is_static())
    return std::nullopt;
  // A tensor with a size of 0 has no elements, however large its other sizes
  // are.
  for (int64_t dim : dims)
    if (dim == 0)
      return 0;
  int64_t count = 1;
  for (int64_t dim : dims) {
    auto product = checked_multiply(count, dim);
    if (!product)
      return std::nullopt;
    count = *product;
  }
  return count;
}

std::optional<int64_t> TensorType::byte_count() const {
  auto count = element_count();
  if (!count)
    return std::nullopt;
  return checked_multiply(*count, byte_size(element));
}

bool TensorType::operator==(const TensorType &other) const {
  if (element != other.element || dims != other.dims ||
      bounds != other.bounds || !quantization != !other.quantization)
    return false;
  return !quantization || quantization == other.quantization ||
         *quantization == *other.quantization;
}

Type::Type(TensorType tensor)
    : kind_(Kind::Tensor),
      tensor_(std::make_shared<const TensorType>(std::move(tensor))) {}
Type::Type(TokenType) : kind_(Kind::Token) {}

Type Type::tuple(std::vector<Type> elements) {
  Type type{TokenType{}};
  type.kind_ = Kind::Tuple;
  type.elements_ =
      std::make_shared<const std::vector<Type>>(std::move(elements));
  return type;
}

Type Type::future(std::vector<Type> elements) {
  Type type = tuple(std::move(elements));
  type.kind_ = Kind::Future;
  return type;
}

const std::vector<Type> &Type::elements() const {
  assert(elements_);
  return *elements_;
}

bool Type::operator==(const Type &other) const {
  if (kind_ != other.kind_)
    return false;
  if (kind_ == Kind::Tensor)
    return tensor_ == other.tensor_ || *tensor_ == *other.tensor_;
  return kind_ == Kind::Token || elements_ == other.elements_ ||
         *elements_ == *other.elements_;
}

std::string to_string(const TensorType &type) {
  std::string text = "tensor<";
  for (int64_t dim : type.dims)
    text += dim == kDynamic ? "?x" : fmt::format("{}x", dim);
  text += type.quantization ? quantization_text(*type.quantization)
                            : std::string(element_type_name(type.element));
  bool bounded = false;
  for (int64_t bound : type.bounds)
    bounded |= bound != kDynamic;
  if (bounded) {
    text += ", #stablehlo.bounds<";
    for (size_t i = 0; i < type.bounds.size(); ++i) {
      if (i)
        text += ", ";
      text +=
          type.bounds[i] == kDynamic ? "?" : fmt::format("{}", type.bounds[i]);
    }
    text += ">";
  }
  return text + ">";
}

std::string to_string(const Type &type) {
  if (type.is_tensor())
    return to_string(type.tensor());
  if (type.is_token())
    return "!stablehlo.token";
  return fmt::format("{}<{}>", type.is_tuple() ? "tuple" : "!stablehlo.future",
                     joined(type.elements()));
}

} // namespace xlac
