// Helpers of shape rules: a view of the op, messages with the specification's
// labels, and comparisons of dynamic and bounded sizes. `infer` checks the
// number and category of operands, regions and declared results before a rule
// runs.
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

/// The constraints that a declared result may violate: on its shape, or on its
/// element type. Often one label covers both.
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
  /// Operand `i`, which the table declares as a tensor.
  const TensorType &operand(size_t i) const {
    return context_.operands[i]->tensor();
  }
  /// The operands [first, first + count), all tensors.
  std::vector<const TensorType *> operands(size_t first, size_t count) const;
  /// The value of operand `i` if it is a known constant, else null.
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

  /// "<message> (<label>)"; `infer` prepends the op's name.
  Failure fail(FailureKind failure_kind, std::string_view label,
               const std::string &message) const;
  /// The failure of an op whose result types must be declared and are not.
  Failure needs_declared() const;
  /// The declared result types; fails if there are none.
  Inferred as_declared() const;

  /// The result; `labels` are the constraints that an incompatible declared
  /// type violates.
  Inferred result(ResultLabels labels, Type type) const;
  Inferred results(ResultLabels labels, std::vector<Type> types) const;
  const ResultLabels &result_labels() const { return result_labels_; }

private:
  OpKind kind_;
  const InferContext &context_;
  mutable ResultLabels result_labels_ = "";
};

/// Whether the specification permits elements of `type` for the elementwise op
/// `kind`.
bool takes_elements_of(OpKind kind, const TensorType &type);

/// Failures of constraints on shapes, element types, dimension numbers and
/// others. `rule` must be in scope.
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

/// One dimension: its size, or kDynamic with the known bound.
struct Dim {
  int64_t size = kDynamic;
  int64_t bound = kDynamic;
  bool is_dynamic() const { return size == kDynamic; }
};

Dim dim_of(const TensorType &type, int64_t axis);
/// Appends a dimension.
void append_dim(TensorType &type, Dim dim);
void set_dim(TensorType &type, int64_t axis, Dim dim);
/// A tensor with the element type of `like` and no dimensions.
TensorType scalar_like(const TensorType &like);
TensorType tensor_of(ElementType element, std::vector<int64_t> dims = {});

/// Whether they are equal, or one of them is unknown.
bool sizes_agree(int64_t a, int64_t b);
bool shapes_agree(const TensorType &a, const TensorType &b);
/// Merges the knowledge about one size from `a` and `b`.
Dim merge(Dim a, Dim b);
/// Merges known sizes of `other`, which has an agreeing shape, into `into`.
void merge_shape(TensorType &into, const TensorType &other);

/// a + b, a * b, saturating; kDynamic if one is unknown.
int64_t add_sizes(int64_t a, int64_t b);
int64_t multiply_sizes(int64_t a, int64_t b);
/// Applies `function` to the size, or to the bound of a dynamic size.
template <class Function> Dim map_dim(Dim dim, Function &&function) {
  if (!dim.is_dynamic())
    return {function(dim.size), kDynamic};
  return {kDynamic, dim.bound == kDynamic ? kDynamic : function(dim.bound)};
}

/// Shape failure unless the absolute value of each number is within the size
/// limit of tensors, so that sums of a few of them do not overflow.
Status check_extents(const Rule &rule, std::string_view name,
                     std::span<const int64_t> numbers, std::string_view label);

/// Number of positions of a window of size `window` in `size` padded elements.
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
/// An integer type, or a boolean if `booleans`; never quantized.
bool is_integral(const TensorType &type, bool booleans = false);
bool is_scalar(const TensorType &type, ElementType element);

//===- Regions ------------------------------------------------------------===//

/// Checks that `region` combines pairs of `inputs`: (E0, …, E0, …) -> (E0, …).
/// Each Ei is a scalar whose type the input's element type can be promoted to,
/// or a tensor whose sizes are a subsequence of `kept`. Returns the Ei; for a
/// region that is not built yet, the inputs' element types.
Result<std::vector<TensorType>>
check_reducer(const Rule &rule, const RegionSignature &region,
              std::span<const TensorType *const> inputs, std::string_view name,
              std::string_view label, std::span<const int64_t> kept = {});

//===- Shared by static and dynamic forms of an op ------------------------===//

Status check_reshape(const Rule &rule, const TensorType &operand,
                     const TensorType &wanted);
Status check_broadcast(const Rule &rule, const TensorType &operand,
                       const TensorType &wanted, const Dims &dimensions);
/// Checks that `axis`, from which indices select one element for each element
/// of `result`, is not `empty`. The specification permits an empty axis, but
/// does not define the elements that are read.
Status check_picks(const Rule &rule, int64_t axis, bool empty,
                   const TensorType &result);

//===- Rules --------------------------------------------------------------===//

using RuleFunction = Inferred (*)(const Rule &rule);

/// One function per rule; several ops may share one. `shapeRule` in the table
/// (by default the op's name) selects infer_<name>.
namespace rules {
#define XLAC_RULE_DECLARATIONS
#include "rule_table.inc"
#undef XLAC_RULE_DECLARATIONS
} // namespace rules

} // namespace xlac::ops
