#include "CheckCases.h"

#include "Constants.h"

#include "xlac/Dialect/Check/CheckDialect.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Transforms/HostEffects.h"
#include "xlac/support/program_names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using llvm::StringRef;

namespace xlac::compiler {
namespace {

using Kind = CheckCase::Comparison::Kind;

/// A check in either form: an op of the check dialect or a custom call.
struct Check {
  Operation *op = nullptr;
  CheckCase::Comparison comparison;
  bool constantExpected = false;
};

} // namespace

/// Returns the check's name without its dialect, or an empty string.
static StringRef checkName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    name = call.getCallTargetName();
  return name.consume_front("check.") ? name : StringRef();
}

static Attribute checkAttribute(Operation *op, StringRef name) {
  if (Attribute direct = op->getAttr(name))
    return direct;
  for (StringRef holder : {"backend_config", names::kMhloBackendConfig})
    if (auto config = op->getAttrOfType<DictionaryAttr>(holder))
      if (Attribute inside = config.get(name))
        return inside;
  return {};
}

static std::optional<Check> asCheck(Operation *op, std::string &unsupported) {
  StringRef name = checkName(op);
  if (name.empty())
    return std::nullopt;
  Check check;
  check.op = op;
  if (name.consume_back("_const"))
    check.constantExpected = true;
  if (name == "expect_eq") {
    check.comparison.kind = Kind::Equal;
  } else if (name == "expect_almost_eq") {
    check.comparison.kind = Kind::AlmostEqual;
    if (auto tolerance =
            dyn_cast_or_null<FloatAttr>(checkAttribute(op, "tolerance")))
      check.comparison.tolerance = tolerance.getValueAsDouble();
  } else if (name == "expect_close") {
    check.comparison.kind = Kind::Close;
    auto read = [&](StringRef key, int64_t &into) {
      if (auto value = dyn_cast_or_null<IntegerAttr>(checkAttribute(op, key)))
        into = value.getInt();
    };
    read("min_ulp_difference", check.comparison.min_ulp);
    read("max_ulp_difference", check.comparison.max_ulp);
  } else {
    unsupported = ("check." + name + " is not supported").str();
  }
  return check;
}

/// Returns true if the value of `constant` determines a shape, directly or
/// through ops that the pipeline folds. It must then stay a constant.
static bool decidesShape(Operation *constant) {
  SmallVector<Operation *> pending(constant->user_begin(),
                                   constant->user_end());
  llvm::SmallPtrSet<Operation *, 8> seen;
  auto type = dyn_cast<ShapedType>(constant->getResult(0).getType());
  bool small = type && type.hasStaticShape() && type.getNumElements() <= 64 &&
               type.getElementType().isIntOrIndex();
  if (!small)
    return false;
  while (!pending.empty()) {
    Operation *user = pending.pop_back_val();
    if (!seen.insert(user).second || seen.size() > 32)
      continue;
    StringRef name = user->getName().stripDialect();
    if (name == "dynamic_broadcast_in_dim" || name == "dynamic_conv" ||
        name == "dynamic_gather" || name == "dynamic_iota" ||
        name == "dynamic_pad" || name == "dynamic_reshape" ||
        name == "real_dynamic_slice" || name == "set_dimension_size" ||
        name == "rng" || name == "top_k" || name == "polygamma")
      return true;
    if (user->getNumResults() == 1 && user->getNumRegions() == 0)
      pending.append(user->user_begin(), user->user_end());
  }
  return false;
}

/// Inlines calls and nothing else, because the case must reach the compiler
/// unchanged. The inliner would canonicalize by default.
static LogicalResult inlineCalls(ModuleOp module, StringRef keep) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.getSymName() == keep)
      function.setPublic();
    else
      function.setPrivate();
  PassManager passes(module.getContext());
  passes.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  passes.addPass(createSymbolDCEPass());
  return passes.run(module);
}

/// Converts constants to arguments, and appends their bytes to `inputs`.
/// Constants that determine shapes stay.
static void constantsToArguments(func::FuncOp function,
                                 std::vector<std::vector<std::byte>> &inputs) {
  SmallVector<stablehlo::ConstantOp> constants;
  for (stablehlo::ConstantOp constant :
       function.getBody().front().getOps<stablehlo::ConstantOp>())
    if (!decidesShape(constant))
      constants.push_back(constant);
  for (stablehlo::ConstantOp constant : constants) {
    auto bytes = constantBytes(constant.getValue());
    if (!bytes)
      continue;
    inputs.push_back(std::move(*bytes));
    BlockArgument argument = function.getBody().front().addArgument(
        constant.getType(), constant.getLoc());
    constant.getResult().replaceAllUsesWith(argument);
    constant.erase();
  }
}

static void rewriteChecks(func::FuncOp function, CheckCase &result) {
  OpBuilder builder(function.getContext());
  SmallVector<mlir::Value> results;
  SmallVector<Operation *> dead;
  function.walk([&](Operation *op) {
    std::optional<Check> check = asCheck(op, result.unsupported);
    if (!check || !result.unsupported.empty())
      return;
    dead.push_back(op);
    if (op->getBlock() != &function.getBody().front()) {
      result.unsupported = "a check inside a region";
      return;
    }
    builder.setInsertionPoint(op);
    mlir::Value expected;
    if (check->constantExpected) {
      auto value = dyn_cast_or_null<ElementsAttr>(op->getAttr("value"));
      if (!value || op->getNumOperands() != 1) {
        result.unsupported = "a check without its expected value";
        return;
      }
      expected = stablehlo::ConstantOp::create(builder, op->getLoc(), value);
    } else if (op->getNumOperands() == 2) {
      expected = op->getOperand(1);
    } else {
      result.unsupported = "a check without its expected value";
      return;
    }
    check->comparison.actual = results.size();
    results.push_back(op->getOperand(0));
    check->comparison.expected = results.size();
    results.push_back(expected);
    result.comparisons.push_back(check->comparison);
  });
  if (!result.unsupported.empty())
    return;
  auto ret = cast<func::ReturnOp>(function.getBody().front().getTerminator());
  ret.getOperandsMutable().assign(results);
  for (Operation *op : dead)
    op->erase();
}

