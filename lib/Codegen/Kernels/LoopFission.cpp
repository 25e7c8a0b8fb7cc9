#include "LoopFission.h"

#include "Scalar/ScalarOps.h"

#include "xlac/Dialect/Stablehlo/OpCost.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace xlac::codegen {

/// The shortest chain that is worth a loop of its own, in additions: about that
/// of a division and a square root.
static constexpr int64_t kLeastLength = 20;
/// Values of chains that are not longer are computed again.
static constexpr int64_t kShortLength = 3;
/// Most values that are stored. Each takes a store and a load.
static constexpr size_t kMostValues = 4;
/// Most ops whose chains are compared, which takes quadratic time.
static constexpr size_t kMostOps = 256;

namespace {
/// The elementwise ops that lead to the results of a kernel, each with the cost
/// of the longest chain that ends with it.
class Chains {
public:
  explicit Chains(mlir::ValueRange results)
      : results(results), shape(shapeOf(results[0])) {
    for (mlir::Value result : results)
      longest = std::max(longest, visit(result));
  }

  SmallVector<mlir::Value> middle() const;

private:
  static ArrayRef<int64_t> shapeOf(mlir::Value value) {
    return cast<mlir::ShapedType>(value.getType()).getShape();
  }
  bool contains(mlir::Value value) const;
  int64_t visit(mlir::Value value);
  std::optional<SmallVector<mlir::Value>> valuesAt(int64_t length) const;

  mlir::ValueRange results;
  ArrayRef<int64_t> shape;
  int64_t longest = 0;
  llvm::MapVector<mlir::Value, int64_t> lengths;
};
} // namespace

/// Only ops of the results' shape have an element for each of theirs.
bool Chains::contains(mlir::Value value) const {
  mlir::Operation *op = value.getDefiningOp();
  return op && op->getNumResults() == 1 && isScalarOp(op) &&
         shapeOf(value) == shape;
}

int64_t Chains::visit(mlir::Value value) {
  if (!contains(value))
    return 0;
  if (auto known = lengths.find(value); known != lengths.end())
    return known->second;
  mlir::Operation *op = value.getDefiningOp();
  int64_t before = 0;
  for (mlir::Value operand : op->getOperands())
    before = std::max(before, visit(operand));
  int64_t length = before + costPerElement(op);
  lengths[value] = length;
  return length;
}

/// Returns the values of chains up to `length` that are results or that longer
/// chains read. Returns nothing if they cannot be stored.
std::optional<SmallVector<mlir::Value>> Chains::valuesAt(int64_t length) const {
  llvm::SetVector<mlir::Value> values;
  auto add = [&](mlir::Value value) {
    auto found = lengths.find(value);
    if (found != lengths.end() && found->second <= length &&
        found->second > kShortLength)
      values.insert(value);
  };
  for (mlir::Value result : results)
    add(result);
  for (auto [value, own] : lengths)
    if (own > length)
      for (mlir::Value operand : value.getDefiningOp()->getOperands())
        add(operand);
  bool areNumbers = llvm::all_of(values, [](mlir::Value value) {
    mlir::Type type = mlir::getElementTypeOrSelf(value);
    return !isa<mlir::ComplexType>(type) && !type.isInteger(1);
  });
  if (!areNumbers || values.size() > kMostValues)
    return std::nullopt;
  return values.takeVector();
}

SmallVector<mlir::Value> Chains::middle() const {
  SmallVector<mlir::Value> chosen;
  if (lengths.size() > kMostOps)
    return chosen;
  int64_t shortest = longest;
  for (auto [value, length] : lengths) {
    int64_t rest = longest - length, longer = std::max(length, rest);
    if (std::min(length, rest) < kLeastLength || longer >= shortest)
      continue;
    if (std::optional<SmallVector<mlir::Value>> values = valuesAt(length)) {
      chosen = std::move(*values);
      shortest = longer;
    }
  }
  return chosen;
}

SmallVector<mlir::Value> findFission(mlir::ValueRange results) {
  return results.empty() ? SmallVector<mlir::Value>()
                         : Chains(results).middle();
}

} // namespace xlac::codegen
