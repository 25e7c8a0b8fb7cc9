// The pass that gives the arguments and results of the entry function the
// memory layouts that its callers request. All values are row-major, so a value
// of another layout becomes a row-major value of the transposed type: its first
// dimension is the major one in memory.
#include "xlac/Transforms/Passes.h"

#include "Fusion/FusionCost.h"
#include "StablehloBuilder.h"
#include "xlac/support/program_names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "xlac/Transforms/Passes.h.inc"

namespace {
/// The dimensions of a value from the major one to the minor one in memory.
using Order = SmallVector<int64_t>;

struct AssignLayouts : impl::AssignLayoutsBase<AssignLayouts> {
  using AssignLayoutsBase::AssignLayoutsBase;
  void runOnOperation() override;

private:
  LogicalResult assign(func::FuncOp main, ArrayAttr arguments,
                       ArrayAttr results);
};
} // namespace

static Order rowMajor(int64_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

static Order inverse(ArrayRef<int64_t> order) {
  Order result(order.size());
  for (auto [i, dimension] : llvm::enumerate(order))
    result[dimension] = i;
  return result;
}

/// Reads a layout in XLA's form, from the minor dimension to the major one:
/// "{0,1}". Returns nothing if it is not a permutation of `rank` dimensions.
static std::optional<Order> parseLayout(StringRef text, int64_t rank) {
  if (!text.consume_front("{") || !text.consume_back("}"))
    return std::nullopt;
  SmallVector<StringRef> words;
  text.split(words, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/rank != 0);
  if (static_cast<int64_t>(words.size()) != rank)
    return std::nullopt;
  Order order;
  SmallVector<bool> seen(rank);
  for (StringRef word : llvm::reverse(words)) {
    int64_t dimension = 0;
    if (word.trim().getAsInteger(10, dimension) || dimension < 0 ||
        dimension >= rank || seen[dimension])
      return std::nullopt;
    seen[dimension] = true;
    order.push_back(dimension);
  }
  return order;
}

/// Returns the order in which the transposition that computes `result` copies
/// nothing; elementwise ops of one operand may follow it. Row-major if there is
/// no transposition.
static Order cheapestOrder(Value result) {
  int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
  while (Operation *op = result.getDefiningOp()) {
    if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op))
      return inverse(transpose.getPermutation());
    if (!isElementwise(op) || op->getNumOperands() != 1)
      break;
    result = op->getOperand(0);
  }
  return rowMajor(rank);
}

/// Returns the order that `mode` requests: "default" or "" is row-major, "auto"
/// is `automatic`, and other modes are layouts.
static FailureOr<Order> orderOf(Attribute mode, Type type,
                                function_ref<Order()> automatic,
                                function_ref<InFlightDiagnostic()> error) {
  StringRef text = cast<StringAttr>(mode).getValue();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (text.empty() || text == "default" || (text == "auto" && !tensor))
    return tensor ? rowMajor(tensor.getRank()) : Order();
  if (text == "auto")
    return automatic();
  if (tensor && tensor.hasStaticShape())
    if (std::optional<Order> order = parseLayout(text, tensor.getRank()))
      return std::move(*order);
  return error() << "the layout '" << text << "', but its type is " << type;
}

static RankedTensorType transposed(RankedTensorType type,
                                   ArrayRef<int64_t> order) {
  SmallVector<int64_t> sizes;
  for (int64_t dimension : order)
    sizes.push_back(type.getDimSize(dimension));
  return RankedTensorType::get(sizes, type.getElementType(),
                               type.getEncoding());
}

LogicalResult AssignLayouts::assign(func::FuncOp main, ArrayAttr arguments,
                                    ArrayAttr results) {
  Block &body = main.getBody().front();
  Operation *end = body.getTerminator();
  if (arguments.size() != body.getNumArguments() ||
      results.size() != end->getNumOperands())
    return main.emitOpError("has layouts of another number of values");
  Builder builder(&getContext());
  SmallVector<Attribute> argumentOrders, resultOrders;
  // Results first, because they look for transpositions of the program.
  for (auto [i, mode] : llvm::enumerate(results)) {
    OpOperand &operand = end->getOpOperand(i);
    FailureOr<Order> order = orderOf(
        mode, operand.get().getType(),
        [&] { return cheapestOrder(operand.get()); },
        [&] { return main.emitOpError("requests for result ") << i << " "; });
    if (failed(order))
      return failure();
    if (!llvm::is_sorted(*order)) {
      OpBuilder at(end);
      StablehloBuilder b(at, end->getLoc());
      operand.set(b.transpose(operand.get(), *order));
    }
    resultOrders.push_back(builder.getDenseI64ArrayAttr(*order));
  }
  OpBuilder at = OpBuilder::atBlockBegin(&body);
  for (auto [i, mode] : llvm::enumerate(arguments)) {
    BlockArgument argument = body.getArgument(i);
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    FailureOr<Order> order = orderOf(
        mode, argument.getType(), [&] { return rowMajor(type.getRank()); },
        [&] { return main.emitOpError("requests for argument ") << i << " "; });
    if (failed(order))
      return failure();
    if (!llvm::is_sorted(*order)) {
      argument.setType(transposed(type, *order));
      StablehloBuilder b(at, argument.getLoc());
      Value logical = b.transpose(argument, inverse(*order));
      argument.replaceAllUsesExcept(logical, logical.getDefiningOp());
    }
    argumentOrders.push_back(builder.getDenseI64ArrayAttr(*order));
  }
  main.setType(
      builder.getFunctionType(body.getArgumentTypes(), end->getOperandTypes()));
  ModuleOp module = getOperation();
  module->setAttr(names::kArgumentLayouts,
                  builder.getArrayAttr(argumentOrders));
  module->setAttr(names::kResultLayouts, builder.getArrayAttr(resultOrders));
  return success();
}

void AssignLayouts::runOnOperation() {
  ModuleOp module = getOperation();
  auto arguments =
      module->getAttrOfType<ArrayAttr>(names::kArgumentLayoutModes);
  auto results = module->getAttrOfType<ArrayAttr>(names::kResultLayoutModes);
  auto main = module.lookupSymbol<func::FuncOp>(entry);
  if (!arguments || !results || !main || main.isExternal())
    return;
  module->removeAttr(names::kArgumentLayoutModes);
  module->removeAttr(names::kResultLayoutModes);
  if (failed(assign(main, arguments, results)))
    signalPassFailure();
}

} // namespace xlac::transforms
