// Makes graph nodes: one function a StableHLO op, with result types worked out
// and the origin of the running public call attached. Callers have checked
// shapes; what slips through fails in the op's shape rule, as an exception.
#pragma once

#include "xlac/lazy/emit.h"
#include "xlac/types.h"

#include <functional>
#include <optional>

namespace xlac::build {

/// A splat of `number` converted to the element type.
Value constant(ElementType type, const Shape &dims, const Scalar &number);
/// A list of whole numbers.
Value constant(const std::vector<int64_t> &numbers);
Value iota(ElementType type, const Shape &dims, int64_t dim);

Value unary(OpKind op, Value operand);
Value binary(OpKind op, Value lhs, Value rhs);
Value compare(ops::ComparisonDirection direction, Value lhs, Value rhs);
Value select(Value predicate, Value on_true, Value on_false);
/// Bounds of rank 0 or of the operand's shape; the upper one wins.
Value clamp(Value low, Value operand, Value high);
/// `operand` itself when it has the type already; to i1 means "is not 0".
Value convert(Value operand, ElementType type);

Value reshape(Value operand, const Shape &dims);
Value transpose(Value operand, const Shape &permutation);
Value broadcast_in_dim(Value operand, const Shape &dims, const Shape &mapping);
/// Trailing dimensions meet, size 1 stretches, as PyTorch broadcasts.
Value broadcast_to(Value operand, const Shape &dims);
Value slice(Value operand, const Shape &starts, const Shape &limits,
            const Shape &steps);
Value pad(Value operand, Value filler, const Shape &low, const Shape &high,
          const Shape &interior);
Value dynamic_update_slice(Value operand, Value update, const Shape &starts);
Value concatenate(std::vector<Value> operands, int64_t dim);
/// The same bits as elements of `type`: a smaller one adds a last dimension, a
/// larger one takes it away. `operand` itself when it has the type already.
Value bitcast_convert(Value operand, ElementType type);

/// Folds `dims` with one op, starting from `init`.
Value reduce(OpKind op, Value operand, Value init, const Shape &dims);
Value dot_general(Value lhs, Value rhs, const Shape &lhs_batch,
                  const Shape &rhs_batch, const Shape &lhs_contracting,
                  const Shape &rhs_contracting);

/// How a window moves over spatial dimensions, one entry a dimension.
struct Window {
  Shape sizes, strides, low, high; ///< low and high are padding
  Shape base_dilation, dilation;   ///< of the operand and of the window
};
/// The same sizes, stride 1, no padding or dilation.
Window plain_window(const Shape &sizes);

/// lhs [N, C, spatial…] with rhs [O, C / groups, spatial…].
Value convolution(Value lhs, Value rhs, const Window &window, int64_t groups);
/// Folds each window, which has an entry a dimension, with one op.
Value reduce_window(OpKind op, Value operand, Value init, const Window &window);
/// The indices that go with the greatest element of each window: the first of
/// equal ones, NaN before all; -1 for a window of padding alone.
Value reduce_window_max_index(Value operand, Value indices,
                              const Window &window);

/// A slice of `sizes` at each index vector.
Value gather(Value operand, Value indices,
             const ops::GatherDimensionNumbers &numbers, const Shape &sizes);
/// Folds updates into `operand` with one op; nothing overwrites.
Value scatter(std::optional<OpKind> op, Value operand, Value indices,
              Value updates, const ops::ScatterDimensionNumbers &numbers,
              bool unique = false);
/// operand[…, indices, …] along `dim`; indices of rank 1.
Value take(Value operand, Value indices, int64_t dim);

/// A loop: `condition` and `body` see the carried values.
std::vector<Value> while_loop(
    std::vector<Value> inits,
    const std::function<Value(const std::vector<Value> &)> &condition,
    const std::function<std::vector<Value>(const std::vector<Value> &)> &body);
/// Runs one branch, which sees `operands`.
std::vector<Value>
if_else(Value predicate, const std::vector<Value> &operands,
        const std::function<std::vector<Value>(const std::vector<Value> &)>
            &on_true,
        const std::function<std::vector<Value>(const std::vector<Value> &)>
            &on_false);
std::vector<Value> optimization_barrier(std::vector<Value> operands);

/// What a scan or one step of it gives: values that the next step sees, and
/// outputs, of which a step gives rows and the scan stacks along dimension 0.
struct Scanned {
  std::vector<Value> carried, outputs;
};
/// Sees the rows of inputs and the carried values.
using ScanBody = std::function<Scanned(const std::vector<Value> &rows,
                                       const std::vector<Value> &carried)>;
/// A chlo.scan over dimension 0 of `inputs`, of which there is one at least;
/// backwards if `reverse`. What the body uses from outside is carried along
/// unchanged, since the op's region sees its arguments alone.
Scanned scan(std::vector<Value> inputs, std::vector<Value> inits, bool reverse,
             const ScanBody &body);

/// Philox's new state and random bits of an integer type.
std::pair<Value, Value> rng_bit_generator(Value state, ElementType type,
                                          const Shape &dims);

/// What a maximum (`least`) or a minimum of the type starts from.
Value extreme(ElementType type, bool least);
/// The greatest or least elements along `dim` and where they stand: the first
/// of equal ones, NaN before all.
std::pair<Value, Value> reduce_with_index(bool greatest, Value operand,
                                          int64_t dim);
/// Sorts `operands` together by the first of them, stably: ascending with NaN
/// last, or descending with NaN first.
std::vector<Value> sort(std::vector<Value> operands, int64_t dim,
                        bool descending);
Value reverse(Value operand, const Shape &dims);
/// Elements of `operand` at the i64 `indices` along `dim`; both have the same
/// other sizes. Indices are clamped into range.
Value take_along(Value operand, Value indices, int64_t dim);

/// Over the last dimensions, one for each of `lengths`.
Value fft(Value operand, ops::FftType type, const Shape &lengths);
/// The factor of the triangle that is asked for; the other triangle is 0.
Value cholesky(Value operand, bool lower);
/// x with op(a) x = b, or x op(a) = b.
Value triangular_solve(Value a, Value b, bool left, bool lower, bool unit,
                       ops::Transpose transpose);
/// Calls a function of the host. `config` is text without quotes in it.
std::vector<Value> custom_call(const std::string &target,
                               const std::string &config,
                               std::vector<Value> operands,
                               const std::vector<TensorType> &results);

/// A @Sharding call: `operand` itself, which is to lie as HLO's text `sharding`
/// says.
Value sharding(Value operand, const std::string &sharding);

/// A stablehlo.composite `name` with the whole-number attribute `dim`, whose
/// decomposition `body` computes from the operands.
Value composite(const std::string &name, int64_t dim,
                std::vector<Value> operands,
                const std::function<Value(const std::vector<Value> &)> &body);

} // namespace xlac::build
