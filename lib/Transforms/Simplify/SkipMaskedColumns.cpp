// Skips what a mask hides in attention: the rows of the scores are computed in
// blocks, without the columns that the mask gives the same values.
#include "xlac/Transforms/Passes.h"

#include "NumberRanges.h"
#include "SimplifyPatterns.h"
#include "StablehloBuilder.h"

#include "xlac/Dialect/Xlac/Contraction.h"
#include "xlac/Dialect/Xlac/Reducer.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace xlac::stablehlo;

namespace xlac::transforms {

#define GEN_PASS_DEF_SKIPMASKEDCOLUMNS
#include "xlac/Transforms/Passes.h.inc"

namespace {

/// Rows of a block are a multiple of this number, columns of another one.
constexpr int64_t kRowStep = 16, kColumnStep = 64;
/// Blocks of rows: with four, a triangle takes 5/8 of the square. Each block
/// has kernels of its own.
constexpr int64_t kBlocks = 4, kBlocksOfManyRows = 8, kManyRows = 4096;

/// Ops that weights are computed by; more are left alone.
constexpr size_t kMostMembers = 256;

/// The dimensions of a value along the rows and the columns of the mask; -1 if
/// its elements are the same along them.
struct Dims {
  int64_t row = -1, column = -1;
  bool operator==(const Dims &) const = default;
};

/// Rows and columns of the mask.
struct Area {
  IndexRange rows, columns;
};

/// The numbers of masks, by which two areas may differ.
struct MaskNumbers {
  SmallVector<std::pair<Value, double>> list;
  /// Whether values that were looked at are the same in all columns.
  DenseMap<Value, bool> isSame;

  bool operator==(const MaskNumbers &other) const { return list == other.list; }
};

/// One block of rows, and the columns to compute for it. The masks have the
/// same numbers in all other columns, of which `other` is one.
struct RowBlock {
  Area area;
  IndexRange other;
  int64_t otherCount = 0;
};

/// Returns the dimension of the product that is dimension `dim` of its result.
ir::ContractionDim dimOfResult(DotGeneralOp dot, int64_t dim) {
  std::optional<ir::Contraction> form = ir::describeContraction(dot);
  assert(form && "products of static shape have this form");
  for (auto *dims : {&form->batch, &form->lhsFree, &form->rhsFree})
    for (const ir::ContractionDim &each : *dims)
      if (each.resultDim == dim)
        return each;
  llvm_unreachable("each dimension of the result is batch or free");
}

/// Returns the type to compute with numbers of columns, which narrow types may
/// not represent.
Type wideType(Type element) {
  return element.isF64() ? element : Float32Type::get(element.getContext());
}

/// A product that adds over the columns of an operand, the weights. They are
/// computed from masked scores, row by row.
class MaskedProduct {
public:
  MaskedProduct(DotGeneralOp product, bool weightsOnLeft,
                const SkipMaskedColumnsOptions &options)
      : product(product), weightsOnLeft(weightsOnLeft), options(options),
        weights(weightsOnLeft ? product.getLhs() : product.getRhs()),
        values(weightsOnLeft ? product.getRhs() : product.getLhs()),
        builder(product), b(builder, product.getLoc()) {}

  /// Replaces the product, if this saves enough. Returns whether it did.
  bool run();

private:
  // Analysis.
  bool hasForm();
  bool collectAll();
  bool collect(Value value, Dims dims);
  bool collectOperands(Operation *op, Dims dims);
  static bool isSum(ReduceOp reduce);
  std::optional<Dims> dimsOf(Value value) const;
  std::optional<Dims> operandDimsOf(Operation *op, unsigned number,
                                    Dims dims) const;
  bool isFromProduct(Value value);
  bool isReadOnlyHere();
  bool findBlocks();
  RowBlock blockOf(IndexRange rows) const;
  std::optional<MaskNumbers> maskNumbers(const Area &area) const;
  bool addMaskNumbers(Value value, Dims dims, const Area &area,
                      MaskNumbers &numbers) const;
  static std::optional<double> numberIn(Value value, Dims dims,
                                        const Area &area);
  static bool addMaskNumber(Value value, Dims dims, const Area &area,
                            MaskNumbers &numbers);

