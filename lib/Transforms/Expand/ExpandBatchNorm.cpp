// Expands batch normalization to the operations that the specification gives.
#include "ExpandPatterns.h"
#include "PatternFunctions.h"
#include "StablehloBuilder.h"

namespace xlac::transforms {

using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = xlac::stablehlo;

namespace {

/// Shared by the three ops: features along one dimension, statistics over the
/// others.
class Normalization {
public:
  Normalization(StablehloBuilder &b, Value operand, int64_t feature)
      : b(b), type(StablehloBuilder::typeOf(operand)), feature(feature) {
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (d != feature)
        others.push_back(d);
  }

  Value broadcastFeatures(Value perFeature) {
    return b.broadcastInDim(perFeature, type.getShape(), {feature});
  }
  Value sum(Value value) { return b.sum(value, others); }
  double elementsPerFeature() {
    double count = 1;
    for (int64_t d : others)
      count *= double(type.getDimSize(d));
    return count;
  }
  Value mean(Value value) {
    Value total = sum(value);
    return b.divide(
        total, b.splat(StablehloBuilder::typeOf(total), elementsPerFeature()));
  }
  Value deviation(Value variance, double epsilon) {
    Value shifted = b.add(broadcastFeatures(variance), b.splat(type, epsilon));
    return b.value("stablehlo.sqrt", type, {shifted});
  }
  Value normalize(Value operand, Value scale, Value offset, Value mean,
                  Value variance, double epsilon) {
    Value centered = b.subtract(operand, broadcastFeatures(mean));
    Value normalized = b.divide(centered, deviation(variance, epsilon));
    return b.add(b.multiply(broadcastFeatures(scale), normalized),
                 broadcastFeatures(offset));
  }

  StablehloBuilder &b;
  RankedTensorType type;

private:
  int64_t feature;
  llvm::SmallVector<int64_t> others;
};

double epsilonOf(mlir::Operation *op) {
  return op->getAttrOfType<mlir::FloatAttr>("epsilon").getValueAsDouble();
}

int64_t featureOf(mlir::Operation *op) {
  return op->getAttrOfType<mlir::IntegerAttr>("feature_index").getInt();
}

} // namespace

static mlir::LogicalResult expandInference(hlo::BatchNormInferenceOp op,
                                           mlir::PatternRewriter &rewriter) {
  if (!isStaticOp(op))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  Normalization norm(b, op->getOperand(0), featureOf(op));
  rewriter.replaceOp(op, norm.normalize(op->getOperand(0), op->getOperand(1),
                                        op->getOperand(2), op->getOperand(3),
                                        op->getOperand(4), epsilonOf(op)));
  return mlir::success();
}

static mlir::LogicalResult expandTraining(hlo::BatchNormTrainingOp op,
                                          mlir::PatternRewriter &rewriter) {
  if (!isStaticOp(op))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  Value operand = op->getOperand(0);
  Normalization norm(b, operand, featureOf(op));
  Value mean = norm.mean(operand);
  Value centered = b.subtract(operand, norm.broadcastFeatures(mean));
  Value variance = norm.mean(b.multiply(centered, centered));
  Value output = norm.normalize(operand, op->getOperand(1), op->getOperand(2),
                                mean, variance, epsilonOf(op));
  rewriter.replaceOp(op, {output, mean, variance});
  return mlir::success();
}

static mlir::LogicalResult expandGradient(hlo::BatchNormGradOp op,
                                          mlir::PatternRewriter &rewriter) {
  if (!isStaticOp(op))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  Value operand = op->getOperand(0), scale = op->getOperand(1);
  Value mean = op->getOperand(2), variance = op->getOperand(3);
  Value gradient = op->getOperand(4);
  Normalization norm(b, operand, featureOf(op));
  Value centered = b.subtract(operand, norm.broadcastFeatures(mean));
  Value shifted = b.add(norm.broadcastFeatures(variance),
                        b.splat(norm.type, epsilonOf(op)));
  Value deviation = norm.deviation(variance, epsilonOf(op));
  Value normalized = b.divide(centered, deviation);
  Value count = b.splat(norm.type, norm.elementsPerFeature());
  Value offsetGradient = norm.sum(gradient);
  Value scaleGradient = norm.sum(b.multiply(gradient, normalized));
  Value correlated =
      norm.broadcastFeatures(norm.sum(b.multiply(gradient, centered)));
  Value rest = b.subtract(b.multiply(gradient, count),
                          norm.broadcastFeatures(offsetGradient));
  rest = b.subtract(rest, b.divide(b.multiply(correlated, centered), shifted));
  Value factor =
      b.divide(b.divide(norm.broadcastFeatures(scale), deviation), count);
  rewriter.replaceOp(op,
                     {b.multiply(factor, rest), scaleGradient, offsetGradient});
  return mlir::success();
}

void addBatchNormPatterns(mlir::RewritePatternSet &patterns) {
  addFunctions<expandInference, expandTraining, expandGradient>(patterns);
}

} // namespace xlac::transforms
