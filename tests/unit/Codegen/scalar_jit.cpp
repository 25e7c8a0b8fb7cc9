#include "scalar_jit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"

namespace xlac::codegen::test {

ScalarProgram::ScalarProgram(const std::string &op,
                             const std::vector<std::string> &types,
                             unsigned width, const std::string &attributes,
                             const Target &target)
    : width(width), context(mlir::MLIRContext::Threading::DISABLED) {
  context.allowUnregisteredDialects();
  context.loadDialect<mlir::func::FuncDialect>();
  message = build(op, types, attributes, target);
}

ScalarProgram::~ScalarProgram() = default;

static std::string programText(const std::string &op,
                               const std::vector<std::string> &types,
                               const std::string &attributes) {
  std::string parameters, operands, operandTypes;
  for (size_t i = 0; i + 1 < types.size(); ++i) {
    std::string comma = i ? ", " : "";
    std::string name = "%a" + std::to_string(i);
    std::string type = "tensor<" + types[i] + ">";
    parameters += comma + name + ": " + type;
    operands += comma + name;
    operandTypes += comma + type;
  }
  std::string result = "tensor<" + types.back() + ">";
  return "func.func @f(" + parameters + ") -> " + result + " {\n  %r = \"" +
         op + "\"(" + operands + ") " + attributes + " : (" + operandTypes +
         ") -> " + result + "\n  return %r : " + result + "\n}\n";
}

static size_t bytesOf(llvm::Type *lane) {
  return std::max<size_t>(1, lane->getPrimitiveSizeInBits() / 8);
}

std::string ScalarProgram::build(const std::string &name,
                                 const std::vector<std::string> &types,
                                 const std::string &attributes,
                                 const Target &target) {
  module = mlir::parseSourceString<mlir::ModuleOp>(
      programText(name, types, attributes), &context);
  if (!module)
    return "does not parse";
  auto func = *module->getOps<mlir::func::FuncOp>().begin();
  mlir::Operation *op = &func.getBody().front().front();

  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  auto code = std::make_unique<llvm::Module>("scalar", *llvmContext);
  llvm::IRBuilder<> ir(*llvmContext);
  auto *type = llvm::FunctionType::get(ir.getVoidTy(),
                                       {ir.getPtrTy(), ir.getPtrTy()}, false);
  llvm::Function *f = llvm::Function::Create(
      type, llvm::Function::ExternalLinkage, "scalar", *code);
  ir.SetInsertPoint(llvm::BasicBlock::Create(*llvmContext, "entry", f));
  ScalarEmitter emitter{ir, width, target.profile};

  auto slot = [&](llvm::Value *table, size_t number) {
    return ir.CreateLoad(ir.getPtrTy(),
                         ir.CreateConstGEP1_64(ir.getPtrTy(), table, number));
  };
  auto memoryType = [&](llvm::Type *lane) {
    return lane->getScalarType()->isIntegerTy(1)
               ? lane->getWithNewType(ir.getInt8Ty())
               : lane;
  };
  std::vector<Element> operands;
  for (mlir::Value operand : op->getOperands()) {
    mlir::Type element = mlir::getElementTypeOrSelf(operand.getType());
    llvm::Type *lane = laneType(*llvmContext, element, width);
    if (!lane)
      return "no lane type";
    auto load = [&]() -> llvm::Value * {
      llvm::Value *value = ir.CreateAlignedLoad(
          memoryType(lane), slot(f->getArg(0), inputBytes.size()),
          llvm::Align(1));
      inputBytes.push_back(bytesOf(lane->getScalarType()));
      return value->getType() == lane ? value : ir.CreateTrunc(value, lane);
    };
    Element loaded{load()};
    if (llvm::isa<mlir::ComplexType>(element))
      loaded.imag = load();
    operands.push_back(loaded);
  }
  llvm::Expected<Element> result = emitScalarOp(emitter, op, operands);
  if (!result)
    return llvm::toString(result.takeError());
  for (llvm::Value *part : {result->real, result->imag}) {
    if (!part)
      continue;
    llvm::Value *pointer = slot(f->getArg(1), outputBytes.size());
    outputBytes.push_back(bytesOf(part->getType()->getScalarType()));
    llvm::Type *memory = memoryType(part->getType());
    ir.CreateAlignedStore(
        memory == part->getType() ? part : ir.CreateZExt(part, memory), pointer,
        llvm::Align(1));
  }
  ir.CreateRetVoid();
  f->addFnAttr("prefer-vector-width", "256");

  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(*code, &stream))
    return problem;

  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machine)
    return llvm::toString(machine.takeError());
  if (!target.cpu.empty()) {
    machine->setCPU(target.cpu);
    machine->getFeatures() = llvm::SubtargetFeatures();
  }
  auto built = llvm::orc::LLJITBuilder()
                   .setJITTargetMachineBuilder(std::move(*machine))
                   .setLinkProcessSymbolsByDefault(false)
                   .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                   .create();
  if (!built)
    return llvm::toString(built.takeError());
  jit = std::move(*built);
  code->setDataLayout(jit->getDataLayout());
  if (llvm::Error error = jit->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(code), std::move(llvmContext))))
    return llvm::toString(std::move(error));
  auto address = jit->lookup("scalar");
  if (!address)
    return llvm::toString(address.takeError());
  function = address->toPtr<decltype(function)>();
  return "";
}

void ScalarProgram::run(const std::vector<const void *> &inputs,
                        const std::vector<void *> &outputs,
                        size_t count) const {
  std::vector<const void *> from(inputs);
  std::vector<void *> to(outputs);
  for (size_t done = 0; done < count; done += width) {
    function(from.data(), to.data());
    for (size_t i = 0; i < from.size(); ++i)
      from[i] = static_cast<const char *>(from[i]) + width * inputBytes[i];
    for (size_t i = 0; i < to.size(); ++i)
      to[i] = static_cast<char *>(to[i]) + width * outputBytes[i];
  }
}

} // namespace xlac::codegen::test