  // Rewriting.
  Value productOf(const RowBlock &block);
  Value productOfOthers(RankedTensorType type);
  Value rebuild(Value value, Dims dims, bool isOther);
  Value rebuildOp(Operation *op, Dims dims, bool isOther);
  Value rebuildReduce(ReduceOp reduce, Dims dims, bool isOther);
  Value slice(Value value, Dims dims, const Area &area);
  Value times(Value value, int64_t count);
  Area areaOf(bool isOther) const {
    return {block.area.rows, isOther ? block.other : block.area.columns};
  }

  static SmallVector<int64_t> shapeIn(Value value, Dims dims,
                                      const Area &area) {
    SmallVector<int64_t> shape(StablehloBuilder::typeOf(value).getShape());
    if (dims.row >= 0)
      shape[dims.row] = area.rows.size();
    if (dims.column >= 0)
      shape[dims.column] = area.columns.size();
    return shape;
  }
  static SmallVector<IndexRange> boxIn(Value value, Dims dims,
                                       const Area &area) {
    SmallVector<IndexRange> box;
    for (int64_t size : StablehloBuilder::typeOf(value).getShape())
      box.push_back({0, size});
    if (dims.row >= 0)
      box[dims.row] = area.rows;
    if (dims.column >= 0)
      box[dims.column] = area.columns;
    return box;
  }
  int64_t weightsDim(const ir::ContractionDim &dim) const {
    return weightsOnLeft ? dim.lhsDim : dim.rhsDim;
  }
  int64_t valuesDim(const ir::ContractionDim &dim) const {
    return weightsOnLeft ? dim.rhsDim : dim.lhsDim;
  }
  /// Returns the rows of the values that belong to these columns.
  Value valuesOf(IndexRange columns) {
    return slice(values, {-1, valueRow}, {{}, columns});
  }
  int64_t sizeOf(int64_t dim) const {
    return StablehloBuilder::typeOf(weights).getDimSize(dim);
  }

  DotGeneralOp product;
  bool weightsOnLeft;
  const SkipMaskedColumnsOptions &options;
  Value weights, values;
  Dims ownDims;          ///< of the weights
  int64_t valueRow = 0;  ///< the dimension of the values along the columns
  int64_t resultRow = 0; ///< the dimension of the result along the rows
  OpBuilder builder;
  StablehloBuilder b;
  /// The values to compute in blocks. All others are sliced.
  llvm::MapVector<Value, Dims> members;
  /// Those that are reduced over columns, and the weights.
  SmallVector<Value> summed;
  /// The columns in the inputs of reductions that reduce them.
  DenseMap<Operation *, int64_t> reducedColumns;
  /// Values without columns that are still to collect.
  SmallVector<std::pair<Value, Dims>> perRow;
  DenseMap<Value, bool> fromProduct;
  SmallVector<RowBlock> blocks;
  RowBlock block; ///< the current one
  std::map<std::pair<void *, bool>, Value> rebuilt;
};

bool MaskedProduct::hasForm() {
  auto numbers = product.getDotDimensionNumbers();
  ArrayRef<int64_t> contracting = weightsOnLeft
                                      ? numbers.getLhsContractingDimensions()
                                      : numbers.getRhsContractingDimensions();
  if (contracting.size() != 1 || product->hasAttr("algorithm") ||
      !isStaticOp(product) || weights == values)
    return false;
  for (Value value : {weights, values, Value(product->getResult(0))})
    if (auto type = dyn_cast<FloatType>(getElementTypeOrSelf(value));
        !type || type.getWidth() < 16)
      return false;
  ownDims.column = contracting[0];
  valueRow = (weightsOnLeft ? numbers.getRhsContractingDimensions()
                            : numbers.getLhsContractingDimensions())[0];
  return sizeOf(ownDims.column) >= options.minColumns &&
         StablehloBuilder::typeOf(weights).getNumElements() >=
             options.minScores;
}

bool MaskedProduct::run() {
  if (!hasForm())
    return false;
  RankedTensorType type = StablehloBuilder::typeOf(product->getResult(0));
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    ir::ContractionDim from = dimOfResult(product, dim);
    ownDims.row = weightsDim(from);
    resultRow = dim;
    if (ownDims.row < 0 || valuesDim(from) >= 0 ||
        sizeOf(ownDims.row) < options.minRows)
      continue;
    if (!collectAll() || !isFromProduct(weights) || !isReadOnlyHere() ||
        !findBlocks())
      continue;
    SmallVector<Value> results;
    for (const RowBlock &each : blocks)
      results.push_back(productOf(each));
    product->replaceAllUsesWith(ValueRange{b.concatenate(results, dim)});
    product->erase();
    return true;
  }
  return false;
}

//===- Analysis -----------------------------------------------------------===//

/// Returns what is known of the dimensions of a value, from members.
std::optional<Dims> MaskedProduct::dimsOf(Value value) const {
  for (unsigned depth = 0; depth < 8; ++depth) {
    if (auto found = members.find(value); found != members.end())
      return found->second;
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumOperands() == 0 || isa<ReduceOp, ReshapeOp>(op) ||
        op->getOperand(0).getType() != value.getType())
      return std::nullopt;
    std::optional<SmallVector<int64_t>> dims = operandDims(op, 0);
    if (!dims || isa<TransposeOp>(op))
      return std::nullopt;
    value = op->getOperand(0);
  }
  return std::nullopt;
}

