#include "fuzz/builder.h"

#include "fuzz/error_bound_parts.h"
#include "xlac/host/evaluate.h"
#include "xlac/ops/infer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace xlac::fuzz {

using ops::OpKind;

/// The maximum size of values, since the evaluator is slow.
static constexpr int64_t kMaxElements = 1 << 14, kMaxLarge = 1 << 18;
/// The maximum size of arguments, so that operands can still be broadcast.
static constexpr int64_t kMaxArgument = 1 << 12, kMaxLargeArgument = 1 << 17;

bool belongs(ElementType element, uint32_t elements) {
  uint32_t set = is_boolean(element)   ? kBooleans
                 : is_integer(element) ? kIntegers
                 : is_float(element)   ? kFloats
                                       : kComplexes;
  return set & elements;
}

Builder::Builder(Random &random, runtime::GridShape grid,
                 const ProgramLimits &limits)
    : random(random), grid(grid), limits_(limits), scopes_(1) {}

//===- Types --------------------------------------------------------------===//

ElementType Builder::element(uint32_t elements) {
  using enum ElementType;
  // Frequent types are listed several times.
  static constexpr ElementType kTypes[] = {
      F32,      I32,           I1,         F32,        F64,       I64,
      F32,      I32,           F16,        BF16,       I8,        UI8,
      UI32,     F32,           I16,        UI16,       UI64,      BF16,
      F16,      F64,           I2,         I4,         UI2,       UI4,
      F32,      I32,           I1,         F8E4M3,     F8E4M3FN,  F8E5M2,
      F8E3M4,   F8E4M3B11FNUZ, F8E4M3FNUZ, F8E5M2FNUZ, F8E8M0FNU, F4E2M1FN,
      F6E2M3FN, F6E3M2FN,      Complex64,  Complex128, Complex64, Complex128};
  std::vector<ElementType> allowed;
  for (ElementType type : kTypes)
    if (belongs(type, elements))
      allowed.push_back(type);
  return random.pick(allowed);
}

/// The number of elements if sizes of 0 were 1. Ops may drop such a dimension
/// or give it another size.
static double nonzero_count(const Dims &dims) {
  double count = 1;
  for (int64_t size : dims)
    count *= static_cast<double>(std::max<int64_t>(size, 1));
  return count;
}

int64_t Builder::size(const Dims &others) {
  static constexpr int64_t kSizes[] = {1, 2, 3,  4,  5,  7,  8,  3,  2, 1,
                                       4, 9, 13, 16, 17, 24, 33, 64, 5, 0};
  static constexpr int64_t kLargeSizes[] = {1,  2,   3,   6,   8,    16,  32,
                                            33, 64,  65,  96,  128,  192, 256,
                                            6,  257, 512, 128, 1024, 4099};
  int64_t size = large() ? random.pick(kLargeSizes) : random.pick(kSizes);
  if (size > 1)
    size += limits_.sizes * std::max<int64_t>(size / 3, 1);
  int64_t most = large() ? kMaxLargeArgument : kMaxArgument;
  return nonzero_count(others) * static_cast<double>(size) >
                 static_cast<double>(most)
             ? 1
             : size;
}

Dims Builder::dims(int64_t max_rank) {
  static constexpr uint32_t kRanks[] = {15, 30, 30, 15, 7, 3};
  static constexpr uint32_t kLargeRanks[] = {2, 15, 28, 28, 20, 7};
  auto rank =
      static_cast<int64_t>(random.weighted(large() ? kLargeRanks : kRanks));
  Dims dims;
  for (int64_t i = 0; i < std::min(rank, max_rank); ++i)
    dims.push_back(size(dims));
  // Many rows that are shorter than a vector.
  static constexpr int64_t kManyRows[] = {8, 16, 17, 24, 40};
  if (dims.size() >= 2 && dims.size() <= 3 && random.chance(15)) {
    dims[dims.size() - 1] = 2 + random.below(7);
    dims[dims.size() - 2] = random.pick(kManyRows);
    if (nonzero_count(dims) > static_cast<double>(most_elements()))
      dims[0] = 1;
  }
  return dims;
}

//===- Values -------------------------------------------------------------===//

static graph::Value parameter_of(const host::Literal &data) {
  return {graph::Node::make_parameter(data.type(),
                                      std::make_shared<host::HostData>(data)),
          0};
}

Term Builder::parameter(std::vector<host::Literal> each) {
  arguments_.push_back(std::make_shared<GridData>(std::move(each)));
  const std::vector<host::Literal> &data = arguments_.back()->each;
  Term term{{graph::Node::make_parameter(data[0].type(), arguments_.back()), 0},
            {data[0], {}}};
  for (size_t process = 1; process < data.size(); ++process)
    term.peers.push_back({data[process], {}});
  scopes_[0].terms.push_back(term);
  return term;
}

