#include "SpmdEmitter.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace xlac::transforms {

/// Returns the length of the common prefix of two lists.
static size_t commonPrefix(AxisRef a, AxisRef b) {
  size_t count = 0;
  while (count < a.size() && count < b.size() && a[count] == b[count])
    ++count;
  return count;
}

AxisList takeScattered(const DeviceMesh &mesh, RankedTensorType whole,
                       const AxisSharding &now, const AxisSharding &wanted,
                       int64_t dim, AxisList &partial) {
  AxisRef have = now.dims[dim], want = wanted.dims[dim];
  if (want.size() <= have.size() || want.take_front(have.size()) != have)
    return {};
  AxisList run(have);
  AxisList added;
  // Uneven pieces are those of all wanted axes.
  bool isWhole = have.empty() && llvm::all_of(want, [&](unsigned axis) {
                   return llvm::is_contained(partial, axis);
                 });
  for (unsigned axis : want.drop_front(have.size())) {
    run.push_back(axis);
    if (!isWhole && (!llvm::is_contained(partial, axis) ||
                     whole.getDimSize(dim) % mesh.count(run) != 0))
      break;
    added.push_back(axis);
  }
  llvm::erase_if(
      partial, [&](unsigned axis) { return llvm::is_contained(added, axis); });
  return added;
}

/// Finds axes for an all_to_all: `from` has them as the fastest axes of one
/// dimension, and `to` has them as the next axes of another dimension, whose
/// size they divide. Returns both dimensions and the axes.
static std::optional<std::tuple<size_t, size_t, AxisList>>
findCollective(const AxisSharding &from, const AxisSharding &to,
               llvm::function_ref<bool(size_t, AxisRef)> divides) {
  for (size_t i = 0; i < from.dims.size(); ++i) {
    size_t shared = commonPrefix(from.dims[i], to.dims[i]);
    for (size_t start = shared; start < from.dims[i].size(); ++start) {
      AxisList rest(from.dims[i].begin() + start, from.dims[i].end());
      for (size_t j = 0; j < to.dims.size(); ++j) {
        AxisRef have = from.dims[j], want = to.dims[j];
        if (i != j && commonPrefix(have, want) == have.size() &&
            want.drop_front(have.size()).take_front(rest.size()) ==
                AxisRef(rest) &&
            divides(j, want))
          return std::make_tuple(i, j, rest);
      }
    }
  }
  return std::nullopt;
}

static bool samePieces(const DeviceMesh &mesh, const AxisSharding &a,
                       const AxisSharding &b) {
  for (auto [x, y] : llvm::zip_equal(a.dims, b.dims))
    if (mesh.count(x) != mesh.count(y))
      return false;
  return true;
}

double shardBytes(const DeviceMesh &mesh, RankedTensorType type,
                  const AxisSharding &sharding) {
  Type element = type.getElementType();
  auto complex = dyn_cast<ComplexType>(element);
  if (complex)
    element = complex.getElementType();
  double bytes =
      std::max(1u, element.getIntOrFloatBitWidth() / 8) * (complex ? 2 : 1);
  for (auto [size, axes] : llvm::zip_equal(type.getShape(), sharding.dims))
    bytes *= double(shardSize(size, mesh.count(axes)));
  return bytes;
}

RankedTensorType SpmdEmitter::shardType(RankedTensorType whole,
                                        const AxisSharding &sharding) const {
  assert(int64_t(sharding.dims.size()) == whole.getRank() &&
         "a sharding has the tensor's rank");
  SmallVector<int64_t> sizes(whole.getShape());
  for (auto [d, axes] : llvm::enumerate(sharding.dims))
    sizes[d] = shardSize(sizes[d], mesh.count(axes));
  return whole.clone(sizes);
}

//===- Collectives --------------------------------------------------------===//

NamedAttribute SpmdEmitter::groups(AxisRef axes, bool flattened) {
  auto all = mesh.groups(axes);
  SmallVector<int64_t> ids;
  int64_t rows = 0;
  for (int64_t replica = 0; replica < (flattened ? replicas : 1); ++replica)
    for (const auto &group : all) {
      for (int64_t device : group)
        ids.push_back(replica * mesh.deviceCount() + device);
      ++rows;
    }
  auto type =
      RankedTensorType::get({rows, mesh.count(axes)}, builder.getI64Type());
  return builder.getNamedAttr("replica_groups",
                              DenseIntElementsAttr::get(type, ids));
}