/// Returns whether many equal columns can be added to the result at once.
bool MaskedProduct::isSum(ReduceOp reduce) {
  if (reduce.getInputs().size() != 1 ||
      !ir::isSimpleReducer(reduce.getBody()) ||
      !ir::mayRepeatInitialValues(reduce.getBody(), reduce.getInitValues()))
    return false;
  Operation &combine = reduce.getBody().front().front();
  return isa<MaxOp, MinOp>(combine) ||
         (isa<AddOp>(combine) &&
          isa<FloatType>(getElementTypeOrSelf(reduce.getResult(0))));
}

std::optional<Dims> MaskedProduct::operandDimsOf(Operation *op, unsigned number,
                                                 Dims dims) const {
  std::optional<SmallVector<int64_t>> from = operandDims(op, number);
  if (!from)
    return std::nullopt;
  Dims inner;
  if (dims.row >= 0)
    inner.row = (*from)[dims.row];
  if (dims.column >= 0)
    inner.column = (*from)[dims.column];
  if (inner.row == kMixedDim || inner.column == kMixedDim)
    return std::nullopt;
  if (number == 0 && reducedColumns.contains(op))
    inner.column = reducedColumns.lookup(op);
  return inner;
}

/// Adds what the weights are computed from to the members, as far as it can be
/// computed in blocks. Returns false if a value has rows in two dimensions, or
/// there are too many.
bool MaskedProduct::collectAll() {
  members.clear();
  reducedColumns.clear();
  fromProduct.clear();
  summed = {weights};
  perRow.clear();
  if (!collect(weights, ownDims))
    return false;
  // Last, when it is known which values they reduce.
  while (!perRow.empty())
    if (auto [value, dims] = perRow.pop_back_val();
        !members.contains(value) &&
        !collectOperands(value.getDefiningOp(), dims))
      return false;
  return true;
}