void Builder::turn_to(size_t process) const {
  for (const std::shared_ptr<GridData> &argument : arguments_)
    argument->literal = argument->each[process];
}

Term Builder::given(host::Literal data) {
  return parameter(std::vector(processes(), data));
}

ByProcess Builder::everywhere(host::Literal data) const {
  return ByProcess(processes(), {{std::move(data), {}}});
}

Term Builder::constant(host::Literal data) {
  std::vector<std::byte> bytes(data.data(), data.data() + data.byte_count());
  ops::ConstantAttributes attributes;
  attributes.value = ops::DenseElements::make(data.type(), std::move(bytes));
  auto node = graph::Node::make_op(OpKind::Constant, std::move(attributes), {},
                                   {data.type()});
  return record(node, everywhere(std::move(data)))[0];
}

Term Builder::constant(TensorType type, int64_t value) {
  host::Literal data = *host::Literal::allocate(std::move(type));
  for (int64_t i = 0; i < data.count(); ++i)
    host::store(data, i, 1, &value);
  return constant(std::move(data));
}

Term Builder::integers(TensorType type, const std::vector<int64_t> &values) {
  host::Literal data = *host::Literal::allocate(std::move(type));
  if (!values.empty())
    host::store(data, 0, data.count(), values.data());
  bool is_constant = is_isolated() || random.chance(50);
  return is_constant ? constant(std::move(data)) : given(std::move(data));
}

Term Builder::fresh(TensorType type, ValueKind kind) {
  assert(fits(type) && "the evaluator is slow");
  uint32_t seed = random.below(1 << 30);
  host::Literal data = *random_literal(type, kind, seed);
  if (is_isolated() || (data.count() <= 4 && random.chance(15)))
    return constant(std::move(data));
  std::vector<host::Literal> each{std::move(data)};
  for (uint64_t process = 1; process < processes(); ++process)
    each.push_back(*random_literal(type, kind, seed + (process << 32)));
  return parameter(std::move(each));
}

bool Builder::is_isolated() const {
  return std::any_of(scopes_.begin(), scopes_.end(),
                     [](const Scope &scope) { return scope.isolated; });
}

Term Builder::fresh(TensorType type) {
  static constexpr uint32_t kKinds[] = {30, 25, 20, 20, 5};
  auto kind = static_cast<ValueKind>(random.weighted(kKinds));
  return fresh(std::move(type), kind);
}

std::optional<Term>
Builder::existing(const std::function<bool(const Term &)> &fits) {
  std::vector<const Term *> found;
  for (size_t i = scopes_.size(); i-- > 0;) {
    for (const Term &term : scopes_[i].terms)
      if (term.value.type().is_tensor() && !term.type().quantization &&
          fits(term))
        found.push_back(&term);
    if (scopes_[i].isolated)
      break;
  }
  if (found.empty())
    return std::nullopt;
  return *random.pick(found);
}

Term Builder::any(uint32_t elements, int64_t min_rank) {
  // Regions must be exact for all inputs.
  auto fits = [&](const Term &term) {
    return belongs(term.element(), elements) &&
           term.type().rank() >= min_rank && (!blind() || term.checked.exact());
  };
  if (!random.chance(25))
    if (auto term = existing(fits))
      return *term;
  TensorType wanted = type(elements);
  while (wanted.rank() < min_rank)
    wanted.dims.push_back(size(wanted.dims));
  return fresh(std::move(wanted));
}

Term Builder::like(TensorType type) {
  auto fits = [&](const Term &term) {
    return term.type() == type && (!blind() || term.checked.exact());
  };
  if (!random.chance(20))
    if (auto term = existing(fits))
      return *term;
  return fresh(std::move(type));
}

bool Builder::is_used(const Term &term) const {
  const graph::Node *wanted = term.value.node.get();
  return std::any_of(
      recorded_.begin(), recorded_.end(), [&](const graph::NodeRef &node) {
        auto reads = [&](const graph::Value &operand) {
          return operand.node.get() == wanted;
        };
        std::span<const graph::Value> operands = node->operands();
        std::vector<const graph::Node *> captured = graph::captures(*node);
        return std::any_of(operands.begin(), operands.end(), reads) ||
               std::find(captured.begin(), captured.end(), wanted) !=
                   captured.end();
      });
}

//===- Ops ----------------------------------------------------------------===//

int64_t Builder::most_elements() const {
  return large() ? kMaxLarge : kMaxElements;
}

bool Builder::fits(const Type &type) const {
  if (!type.is_tensor())
    return true;
  return type.tensor().element_count() && type.tensor().rank() <= 6 &&
         nonzero_count(type.tensor().dims) <=
             static_cast<double>(most_elements());
}