NamedAttribute SpmdEmitter::nextChannel() {
  return builder.getNamedAttr(
      "channel_handle",
      stablehlo::ChannelHandleAttr::get(builder.getContext(), newChannel(), 1));
}

Value SpmdEmitter::allGather(Value piece, int64_t dim, AxisRef axes) {
  if (mesh.count(axes) == 1)
    return piece;
  StablehloBuilder b(builder, piece.getLoc());
  auto type = StablehloBuilder::typeOf(piece);
  SmallVector<int64_t> sizes(type.getShape());
  assert(0 <= dim && dim < type.getRank() && "a dimension of the tensor");
  sizes[dim] *= mesh.count(axes);
  return b.value(
      "stablehlo.all_gather", type.clone(sizes), {piece},
      {builder.getNamedAttr("all_gather_dim", builder.getI64IntegerAttr(dim)),
       groups(axes, true), nextChannel(),
       builder.getNamedAttr("use_global_device_ids", builder.getUnitAttr())});
}

void SpmdEmitter::addReducer(OperationState &state, Type element,
                             Region *computation) {
  Region *region = state.addRegion();
  if (computation) {
    IRMapping mapping;
    computation->cloneInto(region, mapping);
    return;
  }
  OpBuilder::InsertionGuard guard(builder);
  auto *block = new Block;
  region->push_back(block);
  auto scalar = RankedTensorType::get({}, element);
  block->addArguments({scalar, scalar}, {state.location, state.location});
  builder.setInsertionPointToStart(block);
  StablehloBuilder b(builder, state.location);
  b.op("stablehlo.return", {},
       {b.add(block->getArgument(0), block->getArgument(1))});
}

Value SpmdEmitter::allReduce(Value part, AxisRef axes, Region *computation) {
  if (mesh.count(axes) == 1)
    return part;
  auto type = StablehloBuilder::typeOf(part);
  OperationState state(
      part.getLoc(), "stablehlo.all_reduce", {part}, {type},
      {groups(axes, true), nextChannel(),
       builder.getNamedAttr("use_global_device_ids", builder.getUnitAttr())});
  addReducer(state, type.getElementType(), computation);
  return builder.create(state)->getResult(0);
}

Value SpmdEmitter::broadcastFrom(Value value, int64_t device) {
  SmallVector<int64_t> ids = {device}; // the first one sends
  for (int64_t other = 0; other < mesh.deviceCount(); ++other)
    if (other != device)
      ids.push_back(other);
  auto type =
      RankedTensorType::get({1, int64_t(ids.size())}, builder.getI64Type());
  StablehloBuilder b(builder, value.getLoc());
  return b.value("stablehlo.collective_broadcast", value.getType(), {value},
                 {builder.getNamedAttr("replica_groups",
                                       DenseIntElementsAttr::get(type, ids)),
                  nextChannel()});
}

Value SpmdEmitter::reduceScatter(Value part, int64_t dim, AxisRef axes,
                                 Region *computation) {
  int64_t count = mesh.count(axes);
  int64_t rows =
      shardSize(StablehloBuilder::typeOf(part).getDimSize(dim), count);
  part = padTo(part, dim, rows * count);
  auto type = StablehloBuilder::typeOf(part);
  SmallVector<int64_t> sizes(type.getShape());
  sizes[dim] = rows;
  OperationState state(
      part.getLoc(), "stablehlo.reduce_scatter", {part}, {type.clone(sizes)},
      {builder.getNamedAttr("scatter_dimension",
                            builder.getI64IntegerAttr(dim)),
       groups(axes, true), nextChannel(),
       builder.getNamedAttr("use_global_device_ids", builder.getUnitAttr())});
  addReducer(state, type.getElementType(), computation);
  return builder.create(state)->getResult(0);
}

