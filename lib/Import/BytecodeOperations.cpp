#include "BytecodeFile.h"

#include "xlac/Import/Import.h"

#include "mlir/IR/Operation.h"

using namespace mlir;
namespace Mask = mlir::bytecode::OpEncodingMask;

namespace xlac::bytecode {

namespace {
/// The values of one region that is isolated from above, including nested
/// regions.
struct Scope {
  struct Value {
    uint32_t uses = 0;
    bool isDefined = false;
  };
  /// A use order from the file. It is checked when all uses are known.
  struct Order {
    uint64_t value;
    bool isPairs;
    SmallVector<uint32_t, 4> indices;
  };
  std::vector<Value> values;
  std::vector<Order> orders;
};

/// The part of a scope that one region defines, in order.
struct Range {
  uint64_t next = 0, end = 0;
};

class OperationChecker {
public:
  OperationChecker(const File &file, ValidationResult &result)
      : file(file), result(result) {}

  LogicalResult check();

private:
  LogicalResult checkRegion(Cursor &cursor, Scope &scope, int depth);
  LogicalResult checkBlock(Cursor &cursor, Scope &scope, Range &range,
                           int depth);
  LogicalResult checkBlockArguments(Cursor &cursor, Scope &scope, Range &range);
  LogicalResult checkOperation(Cursor &cursor, Scope &scope, Range &range,
                               int depth);
  LogicalResult checkAttributes(Cursor &cursor, OperationName name,
                                uint8_t mask);
  LogicalResult checkResults(Cursor &cursor, uint64_t &count);
  LogicalResult checkOperands(Cursor &cursor, Scope &scope);
  LogicalResult checkRegions(Cursor &cursor, Scope &scope, int depth);
  LogicalResult define(Cursor &cursor, Scope &scope, Range &range,
                       uint64_t count);
  LogicalResult readOrders(Cursor &cursor, Scope &scope, uint64_t first,
                           uint64_t count);
  LogicalResult checkOrders(Cursor &cursor, const Scope &scope, size_t first);
  LogicalResult readAttribute(Cursor &cursor);
  LogicalResult readType(Cursor &cursor);

  bool since(mlir::bytecode::BytecodeVersion version) const {
    return file.version >= version;
  }

  const File &file;
  ValidationResult &result;
  /// Number of values that open regions have announced but not yet defined.
  uint64_t announced = 0;
};
} // namespace

// Bytes that MLIR allocates for each.
static constexpr uint64_t kOperationCost = 96, kOperandCost = 48,
                          kResultCost = 40, kArgumentCost = 96,
                          kRegionCost = 40, kBlockCost = 112,
                          kForwardCost = 160;

LogicalResult OperationChecker::check() {
  Cursor cursor(*file.sections[mlir::bytecode::Section::kIR], result,
                "IR section");
  uint64_t count;
  bool hasArguments;
  if (failed(cursor.readFlagged(count, hasArguments)))
    return failure();
  if (count != 1 || hasArguments)
    return cursor.reject("not one op outermost");
  Scope scope;
  Range range;
  if (failed(checkOperation(cursor, scope, range, 0)))
    return failure();
  return cursor.expectEnd();
}

LogicalResult OperationChecker::readAttribute(Cursor &cursor) {
  uint64_t index;
  return cursor.readIndex(index, file.attributes.size(), "attribute");
}

LogicalResult OperationChecker::readType(Cursor &cursor) {
  uint64_t index;
  return cursor.readIndex(index, file.types.size(), "type");
}

LogicalResult OperationChecker::checkAttributes(Cursor &cursor,
                                                OperationName name,
                                                uint8_t mask) {
  if ((mask & Mask::kHasAttrs) && failed(readAttribute(cursor)))
    return failure();
  if (!(mask & Mask::kHasProperties))
    return success();
  uint64_t index;
  if (!since(mlir::bytecode::kNativePropertiesEncoding) ||
      !name.hasInterface<BytecodeOpInterface>())
    return cursor.reject("op '" + name.getStringRef() +
                         "' cannot have properties");
  return cursor.readIndex(index, file.propertyCount, "properties");
}

LogicalResult OperationChecker::checkResults(Cursor &cursor, uint64_t &count) {
  if (failed(cursor.readCount(count, "results")) ||
      failed(cursor.charge(count * kResultCost)))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(readType(cursor)))
      return failure();
  return success();
}

