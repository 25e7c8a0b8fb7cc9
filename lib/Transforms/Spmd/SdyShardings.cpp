#include "SdyShardings.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace xlac::transforms {

/// More devices than any supported mesh has.
static constexpr int64_t kMostDevices = 1 << 20;

namespace {

struct SdyAxis {
  std::string name;
  int64_t size = 1;
};

struct SdyMesh {
  SmallVector<SdyAxis> axes;
  SmallVector<int64_t> devices; ///< in C order; empty: by number
};

/// An axis or, with a size, a sub-axis: `before` is the size of the preceding
/// part.
struct SdyAxisRef {
  std::string name;
  int64_t before = 1, size = 0;
};

class SdyReader {
public:
  SdyReader(StringRef text, const SymbolTable &symbols, std::string &problem)
      : rest(text), symbols(symbols), problem(problem) {}

  std::optional<SpmdAnnotation> readSharding();
  std::optional<SmallVector<SpmdAnnotation>> readList();
  /// Reads the mesh of the first sharding of a list.
  std::optional<Sharding> readRow(StringRef axes);

private:
  bool fail(const Twine &what) {
    if (problem.empty())
      problem = ("has a sharding that " + what).str();
    return false;
  }
  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  bool takeNumber(int64_t &number) {
    rest = rest.ltrim();
    return !rest.consumeInteger(10, number);
  }
  bool takeName(std::string &name) {
    rest = rest.ltrim();
    return sdy::takeName(rest, name);
  }
  bool readMesh(SdyMesh &mesh);
  bool readMeshBody(SdyMesh &mesh);
  bool readAxisRef(SdyAxisRef &axis);
  bool readDims(SmallVector<SmallVector<SdyAxisRef>> &dims,
                SpmdAnnotation &annotation);
  bool readAxisRefs(SmallVector<SdyAxisRef> &axes);
  bool readUnreduced(SmallVector<SdyAxisRef> &axes, bool &isSum);
  bool strideOf(const SdyMesh &mesh, const SdyAxisRef &reference,
                int64_t &stride, int64_t &size);
  bool place(const SdyMesh &mesh, ArrayRef<SmallVector<SdyAxisRef>> dims,
             ArrayRef<SdyAxisRef> unreduced, Sharding &sharding);

  StringRef rest;
  const SymbolTable &symbols;
  std::string &problem;
};

} // namespace

/// Reads `["x"=2, "y"=4], device_ids=[…]>`, the text after the keyword of a
/// mesh.
bool SdyReader::readMeshBody(SdyMesh &mesh) {
  if (!take("["))
    return fail("names a mesh without axes");
  int64_t total = 1;
  while (!take("]")) {
    SdyAxis axis;
    if (!takeName(axis.name) || !take("=") || !takeNumber(axis.size) ||
        axis.size < 1 || llvm::MulOverflow(total, axis.size, total) ||
        total > kMostDevices)
      return fail("names a mesh with an axis that is none, or too large");
    mesh.axes.push_back(axis);
    take(",");
  }
  if (take(",") && take("device_ids") && take("=") && take("[")) {
    int64_t device = 0;
    while (takeNumber(device)) {
      mesh.devices.push_back(device);
      take(",");
    }
    if (!take("]"))
      return fail("names a mesh whose device_ids do not end");
  }
  SmallVector<int64_t> sorted(mesh.devices);
  llvm::sort(sorted);
  if (!sorted.empty() && !llvm::equal(sorted, llvm::seq<int64_t>(0, total)))
    return fail("names a mesh with device_ids that do not fit its axes");
  return take(">") || fail("names a mesh that does not end");
}

bool SdyReader::readMesh(SdyMesh &mesh) {
  if (take("mesh<"))
    return readMeshBody(mesh);
  if (!take("@"))
    return fail("names no mesh");
  std::string name;
  if (!takeName(name)) {
    name = rest.take_until(
        [](char c) { return c == ',' || c == '>' || c == ' '; });
    rest = rest.drop_front(name.size());
  }
  auto op = symbols.lookup<sdy::MeshOp>(name);
  StringRef text = op ? sdy::SdyDialect::textOf(op.getMesh()) : StringRef();
  if (text.empty())
    return fail("names the mesh @" + name + ", which is not there");
  SdyReader inner(text, symbols, problem);
  return (inner.take("mesh<") && inner.readMeshBody(mesh)) ||
         fail("names the mesh @" + name + ", which cannot be read");
}

