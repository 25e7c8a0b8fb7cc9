// Quantized tensors: elements of the storage type represent values of the
// expressed type. Each step rounds to the expressed type, as dequantize and
// quantize of the specification do.
#include "op_context.h"

#include <algorithm>
#include <cmath>

namespace xlac::host {

namespace {

/// Scale and zero point of each element.
class Parameters {
public:
  explicit Parameters(const TensorType &type)
      : quantization_(*type.quantization) {
    if (!quantization_.quantization_dimension)
      return;
    int64_t dim = *quantization_.quantization_dimension;
    inner_ = row_major_strides(type.dims)[dim];
    count_ = type.dims[dim];
  }
  double scale(int64_t element) const {
    return round_to(quantization_.expressed_type,
                    quantization_.scales[slice(element)]);
  }
  int64_t zero_point(int64_t element) const {
    return quantization_.zero_points[slice(element)];
  }

private:
  size_t slice(int64_t element) const {
    return static_cast<size_t>(element / inner_ % count_);
  }

  const Quantization &quantization_;
  int64_t inner_ = 1, count_ = 1;
};

int64_t lowest_of(ElementType type) {
  return is_signed_integer(type) ? -(int64_t{1} << (bit_width(type) - 1)) : 0;
}
int64_t highest_of(ElementType type) {
  int bits = bit_width(type) - (is_signed_integer(type) ? 1 : 0);
  return (int64_t{1} << bits) - 1;
}

/// Block-wise quantization is not supported.
Status check(const TensorType &type) {
  if (type.quantization->block_sizes.empty())
    return {};
  return failure(FailureKind::Unsupported,
                 to_string(type) + " is quantized in blocks");
}

} // namespace

Result<Literal> dequantized(const Literal &from) {
  const TensorType &type = from.type();
  XLAC_RETURN_IF_ERROR(check(type));
  ElementType expressed = type.quantization->expressed_type;
  Result<Literal> to = Literal::allocate({expressed, type.dims, {}, {}});
  if (!to)
    return to;
  Parameters parameters(type);
  for (int64_t i = 0; i < to->count(); ++i) {
    auto steps =
        static_cast<double>(as_integer(from, i) - parameters.zero_point(i));
    double value = round_to(expressed, steps) * parameters.scale(i);
    store(*to, i, 1, &value);
  }
  return to;
}

Result<Literal> quantized(const Literal &from, const TensorType &type) {
  XLAC_RETURN_IF_ERROR(check(type));
  Result<Literal> to = Literal::allocate(type);
  if (!to)
    return to;
  ElementType expressed = type.quantization->expressed_type;
  auto as_expressed = [expressed](int64_t number) {
    return round_to(expressed, static_cast<double>(number));
  };
  double low = as_expressed(type.quantization->storage_min);
  double high = as_expressed(type.quantization->storage_max);
  Parameters parameters(type);
  for (int64_t i = 0; i < to->count(); ++i) {
    double value = round_to(expressed, as_double(from, i));
    double steps = round_to(expressed, value / parameters.scale(i));
    double zero = as_expressed(parameters.zero_point(i));
    double shifted = round_to(expressed, steps + zero);
    // NaN becomes the lowest number.
    double held = std::fmin(std::fmax(shifted, low), high);
    // The bounds may have been rounded up.
    int64_t whole =
        std::clamp(static_cast<int64_t>(std::nearbyint(held)),
                   lowest_of(type.element), highest_of(type.element));
    store(*to, i, 1, &whole);
  }
  return to;
}

Result<Literals> evaluate_quantization(OpContext &context) {
  return Literals{context.operand(0)};
}

} // namespace xlac::host
