#include "expected.h"

#include "values.h"

#include "xlac/host/literal.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace xlac::cli {

namespace {

/// Wide enough for every integer of 64 bits.
using Wide = long double;

Wide wide_value(ElementType type, const std::byte *at) {
  if (type == ElementType::I64)
    return load<int64_t>(at);
  if (type == ElementType::UI64)
    return load<uint64_t>(at);
  return element_value(type, at);
}

/// Error and tolerance of one element.
struct Comparison {
  Wide error = 0, allowed = 0;
  /// By how much the tolerance is exceeded; not above 1 for a match.
  Wide excess() const {
    if (!(error > allowed) && !std::isnan(error))
      return 0;
    if (std::isnan(error) || std::isinf(error) || allowed == 0)
      return std::numeric_limits<Wide>::infinity();
    return error / allowed;
  }
};

Comparison compare_elements(ElementType type, const std::byte *got,
                            const std::byte *expected,
                            const Tolerance &tolerance) {
  ElementType part = real_part_type(type);
  int parts = is_complex(type) ? 2 : 1, size = byte_size(part);
  Wide errors[2] = {0, 0}, values[2] = {0, 0};
  for (int i = 0; i < parts; ++i) {
    Wide a = wide_value(part, got + i * size);
    Wide b = wide_value(part, expected + i * size);
    values[i] = b;
    bool is_same = a == b || (std::isnan(a) && std::isnan(b));
    errors[i] = is_same ? 0 : std::fabs(a - b);
    // NaN if one of them is NaN; any finite error would hide an infinity.
    if (!is_same && (std::isinf(a) || std::isinf(b)))
      errors[i] = std::numeric_limits<Wide>::infinity();
  }
  Wide allowed = tolerance.absolute;
  if (tolerance.relative > 0) {
    Wide modulus = std::hypot(values[0], values[1]);
    if (std::isfinite(modulus))
      allowed += tolerance.relative * modulus;
  }
  return {std::hypot(errors[0], errors[1]), allowed};
}

std::string index_text(const TensorType &type, int64_t at) {
  std::string index;
  for (size_t d = type.dims.size(); d-- > 0;) {
    index = fmt::format("{}{}{}", at % type.dims[d], index.empty() ? "" : ", ",
                        index);
    at /= type.dims[d];
  }
  return "[" + index + "]";
}

} // namespace

Tolerance default_tolerance(ElementType type) {
  ElementType part = real_part_type(type);
  switch (part) {
  case ElementType::F64:
    return {1e-7, 1e-7};
  case ElementType::F32:
    return {1e-5, 1.3e-6};
  case ElementType::F16:
    return {1e-5, 1e-3};
  case ElementType::BF16:
    return {1e-5, 1.6e-2};
  default:
    break;
  }
  if (!is_float(part))
    return {};
  return {0, std::ldexp(1.0, -host::float_shape(part).mantissa_bits)};
}

std::optional<Mismatch> find_mismatch(const HostArray &got,
                                      const HostArray &expected,
                                      const Tolerances &tolerances) {
  ElementType type = got.type.element;
  Tolerance tolerance = default_tolerance(type);
  tolerance.absolute = tolerances.absolute.value_or(tolerance.absolute);
  tolerance.relative = tolerances.relative.value_or(tolerance.relative);
  Mismatch found;
  found.elements = *got.type.element_count();
  found.tolerance = tolerance;
  Wide worst = 0;
  int size = byte_size(type);
  for (int64_t i = 0; i < found.elements; ++i) {
    Comparison one =
        compare_elements(type, got.bytes.data() + i * size,
                         expected.bytes.data() + i * size, tolerance);
    Wide excess = one.excess();
    if (excess == 0)
      continue;
    ++found.count;
    bool is_worse =
        excess > worst ||
        (excess == worst && static_cast<double>(one.error) > found.error);
    if (!is_worse)
      continue;
    worst = excess;
    found.worst = i;
    found.error = static_cast<double>(one.error);
    found.allowed = static_cast<double>(one.allowed);
  }
  if (found.count == 0)
    return std::nullopt;
  found.index = index_text(got.type, found.worst);
  found.got = element_text(got, found.worst);
  found.expected = element_text(expected, found.worst);
  return found;
}

std::string to_string(const Mismatch &mismatch) {
  return fmt::format("{} of {} elements differ, worst at {}: got {}, expected "
                     "{} (error {:.3g}, allowed {:.3g})",
                     mismatch.count, mismatch.elements, mismatch.index,
                     mismatch.got, mismatch.expected, mismatch.error,
                     mismatch.allowed);
}

} // namespace xlac::cli
