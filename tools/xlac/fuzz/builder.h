// Builds a program op by op: the shape rule types each node, the evaluator
// computes it at once, and its radius is kept beside it. Inside regions values
// are not known, so only ops that are exact on everything are let in. A program
// of a grid is computed for each process of it.
#pragma once

#include "fuzz/collectives.h"
#include "fuzz/inputs.h"
#include "fuzz/random.h"
#include "xlac/graph/program.h"

#include <functional>
#include <optional>
#include <vector>

namespace xlac::fuzz {

/// Element types as a set.
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

/// A value of the program, and what it is worth; unknown inside regions.
struct Term {
  graph::Value value;
  Checked checked;                 ///< on the first process
  std::vector<Checked> peers = {}; ///< on the others
  const Checked &on(size_t process) const {
    return process == 0 ? checked : peers[process - 1];
  }
  const TensorType &type() const { return value.tensor(); }
  ElementType element() const { return type().element; }
};

using Terms = std::vector<Term>;

/// What an argument is worth on each process. The evaluator, which computes
/// what regions see of the outside by itself, gets that of one at a time.
class GridData : public host::HostData {
public:
  explicit GridData(std::vector<host::Literal> each)
      : HostData(each[0]), each(std::move(each)) {}
  const std::vector<host::Literal> each;
};
using Dims = std::vector<int64_t>;

/// How large programs get.
struct ProgramLimits {
  int64_t max_ops = 40;
  /// Tensors of up to 2^18 elements, which kernels cut into tasks, chunks and
  /// blocks; otherwise of 2^14, made from arguments of 2^12.
  bool large = false;
};

class Builder {
public:
  explicit Builder(Random &random, runtime::GridShape grid = {},
                   bool large = false);

  Random &random;
  /// The processes that run the program.
  const runtime::GridShape grid;
  bool large() const { return large_; }
  size_t processes() const { return static_cast<size_t>(grid.count()); }

  /// A type of the set, the usual ones most often.
  ElementType element(uint32_t elements = kAll);
  /// A size: mostly small, seldom 0. Of large programs up to 4099.
  int64_t size();
  Dims dims(int64_t max_rank = 5);
  TensorType type(uint32_t elements = kAll) {
    return {element(elements), dims(), {}, {}};
  }

  /// A new argument of the program, of other values on each process; inside an
  /// isolated region a constant.
  Term fresh(TensorType type);
  /// The same with values of that kind.
  Term fresh(TensorType type, ValueKind kind);
  /// An argument that is the same everywhere.
  Term given(host::Literal data);
  Term constant(host::Literal data);
  /// An integer constant.
  Term constant(TensorType type, int64_t value);
  /// These integers, as a constant or as an argument.
  Term integers(TensorType type, const std::vector<int64_t> &values);

  /// One that exists and fits, or nothing. Quantized ones never fit.
  std::optional<Term> existing(const std::function<bool(const Term &)> &fits);
  /// One of these elements; a new argument where there is none.
  Term any(uint32_t elements = kAll, int64_t min_rank = 0);
  /// One of exactly that type.
  Term like(TensorType type);

  /// Adds an op. Nothing where the shape rule, the evaluator or the error
  /// bound refuses it. `declared`, where the rule leaves a choice, are the
  /// results' types.
  std::optional<Terms> add(ops::OpKind kind, ops::OpAttributes attributes,
                           const Terms &operands,
                           std::vector<Type> declared = {},
                           std::vector<graph::Block> regions = {},
                           std::vector<graph::FunctionRef> callees = {});

  /// The same, begun by async_start and ended by async_done.
  std::optional<Terms> add_async(ops::OpKind kind, ops::OpAttributes attributes,
                                 const Terms &operands,
                                 std::vector<Type> declared,
                                 std::vector<graph::Block> regions);

  /// Puts values into a tuple and takes number `index` out again.
  std::optional<Term> through_tuple(const Terms &values, size_t index);

  /// True inside a region.
  bool blind() const { return scopes_.size() > 1; }
  /// True where no value from outside may be used.
  bool is_isolated() const;

  /// A region: `body` adds its ops and gives its results. An isolated one sees
  /// nothing of what is outside.
  std::optional<graph::Block>
  region(const std::vector<Type> &arguments, bool isolated,
         const std::function<std::optional<Terms>(const Terms &)> &body);

  /// A private function of a name of its own. Its body sees nothing of what is
  /// outside.
  std::optional<graph::FunctionRef>
  function(const std::vector<Type> &arguments,
           const std::function<std::optional<Terms>(const Terms &)> &body);
  /// Functions that may be called with whatever has their types.
  std::vector<graph::FunctionRef> callable;
  /// Calls a function. Its operands must be exact, as its results then are.
  std::optional<Terms> call(const graph::FunctionRef &callee,
                            const Terms &operands);

  /// What the program has computed, and whether an op reads it.
  const Terms &terms() const { return scopes_[0].terms; }
  bool is_used(const Term &term) const;
  /// Why ops were refused, counted for those who add plans.
  int64_t refused = 0;

private:
  /// Whether the evaluator computes that op in a second or less.
  bool is_quick(ops::OpKind kind, const Terms &operands,
                const std::vector<Type> &results) const;

  struct Scope {
    Terms terms;
    graph::Block *block = nullptr;
    bool isolated = false;
  };
  /// Notes an op; of `results` there may be none where they are not known.
  Terms record(const graph::NodeRef &node, const ByProcess &results);
  /// A value that is the same everywhere.
  ByProcess everywhere(host::Literal data) const;
  Term parameter(std::vector<host::Literal> each);
  /// Lets all arguments be worth what they are on that process.
  void turn_to(size_t process) const;
  /// What the shape rule says, or `declared`; nothing where it refuses.
  std::optional<std::vector<Type>>
  types_of(ops::OpKind kind, const ops::OpAttributes &attributes,
           const Terms &operands, const std::vector<Type> &declared,
           std::span<const graph::Block> regions) const;
  std::optional<ByProcess> computed(const OpUse &use,
                                    const Terms &operands) const;

  const bool large_;
  std::vector<Scope> scopes_;
  std::vector<std::shared_ptr<GridData>> arguments_;
  size_t functions_ = 0;
  /// Every op ever made, also those of regions that were given up: what these
  /// read counts as used.
  std::vector<graph::NodeRef> recorded_;
};

} // namespace xlac::fuzz
