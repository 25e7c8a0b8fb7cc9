// Expands older contraction ops, dot and einsum, and products of complex
// matrices.
#include "ExpandPatterns.h"
#include "PatternFunctions.h"
#include "StablehloBuilder.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace xlac::transforms {

using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = xlac::stablehlo;

static mlir::Type resultElement(mlir::Operation *op) {
  return llvm::cast<RankedTensorType>(op->getResult(0).getType())
      .getElementType();
}

/// Returns true if the subscripts are letters, each at most once.
static bool arePlainSubscripts(llvm::StringRef subscripts) {
  for (size_t i = 0; i < subscripts.size(); ++i)
    if (!llvm::isAlpha(subscripts[i]) ||
        subscripts.find(subscripts[i], i + 1) != llvm::StringRef::npos)
      return false;
  return true;
}

/// Sums the dimensions of `value` for whose letter `keep` is false, and removes
/// them from `letters`.
static Value sumLetters(StablehloBuilder &b, Value value, std::string &letters,
                        llvm::function_ref<bool(char)> keep) {
  llvm::SmallVector<int64_t> summed;
  std::string kept;
  for (size_t d = 0; d < letters.size(); ++d) {
    if (keep(letters[d]))
      kept += letters[d];
    else
      summed.push_back(d);
  }
  letters = kept;
  return b.sum(value, summed);
}

/// Transposes the dimensions named by `from` into the order of `to`.
static Value reorder(StablehloBuilder &b, Value value, llvm::StringRef from,
                     llvm::StringRef to) {
  llvm::SmallVector<int64_t> permutation;
  for (char letter : to)
    permutation.push_back(from.find(letter));
  return b.transpose(value, permutation);
}

static std::string withoutSpaces(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    if (!llvm::isSpace(c))
      result += c;
  return result;
}

static mlir::LogicalResult expandDot(hlo::DotOp op,
                                     mlir::PatternRewriter &rewriter) {
  if (!isStaticOp(op))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  int64_t last = StablehloBuilder::typeOf(lhs).getRank() - 1;
  rewriter.replaceOp(op, b.dotGeneral(lhs, rhs, {}, {}, {last}, {0},
                                      resultElement(op),
                                      op->getAttr("precision_config")));
  return mlir::success();
}

static mlir::LogicalResult expandEinsum(hlo::EinsumOp op,
                                        mlir::PatternRewriter &rewriter) {
  std::string config =
      withoutSpaces(op->getAttrOfType<mlir::StringAttr>("einsum_config"));
  auto [inputs, outputs] = llvm::StringRef(config).split("->");
  auto [leftText, rightText] = inputs.split(",");
  std::string left = leftText.str(), right = rightText.str();
  if (!isStaticOp(op) || !arePlainSubscripts(left) ||
      !arePlainSubscripts(right) || !arePlainSubscripts(outputs))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  llvm::StringRef out = outputs;
  auto inOutput = [&](char c) { return out.contains(c); };
  Value lhs = sumLetters(b, op->getOperand(0), left, [&](char c) {
    return inOutput(c) || rightText.contains(c);
  });
  Value rhs = sumLetters(b, op->getOperand(1), right, [&](char c) {
    return inOutput(c) || leftText.contains(c);
  });
  llvm::SmallVector<int64_t> lhsBatch, rhsBatch, lhsSummed, rhsSummed;
  std::string batch, lhsFree, rhsFree;
  for (size_t d = 0; d < left.size(); ++d) {
    size_t other = right.find(left[d]);
    if (other == std::string::npos) {
      lhsFree += left[d];
    } else if (inOutput(left[d])) {
      batch += left[d];
      lhsBatch.push_back(d);
      rhsBatch.push_back(other);
    } else {
      lhsSummed.push_back(d);
      rhsSummed.push_back(other);
    }
  }
  for (char letter : right)
    if (left.find(letter) == std::string::npos)
      rhsFree += letter;
  Value product = b.dotGeneral(lhs, rhs, lhsBatch, rhsBatch, lhsSummed,
                               rhsSummed, resultElement(op));
  rewriter.replaceOp(op, reorder(b, product, batch + lhsFree + rhsFree, out));
  return mlir::success();
}

