#include "xlac/Transforms/HostEffects.h"

#include "xlac/Dialect/Check/CheckDialect.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace xlac::transforms {

/// The operand's name as the function's text has it.
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
                     builder.getStringAttr("interpreter.print"));
  state.addAttribute("has_side_effect", builder.getBoolAttr(true));
  state.addAttribute("backend_config",
                     builder.getDictionaryAttr(builder.getNamedAttr(
                         "label", builder.getStringAttr(label))));
  // 4: configurations that are dictionaries.
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

} // namespace xlac::transforms
