// Functions that make graph nodes, one per StableHLO op. They infer result
// types and attach the origin of the running public call. Callers check shapes;
// an error that they miss is an exception of the op's shape rule.
#pragma once

#include "xlac/lazy/emit.h"
#include "xlac/types.h"

#include <functional>
#include <optional>

namespace xlac::build {

/// A splat of `number`, converted to the element type.
Value constant(ElementType type, const Shape &dims, const Scalar &number);
/// A list of integers.
Value constant(const std::vector<int64_t> &numbers);
Value iota(ElementType type, const Shape &dims, int64_t dim);

Value unary(OpKind op, Value operand);
Value binary(OpKind op, Value lhs, Value rhs);
Value compare(ops::ComparisonDirection direction, Value lhs, Value rhs);
Value select(Value predicate, Value on_true, Value on_false);
/// Bounds have rank 0 or the operand's shape; `high` takes precedence over
/// `low`.
Value clamp(Value low, Value operand, Value high);
/// Returns `operand` if it has the type. Conversion to i1 means "is not 0".
Value convert(Value operand, ElementType type);

Value reshape(Value operand, const Shape &dims);
Value transpose(Value operand, const Shape &permutation);
Value broadcast_in_dim(Value operand, const Shape &dims, const Shape &mapping);
/// Broadcasts as PyTorch does: aligns trailing dimensions and expands size 1.
Value broadcast_to(Value operand, const Shape &dims);
Value slice(Value operand, const Shape &starts, const Shape &limits,
            const Shape &steps);
Value pad(Value operand, Value filler, const Shape &low, const Shape &high,
          const Shape &interior);
Value dynamic_update_slice(Value operand, Value update, const Shape &starts);
Value concatenate(std::vector<Value> operands, int64_t dim);
/// Reinterprets the bits as elements of `type`. A narrower type adds a last
/// dimension, a wider one removes it. Returns `operand` if it has the type.
Value bitcast_convert(Value operand, ElementType type);

/// Reduces over `dims` with one op, starting from `init`.
Value reduce(OpKind op, Value operand, Value init, const Shape &dims);
Value dot_general(Value lhs, Value rhs, const Shape &lhs_batch,
                  const Shape &rhs_batch, const Shape &lhs_contracting,
                  const Shape &rhs_contracting);

/// A window over the spatial dimensions; one entry per dimension.
struct Window {
  Shape sizes, strides, low, high; ///< low and high are the padding
  Shape base_dilation, dilation;   ///< of the operand and of the window
};
/// A window with these sizes, stride 1, and no padding or dilation.
Window plain_window(const Shape &sizes);

/// Convolves lhs [N, C, spatial…] with rhs [O, C / groups, spatial…].
Value convolution(Value lhs, Value rhs, const Window &window, int64_t groups);
/// Reduces each window with one op; `window` has one entry per dimension.
Value reduce_window(OpKind op, Value operand, Value init, const Window &window);
/// Combines two lists of elements, one element for each operand of a scan.
using Combine = std::function<std::vector<Value>(
    const std::vector<Value> &left, const std::vector<Value> &right)>;
/// Combines each element along `dim` with all elements before it, or after it
/// if `reverse`, as one reduce_window. `combine` is associative; `inits` are
/// its identities, of rank 0.
std::vector<Value> running_window(const std::vector<Value> &operands,
                                  const std::vector<Value> &inits, int64_t dim,
                                  bool reverse, const Combine &combine);
/// The indices of the largest element of each window: the first of equal ones,
/// with NaN as the largest; -1 for a window of padding only.
Value reduce_window_max_index(Value operand, Value indices,
                              const Window &window);

/// A slice of `sizes` at each index vector.
Value gather(Value operand, Value indices,
             const ops::GatherDimensionNumbers &numbers, const Shape &sizes);
/// Combines updates with `operand` by one op; without an op, updates overwrite.
Value scatter(std::optional<OpKind> op, Value operand, Value indices,
              Value updates, const ops::ScatterDimensionNumbers &numbers,
              bool unique = false);
/// operand[…, indices, …] along `dim`; indices have rank 1.
Value take(Value operand, Value indices, int64_t dim);

/// A loop: `condition` and `body` get the loop-carried values.
std::vector<Value> while_loop(
    std::vector<Value> inits,
    const std::function<Value(const std::vector<Value> &)> &condition,
    const std::function<std::vector<Value>(const std::vector<Value> &)> &body);
/// Runs one branch, with `operands` as arguments.
std::vector<Value>
if_else(Value predicate, const std::vector<Value> &operands,
        const std::function<std::vector<Value>(const std::vector<Value> &)>
            &on_true,
        const std::function<std::vector<Value>(const std::vector<Value> &)>
            &on_false);
std::vector<Value> optimization_barrier(std::vector<Value> operands);

/// Results of a scan or of one step: the loop-carried values, and the outputs.
/// A step's outputs are rows, which the scan stacks along dimension 0.
struct Scanned {
  std::vector<Value> carried, outputs;
};
/// Gets the rows of the inputs and the loop-carried values.
using ScanBody = std::function<Scanned(const std::vector<Value> &rows,
                                       const std::vector<Value> &carried)>;
/// A chlo.scan over dimension 0 of `inputs`, which must not be empty; backwards
/// if `reverse`. Values that the body captures become additional loop-carried
/// values, since the op's region can only use its arguments.
Scanned scan(std::vector<Value> inputs, std::vector<Value> inits, bool reverse,
             const ScanBody &body);

/// The new state of Philox and random bits of an integer type.
std::pair<Value, Value> rng_bit_generator(Value state, ElementType type,
                                          const Shape &dims);

/// The initial value of a maximum (`least`) or a minimum over the type.
Value extreme(ElementType type, bool least);
/// The largest or smallest elements along `dim` and their indices: the first of
/// equal ones, with NaN before all numbers.
std::pair<Value, Value> reduce_with_index(bool greatest, Value operand,
                                          int64_t dim);
/// Sorts `operands` together by the first of them, stably: ascending with NaN
/// last, or descending with NaN first.
std::vector<Value> sort(std::vector<Value> operands, int64_t dim,
                        bool descending);
Value reverse(Value operand, const Shape &dims);
/// Elements of `operand` at the i64 `indices` along `dim`; the other sizes must
/// be equal. Indices are clamped to the valid range.
Value take_along(Value operand, Value indices, int64_t dim);

/// FFT over the last dimensions, one for each of `lengths`.
Value fft(Value operand, ops::FftType type, const Shape &lengths);
/// The Cholesky factor of the requested triangle; the other triangle is 0.
Value cholesky(Value operand, bool lower);
/// The solution x of op(a) x = b if `left`, else of x op(a) = b.
Value triangular_solve(Value a, Value b, bool left, bool lower, bool unit,
                       ops::Transpose transpose);
/// Calls a host function. `config` is text without quotes.
std::vector<Value> custom_call(const std::string &target,
                               const std::string &config,
                               std::vector<Value> operands,
                               const std::vector<TensorType> &results);

/// A @Sharding custom call: `operand` with the sharding of the HLO text
/// `sharding`.
Value sharding(Value operand, const std::string &sharding);

/// A stablehlo.composite `name` with the integer attribute `dim` and, if set,
/// the attribute `reverse`. `body` computes its decomposition from the
/// operands.
std::vector<Value> composite(
    const std::string &name, int64_t dim, bool reverse,
    std::vector<Value> operands,
    const std::function<std::vector<Value>(const std::vector<Value> &)> &body);
/// The same for one result, without `reverse`.
Value composite(const std::string &name, int64_t dim,
                std::vector<Value> operands,
                const std::function<Value(const std::vector<Value> &)> &body);

} // namespace xlac::build
