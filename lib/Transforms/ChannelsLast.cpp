// The pass that chooses the memory layout of images between convolutions. All
// values are row-major, so a value with channels last is a row-major value of
// the transposed type.
#include "xlac/Transforms/Passes.h"

#include "Collectives/GatheredWeights.h"
#include "Fusion/FusionCost.h"
#include "StablehloBuilder.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_CHANNELSLAST
#include "xlac/Transforms/Passes.h.inc"

/// Images are converted if the bytes of conversions at the borders are at most
/// this part of the bytes of the images.
static constexpr int64_t kBorderPart = 8;

/// Fewer channels do not fill a vector. A depthwise convolution of 8 channels
/// takes 1.8 times as long with channels last.
static constexpr int64_t kLeastChannels = 16;

/// Output channels that fill a panel of a GEMM, and the fewest for which
/// convolutions with windows, or of single pixels, are faster with channels
/// last. They must do this part of all multiplications.
static constexpr int64_t kPanelChannels = 16, kLeastWindowChannels = 48,
                         kLeastPixelChannels = 32;
static constexpr double kFastPart = 0.875;

//===- Dimensions ---------------------------------------------------------===//

/// Returns where dimension `d` of a value of `rank` is with channels last.
static int64_t lastPlace(int64_t d, int64_t rank) {
  return d == 0 ? 0 : d == 1 ? rank - 1 : d - 1;
}

static SmallVector<int64_t> lastPlaces(ArrayRef<int64_t> dims, int64_t rank) {
  return llvm::map_to_vector(dims,
                             [&](int64_t d) { return lastPlace(d, rank); });
}

/// Reorders what a list says of each dimension.
template <typename T> static SmallVector<T> channelsLast(ArrayRef<T> list) {
  SmallVector<T> result(list);
  if (list.size() > 2)
    std::rotate(result.begin() + 1, result.begin() + 2, result.end());
  return result;
}

static RankedTensorType channelsLast(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.clone(channelsLast(tensor.getShape()));
}

static bool isInOrder(ArrayRef<int64_t> dims, int64_t first) {
  return llvm::equal(dims,
                     llvm::seq<int64_t>(first, first + int64_t(dims.size())));
}

//===- Ops on images ------------------------------------------------------===//

/// Returns whether all dimensions but the first two have one element.
static bool isPoint(Type type) {
  return llvm::all_of(cast<RankedTensorType>(type).getShape().drop_front(2),
                      [](int64_t size) { return size == 1; });
}

/// Batch, channels and places in this order.
static bool hasChannelsSecond(stablehlo::ConvolutionOp op) {
  auto numbers = op.getDimensionNumbers();
  return numbers.getInputBatchDimension() == 0 &&
         numbers.getInputFeatureDimension() == 1 &&
         isInOrder(numbers.getInputSpatialDimensions(), 2) &&
         numbers.getOutputBatchDimension() == 0 &&
         numbers.getOutputFeatureDimension() == 1 &&
         isInOrder(numbers.getOutputSpatialDimensions(), 2) &&
         op.getBatchGroupCount() == 1 &&
         !numbers.getInputSpatialDimensions().empty();
}

/// Returns whether `op` is depthwise, with channels for all lanes of a vector.
static bool isWideDepthwise(stablehlo::ConvolutionOp op) {
  return int64_t(op.getFeatureGroupCount()) >= kLeastChannels &&
         int64_t(op.getFeatureGroupCount()) == shapeOf(op->getOperand(0))[1];
}

/// Returns whether a convolution whose weights are packed before the run is
/// faster with channels last: pixels are then rows of a GEMM, which are read in
/// place, and panels of output channels are full.
static bool isFastWithChannelsLast(stablehlo::ConvolutionOp op) {
  int64_t channels = shapeOf(op->getResult(0))[1];
  bool hasWindow = llvm::any_of(
      op.getDimensionNumbers().getKernelSpatialDimensions(),
      [&](int64_t d) { return shapeOf(op->getOperand(1))[d] != 1; });
  if (op.getFeatureGroupCount() != 1)
    return false;
  return hasWindow ? channels >= kLeastWindowChannels &&
                         channels % kPanelChannels == 0
                   : channels >= kLeastPixelChannels;
}

