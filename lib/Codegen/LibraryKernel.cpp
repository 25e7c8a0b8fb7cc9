// The library kind: fft, triangular_solve and cholesky through the service
// `library`. A task is one matrix or signal of the batch; a call does them all.
#include "KernelCost.h"
#include "KernelEmitters.h"
#include "Services.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/abi/abi.h"
#include "xlac/support/element_type.h"

#include <cstddef>

using namespace llvm;
using namespace mlir::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

namespace {
/// One call: which routine, its parameters, and where in them the batch stands
/// (include/xlac/library/routines.h).
struct LibraryCall {
  xlac_library_routine routine;
  SmallVector<int64_t> parameters;
  size_t batchPosition = 0;
  int64_t batch = 1;
};
} // namespace

static std::optional<ElementType> elementTypeOf(mlir::Type type) {
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  auto complex = dyn_cast<mlir::ComplexType>(type);
  if (complex && complex.getElementType().isF32())
    return ElementType::Complex64;
  if (complex && complex.getElementType().isF64())
    return ElementType::Complex128;
  return std::nullopt;
}

static LibraryCall callOf(FftOp op, int64_t element) {
  LibraryCall call{XLAC_LIBRARY_FFT, {}, 2, 1};
  ArrayRef<int64_t> lengths = op.getFftLength();
  ArrayRef<int64_t> sizes = sizesOf(op.getOperand());
  call.batch = elementCount(sizes.drop_back(lengths.size()));
  call.parameters = {int64_t(op.getFftType()),
                     element,
                     call.batch,
                     int64_t(lengths.size()),
                     1,
                     1,
                     1};
  for (auto [number, length] : llvm::enumerate(lengths))
    call.parameters[4 + number] = length;
  return call;
}

static LibraryCall callOf(TriangularSolveOp op, int64_t element) {
  LibraryCall call{XLAC_LIBRARY_TRIANGULAR_SOLVE, {}, 1, 1};
  ArrayRef<int64_t> sizes = sizesOf(op.getB());
  call.batch = elementCount(sizes.drop_back(2));
  int64_t transpose = op.getTransposeA() == Transpose::TRANSPOSE ? 1
                      : op.getTransposeA() == Transpose::ADJOINT ? 2
                                                                 : 0;
  call.parameters = {element,
                     call.batch,
                     sizesOf(op.getA()).back(),
                     sizes[sizes.size() - 2],
                     sizes.back(),
                     op.getLeftSide(),
                     op.getLower(),
                     op.getUnitDiagonal(),
                     transpose};
  return call;
}

static LibraryCall callOf(CholeskyOp op, int64_t element) {
  LibraryCall call{XLAC_LIBRARY_CHOLESKY, {}, 1, 1};
  ArrayRef<int64_t> sizes = sizesOf(op.getA());
  call.batch = elementCount(sizes.drop_back(2));
  call.parameters = {element, call.batch, sizes.back(), op.getLower()};
  return call;
}

/// The call that the kernel is; a diagnostic where it is none.
static mlir::FailureOr<LibraryCall> findCall(ir::KernelOp kernel) {
  mlir::Block &body = kernel.getBody().front();
  mlir::Operation *op =
      body.getOperations().size() == 2 ? &body.front() : nullptr;
  if (!op || !isa<FftOp, TriangularSolveOp, CholeskyOp>(op) ||
      kernel.getYield()->getOperands() != op->getResults() ||
      llvm::any_of(op->getOperands(), [](mlir::Value operand) {
        return !isa<mlir::BlockArgument>(operand);
      })) {
    kernel.emitOpError("is of kind library, but is not one fft, "
                       "triangular_solve or cholesky of its operands");
    return mlir::failure();
  }
  std::optional<ElementType> element =
      elementTypeOf(mlir::getElementTypeOrSelf(op->getOperand(0).getType()));
  if (!element) {
    op->emitOpError("has element type ")
        << mlir::getElementTypeOrSelf(op->getOperand(0).getType())
        << ", which is not supported";
    return mlir::failure();
  }
  LibraryCall call =
      llvm::TypeSwitch<mlir::Operation *, LibraryCall>(op)
          .Case<FftOp, TriangularSolveOp, CholeskyOp>(
              [&](auto one) { return callOf(one, int64_t(*element)); });
  return call;
}

mlir::LogicalResult scheduleLibrary(ir::KernelOp kernel,
                                    const TargetProfile &profile) {
  mlir::FailureOr<LibraryCall> call = findCall(kernel);
  if (mlir::failed(call))
    return mlir::failure();
  KernelCost cost = costOf(kernel);
  mlir::Value result = kernel.getYield()->getOperand(0);
  int64_t tasks = elementCount(sizesOf(result)) == 0 ? 0 : call->batch;
  int64_t each = sizesOf(result).empty() ? 1 : sizesOf(result).back();
  int64_t flops = cost.bytes / 4 * std::min<int64_t>(each, 1 << 12);
  setSchedule(kernel, {tasks}, {grainOf(tasks, flops)}, {}, 0, flops,
              cost.bytes);
  return mlir::success();
}

Error emitLibrary(KernelFunction &function, IRBuilder<> &ir, unsigned phase) {
  mlir::FailureOr<LibraryCall> call = findCall(function.kernel);
  if (mlir::failed(call))
    return createStringError("kernel @" + function.kernel.getSymName() +
                             " is no library call");
  if (call->batch == 0)
    return Error::success();
  mlir::Operation &op = function.kernel.getBody().front().front();

  SmallVector<Value *> addresses;
  auto addAddress = [&](Value *base, mlir::Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    int64_t bytes = type.getNumElements() / call->batch *
                    elementBytes(type.getElementType());
    Value *offset = ir.CreateMul(function.begin, ir.getInt64(bytes));
    addresses.push_back(ir.CreateGEP(ir.getInt8Ty(), base, offset));
  };
  for (mlir::Value operand : op.getOperands())
    addAddress(
        function
            .operandPointers[cast<mlir::BlockArgument>(operand).getArgNumber()],
        operand);
  addAddress(function.resultPointers[0], op.getResult(0));

  auto *bufferArray = ArrayType::get(ir.getPtrTy(), addresses.size());
  auto *parameterArray =
      ArrayType::get(ir.getInt64Ty(), call->parameters.size());
  Value *buffers = ir.CreateAlloca(bufferArray);
  Value *parameters = ir.CreateAlloca(parameterArray);
  for (auto [number, address] : llvm::enumerate(addresses))
    ir.CreateStore(address, ir.CreateConstInBoundsGEP2_64(bufferArray, buffers,
                                                          0, number));
  for (auto [number, parameter] : llvm::enumerate(call->parameters)) {
    Value *value = number == call->batchPosition
                       ? ir.CreateSub(function.end, function.begin)
                       : ir.getInt64(parameter);
    ir.CreateStore(value, ir.CreateConstInBoundsGEP2_64(parameterArray,
                                                        parameters, 0, number));
  }
  auto *type = FunctionType::get(
      ir.getInt32Ty(),
      {ir.getPtrTy(), ir.getInt32Ty(), ir.getPtrTy(), ir.getPtrTy()}, false);
  Value *service = loadService(function, ir, offsetof(xlac_services, library));
  Value *status = ir.CreateCall(
      type, service,
      {function.context, ir.getInt32(call->routine), buffers, parameters});
  returnIfFailed(function, ir, status);
  return Error::success();
}

} // namespace xlac::codegen