bool SdyReader::readAxisRef(SdyAxisRef &axis) {
  if (!takeName(axis.name))
    return false;
  if (!take(":"))
    return true;
  return take("(") && takeNumber(axis.before) && take(")") &&
         takeNumber(axis.size);
}

bool SdyReader::readDims(SmallVector<SmallVector<SdyAxisRef>> &dims,
                         SpmdAnnotation &annotation) {
  if (!take("["))
    return fail("has no dimensions");
  while (!take("]")) {
    if (!take("{"))
      return fail("has a dimension without axes");
    SmallVector<SdyAxisRef> &dim = dims.emplace_back();
    while (!take("}")) {
      if (take("?"))
        annotation.open.push_back(dims.size() - 1);
      else if (SdyAxisRef axis; readAxisRef(axis))
        dim.push_back(axis);
      else
        return fail("has an axis that is none");
      take(",");
    }
    int64_t priority = 0;
    if (take("p") && (!takeNumber(priority) || priority < 0))
      return fail("has a priority that is none");
    annotation.priorities.push_back(priority);
    take(",");
  }
  if (llvm::all_of(annotation.priorities, [](int64_t p) { return p == 0; }))
    annotation.priorities.clear();
  return true;
}

/// Of the axis that `reference` names in the mesh, or of a part of it: stride
/// in places, size.
bool SdyReader::strideOf(const SdyMesh &mesh, const SdyAxisRef &reference,
                         int64_t &stride, int64_t &size) {
  stride = 1;
  const SdyAxis *found = nullptr;
  for (const SdyAxis &axis : llvm::reverse(mesh.axes)) {
    if (axis.name == reference.name) {
      found = &axis;
      break;
    }
    stride *= axis.size;
  }
  if (!found)
    return fail("names the axis '" + reference.name +
                "', which its mesh does not have");
  size = reference.size ? reference.size : found->size;
  if (size < 1 || reference.before < 1 || size > found->size ||
      reference.before > found->size ||
      found->size % (reference.before * size) != 0)
    return fail("takes a part of the axis '" + reference.name +
                "' that it does not have");
  stride *= found->size / (reference.before * size);
  return true;
}

bool SdyReader::place(const SdyMesh &mesh,
                      ArrayRef<SmallVector<SdyAxisRef>> dims,
                      ArrayRef<SdyAxisRef> unreduced, Sharding &sharding) {
  int64_t total = 1, pieces = 1;
  for (const SdyAxis &axis : mesh.axes)
    total *= axis.size;
  // Of each axis referred to: stride in places, size. The last list is of the
  // unreduced axes.
  SmallVector<SmallVector<std::pair<int64_t, int64_t>>> parts(dims.size() + 1);
  for (size_t d = 0; d <= dims.size(); ++d) {
    int64_t count = 1;
    for (const SdyAxisRef &reference :
         d < dims.size() ? ArrayRef<SdyAxisRef>(dims[d]) : unreduced) {
      int64_t stride, size;
      if (!strideOf(mesh, reference, stride, size))
        return false;
      parts[d].push_back({stride, size});
      count *= size;
    }
    pieces *= count;
    if (pieces > total)
      return fail("takes an axis twice");
    if (d < dims.size())
      sharding.tiles.push_back(count);
    else
      sharding.summands = count;
  }
  if (pieces == 1) {
    sharding = Sharding();
    return true;
  }
  sharding.kind = Sharding::Kind::Tiled;
  sharding.copies = total / pieces;
  sharding.devices.assign(total, 0);
  SmallVector<int64_t> copies(pieces, 0);
  for (int64_t position = 0; position < total; ++position) {
    int64_t tile = 0, summand = 0;
    for (const auto &dim : ArrayRef(parts).drop_back())
      for (auto [stride, size] : dim)
        tile = tile * size + position / stride % size;
    for (auto [stride, size] : parts.back())
      summand = summand * size + position / stride % size;
    int64_t &copy = copies[tile * sharding.summands + summand];
    if (copy == sharding.copies)
      return fail("takes an axis twice");
    sharding.devices[(tile * sharding.copies + copy++) * sharding.summands +
                     summand] =
        mesh.devices.empty() ? position : mesh.devices[position];
  }
  return true;
}

