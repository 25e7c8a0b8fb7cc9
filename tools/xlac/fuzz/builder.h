// Builds a program op by op. The shape rule determines the types of each node,
// the evaluator computes it immediately, and its radius is stored with it.
// Inside regions values are not known, so only ops that are exact for all
// inputs are used there. A program of a grid is computed for each of its
// processes.
#pragma once

#include "fuzz/collectives.h"
#include "fuzz/inputs.h"
#include "fuzz/random.h"
#include "xlac/graph/program.h"

#include <functional>
#include <optional>
#include <vector>

namespace xlac::fuzz {

/// A set of element types.
enum Elements : uint32_t {
  kBooleans = 1,
  kIntegers = 2,
  kFloats = 4,
  kComplexes = 8,
  kNumbers = kIntegers | kFloats | kComplexes,
  kReal = kBooleans | kIntegers | kFloats,
  kAll = kBooleans | kNumbers,
};
bool belongs(ElementType element, uint32_t elements);

/// A value of the program and its computed value; unknown inside regions.
struct Term {
  graph::Value value;
  Checked checked;                 ///< on the first process
  std::vector<Checked> peers = {}; ///< on the other processes
  const Checked &on(size_t process) const {
    return process == 0 ? checked : peers[process - 1];
  }
  const TensorType &type() const { return value.tensor(); }
  ElementType element() const { return type().element; }
};

using Terms = std::vector<Term>;

/// The values of an argument on each process. The evaluator, which reads
/// captured values of regions itself, sees the value of one process at a time.
class GridData : public host::HostData {
public:
  explicit GridData(std::vector<host::Literal> each)
      : HostData(each[0]), each(std::move(each)) {}
  const std::vector<host::Literal> each;
};
using Dims = std::vector<int64_t>;

/// Limits on the size of programs.
struct ProgramLimits {
  int64_t max_ops = 40;
  /// Whether tensors have up to 2^18 elements, so that kernels divide them into
  /// tasks, chunks and blocks. Otherwise they have up to 2^14, computed from
  /// arguments of 2^12.
  bool large = false;
  /// Programs of the same choices and different numbers differ in sizes, and
  /// otherwise as far as sizes influence choices.
  int64_t sizes = 0;
  /// Whether ops that relate neighbouring rows of a dimension are frequent, for
  /// programs that are partitioned.
  bool rows = false;
};

class Builder {
public:
  explicit Builder(Random &random, runtime::GridShape grid = {},
                   const ProgramLimits &limits = {});

  Random &random;
  /// The processes that run the program.
  const runtime::GridShape grid;
  bool large() const { return limits_.large; }
  /// Elements that a tensor may have, since the evaluator is slow.
  int64_t most_elements() const;
  bool rows() const { return limits_.rows; }
  size_t processes() const { return static_cast<size_t>(grid.count()); }

  /// Picks a type of the set; frequent types have higher probability.
  ElementType element(uint32_t elements = kAll);
  /// Picks a size: mostly small, rarely 0. In large programs up to 4099. Picks
  /// 1 if an argument of dimensions `others` and this one had too many
  /// elements.
  int64_t size(const Dims &others = {});
  /// True if values of this type are small enough to be operands or results.
  bool fits(const Type &type) const;
  Dims dims(int64_t max_rank = 5);
  TensorType type(uint32_t elements = kAll) {
    return {element(elements), dims(), {}, {}};
  }

  /// Adds an argument of the program, with different values on each process.
  /// Inside an isolated region it adds a constant.
  Term fresh(TensorType type);
  /// As above, with values of that kind.
  Term fresh(TensorType type, ValueKind kind);
  /// Adds an argument with the same value on all processes.
  Term given(host::Literal data);
  Term constant(host::Literal data);
  /// Adds an integer constant.
  Term constant(TensorType type, int64_t value);
  /// Adds these integers, as a constant or as an argument.
  Term integers(TensorType type, const std::vector<int64_t> &values);

  /// Picks an existing value that fits, or nothing. Quantized values never fit.
  std::optional<Term> existing(const std::function<bool(const Term &)> &fits);
  /// Picks a value with one of these element types; adds an argument if there
  /// is none.
  Term any(uint32_t elements = kAll, int64_t min_rank = 0);
  /// Picks a value of exactly that type, or adds an argument.
  Term like(TensorType type);

  /// Adds an op. Returns nothing if the shape rule, the evaluator or the error
  /// bound rejects it. `declared` are the results' types where the rule does
  /// not determine them.
  std::optional<Terms> add(ops::OpKind kind, ops::OpAttributes attributes,
                           const Terms &operands,
                           std::vector<Type> declared = {},
                           std::vector<graph::Block> regions = {},
                           std::vector<graph::FunctionRef> callees = {});

  /// As add(), through async_start and async_done.
  std::optional<Terms> add_async(ops::OpKind kind, ops::OpAttributes attributes,
                                 const Terms &operands,
                                 std::vector<Type> declared,
                                 std::vector<graph::Block> regions);

  /// Makes a tuple of values and extracts element `index`.
  std::optional<Term> through_tuple(const Terms &values, size_t index);

  /// True inside a region.
  bool blind() const { return scopes_.size() > 1; }
  /// True where captured values are not allowed.
  bool is_isolated() const;

  /// Makes a region: `body` adds its ops and returns its results. An isolated
  /// region captures nothing.
  std::optional<graph::Block>
  region(const std::vector<Type> &arguments, bool isolated,
         const std::function<std::optional<Terms>(const Terms &)> &body);

  /// Makes a private function with a unique name. Its body captures nothing.
  std::optional<graph::FunctionRef>
  function(const std::vector<Type> &arguments,
           const std::function<std::optional<Terms>(const Terms &)> &body);
  /// Functions that may be called with any values of the argument types.
  std::vector<graph::FunctionRef> callable;
  /// Calls a function. Its operands must be exact; its results are exact then.
  std::optional<Terms> call(const graph::FunctionRef &callee,
                            const Terms &operands);

  /// The values that the program has computed, and whether an op uses one.
  const Terms &terms() const { return scopes_[0].terms; }
  bool is_used(const Term &term) const;
  /// The number of rejected ops, for debugging of plans.
  int64_t refused = 0;

private:
  /// Whether the evaluator computes that op within about a second.
  bool is_quick(ops::OpKind kind, const Terms &operands,
                const std::vector<Type> &results) const;

  struct Scope {
    Terms terms;
    graph::Block *block = nullptr;
    bool isolated = false;
  };
  /// Records an op. `results` is empty where they are not known.
  Terms record(const graph::NodeRef &node, const ByProcess &results);
  /// Returns a value that is the same on all processes.
  ByProcess everywhere(host::Literal data) const;
  Term parameter(std::vector<host::Literal> each);
  /// Sets all arguments to their values on that process.
  void turn_to(size_t process) const;
  /// Returns the types by the shape rule, or `declared`; nothing if the rule
  /// rejects the op.
  std::optional<std::vector<Type>>
  types_of(ops::OpKind kind, const ops::OpAttributes &attributes,
           const Terms &operands, const std::vector<Type> &declared,
           std::span<const graph::Block> regions) const;
  std::optional<ByProcess> computed(const OpUse &use,
                                    const Terms &operands) const;

  const ProgramLimits limits_;
  std::vector<Scope> scopes_;
  std::vector<std::shared_ptr<GridData>> arguments_;
  size_t functions_ = 0;
  /// All ops ever made, including those of discarded regions: values that these
  /// use count as used.
  std::vector<graph::NodeRef> recorded_;
};

} // namespace xlac::fuzz