Value SpmdEmitter::allToAll(Value value, int64_t concat, int64_t split,
                            AxisRef axes) {
  StablehloBuilder b(builder, value.getLoc());
  auto type = StablehloBuilder::typeOf(value);
  int64_t count = mesh.count(axes);
  SmallVector<int64_t> sizes(type.getShape());
  sizes[concat] *= count;
  assert(concat != split && sizes[split] % count == 0 &&
         "pieces go from one dimension to another, which divides");
  sizes[split] /= count;
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  return b.value(
      "stablehlo.all_to_all", type.clone(sizes), {value},
      {number("split_dimension", split), number("concat_dimension", concat),
       number("split_count", count), groups(axes, false), nextChannel()});
}

Value SpmdEmitter::permute(Value shard, const Sharding &from,
                           const Sharding &to) {
  return collectivePermute(shard, mesh.moves(from, to));
}

Value SpmdEmitter::reversePieces(Value shard, AxisRef axes) {
  return mesh.count(axes) == 1 ? shard
                               : collectivePermute(shard, mesh.reversal(axes));
}

Value SpmdEmitter::collectivePermute(
    Value shard, ArrayRef<std::pair<int64_t, int64_t>> moves) {
  SmallVector<int64_t> pairs;
  for (auto [source, target] : moves) {
    pairs.push_back(source);
    pairs.push_back(target);
  }
  auto type = RankedTensorType::get({int64_t(pairs.size() / 2), 2},
                                    builder.getI64Type());
  StablehloBuilder b(builder, shard.getLoc());
  return b.value("stablehlo.collective_permute", shard.getType(), {shard},
                 {builder.getNamedAttr("source_target_pairs",
                                       DenseIntElementsAttr::get(type, pairs)),
                  nextChannel()});
}

//===- Positions in the mesh ----------------------------------------------===//

Value SpmdEmitter::lookup(ArrayRef<int64_t> perDevice, Type element) {
  Value &known = numbers[{SmallVector<int64_t>(perDevice),
                          const_cast<void *>(element.getAsOpaquePointer())}];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(builder);
  if (partitionId)
    builder.setInsertionPointAfterValue(partitionId);
  else
    builder.setInsertionPointToStart(&entry);
  StablehloBuilder b(builder, builder.getUnknownLoc());
  if (!partitionId)
    partitionId = b.value(
        "stablehlo.partition_id",
        RankedTensorType::get({}, builder.getIntegerType(32, false)), {});
  unsigned width = element.getIntOrFloatBitWidth();
  SmallVector<APInt> table;
  for (int64_t number : perDevice)
    table.push_back(APInt(64, number, /*isSigned=*/true).trunc(width));
  auto type = RankedTensorType::get({int64_t(perDevice.size())}, element);
  Value all = b.value(
      "stablehlo.constant", type, {},
      {builder.getNamedAttr("value", DenseElementsAttr::get(type, table))});
  Value own = b.value(
      "stablehlo.dynamic_slice", type.clone(ArrayRef<int64_t>{1}),
      {all, partitionId},
      {builder.getNamedAttr("slice_sizes", builder.getDenseI64ArrayAttr({1}))});
  return known = b.reshape(own, {});
}

Value SpmdEmitter::offset(AxisRef axes, int64_t scale, Type element) {
  SmallVector<int64_t> perDevice;
  for (int64_t device = 0; device < mesh.deviceCount(); ++device)
    perDevice.push_back(mesh.piece(axes, device) * scale);
  return lookup(perDevice, element);
}

Value SpmdEmitter::perPiece(AxisRef axes, ArrayRef<int64_t> values) {
  assert(int64_t(values.size()) == mesh.count(axes) && "one for each piece");
  if (llvm::all_equal(values)) {
    StablehloBuilder b(builder, builder.getUnknownLoc());
    return b.splat(RankedTensorType::get({}, builder.getI64Type()),
                   double(values.front()));
  }
  SmallVector<int64_t> perDevice;
  for (int64_t device = 0; device < mesh.deviceCount(); ++device)
    perDevice.push_back(values[mesh.piece(axes, device)]);
  return lookup(perDevice, builder.getI64Type());
}

