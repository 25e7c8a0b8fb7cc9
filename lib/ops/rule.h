// What a shape rule works with: a view of the op at hand, messages that carry
// the specification's labels, and the comparisons that know dynamic and bounded
// sizes. `infer` has checked the number and category of operands, regions and
// declared results before a rule runs.
#pragma once

#include "xlac/ops/infer_context.h"
#include "xlac/ops/op.h"
#include "xlac/ops/type_text.h"
#include "xlac/support/result.h"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

namespace xlac::ops {

using Inferred = Result<std::vector<Type>>;

/// The constraints that a declared result breaks: by its shape, or by its
/// element type. One label often stands for both.
struct ResultLabels {
  std::string_view shape, element;
  ResultLabels(const char *both) : shape(both), element(both) {}
  ResultLabels(std::string_view both) : shape(both), element(both) {}
  ResultLabels(std::string_view shape, std::string_view element)
      : shape(shape), element(element) {}
};

class Rule {
public:
  Rule(OpKind kind, const InferContext &context)
      : kind_(kind), context_(context) {}

  OpKind kind() const { return kind_; }
  size_t operand_count() const { return context_.operands.size(); }
  const Type &operand_type(size_t i) const { return *context_.operands[i]; }
  /// Operand `i`, which the table says is a tensor.
  const TensorType &operand(size_t i) const {
    return context_.operands[i]->tensor();
  }
  /// The operands [first, first + count), all tensors.
  std::vector<const TensorType *> operands(size_t first, size_t count) const;
  /// The value of operand `i` where it is a known constant, else null.
  const std::vector<int64_t> *constant(size_t i) const;

  template <class T> const T &attributes() const {
    return context_.attributes.get<T>();
  }

  size_t region_count() const { return context_.regions.size(); }
  const RegionSignature &region(size_t i) const { return context_.regions[i]; }

  /// Whether the program declares the result types.
  bool declares() const { return context_.declares_results; }
  size_t declared_count() const { return context_.declared.size(); }
  const Type &declared_type(size_t i) const { return context_.declared[i]; }
  const TensorType &declared(size_t i) const {
    return context_.declared[i].tensor();
  }

  /// "<message> (<label>)"; `infer` puts the op's name before it.
  Failure fail(FailureKind failure_kind, std::string_view label,
               const std::string &message) const;
  /// The failure of an op whose result types must be declared and are not.
  Failure needs_declared() const;