/// Returns the length of the sharding at the beginning of `text`, after its `<`
/// and including its `>`.
static size_t lengthOfSharding(StringRef text) {
  StringRef rest = text;
  std::string name;
  for (int64_t depth = 1; depth > 0 && !rest.empty();) {
    if (sdy::takeName(rest, name))
      continue;
    depth += rest.front() == '<' ? 1 : rest.front() == '>' ? -1 : 0;
    rest = rest.drop_front();
  }
  return text.size() - rest.size();
}

/// `"x", "y":(1)2}` behind the brace that opens it.
bool SdyReader::readAxisRefs(SmallVector<SdyAxisRef> &axes) {
  while (!take("}")) {
    SdyAxisRef axis;
    if (!readAxisRef(axis))
      return fail("has an axis that is none");
    axes.push_back(axis);
    take(",");
  }
  return true;
}

/// Of the lists that follow the dimensions, up to the end of the sharding, the
/// unreduced axes: `unreduced={"x"}`, or `unreduced=max{"x"}`.
bool SdyReader::readUnreduced(SmallVector<SdyAxisRef> &axes, bool &isSum) {
  std::string name;
  isSum = true;
  while (!rest.empty() && !take("unreduced="))
    if (!sdy::takeName(rest, name))
      rest = rest.drop_front();
  if (rest.empty())
    return true;
  StringRef kind = rest.take_until([](char c) { return c == '{'; });
  rest = rest.drop_front(kind.size());
  isSum = kind.trim().empty() || kind.trim() == "sum";
  return take("{") ? readAxisRefs(axes) : fail("has unreduced axes of no list");
}

std::optional<SpmdAnnotation> SdyReader::readSharding() {
  SdyMesh mesh;
  SmallVector<SmallVector<SdyAxisRef>> dims;
  SpmdAnnotation annotation;
  take("sharding");
  if (!take("<")) {
    fail("cannot be read");
    return std::nullopt;
  }
  if (!readMesh(mesh) || !take(",") || !readDims(dims, annotation)) {
    fail("cannot be read");
    return std::nullopt;
  }
  // Replicated axes do not affect where values are stored.
  StringRef lists = rest.take_front(lengthOfSharding(rest));
  rest = rest.drop_front(lists.size());
  SmallVector<SdyAxisRef> unreduced;
  bool isSum = true;
  if (!SdyReader(lists, symbols, problem).readUnreduced(unreduced, isSum))
    return std::nullopt;
  annotation.otherReduction = !isSum && !unreduced.empty();
  if (!isSum)
    unreduced.clear();
  if (!place(mesh, dims, unreduced, annotation.sharding))
    return std::nullopt;
  return annotation;
}

std::optional<SmallVector<SpmdAnnotation>> SdyReader::readList() {
  SmallVector<SpmdAnnotation> all;
  if (!take("sharding_per_value<") || !take("[")) {
    fail("cannot be read");
    return std::nullopt;
  }
  while (!take("]")) {
    std::optional<SpmdAnnotation> one = readSharding();
    if (!one)
      return std::nullopt;
    all.push_back(std::move(*one));
    take(",");
  }
  return all;
}

std::optional<Sharding> SdyReader::readRow(StringRef axes) {
  SdyMesh mesh;
  SmallVector<SdyAxisRef> row;
  Sharding sharding;
  rest = rest.split("[<").second;
  axes = axes.split("{").second;
  if (!readMesh(mesh) || !SdyReader(axes, symbols, problem).readAxisRefs(row) ||
      !place(mesh, {row}, {}, sharding))
    return std::nullopt;
  return sharding;
}

std::optional<Sharding> readManualAxes(sdy::ManualComputationOp computation,
                                       const SymbolTable &symbols,
                                       std::string &problem) {
  StringRef list = sdy::SdyDialect::textOf(computation.getInShardings());
  if (!list.contains("[<"))
    list = sdy::SdyDialect::textOf(computation.getOutShardings());
  return SdyReader(list, symbols, problem)
      .readRow(sdy::SdyDialect::textOf(computation.getManualAxes()));
}

std::optional<SpmdAnnotation> readSdySharding(Attribute attribute,
                                              const SymbolTable &symbols,
                                              std::string &problem) {
  return SdyReader(sdy::SdyDialect::textOf(attribute), symbols, problem)
      .readSharding();
}