Value SpmdEmitter::maskPadding(Value shard, int64_t dim, int64_t size,
                               AxisRef axes, Value fill) {
  StablehloBuilder b(builder, shard.getLoc());
  auto type = StablehloBuilder::typeOf(shard);
  assert(shardSize(size, mesh.count(axes)) == type.getDimSize(dim) &&
         "the shard is one of such a dimension");
  auto places = type.clone(builder.getI64Type());
  Value first = offset(axes, type.getDimSize(dim), builder.getI64Type());
  Value place =
      b.add(b.iota(places, dim), b.broadcastInDim(first, type.getShape(), {}));
  Value inside = b.compare(stablehlo::ComparisonDirection::LT, place,
                           b.splat(places, size));
  return b.select(inside, shard, b.broadcastInDim(fill, type.getShape(), {}));
}

//===- Resharding ---------------------------------------------------------===//

Value SpmdEmitter::trim(Value value, int64_t dim, int64_t size) {
  auto type = StablehloBuilder::typeOf(value);
  if (type.getDimSize(dim) == size)
    return value;
  assert(0 <= size && size < type.getDimSize(dim) && "trimming makes smaller");
  SmallVector<int64_t> limits(type.getShape());
  limits[dim] = size;
  return StablehloBuilder(builder, value.getLoc())
      .slice(value, SmallVector<int64_t>(type.getRank(), 0), limits);
}

Value SpmdEmitter::padTo(Value value, int64_t dim, int64_t size) {
  auto type = StablehloBuilder::typeOf(value);
  if (type.getDimSize(dim) == size)
    return value;
  assert(size > type.getDimSize(dim) && "padding makes larger");
  return padRows(value, dim, 0, size - type.getDimSize(dim), 1, {});
}

Value SpmdEmitter::padRows(Value value, int64_t dim, int64_t low, int64_t high,
                           int64_t dilation, Value fill) {
  StablehloBuilder b(builder, value.getLoc());
  int64_t rank = StablehloBuilder::typeOf(value).getRank();
  SmallVector<int64_t> before(rank, 0), after(before), between(before);
  before[dim] = low;
  after[dim] = high;
  between[dim] = dilation - 1;
  return b.pad(value, before, after, between, fill);
}

Value SpmdEmitter::sliceOff(Value value, int64_t dim, AxisRef axes) {
  int64_t count = mesh.count(axes);
  if (count == 1)
    return value;
  StablehloBuilder b(builder, value.getLoc());
  auto type = StablehloBuilder::typeOf(value);
  int64_t size = shardSize(type.getDimSize(dim), count);
  value = padTo(value, dim, size * count);
  SmallVector<int64_t> sizes(type.getShape());
  sizes[dim] = size;
  Type word = builder.getI64Type();
  Value zero;
  SmallVector<Value> operands = {value};
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (d != dim && !zero)
      zero = b.splat(RankedTensorType::get({}, word), 0);
    operands.push_back(d == dim ? offset(axes, size, word) : zero);
  }
  return b.value("stablehlo.dynamic_slice", type.clone(sizes), operands,
                 {builder.getNamedAttr("slice_sizes",
                                       builder.getDenseI64ArrayAttr(sizes))});
}

/// Moves all axes of one dimension to another one, or changes the number of
/// pieces of a dimension, where sizes do not divide evenly. `value` may be null
/// to change only `from`.
Value SpmdEmitter::moveUneven(Value value, RankedTensorType whole,
                              AxisSharding &from, const AxisSharding &to) {
  for (size_t i = 0; i < from.dims.size(); ++i)
    for (size_t j = 0; j < from.dims.size(); ++j) {
      AxisList axes = from.dims[i];
      if (i == j || mesh.count(axes) == 1 || !to.dims[i].empty() ||
          !from.dims[j].empty() || to.dims[j] != axes ||
          (divides(whole.getDimSize(i), axes) &&
           divides(whole.getDimSize(j), axes)))
        continue;
      int64_t count = mesh.count(axes);
      if (value) {
        value = padTo(value, j, shardSize(whole.getDimSize(j), count) * count);
        value = trim(allToAll(value, i, j, axes), i, whole.getDimSize(i));
      }
      from.dims[i].clear();
      from.dims[j] = axes;
    }
  for (size_t d = 0; d < from.dims.size(); ++d) {
    AxisRef now = from.dims[d], wanted = to.dims[d];
    AxisRef longer = now.size() > wanted.size() ? now : wanted;
    int64_t size = whole.getDimSize(d);
    if (now == wanted || now.empty() || wanted.empty() ||
        commonPrefix(now, wanted) < std::min(now.size(), wanted.size()) ||
        (divides(size, now) && divides(size, wanted)) ||
        llvm::any_of(longer.drop_front(now.size()),
                     [&](unsigned axis) { return from.uses(axis); }))
      continue;
    int64_t devices = mesh.count(longer), pieces = mesh.count(wanted);
    int64_t shard = shardSize(size, pieces);
    NeededRows needed{{}, shard, 0, size};
    for (int64_t i = 0; i < devices; ++i)
      needed.starts.push_back(i / (devices / pieces) * shard);
    int64_t sources = mesh.count(now);
    SourceRows source{size, shardSize(size, sources), sources,
                      devices / sources};
    if (value)
      value = exchange(value, d, longer, ExchangePlan(source, needed));
    from.dims[d] = AxisList(wanted);
  }
  return value;
}