bool MaskedProduct::collect(Value value, Dims dims) {
  if (dims == Dims{})
    return true;
  if (auto found = members.find(value); found != members.end())
    return found->second == dims;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || !isStaticOp(op))
    return true;
  Type element = getElementTypeOrSelf(value);
  bool isNumber = isa<FloatType>(element);
  // Narrow floats do not represent all indices.
  bool isIota = isa<IotaOp>(op) && (isa<IntegerType>(element) ||
                                    element.isF32() || element.isF64());
  if (isIota || (constantOf(value) && constantOf(value).isSplat())) {
    members.insert({value, dims});
    return true;
  }
  // What all rows share is computed once.
  if ((dims.row < 0 && isNumber) || isa<ConstantOp>(op))
    return true;
  if (auto dot = dyn_cast<DotGeneralOp>(op)) {
    if (dims.row < 0 || dims.column < 0)
      return true;
    ir::ContractionDim row = dimOfResult(dot, dims.row),
                       column = dimOfResult(dot, dims.column);
    if ((row.lhsDim >= 0) != (column.lhsDim >= 0) &&
        (row.rhsDim >= 0) != (column.rhsDim >= 0))
      members.insert({value, dims});
    return true;
  }
  if (dims.column >= 0)
    return collectOperands(op, dims);
  perRow.push_back({value, dims});
  return true;
}

bool MaskedProduct::collectOperands(Operation *op, Dims dims) {
  if (op->getNumOperands() == 0)
    return true;
  if (members.size() == kMostMembers)
    return false;
  auto reduce = dyn_cast<ReduceOp>(op);
  if (reduce && dims.column < 0)
    if (std::optional<Dims> known = dimsOf(op->getOperand(0));
        known && known->column >= 0 &&
        llvm::is_contained(reduce.getDimensions(), known->column)) {
      if (!isSum(reduce))
        return false;
      reducedColumns[op] = known->column;
      summed.push_back(op->getOperand(0));
    }
  SmallVector<Dims> inner;
  for (unsigned number = 0; number < op->getNumOperands(); ++number) {
    std::optional<Dims> from = operandDimsOf(op, number, dims);
    if (!from)
      return true;
    inner.push_back(*from);
  }
  members.insert({op->getResult(0), dims});
  for (auto [operand, from] : llvm::zip_equal(op->getOperands(), inner))
    if (!collect(operand, from))
      return false;
  return true;
}

/// Returns whether a member is computed from a product that is one.
bool MaskedProduct::isFromProduct(Value value) {
  if (!members.contains(value))
    return false;
  auto [found, isNew] = fromProduct.try_emplace(value, false);
  if (!isNew)
    return found->second;
  Operation *op = value.getDefiningOp();
  bool is = isa<DotGeneralOp>(op);
  if (!is)
    for (Value operand : op->getOperands())
      is |= isFromProduct(operand);
  return fromProduct[value] = is;
}

/// Returns whether nothing else reads what is computed from the scores. It
/// would be computed as a whole, too.
bool MaskedProduct::isReadOnlyHere() {
  for (auto [value, dims] : members)
    if (isFromProduct(value))
      for (Operation *user : value.getUsers())
        if (user != product && (user->getNumResults() != 1 ||
                                !members.contains(user->getResult(0))))
          return false;
  return true;
}

/// Adds the numbers of masks on which the value depends in the area. Returns
/// whether it is then the same in all columns of a row.
bool MaskedProduct::addMaskNumbers(Value value, Dims dims, const Area &area,
                                   MaskNumbers &numbers) const {
  if (dims.column < 0)
    return true;
  if (auto known = numbers.isSame.find(value); known != numbers.isSame.end())
    return known->second;
  auto isSame = [&] {
    DenseElementsAttr constant = constantOf(value);
    if ((constant && constant.isSplat()) ||
        addMaskNumber(value, dims, area, numbers))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || !members.contains(value) || isa<DotGeneralOp>(op))
      return false;
    auto isOperandSame = [&](unsigned number) {
      std::optional<Dims> inner = operandDimsOf(op, number, dims);
      return inner &&
             addMaskNumbers(op->getOperand(number), *inner, area, numbers);
    };
    if (isa<SelectOp>(op))
      if (std::optional<Dims> inner = operandDimsOf(op, 0, dims);
          inner && addMaskNumber(op->getOperand(0), *inner, area, numbers))
        return isOperandSame(numbers.list.back().second != 0 ? 1 : 2);
    return !isa<IotaOp>(op) &&
           llvm::all_of(llvm::seq(op->getNumOperands()), isOperandSame);
  };
  bool result = isSame();
  numbers.isSame[value] = result;
  return result;
}

