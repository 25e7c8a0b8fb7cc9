// Integer arithmetic on i64 indices. It computes each value once, folds trivial
// operations and tracks known divisors and ranges of values, to prove that
// vector lanes do not cross a row, or stay on one side of a boundary.
#ifndef XLAC_LIB_CODEGEN_INDEXMATH_H
#define XLAC_LIB_CODEGEN_INDEXMATH_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace xlac::codegen {

class IndexMath {
public:
  /// Without `tracksRanges`, no range is known, so that the operations do not
  /// depend on sizes.
  explicit IndexMath(llvm::IRBuilder<> &builder, bool tracksRanges = false)
      : ir(builder), tracksRanges(tracksRanges) {}

  llvm::Value *constant(int64_t value) { return ir.getInt64(value); }
  llvm::Value *add(llvm::Value *left, llvm::Value *right);
  llvm::Value *add(llvm::Value *left, int64_t right);
  llvm::Value *sub(llvm::Value *left, llvm::Value *right);
  llvm::Value *mul(llvm::Value *left, int64_t right);
  /// Unsigned division of a non-negative value by a positive number.
  llvm::Value *div(llvm::Value *left, int64_t right);
  llvm::Value *rem(llvm::Value *left, int64_t right);
  /// Signed minimum and maximum.
  llvm::Value *min(llvm::Value *left, llvm::Value *right);
  llvm::Value *max(llvm::Value *left, llvm::Value *right);

  /// Returns the scalar in each of `width` lanes, and base + lane * stride.
  llvm::Value *splat(llvm::Value *scalar, unsigned width);
  llvm::Value *lanes(llvm::Value *base, int64_t stride, unsigned width);

  /// Returns a number that divides `value`: 0 for the constant 0, at least 1
  /// otherwise.
  int64_t multipleOf(llvm::Value *value) const;
  /// States that `multiple` divides `value`.
  void setMultiple(llvm::Value *value, int64_t multiple);

  /// The least and the greatest number that a value may be.
  struct Range {
    int64_t low, high;
  };
  /// Returns a range that contains `value`, if one is known.
  std::optional<Range> rangeOf(llvm::Value *value) const;
  /// States that low <= value <= high.
  void setRange(llvm::Value *value, int64_t low, int64_t high);

  /// `release` forgets the values computed after `mark`. They must not be used
  /// any more.
  using Mark = size_t;
  Mark mark() const { return order.size(); }
  void release(Mark mark);

private:
  using Key = std::tuple<int, llvm::Value *, llvm::Value *>;
  template <class Make>
  llvm::Value *once(int operation, llvm::Value *left, llvm::Value *right,
                    Make make);

  llvm::IRBuilder<> &ir;
  bool tracksRanges;
  std::map<Key, llvm::Value *> made;
  std::vector<Key> order;
  llvm::DenseMap<llvm::Value *, int64_t> multiples;
  llvm::DenseMap<llvm::Value *, Range> ranges;
};

} // namespace xlac::codegen

#endif