LogicalResult OperationChecker::checkOperands(Cursor &cursor, Scope &scope) {
  uint64_t count, index;
  if (failed(cursor.readCount(count, "operands")) ||
      failed(cursor.charge(count * kOperandCost)))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    if (failed(cursor.readIndex(index, scope.values.size(), "value")))
      return failure();
    Scope::Value &value = scope.values[index];
    if (value.uses++ == 0 && !value.isDefined &&
        failed(cursor.charge(kForwardCost)))
      return failure();
  }
  return success();
}

LogicalResult OperationChecker::readOrders(Cursor &cursor, Scope &scope,
                                           uint64_t first, uint64_t count) {
  uint64_t orders = 1;
  if (count == 0)
    return cursor.reject("an order of uses without values");
  if (count > 1 && failed(cursor.readCount(orders, "orders of uses")))
    return failure();
  for (uint64_t i = 0; i < orders; ++i) {
    uint64_t index = 0, length;
    Scope::Order order;
    if (count > 1 && failed(cursor.readIndex(index, count, "value")))
      return failure();
    if (failed(cursor.readFlagged(length, order.isPairs)))
      return failure();
    if (length > cursor.size())
      return cursor.reject("an order of uses does not fit");
    order.value = first + index;
    for (uint64_t j = 0; j < length; ++j) {
      uint64_t use;
      if (failed(cursor.readIndex(use, UINT32_MAX, "use")))
        return failure();
      order.indices.push_back(use);
    }
    scope.orders.push_back(std::move(order));
  }
  return cursor.charge(orders * sizeof(Scope::Order));
}

/// The reader writes through these indices before it checks them.
LogicalResult OperationChecker::checkOrders(Cursor &cursor, const Scope &scope,
                                            size_t first) {
  for (const Scope::Order &order : llvm::drop_begin(scope.orders, first)) {
    assert(order.value < scope.values.size() && "an order of a value");
    uint32_t uses = scope.values[order.value].uses;
    if (order.isPairs ? order.indices.size() % 2 : order.indices.size() != uses)
      return cursor.reject("an order of " + Twine(order.indices.size()) +
                           " uses where " + Twine(uses) + " are");
    for (uint32_t index : order.indices)
      if (index >= uses)
        return cursor.reject("use " + Twine(index) + " of " + Twine(uses));
  }
  return success();
}

LogicalResult OperationChecker::define(Cursor &cursor, Scope &scope,
                                       Range &range, uint64_t count) {
  if (count > range.end - range.next)
    return cursor.reject("a region defines more values than it announces");
  assert(count <= announced && range.end <= scope.values.size() &&
         "open regions declare their values");
  for (uint64_t i = 0; i < count; ++i)
    scope.values[range.next++].isDefined = true;
  announced -= count;
  return success();
}

LogicalResult OperationChecker::checkRegions(Cursor &cursor, Scope &scope,
                                             int depth) {
  uint64_t count;
  bool isIsolated;
  if (failed(cursor.readFlagged(count, isIsolated)))
    return failure();
  if (count > cursor.size())
    return cursor.reject(Twine(count) + " regions do not fit");
  if (depth >= kMaxNesting)
    return cursor.reject("regions nest deeper than " + Twine(kMaxNesting));
  if (failed(cursor.charge(count * kRegionCost)))
    return failure();
  Scope isolated;
  Scope &inner = isIsolated ? isolated : scope;
  std::optional<Cursor> section;
  if (isIsolated && count > 0 && since(mlir::bytecode::kLazyLoading)) {
    uint8_t id;
    ArrayRef<uint8_t> bytes;
    if (failed(cursor.readSection(id, bytes)))
      return failure();
    if (id != mlir::bytecode::Section::kIR)
      return cursor.reject("a region is not an IR section");
    section.emplace(bytes, result, "region");
  }
  Cursor &from = section ? *section : cursor;
  for (uint64_t i = 0; i < count; ++i)
    if (failed(checkRegion(from, inner, depth + 1)))
      return failure();
  return section ? section->expectEnd() : success();
}

