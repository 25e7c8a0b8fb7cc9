// Functions that kernels share. Their names determine their bodies.
#include "xlac/Codegen/Codegen.h"

#include "Contraction/Microkernel.h"
#include "Kernels/TransposedCopy.h"

using namespace llvm;

namespace xlac::codegen {

template <class Number>
static bool consumeNumber(StringRef &text, Number &number, StringRef behind) {
  return !text.consumeInteger(10, number) && text.consume_front(behind);
}

static Type *accumulatorOf(LLVMContext &context, char letter) {
  switch (letter) {
  case 'f':
    return Type::getFloatTy(context);
  case 'd':
    return Type::getDoubleTy(context);
  case 'i':
    return Type::getInt32Ty(context);
  case 'l':
    return Type::getInt64Ty(context);
  default:
    return nullptr;
  }
}

static std::optional<TileShape> tileOf(LLVMContext &context, StringRef name) {
  StringRef text = name;
  TileShape shape;
  unsigned lanes = 0;
  if (!text.consume_front("tile.") || !consumeNumber(text, shape.rows, "x") ||
      !consumeNumber(text, shape.vectors, "x") ||
      !consumeNumber(text, lanes, "") || text.empty())
    return std::nullopt;
  Type *accumulator = accumulatorOf(context, text.front());
  text = text.drop_front();
  if (!accumulator || lanes == 0 || !text.consume_front(".") ||
      !consumeNumber(text, shape.validColumnsB, ".") ||
      !consumeNumber(text, shape.validColumnsC, ""))
    return std::nullopt;
  shape.anyColumnsB = text.consume_front("b");
  shape.anyColumnsC = text.consume_front("c");
  if (text.consume_front(".walk"))
    (void)text.consumeInteger(10, shape.indirectStride);
  shape.vector = FixedVectorType::get(accumulator, lanes);
  // A name with other parts is not the name of a shared function.
  if (tileFunctionName(shape) != name)
    return std::nullopt;
  return shape;
}

static std::optional<TransposedCopy> copyOf(LLVMContext &context,
                                            StringRef name) {
  StringRef text = name;
  unsigned lanes = 0, bits = 0;
  if (!text.consume_front("transpose.") || !consumeNumber(text, lanes, "xi") ||
      !consumeNumber(text, bits, "") || lanes == 0 || bits == 0)
    return std::nullopt;
  TransposedCopy copy;
  copy.vector = FixedVectorType::get(Type::getIntNTy(context, bits), lanes);
  if (copyFunctionName(copy) != name)
    return std::nullopt;
  return copy;
}

static void hide(Function &function) {
  function.setLinkage(GlobalValue::ExternalLinkage);
  function.setVisibility(GlobalValue::HiddenVisibility);
  function.setDSOLocal(true);
}

std::vector<SharedFunction> leaveOutSharedFunctions(llvm::Module &module) {
  std::vector<SharedFunction> leftOut;
  for (Function &function : module) {
    StringRef name = function.getName();
    if (!function.hasInternalLinkage() || (!tileOf(module.getContext(), name) &&
                                           !copyOf(module.getContext(), name)))
      continue;
    leftOut.push_back({name.str(), function.getInstructionCount()});
    function.deleteBody();
    hide(function);
  }
  return leftOut;
}

void emitSharedFunction(StringRef name, llvm::Module &module) {
  if (std::optional<TileShape> shape = tileOf(module.getContext(), name))
    hide(*createTileFunction(module, *shape));
  else if (std::optional<TransposedCopy> copy =
               copyOf(module.getContext(), name))
    hide(*createCopyFunction(module, *copy));
  else
    llvm_unreachable("only shared functions are left out of modules");
}

} // namespace xlac::codegen