/// Returns the number that the value is in the whole area, if there is one.
std::optional<double> MaskedProduct::numberIn(Value value, Dims dims,
                                              const Area &area) {
  std::optional<NumberRange> range = numbersIn(value, boxIn(value, dims, area));
  if (!range || !range->isOneNumber())
    return std::nullopt;
  return range->low;
}

/// Adds this number. Returns whether there is one.
bool MaskedProduct::addMaskNumber(Value value, Dims dims, const Area &area,
                                  MaskNumbers &numbers) {
  std::optional<double> number = numberIn(value, dims, area);
  if (number)
    numbers.list.push_back({value, *number});
  return number.has_value();
}

/// Returns the numbers of the masks in the area, if each value that is summed
/// over columns is the same in all of them.
std::optional<MaskNumbers> MaskedProduct::maskNumbers(const Area &area) const {
  MaskNumbers numbers;
  for (Value value : summed)
    if (std::optional<Dims> dims = dimsOf(value);
        !dims || !addMaskNumbers(value, *dims, area, numbers))
      return std::nullopt;
  return numbers;
}

/// Finds the columns that `rows` do not need: those from the first one on, and
/// those up to the last one, for which the masks have the same numbers.
RowBlock MaskedProduct::blockOf(IndexRange rows) const {
  int64_t count = sizeOf(ownDims.column);
  auto numbersOf = [&](int64_t part) {
    int64_t first = part * kColumnStep;
    return maskNumbers({rows, {first, std::min(first + kColumnStep, count)}});
  };
  int64_t begin = 0, end = llvm::divideCeil(count, kColumnStep);
  std::optional<MaskNumbers> other = numbersOf(end - 1);
  if (!other)
    other = numbersOf(0);
  if (other) {
    while (end > 1 && numbersOf(end - 1) == other)
      --end;
    while (begin < end - 1 && numbersOf(begin) == other)
      ++begin;
  }
  RowBlock found;
  found.area = {rows,
                {begin * kColumnStep, std::min(end * kColumnStep, count)}};
  found.otherCount = count - found.area.columns.size();
  if (found.otherCount > 0) {
    int64_t column = begin > 0 ? 0 : found.area.columns.end;
    found.other = {column, column + 1};
  }
  return found;
}

/// Chooses the blocks. Returns whether they leave out enough columns.
bool MaskedProduct::findBlocks() {
  blocks.clear();
  int64_t rows = sizeOf(ownDims.row), columns = sizeOf(ownDims.column);
  int64_t count = rows >= kManyRows ? kBlocksOfManyRows : kBlocks;
  int64_t step = llvm::alignTo(llvm::divideCeil(rows, count), kRowStep);
  int64_t computed = 0;
  for (int64_t first = 0; first < rows; first += step) {
    IndexRange range = {first, std::min(first + step, rows)};
    blocks.push_back(blockOf(range));
    computed += range.size() * blocks.back().area.columns.size();
  }
  return computed * 5 <= rows * columns * 4;
}

//===- Rewriting ----------------------------------------------------------===//

Value MaskedProduct::slice(Value value, Dims dims, const Area &area) {
  SmallVector<int64_t> starts, limits;
  for (IndexRange range : boxIn(value, dims, area)) {
    starts.push_back(range.begin);
    limits.push_back(range.end);
  }
  if (llvm::equal(limits, StablehloBuilder::typeOf(value).getShape()) &&
      llvm::all_of(starts, [](int64_t start) { return start == 0; }))
    return value;
  return b.slice(value, starts, limits);
}

/// Multiplies by a number of columns.
Value MaskedProduct::times(Value value, int64_t count) {
  RankedTensorType type = StablehloBuilder::typeOf(value);
  Type element = type.getElementType(), wide = wideType(element);
  return b.convert(b.multiply(b.convert(value, wide),
                              b.splat(type.clone(wide), double(count))),
                   element);
}