LogicalResult OperationChecker::checkOperation(Cursor &cursor, Scope &scope,
                                               Range &range, int depth) {
  uint64_t nameIndex, results = 0;
  uint8_t mask;
  if (failed(cursor.readIndex(nameIndex, file.operations.size(), "op name")) ||
      failed(cursor.readByte(mask)) || failed(readAttribute(cursor)))
    return failure();
  OperationName name = file.operations[nameIndex];
  if (mask & (Mask::kHasSuccessors | 0x80))
    return cursor.reject("op '" + name.getStringRef() +
                         "' has successors or unknown parts");
  if (failed(cursor.charge(kOperationCost + name.getOpPropertyByteSize())) ||
      failed(checkAttributes(cursor, name, mask)))
    return failure();
  if ((mask & Mask::kHasResults) && failed(checkResults(cursor, results)))
    return failure();
  if ((mask & Mask::kHasOperands) && failed(checkOperands(cursor, scope)))
    return failure();
  if ((mask & Mask::kHasUseListOrders) &&
      since(mlir::bytecode::kUseListOrdering) &&
      failed(readOrders(cursor, scope, range.next, results)))
    return failure();
  if (failed(define(cursor, scope, range, results)))
    return failure();
  return mask & Mask::kHasInlineRegions ? checkRegions(cursor, scope, depth)
                                        : success();
}

LogicalResult OperationChecker::checkBlockArguments(Cursor &cursor,
                                                    Scope &scope,
                                                    Range &range) {
  uint64_t count;
  if (failed(cursor.readCount(count, "arguments")) ||
      failed(cursor.charge(count * kArgumentCost)))
    return failure();
  bool mayElide = since(mlir::bytecode::kElideUnknownBlockArgLocation);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t type;
    bool hasLocation = true;
    if (failed(mayElide ? cursor.readFlagged(type, hasLocation)
                        : cursor.readVarInt(type)) ||
        failed(cursor.checkIndex(type, file.types.size(), "type")) ||
        (hasLocation && failed(readAttribute(cursor))))
      return failure();
  }
  uint64_t first = range.next;
  if (failed(define(cursor, scope, range, count)) ||
      !since(mlir::bytecode::kUseListOrdering))
    return success(range.next == first + count);
  uint8_t hasOrders;
  if (failed(cursor.readByte(hasOrders)))
    return failure();
  return hasOrders ? readOrders(cursor, scope, first, count) : success();
}

LogicalResult OperationChecker::checkBlock(Cursor &cursor, Scope &scope,
                                           Range &range, int depth) {
  uint64_t count;
  bool hasArguments;
  if (failed(cursor.readFlagged(count, hasArguments)))
    return failure();
  if (hasArguments && failed(checkBlockArguments(cursor, scope, range)))
    return failure();
  if (count > cursor.size())
    return cursor.reject(Twine(count) + " ops do not fit");
  for (uint64_t i = 0; i < count; ++i)
    if (failed(checkOperation(cursor, scope, range, depth)))
      return failure();
  return success();
}

LogicalResult OperationChecker::checkRegion(Cursor &cursor, Scope &scope,
                                            int depth) {
  uint64_t blocks, values;
  if (failed(cursor.readVarInt(blocks)) || blocks == 0)
    return success(blocks == 0);
  if (blocks != 1)
    return cursor.reject("a region of " + Twine(blocks) + " blocks");
  if (failed(cursor.readCount(values, "values")))
    return failure();
  announced += values;
  if (announced > result.inputSize())
    return cursor.reject("regions announce more values than can be there");
  uint64_t first = scope.values.size();
  size_t firstOrder = scope.orders.size();
  Range range{first, first + values};
  scope.values.resize(range.end);
  if (failed(cursor.charge(kBlockCost)) ||
      failed(checkBlock(cursor, scope, range, depth)))
    return failure();
  if (range.next != range.end)
    return cursor.reject("a region announces more values than it defines");
  // All uses are known, and the value numbers are reused.
  if (failed(checkOrders(cursor, scope, firstOrder)))
    return failure();
  assert(firstOrder <= scope.orders.size() &&
         scope.values.size() == range.end &&
         "inner regions have taken their values away");
  scope.orders.erase(scope.orders.begin() + firstOrder, scope.orders.end());
  scope.values.resize(first);
  return success();
}

LogicalResult checkOperations(const File &file, ValidationResult &result) {
  return OperationChecker(file, result).check();
}

} // namespace xlac::bytecode
