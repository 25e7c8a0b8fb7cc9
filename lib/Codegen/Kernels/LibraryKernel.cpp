// The library kind: fft, triangular_solve and cholesky through the service
// `library`. For an FFT, each phase is a pass with its tasks. Otherwise a task
// is one matrix of the batch, and one call computes all of them. A kernel may
// combine an FFT's operand from two parts, and split its result. The passes
// then access the parts directly.
#include "KernelCost.h"
#include "KernelEmitters.h"
#include "Services.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/abi/abi.h"
#include "xlac/abi/fft.h"
#include "xlac/support/element_type.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

namespace {
/// One call: the routine, its parameters, and the position of the batch among
/// them (include/xlac/library/routines.h).
struct LibraryCall {
  xlac_library_routine routine = XLAC_LIBRARY_FFT;
  SmallVector<int64_t> parameters;
  size_t batchPosition = 0;
  int64_t batch = 1;
  mlir::Operation *op = nullptr;
  /// For an FFT: the ops that combine the operand from two parts and that split
  /// the result. Null if there are none.
  ComplexOp joined;
  RealOp real;
  ImagOp imag;
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
  LibraryCall call;
  call.routine = XLAC_LIBRARY_FFT;
  ArrayRef<int64_t> lengths = op.getFftLength();
  ArrayRef<int64_t> sizes = sizesOf(op.getOperand());
  call.batch = elementCount(sizes.drop_back(lengths.size()));
  call.parameters.assign(XLAC_FFT_PARAMETERS, 1);
  call.parameters[XLAC_FFT_AT_KIND] = int64_t(op.getFftType());
  call.parameters[XLAC_FFT_AT_ELEMENT] = element;
  call.parameters[XLAC_FFT_AT_BATCH] = call.batch;
  call.parameters[XLAC_FFT_AT_RANK] = lengths.size();
  for (auto [number, length] : llvm::enumerate(lengths))
    call.parameters[XLAC_FFT_AT_LENGTH + number] = length;
  return call;
}

namespace {
/// The passes of an FFT, which are the phases of its kernel.
struct FftPasses {
  xlac_fft_pass passes[XLAC_FFT_MOST_PASSES] = {};
  int count = 0;
  int64_t workspace = 0;
};
} // namespace

/// Returns no passes if there are no elements to transform.
static FftPasses passesOf(const LibraryCall &call) {
  FftPasses fft;
  mlir::Operation *op = call.op;
  const int64_t *lengths = &call.parameters[XLAC_FFT_AT_LENGTH];
  int64_t rank = call.parameters[XLAC_FFT_AT_RANK];
  if (rank < 1 || rank > XLAC_FFT_MOST_RANK ||
      elementCount(sizesOf(op->getResult(0))) == 0 ||
      llvm::is_contained(ArrayRef(lengths, rank), 0))
    return fft;
  mlir::Type element = mlir::getElementTypeOrSelf(op->getOperand(0).getType());
  if (auto complex = dyn_cast<mlir::ComplexType>(element))
    element = complex.getElementType();
  int64_t bytes = elementBytes(element);
  fft.count = xlac_fft_passes(call.parameters[XLAC_FFT_AT_KIND], bytes,
                              call.batch, rank, lengths, fft.passes);
  fft.workspace = xlac_fft_workspace(fft.passes, fft.count, bytes);
  return fft;
}

static LibraryCall callOf(TriangularSolveOp op, int64_t element) {
  LibraryCall call;
  call.routine = XLAC_LIBRARY_TRIANGULAR_SOLVE;
  call.batchPosition = 1;
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
  LibraryCall call;
  call.routine = XLAC_LIBRARY_CHOLESKY;
  call.batchPosition = 1;
  ArrayRef<int64_t> sizes = sizesOf(op.getA());
  call.batch = elementCount(sizes.drop_back(2));
  call.parameters = {element, call.batch, sizes.back(), op.getLower()};
  return call;
}

/// Returns the only op in the body that a routine computes, with the ops around
/// an FFT that combine and split. Returns no op if the body has other ops, or
/// an operand is not the kernel's.
static LibraryCall findOps(ir::KernelOp kernel) {
  LibraryCall found;
  bool onlyThese = true;
  for (mlir::Operation &op : kernel.getBody().front().without_terminator()) {
    if (auto complex = dyn_cast<ComplexOp>(op); complex && !found.joined)
      found.joined = complex;
    else if (auto real = dyn_cast<RealOp>(op); real && !found.real)
      found.real = real;
    else if (auto imag = dyn_cast<ImagOp>(op); imag && !found.imag)
      found.imag = imag;
    else if (isa<FftOp, TriangularSolveOp, CholeskyOp>(op) && !found.op)
      found.op = &op;
    else
      onlyThese = false;
  }
  auto isArgument = [](mlir::Value value) {
    return isa<mlir::BlockArgument>(value);
  };
  if (!onlyThese || !found.op)
    return {};
  if (found.joined ? !llvm::all_of(found.joined->getOperands(), isArgument) ||
                         found.op->getOperands() != found.joined->getResults()
                   : !llvm::all_of(found.op->getOperands(), isArgument))
    return {};
  mlir::OperandRange results = kernel.getYield()->getOperands();
  if (!found.real && !found.imag)
    return results == found.op->getResults() ? found : LibraryCall();
  bool both = found.real && found.imag && results.size() == 2 &&
              found.real.getOperand() == found.op->getResult(0) &&
              found.imag.getOperand() == found.op->getResult(0) &&
              results[0] != results[1];
  return both ? found : LibraryCall();
}

/// Returns the kernel's library call, or emits an error if it has none.
static mlir::FailureOr<LibraryCall> findCall(ir::KernelOp kernel) {
  LibraryCall found = findOps(kernel);
  mlir::Operation *op = found.op;
  if (!op) {
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
  call.op = op;
  call.joined = found.joined;
  call.real = found.real;
  call.imag = found.imag;
  if (isa<FftOp>(op))
    call.parameters[XLAC_FFT_AT_PLANAR] =
        (call.joined ? 1 : 0) + (call.real ? 2 : 0);
  return call;
}

static mlir::LogicalResult scheduleLibrary(ir::KernelOp kernel,
                                           const TargetProfile &profile) {
  mlir::FailureOr<LibraryCall> call = findCall(kernel);
  if (mlir::failed(call))
    return mlir::failure();
  KernelCost cost = costOf(kernel);
  if (isa<FftOp>(call->op)) {
    FftPasses fft = passesOf(*call);
    SmallVector<int64_t> tasks, grain;
    int64_t nanoseconds = cost.bytes / 4;
    for (const xlac_fft_pass &pass : ArrayRef(fft.passes, fft.count)) {
      tasks.push_back(pass.tasks);
      grain.push_back(grainOf(pass.tasks, nanoseconds, profile));
    }
    // Every kernel needs a phase, even without work.
    if (tasks.empty()) {
      tasks.push_back(0);
      grain.push_back(1);
    }
    setSchedule(kernel, tasks, grain, {}, fft.workspace,
                nanoseconds * 8 * fft.count, cost.bytes);
    return mlir::success();
  }
  mlir::Value result = kernel.getYield()->getOperand(0);
  int64_t tasks = elementCount(sizesOf(result)) == 0 ? 0 : call->batch;
  int64_t each = sizesOf(result).empty() ? 1 : sizesOf(result).back();
  int64_t flops = cost.bytes / 4 * std::min<int64_t>(each, 1 << 12);
  setSchedule(kernel, {tasks}, {grainOf(tasks, flops, profile)}, {}, 0, flops,
              cost.bytes);
  return mlir::success();
}

/// Emits pass `phase` of an FFT.
static void emitFft(KernelFunction &function, IRBuilder<> &ir,
                    const LibraryCall &call, unsigned phase) {
  SmallVector<Value *> values;
  for (int64_t parameter : call.parameters)
    values.push_back(ir.getInt64(parameter));
  values[XLAC_FFT_AT_PASS] = ir.getInt64(phase);
  values[XLAC_FFT_AT_FIRST] = function.begin;
  values[XLAC_FFT_AT_LAST] = function.end;
  Value *none = ConstantPointerNull::get(ir.getPtrTy());
  auto operand = [&](mlir::Value value) {
    return function
        .operandPointers[cast<mlir::BlockArgument>(value).getArgNumber()];
  };
  auto result = [&](mlir::Value value) {
    mlir::OperandRange results = function.kernel.getYield()->getOperands();
    return function
        .resultPointers[llvm::find(results, value) - results.begin()];
  };
  ComplexOp joined = call.joined;
  RealOp real = call.real;
  ImagOp imag = call.imag;
  SmallVector<Value *> addresses{
      operand(joined ? mlir::Value(joined.getLhs()) : call.op->getOperand(0)),
      result(real ? mlir::Value(real) : mlir::Value(call.op->getResult(0))),
      function.workspace ? function.workspace : none,
      joined ? operand(joined.getRhs()) : none,
      imag ? result(imag.getResult()) : none};
  callLibrary(function, ir, call.routine, addresses, values);
}

static Error emitLibrary(KernelFunction &function, IRBuilder<> &ir,
                         unsigned phase) {
  mlir::FailureOr<LibraryCall> call = findCall(function.kernel);
  if (mlir::failed(call))
    return createStringError("kernel @" + function.kernel.getSymName() +
                             " is not a library call");
  if (call->batch == 0)
    return Error::success();
  mlir::Operation &op = *call->op;
  if (isa<FftOp>(op)) {
    if (passesOf(*call).count > 0)
      emitFft(function, ir, *call, phase);
    return Error::success();
  }

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

  SmallVector<Value *> values;
  for (auto [number, parameter] : llvm::enumerate(call->parameters))
    values.push_back(number == call->batchPosition
                         ? ir.CreateSub(function.end, function.begin)
                         : ir.getInt64(parameter));
  callLibrary(function, ir, call->routine, addresses, values);
  return Error::success();
}

const KernelKind libraryKind = {scheduleLibrary, emitLibrary};

} // namespace xlac::codegen