/// Returns the part of `value` in the current block, in the columns to compute
/// or in one of the others.
Value MaskedProduct::rebuild(Value value, Dims dims, bool isOther) {
  if (dims == Dims{})
    return value;
  isOther &= dims.column >= 0;
  Value &part = rebuilt[{value.getAsOpaquePointer(), isOther}];
  if (part)
    return part;
  Operation *op = value.getDefiningOp();
  // Slices of values without rows or columns are cheaper than their ops.
  bool isSmall = dims.row < 0 || dims.column < 0;
  bool isSliced =
      !members.contains(value) ||
      (isSmall && op->getNumOperands() > 0 && !isFromProduct(value));
  return part = isSliced ? slice(value, dims, areaOf(isOther))
                         : rebuildOp(op, dims, isOther);
}

Value MaskedProduct::rebuildOp(Operation *op, Dims dims, bool isOther) {
  Value result = op->getResult(0);
  Area area = areaOf(isOther);
  RankedTensorType type =
      StablehloBuilder::typeOf(result).clone(shapeIn(result, dims, area));
  if (auto iota = dyn_cast<IotaOp>(op)) {
    int64_t dim = int64_t(iota.getIotaDimension());
    int64_t first = boxIn(result, dims, area)[dim].begin;
    Value numbers = b.iota(type, dim);
    return first == 0 ? numbers : b.add(numbers, b.splat(type, double(first)));
  }
  if (DenseElementsAttr elements = constantOf(result))
    return ConstantOp::create(builder, op->getLoc(),
                              elements.resizeSplat(type));
  if (isa<SelectOp>(op) && isOther)
    if (std::optional<double> mask =
            numberIn(op->getOperand(0), *operandDimsOf(op, 0, dims), area))
      return rebuild(op->getOperand(*mask != 0 ? 1 : 2), dims, isOther);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return rebuildReduce(reduce, dims, isOther);
  IRMapping mapping;
  if (auto dot = dyn_cast<DotGeneralOp>(op)) {
    ir::ContractionDim row = dimOfResult(dot, dims.row),
                       column = dimOfResult(dot, dims.column);
    mapping.map(dot.getLhs(),
                slice(dot.getLhs(), {row.lhsDim, column.lhsDim}, area));
    mapping.map(dot.getRhs(),
                slice(dot.getRhs(), {row.rhsDim, column.rhsDim}, area));
  } else {
    for (auto [number, operand] : llvm::enumerate(op->getOperands()))
      mapping.map(operand,
                  rebuild(operand, *operandDimsOf(op, number, dims), isOther));
  }
  Operation *clone = builder.clone(*op, mapping);
  clone->getResult(0).setType(type);
  return clone->getResult(0);
}

/// Reduces the columns to compute, and combines the result with that of the
/// others, which are all the same.
Value MaskedProduct::rebuildReduce(ReduceOp reduce, Dims dims, bool isOther) {
  Dims inner = *operandDimsOf(reduce, 0, dims);
  Value result = reduce.getResult(0);
  RankedTensorType type = StablehloBuilder::typeOf(result).clone(
      shapeIn(result, dims, areaOf(isOther)));
  auto reduced = [&](Value input) {
    auto clone = cast<ReduceOp>(builder.clone(*reduce));
    clone.getInputsMutable().assign(input);
    clone.getResult(0).setType(type);
    return clone.getResult(0);
  };
  Value input = reduce.getInputs()[0];
  Value part = reduced(rebuild(input, inner, isOther));
  if (!reducedColumns.contains(reduce) || block.otherCount == 0)
    return part;
  Value other = rebuild(input, inner, /*isOther=*/true);
  // One column is its own sum. Fusion finds the rows if they are combined in
  // this shape.
  if (reduce.getDimensions().size() > 1)
    other = reduced(other);
  ArrayRef<int64_t> shape = StablehloBuilder::typeOf(other).getShape();
  Operation &combine = reduce.getBody().front().front();
  if (isa<AddOp>(combine))
    other = times(other, block.otherCount);
  Value both = b.value(combine.getName().getStringRef(), other.getType(),
                       {b.reshape(part, shape), other});
  return b.reshape(both, type.getShape());
}