/// Gathers dimensions that do not divide evenly as a whole, because the padding
/// is at the end of the last shard of every piece.
Value SpmdEmitter::gatherUneven(Value value, RankedTensorType whole,
                                AxisSharding &from, const AxisSharding &to) {
  for (size_t d = 0; d < from.dims.size(); ++d) {
    int64_t size = whole.getDimSize(d);
    if (from.dims[d] == to.dims[d] ||
        (divides(size, from.dims[d]) && divides(size, to.dims[d])))
      continue;
    value = trim(allGather(value, d, from.dims[d]), d, size);
    from.dims[d].clear();
  }
  return value;
}

Value SpmdEmitter::sliceFree(Value value, RankedTensorType whole,
                             AxisSharding &from, const AxisSharding &to) {
  for (size_t d = 0; d < from.dims.size(); ++d) {
    if (commonPrefix(from.dims[d], to.dims[d]) < from.dims[d].size() ||
        from.dims[d].size() == to.dims[d].size())
      continue;
    AxisList added(to.dims[d].begin() + from.dims[d].size(), to.dims[d].end());
    if (llvm::any_of(added, [&](unsigned axis) { return from.uses(axis); }))
      continue;
    if (value)
      value = sliceOff(value, d, added);
    from.dims[d] = to.dims[d];
  }
  return value;
}

Value SpmdEmitter::collective(Value value, RankedTensorType whole,
                              AxisSharding &from, const AxisSharding &to) {
  while (from != to) {
    auto found = findCollective(from, to, [&](size_t d, AxisRef axes) {
      return divides(whole.getDimSize(d), axes);
    });
    if (!found)
      break;
    auto [i, j, axes] = *found;
    if (value && mesh.count(axes) > 1)
      value = allToAll(value, i, j, axes);
    from.dims[i].truncate(from.dims[i].size() - axes.size());
    from.dims[j].append(axes);
  }
  if (from != to && samePieces(mesh, from, to)) {
    if (value)
      value = permute(value, mesh.toSharding(from), mesh.toSharding(to));
    from = to;
  }
  return value;
}

double SpmdEmitter::gatheredBytes(RankedTensorType whole, AxisSharding from,
                                  const AxisSharding &to) const {
  double held = shardBytes(mesh, whole, from);
  for (auto [now, wanted] : llvm::zip_equal(from.dims, to.dims))
    now.truncate(commonPrefix(now, wanted));
  return shardBytes(mesh, whole, from) - held;
}

/// Permutes pieces so that the axes that a dimension keeps come first, if less
/// is gathered afterwards. `value` may be null to change only `from`.
Value SpmdEmitter::keepWanted(Value value, RankedTensorType whole,
                              AxisSharding &from, const AxisSharding &to) {
  AxisSharding ordered = from;
  for (auto [d, now] : llvm::enumerate(ordered.dims)) {
    if (!divides(whole.getDimSize(d), now))
      continue;
    AxisList kept;
    for (unsigned axis : to.dims[d]) {
      if (!llvm::is_contained(now, axis))
        break;
      kept.push_back(axis);
    }
    for (unsigned axis : now)
      if (!llvm::is_contained(kept, axis))
        kept.push_back(axis);
    now = kept;
  }
  if (ordered == from ||
      shardBytes(mesh, whole, from) + gatheredBytes(whole, ordered, to) >=
          gatheredBytes(whole, from, to))
    return value;
  if (value)
    value = permute(value, mesh.toSharding(from), mesh.toSharding(ordered));
  from = ordered;
  return value;
}

