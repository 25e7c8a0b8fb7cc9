// Evaluates programs. A value is freed after its last use.
#include "xlac/host/evaluate.h"

#include "evaluator.h"
#include "op_context.h"

#include "xlac/ops/infer.h"

#include <algorithm>

namespace xlac::host {

using graph::Node;
using graph::NodeKind;
using ops::OpKind;

namespace {

using Family = Result<Literals> (*)(OpContext &);

/// The function that evaluates `op`, or null.
Family family_of(OpKind op) {
  if (is_elementwise(op))
    return evaluate_elementwise;
  if (without_broadcasting(op))
    return evaluate_broadcasting;
  switch (op) {
  case OpKind::Map:
    return evaluate_elementwise;
  case OpKind::UniformQuantize:
  case OpKind::UniformDequantize:
    return evaluate_quantization;
  case OpKind::Reduce:
    return evaluate_reduction;
  case OpKind::ReduceWindow:
  case OpKind::SelectAndScatter:
    return evaluate_window;
  case OpKind::DotGeneral:
  case OpKind::Dot:
  case OpKind::Convolution:
  case OpKind::DynamicConv:
    return evaluate_contraction;
  case OpKind::Einsum:
  case OpKind::UnaryEinsum:
  case OpKind::ChloRaggedDot:
    return evaluate_einsum;
  case OpKind::ChloScan:
    return evaluate_scan;
  case OpKind::CustomCall:
    return can_run_custom_calls() ? evaluate_custom_call : nullptr;
  case OpKind::Gather:
  case OpKind::DynamicGather:
  case OpKind::TorchIndexSelect:
    return evaluate_gather;
  case OpKind::Scatter:
    return evaluate_scatter;
  case OpKind::Sort:
  case OpKind::ChloTopK:
    return evaluate_sort;
  case OpKind::Cholesky:
  case OpKind::TriangularSolve:
  case OpKind::Fft:
    return evaluate_linear_algebra;
  case OpKind::BatchNormInference:
  case OpKind::BatchNormTraining:
  case OpKind::BatchNormGrad:
    return evaluate_batch_norm;
  case OpKind::BitcastConvert:
  case OpKind::Rng:
  case OpKind::RngBitGenerator:
    return evaluate_bits;
  case OpKind::Constant:
  case OpKind::ChloConstant:
  case OpKind::ChloConstantLike:
  case OpKind::Reshape:
  case OpKind::DynamicReshape:
  case OpKind::BroadcastInDim:
  case OpKind::DynamicBroadcastInDim:
  case OpKind::Broadcast:
  case OpKind::Transpose:
  case OpKind::Slice:
  case OpKind::RealDynamicSlice:
  case OpKind::DynamicSlice:
  case OpKind::DynamicUpdateSlice:
  case OpKind::Reverse:
  case OpKind::Concatenate:
  case OpKind::Pad:
  case OpKind::DynamicPad:
  case OpKind::Iota:
  case OpKind::DynamicIota:
  case OpKind::GetDimensionSize:
  case OpKind::SetDimensionSize:
    return evaluate_movement;
  default:
    return nullptr;
  }
}

bool is_structural(OpKind op) {
  switch (op) {
  case OpKind::While:
  case OpKind::If:
  case OpKind::Case:
  case OpKind::Composite:
  case OpKind::Tuple:
  case OpKind::GetTupleElement:
  case OpKind::OptimizationBarrier:
  case OpKind::AfterAll:
  case OpKind::CreateToken:
    return true;
  default:
    return false;
  }
}

bool is_quantized(const Type &type) {
  return type.is_tensor() && type.tensor().quantization;
}

/// Whether `node` has no quantized tensors or takes their elements unchanged.
bool hands_on(const Node &node) {
  if (node.op() == OpKind::Constant || node.op() == OpKind::BitcastConvert)
    return true;
  std::span<const Type> types = node.types();
  std::span<const graph::Value> operands = node.operands();
  return std::none_of(types.begin(), types.end(), is_quantized) &&
         std::none_of(operands.begin(), operands.end(),
                      [](const graph::Value &operand) {
                        return is_quantized(operand.type());
                      });
}

Failure at(const Node &node, Failure failure) {
  if (failure.message.find(node.name()) != 0)
    failure.message = node.name() + ": " + failure.message;
  return failure;
}

} // namespace

//===- Environment --------------------------------------------------------===//

const Datum *Environment::find(const graph::Value &value) const {
  for (const Environment *e = this; e; e = e->parent_) {
    auto found = e->values_.find(value.node.get());
    if (found != e->values_.end())
      return &found->second[value.number];
  }
  return nullptr;
}

void Environment::count_uses(const graph::Block &block) {
  for (const graph::NodeRef &node : block.nodes) {
    for (const graph::Value &operand : node->operands())
      ++uses_[operand.node.get()];
    for (const Node *captured : graph::captures(*node))
      ++uses_[captured];
  }
  for (const graph::Value &result : block.results)
    ++uses_[result.node.get()];
}

void Environment::drop_uses(const Node &node) {
  auto drop = [&](const Node *used) {
    auto found = uses_.find(used);
    if (found != uses_.end() && --found->second == 0)
      values_.erase(used);
  };
  for (const graph::Value &operand : node.operands())
    drop(operand.node.get());
  for (const Node *captured : graph::captures(node))
    drop(captured);
}

//===- Blocks -------------------------------------------------------------===//

Result<std::vector<Datum>> Evaluator::run_block(const graph::Block &block,
                                                std::vector<Datum> arguments,
                                                const Environment *outer) {
  Environment environment(outer);
  environment.count_uses(block);
  if (arguments.size() != block.arguments.size())
    return failure(FailureKind::User,
                   "got " + std::to_string(arguments.size()) +
                       " arguments, wanted " +
                       std::to_string(block.arguments.size()));
  for (size_t i = 0; i < arguments.size(); ++i)
    environment.set(block.arguments[i].get(), {std::move(arguments[i])});
  for (const graph::NodeRef &node : block.nodes) {
    Result<std::vector<Datum>> values = run_node(*node, environment);
    if (!values)
      return values;
    environment.set(node.get(), std::move(*values));
    environment.drop_uses(*node);
  }
  std::vector<Datum> results;
  for (const graph::Value &result : block.results) {
    const Datum *datum = environment.find(result);
    if (!datum)
      return failure(FailureKind::Internal, "a result was not computed");
    results.push_back(*datum);
  }
  return results;
}

Result<std::vector<Datum>> Evaluator::run_node(const Node &node,
                                               Environment &environment) {
  std::vector<Datum> operands;
  for (const graph::Value &operand : node.operands()) {
    const Datum *datum = environment.find(operand);
    if (!datum)
      return failure(FailureKind::Internal,
                     node.name() + ": an operand was not computed");
    operands.push_back(*datum);
  }
  if (node.kind() == NodeKind::Call)
    return run_block(node.callees()[0]->body, std::move(operands), nullptr);
  if (node.kind() != NodeKind::Op)
    return failure(FailureKind::Unsupported,
                   node.name() + ": cannot be evaluated on the host");
  if (is_structural(node.op()))
    return run_structural(node, std::move(operands), environment);
  Family family = family_of(node.op());
  if (!family)
    return failure(FailureKind::Unsupported,
                   node.name() + ": cannot be evaluated on the host");
  Literals literals;
  for (Datum &operand : operands)
    literals.push_back(std::move(operand.literal));
  Result<std::vector<TensorType>> types = result_types(node, literals);
  if (!types)
    return at(node, types.error());
  Result<Literals> values =
      hands_on(node) ? run_family(node, literals, *types, environment)
                     : run_expressed(node, literals, *types, environment);
  if (!values)
    return at(node, values.error());
  std::vector<Datum> data;
  for (Literal &value : *values)
    data.push_back({std::move(value), {}});
  return data;
}

Result<Literals> Evaluator::run_family(const Node &node,
                                       const Literals &operands,
                                       std::vector<TensorType> types,
                                       Environment &environment) {
  Regions regions(*this, &environment);
  OpContext context{node, operands, std::move(types), regions};
  return family_of(node.op())(context);
}

/// Dequantizes quantized operands and quantizes the results, as the
/// specification defines most ops on quantized tensors.
Result<Literals> Evaluator::run_expressed(const Node &node, Literals operands,
                                          std::vector<TensorType> types,
                                          Environment &environment) {
  if (!node.regions().empty())
    return failure(FailureKind::Unsupported, "on quantized tensors");
  for (Literal &operand : operands) {
    if (!operand.type().quantization)
      continue;
    Result<Literal> wide = dequantized(operand);
    if (!wide)
      return wide.error();
    operand = std::move(*wide);
  }
  std::vector<TensorType> expressed = types;
  for (TensorType &type : expressed)
    if (type.quantization)
      type = {type.quantization->expressed_type, type.dims, {}, {}};
  Result<Literals> values = run_family(node, operands, expressed, environment);
  for (size_t i = 0; values && i < types.size(); ++i) {
    if (!types[i].quantization)
      continue;
    Result<Literal> narrow = quantized((*values)[i], types[i]);
    if (!narrow)
      return narrow.error();
    (*values)[i] = std::move(*narrow);
  }
  return values;
}

Result<std::vector<TensorType>>
Evaluator::result_types(const Node &node, const Literals &operands) {
  std::vector<TensorType> types;
  bool known = true;
  for (const Type &type : node.types()) {
    if (!type.is_tensor())
      return failure(FailureKind::Unsupported, "gives " + to_string(type));
    known &= type.tensor().is_static();
    types.push_back(type.tensor());
  }
  if (known)
    return types;
  return infer_types(node, operands);
}

//===- Control flow -------------------------------------------------------===//

Result<std::vector<Datum>>
Evaluator::run_structural(const Node &node, std::vector<Datum> operands,
                          Environment &environment) {
  switch (node.op()) {
  case OpKind::While:
    return run_while(node, std::move(operands), environment);
  case OpKind::If: {
    size_t branch = as_integer(operands[0].literal) != 0 ? 0 : 1;
    return run_block(node.regions()[branch], {}, &environment);
  }
  case OpKind::Case: {
    int64_t last = static_cast<int64_t>(node.regions().size()) - 1;
    int64_t branch = as_integer(operands[0].literal);
    if (branch < 0 || branch > last)
      branch = last;
    return run_block(node.regions()[branch], {}, &environment);
  }
  case OpKind::Composite:
    if (node.callees().empty())
      return failure(FailureKind::Unsupported,
                     "stablehlo.composite: has no decomposition");
    return run_block(node.callees()[0]->body, std::move(operands), nullptr);
  case OpKind::Tuple:
    return std::vector<Datum>{{{}, std::move(operands)}};
  case OpKind::GetTupleElement: {
    auto index = node.attributes().get<ops::GetTupleElementAttributes>().index;
    return std::vector<Datum>{operands[0].elements[index]};
  }
  case OpKind::OptimizationBarrier:
    return operands;
  default:
    return std::vector<Datum>{Datum{}};
  }
}

Result<std::vector<Datum>> Evaluator::run_while(const Node &node,
                                                std::vector<Datum> values,
                                                Environment &environment) {
  for (;;) {
    Result<std::vector<Datum>> condition =
        run_block(node.regions()[0], values, &environment);
    if (!condition)
      return condition;
    if (as_integer((*condition)[0].literal) == 0)
      return values;
    Result<std::vector<Datum>> next =
        run_block(node.regions()[1], std::move(values), &environment);
    if (!next)
      return next;
    values = std::move(*next);
  }
}

//===- Regions over scalars -----------------------------------------------===//

Result<std::vector<Datum>>
Evaluator::Regions::run(const graph::Block &block,
                        std::vector<Datum> arguments) {
  return evaluator_.run_block(block, std::move(arguments), outer_);
}

static bool is_scalar(const Node &node) {
  return std::all_of(node.types().begin(), node.types().end(),
                     [](const Type &type) {
                       return type.is_tensor() && type.tensor().dims.empty();
                     });
}

/// Whether every op of `block` acts elementwise, so that it can run on arrays.
static bool can_lift(const graph::Block &block) {
  return std::all_of(
      block.nodes.begin(), block.nodes.end(), [](const graph::NodeRef &node) {
        if (node->kind() != NodeKind::Op || !is_scalar(*node))
          return false;
        if (is_elementwise(node->op()) || node->op() == OpKind::Constant)
          return true;
        return (node->op() == OpKind::Reshape ||
                node->op() == OpKind::BroadcastInDim) &&
               node->operands()[0].tensor().dims.empty();
      });
}

Result<Literals> Evaluator::Regions::run_lifted(const graph::Block &block,
                                                const Literals &arguments,
                                                int64_t count) {
  if (count != 1 && !can_lift(block))
    return run_each(block, arguments, count);
  Environment environment(outer_);
  for (size_t i = 0; i < block.arguments.size(); ++i)
    environment.set(block.arguments[i].get(), {{arguments[i], {}}});
  for (const graph::NodeRef &node : block.nodes) {
    Result<std::vector<Datum>> values =
        count == 1 ? evaluator_.run_node(*node, environment)
                   : run_lifted_node(*node, environment);
    if (!values)
      return values.error();
    environment.set(node.get(), std::move(*values));
  }
  Literals results;
  for (const graph::Value &result : block.results) {
    const Datum *datum = environment.find(result);
    if (!datum)
      return failure(FailureKind::Internal,
                     "a region's result was not computed");
    results.push_back(datum->literal);
  }
  return results;
}

Result<std::vector<Datum>>
Evaluator::Regions::run_lifted_node(const Node &node,
                                    Environment &environment) {
  Literals operands;
  int64_t count = 1;
  for (const graph::Value &operand : node.operands()) {
    const Datum *datum = environment.find(operand);
    if (!datum)
      return failure(FailureKind::Internal, "an operand was not computed");
    operands.push_back(datum->literal);
    if (datum->literal.count() != 1)
      count = datum->literal.count();
  }
  if (node.op() == OpKind::Reshape || node.op() == OpKind::BroadcastInDim)
    return std::vector<Datum>{{operands[0], {}}};
  TensorType type = node.types()[0].tensor();
  if (count != 1)
    type.dims = {count};
  OpContext context{node, operands, {type}, *this};
  Result<Literals> values = family_of(node.op())(context);
  if (!values)
    return at(node, values.error());
  return std::vector<Datum>{{(*values)[0], {}}};
}

Result<Literals> Evaluator::Regions::run_each(const graph::Block &block,
                                              const Literals &arguments,
                                              int64_t count) {
  Literals results;
  for (const graph::Value &result : block.results) {
    TensorType type = result.tensor();
    type.dims = {count};
    Result<Literal> to = Literal::allocate(type);
    if (!to)
      return to.error();
    results.push_back(std::move(*to));
  }
  for (int64_t k = 0; k < count; ++k) {
    Literals scalars;
    for (const Literal &argument : arguments)
      scalars.push_back(element(argument, argument.count() == 1 ? 0 : k));
    Result<Literals> values = run_lifted(block, scalars, 1);
    if (!values)
      return values;
    for (size_t i = 0; i < results.size(); ++i) {
      size_t size = byte_size(results[i].type().element);
      std::copy_n((*values)[i].data(), size,
                  results[i].mutable_data() + k * size);
    }
  }
  return results;
}

//===- Entry points -------------------------------------------------------===//

static Result<Literals> tensors_of(std::vector<Datum> data) {
  Literals literals;
  for (Datum &datum : data) {
    if (!datum.literal)
      return failure(FailureKind::Unsupported,
                     "a result of the program is not a tensor");
    literals.push_back(std::move(datum.literal));
  }
  return literals;
}

Result<std::vector<Literal>> evaluate(const graph::Program &program,
                                      std::span<const Literal> arguments) {
  const graph::Function *entry = program.entry_function();
  if (!entry)
    return failure(FailureKind::User,
                   "the program has no function @" + program.entry);
  std::vector<Datum> data;
  for (const Literal &argument : arguments)
    data.push_back({argument, {}});
  Evaluator evaluator;
  Result<std::vector<Datum>> results =
      evaluator.run_block(entry->body, std::move(data), nullptr);
  if (!results)
    return results.error();
  return tensors_of(std::move(*results));
}

Result<std::vector<Literal>> evaluate(std::span<const graph::Value> roots) {
  graph::Block block;
  std::vector<Datum> arguments;
  for (graph::NodeRef &node : graph::post_order(roots)) {
    if (node->kind() != NodeKind::Parameter) {
      block.nodes.push_back(std::move(node));
      continue;
    }
    auto *data = dynamic_cast<const HostData *>(node->data().get());
    if (!data)
      return failure(FailureKind::Internal, "a parameter has no host data");
    arguments.push_back({data->literal, {}});
    block.arguments.push_back(std::move(node));
  }
  block.results.assign(roots.begin(), roots.end());
  Evaluator evaluator;
  Result<std::vector<Datum>> results =
      evaluator.run_block(block, std::move(arguments), nullptr);
  if (!results)
    return results.error();
  return tensors_of(std::move(*results));
}

static bool can_evaluate(const graph::Block &block, std::string *missing) {
  for (const graph::NodeRef &node : block.nodes) {
    bool known = node->kind() == NodeKind::Call ||
                 (node->kind() == NodeKind::Op &&
                  (is_structural(node->op()) || family_of(node->op())));
    if (!known) {
      if (missing)
        *missing = node->name();
      return false;
    }
    for (const graph::Block &region : node->regions())
      if (!can_evaluate(region, missing))
        return false;
  }
  return true;
}

bool can_evaluate(const graph::Program &program, std::string *missing) {
  return std::all_of(program.functions.begin(), program.functions.end(),
                     [&](const graph::FunctionRef &function) {
                       return can_evaluate(function->body, missing);
                     });
}

} // namespace xlac::host