/// Returns the product of the columns that are not computed: their weight,
/// times the sum of the rows of the other operand. It is infinite or NaN where
/// such a row is.
Value MaskedProduct::productOfOthers(RankedTensorType type) {
  Type wide = type.getElementType();
  RankedTensorType valuesType = StablehloBuilder::typeOf(values);
  // The mean, because the sum may overflow.
  Value mean;
  int64_t size = valuesType.getDimSize(valueRow);
  for (IndexRange part : {IndexRange{0, block.area.columns.begin},
                          IndexRange{block.area.columns.end, size}}) {
    if (part.size() == 0)
      continue;
    Value rows = b.convert(valuesOf(part), wide);
    Value share =
        b.splat(StablehloBuilder::typeOf(rows), 1.0 / double(block.otherCount));
    Value sum = b.sum(b.multiply(rows, share), {valueRow});
    mean = mean ? b.add(mean, sum) : sum;
  }
  Value weight =
      times(b.convert(rebuild(weights, ownDims, /*isOther=*/true), wide),
            block.otherCount);
  SmallVector<int64_t> shape(StablehloBuilder::typeOf(weight).getShape());
  shape.erase(shape.begin() + ownDims.column);
  weight = b.reshape(weight, shape);
  // The dimensions of the result, by those of the operands that are left.
  SmallVector<int64_t> weightDims(shape.size()),
      meanDims(valuesType.getRank() - 1);
  auto put = [](int64_t from, int64_t removed, int64_t dim,
                SmallVector<int64_t> &dims) {
    if (from >= 0)
      dims[from - (from > removed)] = dim;
  };
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    ir::ContractionDim from = dimOfResult(product, dim);
    put(weightsDim(from), ownDims.column, dim, weightDims);
    put(valuesDim(from), valueRow, dim, meanDims);
  }
  return b.multiply(b.broadcastInDim(weight, type.getShape(), weightDims),
                    b.broadcastInDim(mean, type.getShape(), meanDims));
}

Value MaskedProduct::productOf(const RowBlock &each) {
  block = each;
  rebuilt.clear();
  Value part = valuesOf(block.area.columns);
  Value left = rebuild(weights, ownDims, /*isOther=*/false);
  if (!weightsOnLeft)
    std::swap(left, part);
  auto clone = cast<DotGeneralOp>(builder.clone(*product));
  clone->setOperands({left, part});
  Value result = clone->getResult(0);
  RankedTensorType type = StablehloBuilder::typeOf(result).clone(
      shapeIn(result, {resultRow, -1}, block.area));
  result.setType(type);
  if (block.otherCount == 0)
    return result;
  Type element = type.getElementType(), wide = wideType(element);
  Value sum = b.add(b.convert(result, wide), productOfOthers(type.clone(wide)));
  return b.convert(sum, element);
}

class SkipMaskedColumns
    : public impl::SkipMaskedColumnsBase<SkipMaskedColumns> {
  using SkipMaskedColumnsBase::SkipMaskedColumnsBase;

  void runOnOperation() override {
    SmallVector<DotGeneralOp> products;
    getOperation().walk([&](DotGeneralOp dot) { products.push_back(dot); });
    SkipMaskedColumnsOptions options = {minRows, minColumns, minScores};
    bool isChanged = false;
    for (DotGeneralOp dot : products)
      isChanged |= MaskedProduct(dot, /*weightsOnLeft=*/true, options).run() ||
                   MaskedProduct(dot, /*weightsOnLeft=*/false, options).run();
    if (!isChanged)
      return;
    // Removes the scores, and ops on the single columns.
    OpPassManager simplify(ModuleOp::getOperationName());
    simplify.addPass(createSimplify());
    if (failed(runPipeline(simplify, getOperation())))
      signalPassFailure();
  }
};

} // namespace
} // namespace xlac::transforms