static mlir::LogicalResult expandUnaryEinsum(hlo::UnaryEinsumOp op,
                                             mlir::PatternRewriter &rewriter) {
  std::string config =
      withoutSpaces(op->getAttrOfType<mlir::StringAttr>("einsum_config"));
  auto [input, output] = llvm::StringRef(config).split("->");
  if (!isStaticOp(op) || !arePlainSubscripts(input) ||
      !arePlainSubscripts(output))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  std::string letters = input.str();
  llvm::StringRef out = output;
  Value summed = sumLetters(b, op->getOperand(0), letters,
                            [&](char c) { return out.contains(c); });
  rewriter.replaceOp(op, reorder(b, summed, letters, out));
  return mlir::success();
}

/// Returns whether the product is large enough in each direction that four
/// products of real matrices, which GEMM kernels compute, are faster than one
/// sum for each element.
static bool isLargeProduct(hlo::DotGeneralOp op) {
  constexpr int64_t least = 8, leastWork = 1 << 14;
  hlo::DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
  auto product = [](Value side, auto counts) {
    int64_t all = 1;
    for (auto [dim, size] :
         llvm::enumerate(StablehloBuilder::typeOf(side).getShape()))
      if (counts(int64_t(dim)))
        all *= size;
    return all;
  };
  llvm::ArrayRef<int64_t> lhsSummed = numbers.getLhsContractingDimensions(),
                          rhsSummed = numbers.getRhsContractingDimensions();
  int64_t k = product(op.getLhs(), [&](int64_t dim) {
    return llvm::is_contained(lhsSummed, dim);
  });
  int64_t m = product(op.getLhs(), [&](int64_t dim) {
    return !llvm::is_contained(lhsSummed, dim) &&
           !llvm::is_contained(numbers.getLhsBatchingDimensions(), dim);
  });
  int64_t n = product(op.getRhs(), [&](int64_t dim) {
    return !llvm::is_contained(rhsSummed, dim) &&
           !llvm::is_contained(numbers.getRhsBatchingDimensions(), dim);
  });
  return std::min({k, m, n}) >= least && k * m * n >= leastWork;
}

/// Computes the parts of a complex product from products of parts.
static mlir::LogicalResult expandComplexDot(hlo::DotGeneralOp op,
                                            mlir::PatternRewriter &rewriter) {
  auto type = llvm::dyn_cast<RankedTensorType>(op.getType());
  auto element = type ? llvm::dyn_cast<mlir::ComplexType>(type.getElementType())
                      : mlir::ComplexType();
  if (!element || !isStaticOp(op) || !isLargeProduct(op))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  auto partOf = [&](llvm::StringRef name, Value value) {
    RankedTensorType whole = StablehloBuilder::typeOf(value);
    return b.value(name, whole.clone(element.getElementType()), {value});
  };
  auto dot = [&](Value lhs, Value rhs) {
    return b.value("stablehlo.dot_general",
                   type.clone(element.getElementType()), {lhs, rhs},
                   op->getAttrs());
  };
  Value lhsReal = partOf("stablehlo.real", op.getLhs()),
        lhsImag = partOf("stablehlo.imag", op.getLhs()),
        rhsReal = partOf("stablehlo.real", op.getRhs()),
        rhsImag = partOf("stablehlo.imag", op.getRhs());
  Value real = b.subtract(dot(lhsReal, rhsReal), dot(lhsImag, rhsImag));
  Value imag = b.add(dot(lhsReal, rhsImag), dot(lhsImag, rhsReal));
  rewriter.replaceOp(op, b.value("stablehlo.complex", type, {real, imag}));
  return mlir::success();
}

void addContractionPatterns(mlir::RewritePatternSet &patterns) {
  addFunctions<expandDot, expandEinsum, expandUnaryEinsum, expandComplexDot>(
      patterns);
}

} // namespace xlac::transforms