/// Returns the text of the module with `function` as `main`. The function's
/// type follows from its current results.
static std::string printAsMain(ModuleOp module, func::FuncOp function) {
  function.setName("main");
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
  auto ret = cast<func::ReturnOp>(function.getBody().front().getTerminator());
  function.setFunctionType(FunctionType::get(
      module.getContext(), function.getBody().getArgumentTypes(),
      ret.getOperandTypes()));
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().useLocalScope());
  return text;
}

//===- Parallel programs --------------------------------------------------===//

static bool isPrint(Operation *op) {
  auto call = dyn_cast<stablehlo::CustomCallOp>(op);
  return call && call.getCallTargetName() == names::kPrintCall;
}

/// Creates a separate program of what the case computes before its programs
/// run. Checks and prints stay in the case.
static void writeSetup(ModuleOp module, StringRef name, CheckCase::Grid &grid) {
  OwningOpRef<ModuleOp> copy = module.clone();
  auto function = SymbolTable(*copy).lookup<func::FuncOp>(name);
  Block &block = function.getBody().front();
  auto run = *block.getOps<interpreter::RunParallelOp>().begin();
  block.getTerminator()->setOperands(run->getOperands());
  SmallVector<Operation *> later;
  for (Operation *op = run; op != block.getTerminator(); op = op->getNextNode())
    later.push_back(op);
  for (Operation &op : block)
    if ((!checkName(&op).empty() || isPrint(&op)) && op.isBeforeInBlock(run))
      later.push_back(&op);
  for (Operation *op : later)
    op->dropAllUses();
  for (Operation *op : later)
    op->erase();
  constantsToArguments(function, grid.setup_inputs);
  grid.setup = printAsMain(*copy, function);
}

/// Moves the grid of programs out of `function`, which takes their results as
/// arguments instead.
static void splitGrid(ModuleOp module, func::FuncOp function,
                      CheckCase &result) {
  SmallVector<interpreter::RunParallelOp> runs;
  function.walk([&](interpreter::RunParallelOp run) { runs.push_back(run); });
  if (runs.empty())
    return;
  Block &block = function.getBody().front();
  if (runs.size() > 1 || runs.front()->getBlock() != &block) {
    result.unsupported = "several interpreter.run_parallel, or one in a region";
    return;
  }
  interpreter::RunParallelOp run = runs.front();
  CheckCase::Grid &grid = result.grid.emplace();
  SymbolTable symbols(module);
  auto nameOf = [&](Attribute attribute) {
    StringRef name = cast<FlatSymbolRefAttr>(attribute).getValue();
    if (!symbols.lookup<func::FuncOp>(name))
      result.unsupported = ("there is no function @" + name).str();
    return name.str();
  };
  for (Attribute row : run.getPrograms()) {
    std::vector<std::string> &names = grid.rows.emplace_back();
    for (Attribute name : cast<ArrayAttr>(row))
      names.push_back(nameOf(name));
    if (names.empty() || names.size() != grid.rows.front().size())
      result.unsupported = "rows of programs are not of one length";
  }
  if (std::optional<ArrayAttr> fed = run.getInfeed())
    for (Attribute name : *fed)
      grid.infeed.push_back(nameOf(name));
  if (grid.rows.empty())
    result.unsupported = "interpreter.run_parallel without programs";
  if (!result.unsupported.empty())
    return;

  writeSetup(module, function.getSymName(), grid);
  OwningOpRef<ModuleOp> programs = module.clone();
  SymbolTable(*programs).lookup(function.getSymName())->erase();
  llvm::raw_string_ostream stream(grid.programs);
  (*programs)->print(stream, OpPrintingFlags().useLocalScope());
  for (mlir::Value value : run->getResults())
    value.replaceAllUsesWith(
        block.addArgument(value.getType(), value.getLoc()));
  run->erase();
}

CheckCase makeCheckCase(ModuleOp module, StringRef name) {
  CheckCase result;
  result.name = name.str();
  transforms::writePrintsAsCalls(module);
  if (failed(inlineCalls(module, name))) {
    result.unsupported = "its calls cannot be inlined";
    return result;
  }
  auto function = SymbolTable(module).lookup<func::FuncOp>(name);
  splitGrid(module, function, result);
  if (result.unsupported.empty())
    rewriteChecks(function, result);
  if (!result.unsupported.empty())
    return result;
  constantsToArguments(function, result.inputs);
  result.module = printAsMain(module, function);
  return result;
}

std::vector<std::string> caseNames(ModuleOp module) {
  std::vector<std::string> names;
  if (auto main = SymbolTable(module).lookup<func::FuncOp>("main"))
    return {"main"};
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || function.getNumArguments() > 0)
      continue;
    bool checks = false;
    function.walk([&](Operation *op) { checks |= !checkName(op).empty(); });
    if (checks || function.isPublic())
      names.push_back(function.getSymName().str());
  }
  return names;
}

} // namespace xlac::compiler