/// An op without image operands that is made again with channels last.
static bool isLeaf(Operation *op, int64_t rank) {
  SplatElementsAttr splat;
  if (matchPattern(op, m_Constant(&splat)))
    return true;
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
    return int64_t(dims.size()) < rank &&
           llvm::is_sorted(lastPlaces(dims, rank));
  }
  return isa<stablehlo::ReshapeOp>(op) &&
         shapeOf(op->getOperand(0)).size() == 2 &&
         isPoint(op->getResult(0).getType()) &&
         shapeOf(op->getOperand(0)) == shapeOf(op->getResult(0)).take_front(2);
}

/// An op from images of `rank` to one image that has a form with channels last.
static bool isInner(Operation *op, int64_t rank) {
  if (op->getNumResults() != 1 || !isStaticOp(op) ||
      int64_t(shapeOf(op->getResult(0)).size()) != rank)
    return false;
  if (isElementwise(op))
    return op->getNumOperands() > 0 &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return shapeOf(operand).empty() ||
                    shapeOf(operand) == shapeOf(op->getResult(0));
           });
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](stablehlo::ConvolutionOp convolution) {
        return hasChannelsSecond(convolution);
      })
      .Case([&](stablehlo::BroadcastInDimOp broadcast) {
        ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
        return int64_t(dims.size()) == rank && isInOrder(dims, 0);
      })
      .Case<stablehlo::ReduceWindowOp, stablehlo::PadOp, stablehlo::SliceOp,
            stablehlo::ConcatenateOp>([](auto) { return true; })
      .Default(false);
}

/// An op from images to values whose order of elements does not change.
static bool isSink(Operation *op, int64_t rank) {
  if (!isStaticOp(op))
    return false;
  if (isa<stablehlo::ReshapeOp>(op))
    return isPoint(op->getOperand(0).getType());
  auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
  if (!reduce || op->getNumResults() != 1)
    return false;
  SmallVector<int64_t> kept;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(reduce.getDimensions(), d))
      kept.push_back(lastPlace(d, rank));
  return llvm::is_sorted(kept);
}

/// The operands that are images.
static MutableArrayRef<OpOperand> images(Operation *op) {
  MutableArrayRef<OpOperand> operands = op->getOpOperands();
  if (isa<stablehlo::ConvolutionOp, stablehlo::PadOp, stablehlo::ReduceOp,
          stablehlo::ReduceWindowOp>(op))
    return operands.take_front(1);
  return operands;
}

static bool isImage(Value value, int64_t rank) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == rank;
}

//===- The pass -----------------------------------------------------------===//

namespace {

/// Ops that convolutions connect, and their values with channels last.
class Images {
public:
  Images(stablehlo::ConvolutionOp first);

  /// Returns whether converting them all saves time. `packsWeights` tells
  /// whether weights are packed before the run.
  bool pays(bool packsWeights) const;
  void convert();
  ArrayRef<Operation *> members() const { return ops.getArrayRef(); }

private:
  bool hasCheapBorders() const;
  bool hasFastConvolutions() const;
  Value withChannelsLast(Value value);
  Value makeLeaf(Operation *op);
  Operation *makeOp(Operation *op);
  void convertKernel(stablehlo::ConvolutionOp made);
  bool isSinkOf(Operation *op) const;

  int64_t rank;
  SmallVector<int64_t> allDims;
  llvm::SetVector<Operation *> ops;
  DenseMap<Value, Value> converted;
  OpBuilder builder;
};

class ChannelsLast : public impl::ChannelsLastBase<ChannelsLast> {
public:
  using ChannelsLastBase::ChannelsLastBase;

private:
  void runOnOperation() override {
    SmallVector<stablehlo::ConvolutionOp> convolutions;
    getOperation().walk([&](stablehlo::ConvolutionOp op) {
      if (isInner(op, int64_t(shapeOf(op->getResult(0)).size())) &&
          (packsWeights || isWideDepthwise(op)))
        convolutions.push_back(op);
    });
    llvm::DenseSet<Operation *> seen;
    for (stablehlo::ConvolutionOp op : convolutions) {
      if (seen.contains(op))
        continue;
      Images images(op);
      seen.insert_range(images.members());
      if (images.pays(packsWeights))
        images.convert();
    }
  }
};

} // namespace

