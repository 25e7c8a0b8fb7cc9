#include "PairwiseSum.h"

#include "Loops.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace llvm;
using namespace xlac::stablehlo;

namespace xlac::codegen {

std::optional<int64_t> pairwiseBlock(mlir::Type type) {
  if (auto complex = dyn_cast<mlir::ComplexType>(type))
    type = complex.getElementType();
  auto floating = dyn_cast<mlir::FloatType>(type);
  if (!floating)
    return std::nullopt;
  // 32 steps hide the cost of the tree. Narrower sums lose too much accuracy in
  // 32 steps.
  return floating.getWidth() < 32 ? 8 : 32;
}

std::optional<int64_t> pairwiseBlock(mlir::Region &reducer) {
  std::optional<int64_t> least;
  for (mlir::Operation &op : reducer.front().without_terminator()) {
    if (isa<MaxOp, MinOp, SelectOp, AbsOp, NegOp, ConstantOp>(op))
      continue;
    for (mlir::Type type : op.getResultTypes())
      if (auto block = pairwiseBlock(mlir::getElementTypeOrSelf(type)))
        least = std::min(least.value_or(*block), *block);
  }
  return least;
}

/// Returns the parts of elements as the stacks store them.
static SmallVector<Value *> partsOf(ArrayRef<Element> elements) {
  SmallVector<Value *> parts;
  for (const Element &element : elements) {
    parts.push_back(element.real);
    if (element.imag)
      parts.push_back(element.imag);
  }
  return parts;
}

PairwiseSum::PairwiseSum(ElementEmitter &emitter, ArrayRef<Element> identities,
                         int64_t mostBlocks, CombineElements combine)
    : emitter(emitter), identities(identities), combine(std::move(combine)) {
  assert(mostBlocks > 0 && "a sum of no blocks needs no tree");
  IRBuilder<> &ir = emitter.builder();
  uint64_t levels = Log2_64(uint64_t(mostBlocks)) + 1;
  for (Value *part : partsOf(identities))
    stacks.push_back(emitFrameMemory(
        ir, ArrayType::get(part->getType(), levels), Align(64), "sums"));
  count = emitFrameMemory(ir, ir.getInt64Ty(), Align(8), "blocks");
  ir.CreateStore(ir.getInt64(0), count);
}

SmallVector<Element> PairwiseSum::load(Value *level) {
  IRBuilder<> &ir = emitter.builder();
  SmallVector<Element> elements;
  size_t next = 0;
  auto part = [&](Value *like) -> Value * {
    if (!like)
      return nullptr;
    Value *place = ir.CreateGEP(like->getType(), stacks[next++], level);
    return ir.CreateLoad(like->getType(), place);
  };
  for (const Element &identity : identities) {
    Value *real = part(identity.real);
    elements.push_back({real, part(identity.imag)});
  }
  return elements;
}

void PairwiseSum::push(ArrayRef<Element> block) {
  assert(block.size() == identities.size() && "a sum has all its operands");
  IRBuilder<> &ir = emitter.builder();
  Value *before = ir.CreateLoad(ir.getInt64Ty(), count);
  // The levels below the lowest empty one are full: the carries of a binary
  // counter.
  Value *level = ir.CreateIntrinsic(Intrinsic::cttz, {ir.getInt64Ty()},
                                    {ir.CreateNot(before), ir.getTrue()});
  SmallVector<Element> sum =
      emitter.loop(ir.getInt64(0), level, 1, block,
                   [&](Value *full, ArrayRef<Element> carried) {
                     return combine(load(full), carried);
                   });
  for (auto [stack, part] : zip_equal(stacks, partsOf(sum)))
    ir.CreateStore(part, ir.CreateGEP(part->getType(), stack, level));
  ir.CreateStore(ir.CreateAdd(before, ir.getInt64(1)), count);
}

SmallVector<Element> PairwiseSum::total() {
  IRBuilder<> &ir = emitter.builder();
  Value *blocks = ir.CreateLoad(ir.getInt64Ty(), count);
  Value *levels = ir.CreateSub(
      ir.getInt64(64), ir.CreateIntrinsic(Intrinsic::ctlz, {ir.getInt64Ty()},
                                          {blocks, ir.getFalse()}));
  return emitter.loop(
      ir.getInt64(0), levels, 1, identities,
      [&](Value *level, ArrayRef<Element> carried) {
        Value *isFull =
            ir.CreateTrunc(ir.CreateLShr(blocks, level), ir.getInt1Ty());
        SmallVector<Element> next = combine(load(level), carried);
        auto keep = [&](Value *sum, Value *now) -> Value * {
          return now ? ir.CreateSelect(isFull, sum, now) : nullptr;
        };
        for (auto [sum, now] : zip_equal(next, carried))
          sum = {keep(sum.real, now.real), keep(sum.imag, now.imag)};
        return next;
      });
}

//===- Nests --------------------------------------------------------------===//

using NestBody =
    function_ref<SmallVector<Element>(ArrayRef<Value *>, ArrayRef<Element>)>;

/// Emits loops over dimensions [from, to) of the nest.
static SmallVector<Element> loopOver(ElementEmitter &emitter,
                                     const SumNest &nest, size_t from,
                                     size_t to, ArrayRef<Element> carried,
                                     NestBody body) {
  assert(from <= to && to <= nest.sizes.size() && "dimensions of the nest");
  if (from != 0 || from == to || !nest.begin)
    return emitter.loopNest(nest.sizes.slice(from, to - from), carried, body);
  return emitter.loop(nest.begin, nest.end, 1, carried,
                      [&](Value *first, ArrayRef<Element> inner) {
                        return emitter.loopNest(
                            nest.sizes.slice(1, to - 1), inner,
                            [&](ArrayRef<Value *> rest, ArrayRef<Element> now) {
                              SmallVector<Value *> indices{first};
                              llvm::append_range(indices, rest);
                              return body(indices, now);
                            });
                      });
}

/// Emits the nest with dimension `cut` in blocks of `steps`. Few blocks are
/// summed sequentially: that takes no more steps than a sum without blocks may.
static SmallVector<Element> emitBlocks(ElementEmitter &emitter,
                                       const SumNest &nest, size_t cut,
                                       int64_t steps, NestBody body) {
  IRBuilder<> &ir = emitter.builder();
  assert(cut < nest.sizes.size() && steps > 0 && "a dimension is divided");
  int64_t mostBlocks = divideCeil(nest.sizes[cut], steps);
  for (int64_t size : nest.sizes.take_front(cut))
    mostBlocks *= size;
  auto block = [&](ArrayRef<Value *> outer, Value *first, Value *end) {
    IndexMath &math = emitter.indexMath();
    Value *last = math.min(math.add(first, steps), end);
    return emitter.loop(
        first, last, 1, nest.identities,
        [&](Value *index, ArrayRef<Element> inner) {
          return loopOver(emitter, nest, cut + 1, nest.sizes.size(), inner,
                          [&](ArrayRef<Value *> rest, ArrayRef<Element> now) {
                            SmallVector<Value *> indices(outer);
                            indices.push_back(index);
                            llvm::append_range(indices, rest);
                            return body(indices, now);
                          });
        });
  };
  bool isFirst = cut == 0 && nest.begin;
  Value *begin = isFirst ? nest.begin : ir.getInt64(0);
  Value *end = isFirst ? nest.end : ir.getInt64(nest.sizes[cut]);
  /// Carries elements through the blocks.
  auto forBlocks = [&](ArrayRef<Element> initial, auto &&add) {
    return loopOver(emitter, nest, 0, cut, initial,
                    [&](ArrayRef<Value *> outer, ArrayRef<Element> carried) {
                      return emitter.loop(
                          begin, end, steps, carried,
                          [&](Value *first, ArrayRef<Element> now) {
                            return add(block(outer, first, end), now);
                          });
                    });
  };
  if (mostBlocks <= *nest.block)
    return forBlocks(nest.identities,
                     [&](ArrayRef<Element> sum, ArrayRef<Element> now) {
                       return nest.combine(now, sum);
                     });
  PairwiseSum tree(emitter, nest.identities, mostBlocks, nest.combine);
  forBlocks({}, [&](ArrayRef<Element> sum, ArrayRef<Element>) {
    tree.push(sum);
    return SmallVector<Element>();
  });
  return tree.total();
}

SmallVector<Element> emitSumNest(ElementEmitter &emitter, const SumNest &nest,
                                 NestBody body) {
  if (llvm::is_contained(nest.sizes, 0))
    return SmallVector<Element>(nest.identities);
  int64_t steps = nest.steps;
  for (size_t dim = nest.sizes.size(); dim-- > 0;) {
    if (isPairwise(nest.block, steps * nest.sizes[dim]))
      return emitBlocks(emitter, nest, dim,
                        std::max<int64_t>(*nest.block / steps, 1), body);
    steps *= nest.sizes[dim];
  }
  return loopOver(emitter, nest, 0, nest.sizes.size(), nest.identities, body);
}

} // namespace xlac::codegen