static double count_of(const Type &type) {
  return type.is_tensor()
             ? static_cast<double>(type.tensor().element_count().value_or(0))
             : 0;
}

bool Builder::is_quick(OpKind kind, const Terms &operands,
                       const std::vector<Type> &results) const {
  constexpr double kMostSteps = 1 << 24;
  bool contracts = kind == OpKind::DotGeneral || kind == OpKind::Dot ||
                   kind == OpKind::Einsum || kind == OpKind::ChloRaggedDot ||
                   kind == OpKind::Convolution || kind == OpKind::DynamicConv;
  if (!large() || !contracts || operands.size() < 2)
    return true;
  // For a GEMM, M * N * K is the root of the product of the three sizes.
  double product = count_of(results[0]);
  for (const Term &operand : operands)
    product *= std::max(1.0, count_of(operand.value.type()));
  return std::sqrt(product) <= kMostSteps;
}

/// True if `node`'s results are exact for all operands.
static bool is_always_exact(const graph::Node &node) {
  for (const Type &result : node.types())
    for (const graph::Value &operand : node.operands())
      if (result.is_tensor() && operand.type().is_tensor() &&
          !is_exact(node.op(), operand.tensor().element,
                    result.tensor().element))
        return false;
  return true;
}

Terms Builder::record(const graph::NodeRef &node, const ByProcess &results) {
  recorded_.push_back(node);
  if (scopes_.back().block)
    scopes_.back().block->nodes.push_back(node);
  Terms made;
  for (uint32_t i = 0; i < node->types().size(); ++i) {
    Term term{{node, i}, results.empty() ? Checked{} : results[0][i]};
    for (size_t process = 1; process < results.size(); ++process)
      term.peers.push_back(results[process][i]);
    made.push_back(std::move(term));
  }
  Terms &terms = scopes_.back().terms;
  terms.insert(terms.end(), made.begin(), made.end());
  return made;
}

std::optional<std::vector<Type>>
Builder::types_of(OpKind kind, const ops::OpAttributes &attributes,
                  const Terms &operands, const std::vector<Type> &declared,
                  std::span<const graph::Block> regions) const {
  std::vector<Type> operand_types;
  for (const Term &operand : operands)
    operand_types.push_back(operand.value.type());
  std::vector<ops::RegionSignature> region_types = graph::signatures(regions);
  std::vector<const Type *> places = ops::places_of(operand_types);
  ops::InferContext context;
  context.operands = places;
  context.attributes = attributes;
  context.regions = region_types;
  context.declared = declared;
  context.declares_results = !declared.empty();
  Result<std::vector<Type>> types = ops::infer(kind, context);
  if (types && !declared.empty())
    types = declared;
  auto fits = [&](const Type &type) { return this->fits(type); };
  if (!types || !std::all_of(types->begin(), types->end(), fits) ||
      !is_quick(kind, operands, *types))
    return std::nullopt;
  return *types;
}

static std::vector<graph::Value> values_of(const Terms &terms) {
  std::vector<graph::Value> values;
  for (const Term &term : terms)
    values.push_back(term.value);
  return values;
}

std::optional<Terms> Builder::add(OpKind kind, ops::OpAttributes attributes,
                                  const Terms &operands,
                                  std::vector<Type> declared,
                                  std::vector<graph::Block> regions,
                                  std::vector<graph::FunctionRef> callees) {
  ++refused;
  auto types = types_of(kind, attributes, operands, declared, regions);
  if (!types)
    return std::nullopt;
  graph::NodeRef node = graph::Node::make_op(
      kind, attributes, values_of(operands), *types, regions, callees);
  if (blind()) {
    if (!is_always_exact(*node))
      return std::nullopt;
    --refused;
    return record(node, {});
  }
  auto results =
      computed({kind, attributes, {}, regions, callees, *types}, operands);
  if (!results)
    return std::nullopt;
  --refused;
  return record(node, *results);
}

/// Gives a value a radius on all processes if it has one on any process. The
/// generator checks only the first process to decide which ops may use the
/// value.
static void even_out(ByProcess &results) {
  for (size_t i = 0; i < results[0].size(); ++i) {
    bool exact = true;
    for (const std::vector<Checked> &process : results)
      exact &= process[i].exact();
    for (std::vector<Checked> &process : results)
      if (!exact && process[i].exact())
        process[i].radius = literal_of(process[i].data.type(),
                                       Numbers(process[i].data.count(), 0.0));
  }
}