Images::Images(stablehlo::ConvolutionOp first)
    : rank(int64_t(shapeOf(first->getResult(0)).size())),
      allDims(llvm::to_vector(llvm::seq<int64_t>(0, rank))),
      builder(first->getContext()) {
  ops.insert(first);
  for (size_t i = 0; i < ops.size(); ++i) {
    Operation *op = ops[i];
    auto add = [&](Operation *other) {
      if (other && other->getBlock() == op->getBlock() && isInner(other, rank))
        ops.insert(other);
    };
    for (OpOperand &operand : images(op))
      add(operand.get().getDefiningOp());
    for (OpOperand &use : op->getResult(0).getUses())
      if (llvm::is_contained(llvm::make_pointer_range(images(use.getOwner())),
                             &use))
        add(use.getOwner());
  }
}

/// Returns whether `op` is a sink that reads an image as such.
bool Images::isSinkOf(Operation *op) const {
  return op->getBlock() == ops.front()->getBlock() && isSink(op, rank);
}

bool Images::pays(bool packsWeights) const {
  bool hasDepthwise = llvm::any_of(ops, [](Operation *op) {
    auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op);
    return convolution && isWideDepthwise(convolution);
  });
  return (hasDepthwise || (packsWeights && hasFastConvolutions())) &&
         hasCheapBorders();
}

bool Images::hasFastConvolutions() const {
  double all = 0, fast = 0;
  for (Operation *op : ops)
    if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op)) {
      double work = double(elementsOf(op)) * elementCost(op);
      all += work;
      if (isFastWithChannelsLast(convolution))
        fast += work;
    }
  return fast >= kFastPart * all;
}

bool Images::hasCheapBorders() const {
  SmallVector<Value> results, written; // to ops outside
  llvm::SetVector<Value> read;         // from there
  for (Operation *op : ops) {
    results.push_back(op->getResult(0));
    if (llvm::any_of(op->getUsers(), [&](Operation *user) {
          return !ops.contains(user) && !isSinkOf(user);
        }))
      written.push_back(op->getResult(0));
    for (OpOperand &operand : images(op)) {
      Operation *maker = operand.get().getDefiningOp();
      bool isMade = maker && (ops.contains(maker) || isLeaf(maker, rank));
      if (isImage(operand.get(), rank) && !isMade)
        read.insert(operand.get());
    }
  }
  return bytesOfValues(read.getArrayRef()) + bytesOfValues(written) <=
         bytesOfValues(results) / kBorderPart;
}

/// Returns `value` with channels last; other values than images are unchanged.
Value Images::withChannelsLast(Value value) {
  if (!isImage(value, rank))
    return value;
  Value &known = converted[value];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  Operation *maker = value.getDefiningOp();
  Value made = maker && isLeaf(maker, rank)
                   ? makeLeaf(maker)
                   : StablehloBuilder(builder, value.getLoc())
                         .transpose(value, channelsLast(ArrayRef(allDims)));
  return converted[value] = made;
}

Value Images::makeLeaf(Operation *op) {
  RankedTensorType type = channelsLast(op->getResult(0).getType());
  StablehloBuilder b(builder, op->getLoc());
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op))
    return b.broadcastInDim(
        op->getOperand(0), type.getShape(),
        lastPlaces(broadcast.getBroadcastDimensions(), rank));
  if (isa<stablehlo::ReshapeOp>(op))
    return b.reshape(op->getOperand(0), type.getShape());
  SplatElementsAttr splat;
  bool isSplat = matchPattern(op, m_Constant(&splat));
  assert(isSplat && "other constants are no leaves");
  (void)isSplat;
  return b.value("stablehlo.constant", type, {},
                 {builder.getNamedAttr("value", splat.resizeSplat(type))});
}