Value SpmdEmitter::keepOnFirst(Value shard, AxisRef axes, double others) {
  if (mesh.count(axes) == 1)
    return shard;
  StablehloBuilder b(builder, shard.getLoc());
  Type word = builder.getI64Type();
  Value first =
      b.compare(stablehlo::ComparisonDirection::EQ, offset(axes, 1, word),
                b.splat(RankedTensorType::get({}, word), 0));
  RankedTensorType type = StablehloBuilder::typeOf(shard);
  return b.value("stablehlo.select", type,
                 {first, shard, b.splat(type, others)});
}

/// Sums along the axes that are unreduced in `from` and not in `to`; where they
/// are the next to cut a dimension, each device sums its own piece alone.
Value SpmdEmitter::sumUnreduced(Value shard, RankedTensorType whole,
                                AxisSharding &from, const AxisSharding &to) {
  AxisList summed;
  for (unsigned axis : from.unreduced)
    if (!llvm::is_contained(to.unreduced, axis))
      summed.push_back(axis);
  llvm::erase_if(from.unreduced, [&](unsigned axis) {
    return llvm::is_contained(summed, axis);
  });
  for (int64_t d = 0; d < whole.getRank(); ++d) {
    AxisList run = takeScattered(mesh, whole, from, to, d, summed);
    if (run.empty())
      continue;
    shard = reduceScatter(shard, d, run, nullptr);
    from.dims[d].append(run);
  }
  return allReduce(shard, summed, nullptr);
}

Value SpmdEmitter::reshard(Value shard, RankedTensorType whole,
                           AxisSharding from, const AxisSharding &to) {
  assert(from.dims.size() == to.dims.size() &&
         shard.getType() == shardType(whole, from) &&
         "the shard has the sharding `from`");
  if (from == to)
    return shard;
  shard = sumUnreduced(shard, whole, from, to);
  AxisList added;
  for (unsigned axis : to.unreduced)
    if (!llvm::is_contained(from.unreduced, axis))
      added.push_back(axis);
  shard = reshardReduced(shard, whole, from.reduced(), to.reduced());
  return keepOnFirst(shard, added);
}

Value SpmdEmitter::reshardReduced(Value shard, RankedTensorType whole,
                                  AxisSharding from, const AxisSharding &to) {
  if (from == to)
    return shard;
  if (!samePieces(mesh, from, to)) {
    shard = moveUneven(shard, whole, from, to);
    shard = gatherUneven(shard, whole, from, to);
  }
  shard = sliceFree(shard, whole, from, to);
  shard = collective(shard, whole, from, to);
  shard = keepWanted(shard, whole, from, to);
  for (size_t d = 0; d < from.dims.size(); ++d) {
    size_t shared = commonPrefix(from.dims[d], to.dims[d]);
    AxisList rest(from.dims[d].begin() + shared, from.dims[d].end());
    shard = allGather(shard, d, rest);
    from.dims[d].truncate(shared);
  }
  shard = sliceFree(shard, whole, from, to);
  assert(from == to && shard.getType() == shardType(whole, to) &&
         "the result has the sharding `to`");
  return shard;
}

double SpmdEmitter::reshardBytes(RankedTensorType whole, AxisSharding from,
                                 const AxisSharding &wanted) const {
  // Sums are counted where they are chosen.
  from.unreduced.clear();
  AxisSharding to = wanted.reduced();
  if (from == to)
    return 0;
  auto bytes = [&](const AxisSharding &sharding) {
    return shardBytes(mesh, whole, sharding);
  };
  double total = 0;
  auto &self = const_cast<SpmdEmitter &>(*this);
  AxisSharding before = from;
  if (!samePieces(mesh, from, to))
    self.moveUneven(Value(), whole, from, to);
  if (before != from)
    total += bytes(from);
  self.sliceFree(Value(), whole, from, to);
  before = from;
  self.collective(Value(), whole, from, to);
  if (before != from)
    total += bytes(before);
  before = from;
  self.keepWanted(Value(), whole, from, to);
  if (before != from)
    total += bytes(from);
  return total + gatheredBytes(whole, from, to);
}

} // namespace xlac::transforms