std::optional<SmallVector<SpmdAnnotation>>
readSdyShardings(Attribute attribute, const SymbolTable &symbols,
                 std::string &problem) {
  return SdyReader(sdy::SdyDialect::textOf(attribute), symbols, problem)
      .readList();
}

std::optional<int64_t> readMaximalDevice(Attribute attribute,
                                         const SymbolTable &symbols) {
  StringRef text = sdy::SdyDialect::textOf(attribute);
  int64_t device = 0;
  if (!text.consume_front("sharding_per_value<[<"))
    return std::nullopt;
  if (text.consume_front("@")) {
    StringRef name = text.take_until([](char c) { return c == ','; });
    auto mesh = symbols.lookup<sdy::MeshOp>(name.trim('"'));
    text = mesh ? sdy::SdyDialect::textOf(mesh.getMesh()) : StringRef();
  }
  bool isMaximal = text.consume_front("mesh<[]") &&
                   (text = text.ltrim(", ")).consume_front("device_ids=[") &&
                   !text.consumeInteger(10, device) && text.starts_with("]");
  return isMaximal ? std::optional(device) : std::nullopt;
}

/// Returns the shardings of #sdy.sharding_per_value<[<…>, <…>]>, one attribute
/// each.
static SmallVector<Attribute> splitShardings(Attribute list) {
  SmallVector<Attribute> shardings;
  StringRef text = sdy::SdyDialect::textOf(list);
  if (!text.consume_front("sharding_per_value<["))
    return shardings;
  while ((text = text.ltrim(", ")).consume_front("<")) {
    size_t length = lengthOfSharding(text);
    shardings.push_back(sdy::SdyDialect::attributeOf(
        list.getContext(), "sharding<" + text.take_front(length)));
    text = text.drop_front(length);
  }
  return shardings;
}

/// Constrains `values` to `shardings`, which may be null.
static SmallVector<Value> constrain(IRRewriter &rewriter, ValueRange values,
                                    Attribute shardings) {
  SmallVector<Value> constrained(values);
  for (auto [value, sharding] :
       llvm::zip(constrained, splitShardings(shardings)))
    value = sdy::ShardingConstraintOp::create(
        rewriter, rewriter.getInsertionPoint()->getLoc(), value.getType(),
        value, sharding);
  return constrained;
}

/// Removes an sdy op. Values are global here, so an op that moves or sums
/// shards is replaced by its operand.
static void simplifySdyOp(Operation *op) {
  IRRewriter rewriter(op);
  if (isa<sdy::ShardingGroupOp>(op)) {
    rewriter.eraseOp(op);
    return;
  }
  if (auto constant = dyn_cast<sdy::ConstantOp>(op)) {
    rewriter.replaceOpWithNewOp<stablehlo::ConstantOp>(op, constant.getValue());
    return;
  }
  if (auto computation = dyn_cast<sdy::NamedComputationOp>(op)) {
    Block &body = computation.getBody().front();
    Operation *end = body.getTerminator();
    // Shardings of inputs apply to the body's arguments.
    SmallVector<Value> inputs = constrain(rewriter, computation.getInputs(),
                                          computation.getInShardingsAttr());
    rewriter.inlineBlockBefore(&body, computation, inputs);
    rewriter.replaceOp(computation,
                       constrain(rewriter, end->getOperands(),
                                 computation.getOutShardingsAttr()));
    rewriter.eraseOp(end);
    return;
  }
  if (isa<sdy::ShardingConstraintOp>(op) || op->getNumOperands() != 1 ||
      op->getNumResults() != 1 || op->getNumRegions() > 0)
    return;
  Attribute sharding = op->getAttr("sharding");
  if (!sharding)
    sharding = op->getAttr("out_sharding");
  Value value = op->getOperand(0);
  if (sharding)
    value = sdy::ShardingConstraintOp::create(rewriter, op->getLoc(),
                                              value.getType(), value, sharding);
  rewriter.replaceOp(op, value);
}

void simplifySdyOps(func::FuncOp function) {
  // Inner ops first, so that inlined bodies contain no named computation.
  function.walk<WalkOrder::PostOrder>([](Operation *op) {
    if (llvm::isa_and_present<sdy::SdyDialect>(op->getDialect()))
      simplifySdyOp(op);
  });
}

} // namespace xlac::transforms