std::optional<ByProcess> Builder::computed(const OpUse &use,
                                           const Terms &operands) const {
  ByProcess given(processes()), results(processes());
  for (size_t process = 0; process < processes(); ++process)
    for (const Term &operand : operands)
      given[process].push_back(operand.on(process));
  if (is_collective(use.kind))
    return exchanged(use, given, grid);
  for (size_t process = 0; process < processes(); ++process) {
    OpUse own = use;
    own.operands = given[process];
    turn_to(process);
    Result<std::vector<host::Literal>> data = evaluate(own);
    auto radius = data ? radii(own, *data) : std::nullopt;
    turn_to(0);
    if (!radius)
      return std::nullopt;
    for (size_t i = 0; i < data->size(); ++i)
      results[process].push_back({(*data)[i], (*radius)[i]});
  }
  even_out(results);
  return results;
}

std::optional<Terms> Builder::add_async(OpKind kind,
                                        ops::OpAttributes attributes,
                                        const Terms &operands,
                                        std::vector<Type> declared,
                                        std::vector<graph::Block> regions) {
  auto types = types_of(kind, attributes, operands, declared, regions);
  if (!types)
    return std::nullopt;
  auto results =
      computed({kind, attributes, {}, regions, {}, *types}, operands);
  if (!results)
    return std::nullopt;
  graph::Block body;
  std::vector<graph::Value> inner;
  for (const Term &operand : operands) {
    body.arguments.push_back(graph::Node::make_parameter(operand.value.type()));
    inner.push_back({body.arguments.back(), 0});
  }
  body.nodes.push_back(graph::Node::make_op(kind, std::move(attributes), inner,
                                            *types, std::move(regions)));
  for (uint32_t i = 0; i < types->size(); ++i)
    body.results.push_back({body.nodes[0], i});
  Terms future =
      record(graph::Node::make_op(OpKind::AsyncStart, {}, values_of(operands),
                                  {Type::future(*types)}, {body}),
             {});
  return record(
      graph::Node::make_op(OpKind::AsyncDone, {}, {future[0].value}, *types),
      *results);
}

std::optional<Term> Builder::through_tuple(const Terms &values, size_t index) {
  std::vector<Type> types;
  std::vector<graph::Value> operands;
  for (const Term &value : values) {
    types.push_back(value.value.type());
    operands.push_back(value.value);
  }
  Terms tuple = record(
      graph::Node::make_op(OpKind::Tuple, {}, operands, {Type::tuple(types)}),
      {});
  ops::GetTupleElementAttributes attributes;
  attributes.index = static_cast<int32_t>(index);
  auto element = graph::Node::make_op(OpKind::GetTupleElement, attributes,
                                      {tuple[0].value}, {types[index]});
  ByProcess results;
  for (size_t process = 0; process < processes() && !blind(); ++process)
    results.push_back({values[index].on(process)});
  return record(element, results)[0];
}

std::optional<graph::Block> Builder::region(
    const std::vector<Type> &arguments, bool isolated,
    const std::function<std::optional<Terms>(const Terms &)> &body) {
  graph::Block block;
  Terms terms;
  for (const Type &type : arguments) {
    block.arguments.push_back(graph::Node::make_parameter(type));
    terms.push_back({{block.arguments.back(), 0}, {}});
  }
  scopes_.push_back({terms, &block, isolated});
  std::optional<Terms> results = body(terms);
  scopes_.pop_back();
  if (!results)
    return std::nullopt;
  for (const Term &result : *results)
    block.results.push_back(result.value);
  return block;
}

std::optional<graph::FunctionRef> Builder::function(
    const std::vector<Type> &arguments,
    const std::function<std::optional<Terms>(const Terms &)> &body) {
  std::optional<graph::Block> block = region(arguments, true, body);
  if (!block)
    return std::nullopt;
  auto made = std::make_shared<graph::Function>();
  made->name = "part" + std::to_string(functions_++);
  made->is_public = false;
  made->body = std::move(*block);
  return made;
}

std::optional<Terms> Builder::call(const graph::FunctionRef &callee,
                                   const Terms &operands) {
  std::vector<graph::Value> values;
  for (const Term &operand : operands) {
    values.push_back(operand.value);
    if (!operand.checked.exact())
      return std::nullopt;
  }
  graph::NodeRef node = graph::Node::make_call(callee, values);
  ByProcess results;
  for (size_t process = 0; process < processes() && !blind(); ++process) {
    std::vector<graph::Value> known, roots;
    for (const Term &operand : operands)
      known.push_back(parameter_of(operand.on(process).data));
    graph::NodeRef wide_copy = graph::Node::make_call(callee, known);
    for (uint32_t i = 0; i < wide_copy->types().size(); ++i)
      roots.push_back({wide_copy, i});
    Result<std::vector<host::Literal>> data = host::evaluate(roots);
    if (!data)
      return std::nullopt;
    std::vector<Checked> &own = results.emplace_back();
    for (host::Literal &one : *data)
      own.push_back({std::move(one), {}});
  }
  return record(node, results);
}

} // namespace xlac::fuzz
