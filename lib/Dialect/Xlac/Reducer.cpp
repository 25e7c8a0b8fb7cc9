#include "xlac/Dialect/Xlac/Reducer.h"

#include "ReducerInit.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace xlac::stablehlo;
using llvm::ArrayRef;
using llvm::dyn_cast;
using llvm::isa;

namespace xlac::ir {

bool isSimpleReducer(mlir::Region &body) {
  mlir::Block &block = body.front();
  mlir::OperandRange results = block.getTerminator()->getOperands();
  unsigned count = results.size();
  if (block.getNumArguments() != 2 * count)
    return false;
  for (auto [number, result] : llvm::enumerate(results)) {
    mlir::Operation *op = result.getDefiningOp();
    if (!op || !isa<AddOp, MulOp, MaxOp, MinOp, AndOp, OrOp, XorOp>(op))
      return false;
    if (isa<mlir::ComplexType>(mlir::getElementTypeOrSelf(result.getType())) &&
        !isa<AddOp, MulOp>(op))
      return false;
    auto floating =
        dyn_cast<mlir::FloatType>(mlir::getElementTypeOrSelf(result.getType()));
    if (floating && floating.getWidth() < 16 && !isa<AddOp, MulOp>(op))
      return false; // not all float types have infinities
    mlir::Value left = block.getArgument(number);
    mlir::Value right = block.getArgument(number + count);
    if (left.getType() != right.getType())
      return false;
    bool straight = op->getOperand(0) == left && op->getOperand(1) == right;
    bool crossed = op->getOperand(0) == right && op->getOperand(1) == left;
    if (!straight && !crossed)
      return false;
  }
  return true;
}

bool reducesInnermost(ReduceOp reduce) {
  ArrayRef<int64_t> shape =
      mlir::cast<mlir::ShapedType>(reduce.getInputs()[0].getType()).getShape();
  int64_t last = int64_t(shape.size()) - 1;
  while (last >= 0 && shape[last] == 1)
    --last;
  return last >= 0 && llvm::is_contained(reduce.getDimensions(), last);
}

/// Shorter scans are computed like other windows.
static constexpr int64_t kShortestScan = 5;

/// Returns true if combining `init` once more does not change the result.
static bool mayRepeatInitialValue(mlir::Operation *combine, mlir::Value init) {
  assert(combine && "a simple reducer combines by one op");
  if (isa<MaxOp, MinOp, AndOp, OrOp>(combine))
    return true;
  mlir::DenseElementsAttr value;
  if (!matchPattern(init, m_Constant(&value)) || !value.isSplat())
    return false;
  mlir::Type type = value.getElementType();
  bool one = isa<MulOp>(combine);
  if (isa<mlir::FloatType>(type)) {
    llvm::APFloat number = value.getSplatValue<llvm::APFloat>();
    return one ? number.isExactlyValue(1.0) : number.isZero();
  }
  if (isa<mlir::IntegerType>(type)) {
    llvm::APInt number = value.getSplatValue<llvm::APInt>();
    // A product of booleans is an and.
    return one ? number.isOne() : number.isZero();
  }
  auto complex = dyn_cast<mlir::ComplexType>(type);
  if (!complex || !isa<mlir::FloatType>(complex.getElementType()))
    return false;
  auto number = value.getSplatValue<std::complex<llvm::APFloat>>();
  return number.imag().isZero() &&
         (one ? number.real().isExactlyValue(1.0) : number.real().isZero());
}

bool mayRepeatInitialValues(mlir::Region &body,
                            mlir::ValueRange initialValues) {
  assert(isSimpleReducer(body) && "each result is one op");
  return llvm::all_of(
      llvm::zip_equal(body.front().getTerminator()->getOperands(),
                      initialValues),
      [](auto both) {
        return mayRepeatInitialValue(std::get<0>(both).getDefiningOp(),
                                     std::get<1>(both));
      });
}

static bool areAll(std::optional<ArrayRef<int64_t>> values, int64_t wanted) {
  return !values ||
         llvm::all_of(*values, [&](int64_t value) { return value == wanted; });
}

std::optional<Scan> describeScan(mlir::Operation *op) {
  auto window = dyn_cast<ReduceWindowOp>(op);
  if (!window || !areAll(window.getWindowStrides(), 1) ||
      !areAll(window.getBaseDilations(), 1) ||
      !areAll(window.getWindowDilations(), 1) || !window.getPadding())
    return std::nullopt;
  auto type = dyn_cast<mlir::RankedTensorType>(window.getInputs()[0].getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  Scan scan;
  int64_t found = 0;
  ArrayRef<int64_t> sizes = window.getWindowDimensions();
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    auto pad = [&](uint64_t side) {
      return window.getPadding()
          ->getValues<llvm::APInt>()[{uint64_t(dim), side}]
          .getSExtValue();
    };
    int64_t low = pad(0), high = pad(1);
    if (size == 1 && low == 0 && high == 0)
      continue;
    bool forward = low == size - 1 && high == 0;
    bool backward = low == 0 && high == size - 1;
    if (size != type.getDimSize(dim) || size < kShortestScan ||
        (!forward && !backward))
      return std::nullopt;
    scan.dim = dim;
    scan.reverse = backward;
    ++found;
  }
  if (found != 1)
    return std::nullopt;
  assert(0 <= scan.dim && scan.dim < type.getRank() &&
         "a scan runs along one of the dimensions");
  scan.simple = isSimpleReducer(window.getBody());
  if (!(scan.simple
            ? mayRepeatInitialValues(window.getBody(), window.getInitValues())
            : keepsInit(window.getBody(), window.getInitValues())))
    return std::nullopt;
  return scan;
}

} // namespace xlac::ir