/// Lanes are channels, so the weights of a depthwise convolution are read by
/// channels, too. Other weights are packed in any order.
void Images::convertKernel(stablehlo::ConvolutionOp made) {
  auto numbers = made.getDimensionNumbers();
  auto spatial = llvm::to_vector(llvm::seq<int64_t>(1, rank - 1));
  SmallVector<int64_t> kernelSpatial(numbers.getKernelSpatialDimensions());
  int64_t input = numbers.getKernelInputFeatureDimension(),
          output = numbers.getKernelOutputFeatureDimension();
  if (int64_t(made.getFeatureGroupCount()) ==
      shapeOf(made->getOperand(0)).back()) {
    SmallVector<int64_t> order(kernelSpatial);
    order.append({input, output});
    made->setOperand(1, StablehloBuilder(builder, made.getLoc())
                            .transpose(made->getOperand(1), order));
    kernelSpatial = llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
    input = rank - 2;
    output = rank - 1;
  }
  made.setDimensionNumbersAttr(stablehlo::ConvDimensionNumbersAttr::get(
      builder.getContext(), 0, rank - 1, spatial, input, output, kernelSpatial,
      0, rank - 1, spatial));
}

/// Reorders the attributes that have a number for each dimension.
static void reorderLists(Operation *op, ArrayRef<StringRef> names) {
  Builder builder(op->getContext());
  for (StringRef name : names)
    if (auto list = op->getAttrOfType<DenseI64ArrayAttr>(name);
        list && !list.empty())
      op->setAttr(
          name, builder.getDenseI64ArrayAttr(channelsLast(list.asArrayRef())));
}

static void reorderPadding(stablehlo::ReduceWindowOp op) {
  auto padding = op.getPaddingAttr();
  if (!padding)
    return;
  SmallVector<std::pair<int64_t, int64_t>> sides;
  auto values = llvm::to_vector(padding.getValues<int64_t>());
  for (size_t d = 0; 2 * d < values.size(); ++d)
    sides.push_back({values[2 * d], values[2 * d + 1]});
  SmallVector<int64_t> flat;
  for (auto [low, high] :
       channelsLast(ArrayRef<std::pair<int64_t, int64_t>>(sides)))
    flat.append({low, high});
  op.setPaddingAttr(DenseIntElementsAttr::get(padding.getType(), flat));
}

Operation *Images::makeOp(Operation *op) {
  builder.setInsertionPoint(op);
  Operation *made = builder.clone(*op);
  for (OpOperand &operand : images(made))
    operand.set(withChannelsLast(operand.get()));
  llvm::TypeSwitch<Operation *>(made)
      .Case([&](stablehlo::ConvolutionOp convolution) {
        builder.setInsertionPoint(made);
        convertKernel(convolution);
      })
      .Case([](stablehlo::ReduceWindowOp window) {
        reorderLists(window, {"window_dimensions", "window_strides",
                              "base_dilations", "window_dilations"});
        reorderPadding(window);
      })
      .Case([](stablehlo::PadOp pad) {
        reorderLists(
            pad, {"edge_padding_low", "edge_padding_high", "interior_padding"});
      })
      .Case([](stablehlo::SliceOp slice) {
        reorderLists(slice, {"start_indices", "limit_indices", "strides"});
      })
      .Case([&](stablehlo::ConcatenateOp concatenate) {
        concatenate.setDimension(
            lastPlace(int64_t(concatenate.getDimension()), rank));
      })
      .Case([&](stablehlo::ReduceOp reduce) {
        SmallVector<int64_t> dims = lastPlaces(reduce.getDimensions(), rank);
        llvm::sort(dims);
        reduce.setDimensions(dims);
      });
  return made;
}

void Images::convert() {
  SmallVector<Operation *> order(ops.begin(), ops.end());
  llvm::sort(order,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : order) {
    Operation *made = makeOp(op);
    made->getResult(0).setType(channelsLast(op->getResult(0).getType()));
    converted[op->getResult(0)] = made->getResult(0);
  }
  for (Operation *op : order) {
    Value result = op->getResult(0), back;
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      Operation *user = use.getOwner();
      if (ops.contains(user))
        continue;
      if (isSinkOf(user)) {
        Operation *made = makeOp(user);
        user->replaceAllUsesWith(made);
        user->erase();
        continue;
      }
      if (!back) {
        builder.setInsertionPointAfter(op);
        back =
            StablehloBuilder(builder, op->getLoc())
                .transpose(withChannelsLast(result), lastPlaces(allDims, rank));
      }
      use.set(back);
    }
  }
  for (Operation *op : llvm::reverse(order))
    op->erase();
}

} // namespace xlac::transforms
