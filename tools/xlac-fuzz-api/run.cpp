// Execution of programs on a device, and their outcomes.
#include "program.h"

#include <cmath>
#include <sstream>

namespace xlac::fuzz_api {

void set_inline_checkpoints(bool on);

namespace {

/// Sets the modes of one run during its lifetime.
class ModeGuard {
public:
  explicit ModeGuard(const Mode &mode) : eager_(mode.eager) {
    set_inline_checkpoints(mode.inline_checkpoints);
  }
  ~ModeGuard() { set_inline_checkpoints(false); }

private:
  experimental::EagerModeGuard eager_;
};

bool is_xla(const Mode &mode) { return mode.device.type == kXLA; }

std::vector<double> reals_of(const Tensor &tensor) {
  if (!tensor.is_complex())
    return tensor.detach().to_vector<double>();
  std::vector<double> reals;
  for (std::complex<double> x :
       tensor.detach().to_vector<std::complex<double>>()) {
    reals.push_back(x.real());
    reals.push_back(x.imag());
  }
  return reals;
}

/// Shards the first dimension that is divisible by the number of devices.
void shard(const Tensor &tensor) {
  static const auto devices = runtime::global_runtime_device_count();
  Shape sizes = tensor.sizes();
  std::vector<int64_t> ids(static_cast<size_t>(devices));
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<int64_t>(i);
  spmd::Mesh mesh(ids, {devices}, {"x"});
  if (sizes.size() == 1)
    spmd::mark_sharding(tensor, mesh, {"x"});
  else if (sizes.size() == 2)
    spmd::mark_sharding(tensor, mesh, {None, "x"});
  else if (sizes.size() == 3)
    spmd::mark_sharding(tensor, mesh, {"x", None, None});
}

Arguments arguments_of(const Step &step, const Pool &pool) {
  Arguments arguments;
  for (int id : step.tensors)
    arguments.t.push_back(pool.at(id));
  arguments.n = step.numbers;
  return arguments;
}

bool has_operands(const Step &step, const Pool &pool) {
  for (int id : step.tensors)
    if (!pool.contains(id))
      return false;
  return true;
}

void add_gradients(const Program &program, const Pool &pool, Outcome &outcome) {
  auto [leaves, ids] = leaves_of(program, pool);
  Tensor loss = loss_of(pool);
  if (leaves.empty() || !loss.defined())
    return;
  std::vector<Tensor> grads =
      autograd::grad({loss}, leaves, {}, {}, program.second, true);
  Pool first;
  for (size_t i = 0; i < leaves.size(); ++i)
    if (grads[i].defined()) {
      first[ids[i]] = grads[i];
      outcome.gradients[ids[i]] = reals_of(grads[i]);
    }
  if (!program.second)
    return;
  Tensor again = loss_of(first);
  if (!again.defined())
    return;
  grads = autograd::grad({again}, leaves, {}, {}, false, true);
  for (size_t i = 0; i < leaves.size(); ++i)
    if (grads[i].defined())
      outcome.second[ids[i]] = reals_of(grads[i]);
}

} // namespace

Leaves leaves_of(const Program &program, const Pool &pool) {
  Leaves leaves;
  for (const Input &input : program.inputs)
    if (input.leaf && pool.contains(input.id)) {
      leaves.tensors.push_back(pool.at(input.id));
      leaves.ids.push_back(input.id);
    }
  return leaves;
}

Tensor make(const Input &input, const Mode &mode) {
  bool pairs = input.dtype == kComplex64 || input.dtype == kComplex128;
  Shape sizes = input.sizes;
  if (pairs)
    sizes.push_back(2);
  Tensor given = from_data(input.values.data(), sizes, kFloat64);
  Tensor made = (pairs ? view_as_complex(given.clone()) : given)
                    .to(input.dtype)
                    .to(mode.device);
  if (mode.device.type == kCPU)
    made = made.clone();
  if (mode.sharded && !(mode.automatic && input.id % 2 == 0))
    shard(made);
  if (input.leaf)
    made.requires_grad_();
  return made;
}

void run_step(const Step &step, size_t number, const Mode &mode, Pool &pool,
              const RunOptions &options) {
  if (step.op == "sync") {
    if (is_xla(mode))
      xlac::sync();
    return;
  }
  if (step.op == "read") {
    reals_of(pool.at(step.tensors[0]));
    return;
  }
  if (step.op == "drop") {
    pool.erase(step.tensors[0]);
    return;
  }
  const Op &op = *find_op(step.op);
  bool is_constant = op.freezes || step.no_grad;
  AutoGradMode guard(is_grad_enabled() && !step.no_grad);
  if (is_constant && options.replay && options.replay->contains(number)) {
    const Tensor &kept = options.replay->at(number);
    if (op.writes)
      pool.at(step.tensors[0]).copy_(kept);
    else
      pool[step.result] = kept.clone();
    return;
  }
  Tensor made = op.call(arguments_of(step, pool));
  if (!op.writes)
    pool[step.result] = made;
  if (is_constant && options.record)
    (*options.record)[number] =
        (op.writes ? pool.at(step.tensors[0]) : made).detach().clone();
}

Pool run(const Program &program, const Mode &mode, const RunOptions &options) {
  ModeGuard guard(mode);
  manual_seed(static_cast<int64_t>(program.seed));
  Pool pool;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    Input input = program.inputs[i];
    if (options.moved && options.moved->first == i)
      input.values = options.moved->second;
    pool[input.id] = make(input, mode);
  }
  for (size_t i = 0; i < program.steps.size(); ++i)
    if (has_operands(program.steps[i], pool))
      run_step(program.steps[i], i, mode, pool, options);
  return pool;
}

/// Returns the weights of a tensor's elements; for complex ones also those of
/// imaginary parts.
static Tensor weights_of(const Tensor &tensor, int id) {
  std::vector<double> weights;
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    weights.push_back(static_cast<double>((37 * i + 11 * id) % 17 - 7) / 8);
    if (tensor.is_complex())
      weights.push_back(static_cast<double>((29 * i + 7 * id) % 13 - 6) / 8);
  }
  Shape sizes = tensor.sizes();
  if (tensor.is_complex())
    sizes.push_back(2);
  Tensor w = from_data(weights.data(), sizes, kFloat64).clone();
  return (tensor.is_complex() ? view_as_complex(w) : w)
      .to(tensor.dtype())
      .to(tensor.device());
}

Tensor loss_of(const Pool &pool) {
  Tensor total;
  for (const auto &[id, tensor] : pool) {
    if (!tensor.requires_grad())
      continue;
    Tensor part = (tensor * weights_of(tensor, id)).sum();
    part = (tensor.is_complex() ? xlac::real(part) : part).to(kFloat64);
    total = total.defined() ? total + part : part;
  }
  return total;
}

Outcome outcome_of(const Program &program, const Mode &mode) {
  Outcome outcome;
  try {
    Pool pool = run(program, mode);
    ModeGuard guard(mode);
    for (const auto &[id, tensor] : pool) {
      std::ostringstream type;
      type << tensor.dtype() << tensor.sizes()
           << (tensor.requires_grad() ? " with gradient" : "");
      outcome.types[id] = type.str();
    }
    if (program.kind != Kind::Values)
      add_gradients(program, pool, outcome);
    for (const auto &[id, tensor] : pool)
      outcome.values[id] = reals_of(tensor);
  } catch (const Error &error) {
    outcome.error = error.what();
  }
  return outcome;
}

} // namespace xlac::fuzz_api
