#include "KernelName.h"

#include "FusionCost.h"

#include "xlac/Dialect/Stablehlo/OpCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace xlac::transforms {
namespace {

/// More words than this make names too long for a column of a table.
constexpr unsigned kMostWords = 4;

/// How much an op tells about its kernel, in ascending order.
enum class Weight { Movement, Selection, Computation, Result, Main };

struct Word {
  std::string text;
  Weight weight = Weight::Movement;
  int64_t cost = 0;
  unsigned position = 0; ///< in the kernel's body
};

} // namespace

/// Returns the mnemonic, or the common abbreviation of a long one.
static StringRef shortMnemonic(Operation *op) {
  StringRef mnemonic = op->getName().stripDialect();
  return llvm::StringSwitch<StringRef>(mnemonic)
      .Case("dot_general", "dot")
      .Case("convolution", "conv")
      .Case("maximum", "max")
      .Case("minimum", "min")
      .Case("exponential", "exp")
      .Case("exponential_minus_one", "expm1")
      .Case("log_plus_one", "log1p")
      .Case("broadcast_in_dim", "broadcast")
      .Case("bitcast_convert", "bitcast")
      .Case("dynamic_update_slice", "update_slice")
      .Case("rng_bit_generator", "rng")
      .Default(mnemonic);
}

/// Returns the op's word. Ops that combine elements also have the combining op:
/// "reduce_add".
static std::string wordOf(Operation *op) {
  std::string word = shortMnemonic(op).str();
  if (!isa<stablehlo::ReduceOp, stablehlo::ReduceWindowOp,
           stablehlo::ScatterOp>(op))
    return word;
  Block &body = op->getRegions().back().front();
  // A longer computation, such as that of an argmax, has no short name.
  if (llvm::hasNItems(body.without_terminator(), 1))
    word += ("_" + shortMnemonic(&body.front())).str();
  return word;
}

static bool isResult(Operation *op) {
  return llvm::any_of(op->getUsers(),
                      [](Operation *user) { return isa<ir::YieldOp>(user); });
}

static Weight weightOf(Operation *op) {
  // Independent of sizes, as are the roles that are compared here.
  FusionRole role = roleOf(op);
  if (isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp,
          stablehlo::ReduceWindowOp, stablehlo::RngBitGeneratorOp>(op) ||
      (role != FusionRole::Loop && role != FusionRole::Alias))
    return Weight::Main;
  if (isa<stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp,
          stablehlo::TransposeOp, stablehlo::SliceOp, stablehlo::ReverseOp,
          stablehlo::ConvertOp, stablehlo::IotaOp, stablehlo::BitcastConvertOp>(
          op))
    return Weight::Movement;
  if (isResult(op))
    return Weight::Result;
  return isElementwise(op) ? Weight::Computation : Weight::Selection;
}

std::string kernelName(ir::KernelOp kernel, unsigned number) {
  SmallVector<Word> words;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    Word word{wordOf(&op), weightOf(&op), costPerElement(&op),
              static_cast<unsigned>(words.size())};
    auto same = llvm::find_if(
        words, [&](const Word &other) { return other.text == word.text; });
    if (same == words.end())
      words.push_back(std::move(word));
    else
      same->weight = std::max(same->weight, word.weight);
  }
  llvm::stable_sort(words, [](const Word &a, const Word &b) {
    return a.weight != b.weight ? a.weight > b.weight : a.cost > b.cost;
  });
  // Ops that only move elements name a kernel only if it has no others.
  while (words.size() > 1 && words.back().weight == Weight::Movement &&
         words.front().weight != Weight::Movement)
    words.pop_back();
  words.truncate(std::min<size_t>(words.size(), kMostWords));
  llvm::sort(words, [](const Word &a, const Word &b) {
    bool mainA = a.weight == Weight::Main, mainB = b.weight == Weight::Main;
    return mainA != mainB ? mainA : a.position < b.position;
  });
  std::string name = llvm::join(
      llvm::map_range(words, [](const Word &word) { return word.text; }), "_");
  if (name.empty())
    name = "constant";
  return name + "." + std::to_string(number);
}

} // namespace xlac::transforms
