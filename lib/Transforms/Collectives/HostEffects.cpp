#include "xlac/Transforms/HostEffects.h"

#include "xlac/Dialect/Check/CheckDialect.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/support/program_names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace xlac::transforms {

/// Returns the operand's name in the function's text.
static std::string labelOf(interpreter::PrintOp print, AsmState &names) {
  std::string label;
  llvm::raw_string_ostream stream(label);
  print.getOperand().printAsOperand(stream, names);
  return label;
}

static void writePrintAsCall(interpreter::PrintOp print, StringRef label) {
  OpBuilder builder(print);
  OperationState state(print.getLoc(), "stablehlo.custom_call",
                       print->getOperands(), TypeRange());
  state.addAttribute("call_target_name",
                     builder.getStringAttr(names::kPrintCall));
  state.addAttribute("has_side_effect", builder.getBoolAttr(true));
  state.addAttribute("backend_config",
                     builder.getDictionaryAttr(builder.getNamedAttr(
                         "label", builder.getStringAttr(label))));
  // Number 4: configurations that are dictionaries.
  state.addAttribute(
      "api_version",
      stablehlo::CustomCallApiVersionAttr::get(
          builder.getContext(),
          stablehlo::CustomCallApiVersion::API_VERSION_TYPED_FFI));
  builder.create(state);
  print.erase();
}

void writePrintsAsCalls(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    SmallVector<interpreter::PrintOp> prints;
    function.walk([&](interpreter::PrintOp print) { prints.push_back(print); });
    if (prints.empty())
      continue;
    AsmState names(function, OpPrintingFlags().useLocalScope());
    SmallVector<std::string> labels;
    for (interpreter::PrintOp print : prints)
      labels.push_back(labelOf(print, names));
    for (auto [print, label] : llvm::zip_equal(prints, labels))
      writePrintAsCall(print, label);
  }
}

static bool isCallback(stablehlo::CustomCallOp call) {
  return names::is_python_callback(call.getCallTargetName());
}

/// Replaces the call's token results by its token operand, or by a new token.
/// Returns false if it has results other than tokens.
static bool replaceTokens(stablehlo::CustomCallOp call) {
  SmallVector<Value> results(call->getResults());
  Type type = results.empty() ? Type() : results.front().getType();
  auto tuple = dyn_cast_or_null<TupleType>(type);
  bool isEmptyTuple = results.size() == 1 && tuple && tuple.size() == 0;
  for (Value result : results)
    if (!isa<stablehlo::TokenType>(result.getType()) && !isEmptyTuple)
      return false;
  if (isEmptyTuple && !call->use_empty())
    return false;
  if (results.empty() || isEmptyTuple)
    return true;
  Value token;
  for (Value operand : call->getOperands())
    if (isa<stablehlo::TokenType>(operand.getType()))
      token = operand;
  OpBuilder builder(call);
  if (!token) {
    OperationState state(call.getLoc(), "stablehlo.create_token", {}, {type});
    token = builder.create(state)->getResult(0);
  }
  for (Value result : results)
    result.replaceAllUsesWith(token);
  return true;
}

llvm::SmallVector<Location> dropCallbacks(ModuleOp module) {
  SmallVector<stablehlo::CustomCallOp> calls;
  module.walk([&](stablehlo::CustomCallOp call) {
    if (isCallback(call))
      calls.push_back(call);
  });
  SmallVector<Location> dropped;
  for (stablehlo::CustomCallOp call : calls)
    if (replaceTokens(call)) {
      dropped.push_back(call.getLoc());
      call.erase();
    }
  return dropped;
}

} // namespace xlac::transforms
