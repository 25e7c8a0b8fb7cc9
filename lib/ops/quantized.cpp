// Shape rules of conversions between quantized and expressed types.
#include "rule.h"

namespace xlac::ops::rules {

Inferred infer_uniform_quantize(const Rule &rule) {
  if (!rule.declares())
    return rule.needs_declared();
  const TensorType &operand = rule.operand(0), &wanted = rule.declared(0);
  XLAC_DTYPE(is_quantized(wanted), "", "result is {}, but quantized wanted",
             short_text(wanted));
  XLAC_DTYPE(is_quantized(operand) || is_float(operand.element), "",
             "operand is {}, but float or quantized wanted",
             short_text(operand));
  XLAC_DTYPE(expressed_type(operand) == expressed_type(wanted), "C2",
             "result expresses {}, but operand is {}",
             element_type_name(expressed_type(wanted)), short_text(operand));
  TensorType type = operand;
  type.element = wanted.element;
  type.quantization = wanted.quantization;
  return rule.result({"C1", "C2"}, type);
}

Inferred infer_uniform_dequantize(const Rule &rule) {
  const TensorType &operand = rule.operand(0);
  XLAC_DTYPE(is_quantized(operand), "", "operand is {}, but quantized wanted",
             short_text(operand));
  TensorType type = operand;
  type.element = expressed_type(operand);
  type.quantization = nullptr;
  return rule.result({"C1", "C2"}, type);
}

} // namespace xlac::ops::rules
