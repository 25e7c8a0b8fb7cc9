// Functions that kernels share. Their names determine their bodies.
#include "xlac/Codegen/Codegen.h"

#include "Contraction/DotTile.h"
#include "Contraction/Microkernel.h"
#include "Kernels/TransposedCopy.h"
#include "SharedDeclarations.h"

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

/// Consumes the head of a tile's name: its kind, rows and columns, and the
/// register, which is returned. Returns null if there is another head.
static FixedVectorType *consumeTile(LLVMContext &context, StringRef &text,
                                    StringRef kind, unsigned &rows,
                                    unsigned &columns) {
  unsigned lanes = 0;
  if (!text.consume_front(kind) || !consumeNumber(text, rows, "x") ||
      !consumeNumber(text, columns, "x") || !consumeNumber(text, lanes, "") ||
      text.empty() || lanes == 0)
    return nullptr;
  Type *accumulator = accumulatorOf(context, text.front());
  text = text.drop_front();
  return accumulator ? FixedVectorType::get(accumulator, lanes) : nullptr;
}

static std::optional<TileShape> tileOf(LLVMContext &context, StringRef name) {
  StringRef text = name;
  TileShape shape;
  shape.vector = consumeTile(context, text, "tile.", shape.rows, shape.vectors);
  if (!shape.vector || !text.consume_front(".") ||
      !consumeNumber(text, shape.validColumnsB, ".") ||
      !consumeNumber(text, shape.validColumnsC, ""))
    return std::nullopt;
  shape.anyColumnsB = text.consume_front("b");
  shape.anyColumnsC = text.consume_front("c");
  if (text.consume_front(".walk"))
    (void)text.consumeInteger(10, shape.indirectStride);
  shape.addressedRows = text.consume_front(".rows");
  // A name with other parts is not the name of a shared function.
  if (tileFunctionName(shape) != name)
    return std::nullopt;
  return shape;
}

static std::optional<DotShape> dotOf(LLVMContext &context, StringRef name) {
  StringRef text = name;
  DotShape shape;
  shape.vector = consumeTile(context, text, "dots.", shape.rows, shape.columns);
  if (!shape.vector)
    return std::nullopt;
  // A name with other parts is not the name of a shared function.
  if (dotFunctionName(shape) != name)
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

/// Defines the function that `name` describes, with internal linkage. Returns
/// null if it is not the name of a shared function.
static Function *define(StringRef name, llvm::Module &module) {
  if (std::optional<TileShape> shape = tileOf(module.getContext(), name))
    return createTileFunction(module, *shape);
  if (std::optional<DotShape> shape = dotOf(module.getContext(), name))
    return createDotFunction(module, *shape);
  if (std::optional<TransposedCopy> copy = copyOf(module.getContext(), name))
    return createCopyFunction(module, *copy);
  return nullptr;
}

/// Estimates the number of IR instructions of a shared function, or returns 0
/// if it is not the name of one.
static size_t costOf(StringRef name, LLVMContext &context) {
  if (std::optional<TileShape> shape = tileOf(context, name))
    return 32 + 12 * size_t(shape->rows) * shape->vectors;
  if (std::optional<DotShape> shape = dotOf(context, name))
    return 64 + 24 * size_t(shape->rows) * shape->columns;
  if (std::optional<TransposedCopy> copy = copyOf(context, name))
    return 8 * copy->vector->getNumElements();
  return 0;
}

std::vector<SharedFunction> calledSharedFunctions(llvm::Module &module) {
  std::vector<SharedFunction> called;
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration())
      continue;
    size_t cost = costOf(function.getName(), module.getContext());
    if (cost == 0)
      continue;
    if (function.use_empty())
      function.eraseFromParent();
    else
      called.push_back({function.getName().str(), cost});
  }
  return called;
}

void emitSharedFunction(StringRef name, llvm::Module &module) {
  Function *function = define(name, module);
  assert(function && "the name is that of a shared function");
  hideShared(*function);
}

void defineSharedFunctions(llvm::Module &module) {
  for (const SharedFunction &called : calledSharedFunctions(module))
    define(called.name, module);
}

/// Appends the tiles of GEMMs that chooseTile of ContractionPlan.cpp chooses.
static void appendTiles(TileShape shape, bool isWide,
                        std::vector<std::string> &names) {
  unsigned accumulators = isWide ? 28 : 12, mostRows = isWide ? 14 : 6;
  for (shape.rows = 1; shape.rows <= mostRows; ++shape.rows)
    for (shape.vectors = 1;
         shape.vectors <= 6 && shape.rows * shape.vectors <= accumulators;
         ++shape.vectors) {
      // Only GEMMs with few rows have tiles of so many columns.
      if (shape.rows >= 6 && shape.vectors > 2)
        break;
      for (unsigned columns = 0; columns < 4; ++columns) {
        shape.anyColumnsB = columns & 1;
        shape.anyColumnsC = columns & 2;
        names.push_back(tileFunctionName(shape));
      }
      shape.anyColumnsB = shape.anyColumnsC = false;
      if (!isWide) {
        shape.addressedRows = true;
        names.push_back(tileFunctionName(shape));
        shape.addressedRows = false;
        continue;
      }
      // With wide vectors, one function serves all partial tiles.
      shape.validColumnsB = 1;
      names.push_back(tileFunctionName(shape));
      shape.validColumnsB = 0;
    }
}

/// Appends the tiles of sums along K that chooseTile of ContractionPlan.cpp
/// chooses.
static void appendDots(FixedVectorType *vector, bool isWide,
                       std::vector<std::string> &names) {
  DotShape shape;
  shape.vector = vector;
  unsigned width = dotPanelColumns(vector->getNumElements());
  for (shape.rows = 1; shape.rows <= mostDotRows(isWide); ++shape.rows) {
    shape.columns = dotColumns(shape.rows, width, isWide);
    names.push_back(dotFunctionName(shape));
  }
}

/// Appends the tiles of convolutions that chooseIndirect of ContractionPlan.cpp
/// chooses, with images in the layout NCHW and the strides 1 and 2.
static void appendIndirectTiles(TileShape shape, bool isWide,
                                std::vector<std::string> &names) {
  unsigned registers = isWide ? 32 : 16, mostRows = isWide ? 14 : 6;
  for (shape.vectors = 1; shape.vectors <= 4; ++shape.vectors) {
    unsigned fitting = (registers - 1 - shape.vectors) / shape.vectors;
    for (shape.rows = 1; shape.rows <= std::min(fitting, mostRows);
         ++shape.rows)
      for (int64_t stride : {1, 2}) {
        shape.indirectStride = stride;
        names.push_back(tileFunctionName(shape));
      }
  }
}

std::vector<std::string> commonSharedFunctions(const TargetProfile &profile) {
  LLVMContext context;
  std::vector<std::string> names;
  unsigned registerBits = profile.vector_bits;
  bool isWide = registerBits == 512;
  for (Type *element :
       {Type::getFloatTy(context), Type::getDoubleTy(context)}) {
    unsigned bits = element->getPrimitiveSizeInBits();
    TileShape shape;
    shape.vector = FixedVectorType::get(element, registerBits / bits);
    appendTiles(shape, isWide, names);
    appendDots(shape.vector, isWide, names);
    if (element->isFloatTy())
      appendIndirectTiles(shape, isWide, names);
    TransposedCopy copy;
    copy.vector = FixedVectorType::get(Type::getIntNTy(context, bits),
                                       registerBits / bits);
    names.push_back(copyFunctionName(copy));
  }
  return names;
}

} // namespace xlac::codegen