  /// The result; `labels` are the constraints that a declared type breaks that
  /// does not fit it.
  Inferred result(ResultLabels labels, Type type) const;
  Inferred results(ResultLabels labels, std::vector<Type> types) const;
  const ResultLabels &result_labels() const { return result_labels_; }

private:
  OpKind kind_;
  const InferContext &context_;
  mutable ResultLabels result_labels_ = "";
};

/// Whether the specification lets the elementwise op `kind` work on elements of
/// `type`.
bool takes_elements_of(OpKind kind, const TensorType &type);

/// Failures of constraints on shapes, element types, dimension numbers and the
/// rest. `rule` must be in scope.
#define XLAC_REQUIRE(failure_kind, condition, label, ...)                      \
  do {                                                                         \
    if (!(condition))                                                          \
      return rule.fail(failure_kind, label, fmt::format(__VA_ARGS__));         \
  } while (false)
#define XLAC_SHAPE(condition, label, ...)                                      \
  XLAC_REQUIRE(FailureKind::Shape, condition, label, __VA_ARGS__)
#define XLAC_DTYPE(condition, label, ...)                                      \
  XLAC_REQUIRE(FailureKind::Dtype, condition, label, __VA_ARGS__)
#define XLAC_INDEX(condition, label, ...)                                      \
  XLAC_REQUIRE(FailureKind::Index, condition, label, __VA_ARGS__)
#define XLAC_USER(condition, label, ...)                                       \
  XLAC_REQUIRE(FailureKind::User, condition, label, __VA_ARGS__)

//===- Sizes --------------------------------------------------------------===//

/// One dimension: its size, or kDynamic with the bound known of it.
struct Dim {
  int64_t size = kDynamic;
  int64_t bound = kDynamic;
  bool is_dynamic() const { return size == kDynamic; }
};

Dim dim_of(const TensorType &type, int64_t axis);
/// Adds a dimension at the end.
void append_dim(TensorType &type, Dim dim);
void set_dim(TensorType &type, int64_t axis, Dim dim);
/// A tensor with the element type of `like` and no dimensions.
TensorType scalar_like(const TensorType &like);
TensorType tensor_of(ElementType element, std::vector<int64_t> dims = {});

/// Equal, or one of them not known.
bool sizes_agree(int64_t a, int64_t b);
bool shapes_agree(const TensorType &a, const TensorType &b);
/// What is known of a size that is `a` and `b` at once.
Dim merge(Dim a, Dim b);
/// `into` with what `other`, of an agreeing shape, knows of its sizes.
void merge_shape(TensorType &into, const TensorType &other);

/// a + b, a * b, saturating; kDynamic if one is.
int64_t add_sizes(int64_t a, int64_t b);
int64_t multiply_sizes(int64_t a, int64_t b);
/// `function` on the size, or on the bound of a dynamic one.
template <class Function> Dim map_dim(Dim dim, Function &&function) {
  if (!dim.is_dynamic())
    return {function(dim.size), kDynamic};
  return {kDynamic, dim.bound == kDynamic ? kDynamic : function(dim.bound)};
}

/// Shape failure unless each number is at most as large as a tensor may be,
/// either way, so that sums of a few of them do not overflow.
Status check_extents(const Rule &rule, std::string_view name,
                     std::span<const int64_t> numbers, std::string_view label);

/// How many places a window of `window` takes in `size` padded elements.
int64_t window_count(int64_t size, int64_t low, int64_t high,
                     int64_t base_dilation, int64_t window,
                     int64_t window_dilation, int64_t stride);

//===- Lists --------------------------------------------------------------===//

using Dims = std::vector<int64_t>;

bool is_unique(std::span<const int64_t> values);
bool is_sorted(std::span<const int64_t> values);
/// 0 <= every value < limit.
bool in_range(std::span<const int64_t> values, int64_t limit);
bool contains(std::span<const int64_t> values, int64_t value);
Dims joined(std::initializer_list<std::span<const int64_t>> lists);
/// "[1, 2, ?]".
std::string list_text(std::span<const int64_t> values);

//===- Element types ------------------------------------------------------===//

bool is_quantized(const TensorType &type);
bool is_per_axis_quantized(const TensorType &type);
/// The element type, or the expressed type of a quantized tensor.
ElementType expressed_type(const TensorType &type);
/// Equal up to the parameters of quantization.
bool same_baseline_element(const TensorType &a, const TensorType &b);
/// The specification's is_promotable.
bool is_promotable(const TensorType &from, const TensorType &to);
/// An integer type, or a boolean where `booleans`; never quantized.
bool is_integral(const TensorType &type, bool booleans = false);
bool is_scalar(const TensorType &type, ElementType element);

//===- Regions ------------------------------------------------------------===//

/// Checks that `region` combines pairs of `inputs`: (E0, …, E0, …) -> (E0, …),
/// each Ei a scalar of a promotion of the input's element type, or a tensor of
/// some of the sizes `kept`, in their order. Gives the Ei; for a region not
/// built yet, the inputs' element types.
Result<std::vector<TensorType>>
check_reducer(const Rule &rule, const RegionSignature &region,
              std::span<const TensorType *const> inputs, std::string_view name,
              std::string_view label, std::span<const int64_t> kept = {});

//===- Shared by static and dynamic forms of an op ------------------------===//

Status check_reshape(const Rule &rule, const TensorType &operand,
                     const TensorType &wanted);
Status check_broadcast(const Rule &rule, const TensorType &operand,
                       const TensorType &wanted, const Dims &dimensions);
/// Checks that `axis`, of which indices pick one element for each element of
/// `result`, is not `empty`. The specification lets it be and does not say what
/// is read then.
Status check_picks(const Rule &rule, int64_t axis, bool empty,
                   const TensorType &result);

//===- Rules --------------------------------------------------------------===//

using RuleFunction = Inferred (*)(const Rule &rule);

/// One function a rule; several ops of a kind may share one. What the table
/// names with `shapeRule` (by default the op's own name) is infer_<name>.
namespace rules {
#define XLAC_RULE_DECLARATIONS
#include "rule_table.inc"
#undef XLAC_RULE_DECLARATIONS
} // namespace rules

} // namespace xlac::ops
