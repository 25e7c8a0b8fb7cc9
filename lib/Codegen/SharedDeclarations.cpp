#include "SharedDeclarations.h"

using namespace llvm;

namespace xlac::codegen {

void hideShared(Function &function) {
  function.setLinkage(GlobalValue::ExternalLinkage);
  function.setVisibility(GlobalValue::HiddenVisibility);
  function.setDSOLocal(true);
}

Function *declareShared(llvm::Module &module, StringRef name,
                        FunctionType *type) {
  Function *function = module.getFunction(name);
  if (!function) {
    function =
        Function::Create(type, GlobalValue::ExternalLinkage, name, module);
    hideShared(*function);
  }
  assert(function->getFunctionType() == type && "the name determines the type");
  return function;
}

Function *beginDefinition(llvm::Module &module, StringRef name,
                          FunctionType *type) {
  Function *function = declareShared(module, name, type);
  assert(function->isDeclaration() && "a function is defined once");
  // Functions with local linkage have default visibility.
  function->setVisibility(GlobalValue::DefaultVisibility);
  function->setLinkage(GlobalValue::InternalLinkage);
  return function;
}

char accumulatorLetter(Type *accumulator) {
  bool isDouble = accumulator->getPrimitiveSizeInBits() == 64;
  if (accumulator->isIntegerTy())
    return isDouble ? 'l' : 'i';
  return isDouble ? 'd' : 'f';
}

} // namespace xlac::codegen
