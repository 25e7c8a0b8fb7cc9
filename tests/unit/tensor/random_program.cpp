#include "random_program.h"

#include "xlac/tensor/access.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <sstream>

namespace xlac::random_programs {

using dispatch::Argument;

//===- Execution ----------------------------------------------------------===//

namespace {

template <class F> void for_each_ref(const Step &step, F visit) {
  for (const Operand &operand : step.operands) {
    if (auto *ref = std::get_if<Ref>(&operand))
      visit(*ref);
    else if (auto *list = std::get_if<std::vector<Ref>>(&operand))
      for (Ref each : *list)
        visit(each);
  }
}

bool has_operands(const Step &step, const Pool &pool) {
  bool all = true;
  for_each_ref(step, [&](Ref ref) { all &= pool.contains(ref.id); });
  return all;
}

Ref first_ref(const Step &step) { return std::get<Ref>(step.operands[0]); }

dispatch::Call call_of(const Step &step, Device device, const Pool &pool) {
  dispatch::Call call;
  call.name = step.name;
  call.device = device;
  for (const Operand &operand : step.operands) {
    if (auto *ref = std::get_if<Ref>(&operand)) {
      call.positional.emplace_back(pool.at(ref->id));
    } else if (auto *list = std::get_if<std::vector<Ref>>(&operand)) {
      std::vector<Tensor> tensors;
      for (Ref each : *list)
        tensors.push_back(pool.at(each.id));
      call.positional.emplace_back(std::move(tensors));
    } else {
      call.positional.push_back(std::get<Argument>(operand));
    }
  }
  return call;
}

Tensor make(const Input &input, Device device) {
  return from_data(input.values.data(), input.sizes, dtype(input.dtype))
      .to(device);
}

} // namespace

void run_step(const Step &step, Device device, Pool &pool) {
  switch (step.action) {
  case Action::Sync:
    if (device.type == kXLA)
      xlac::sync();
    return;
  case Action::Read:
    pool.at(first_ref(step).id).to_vector<double>();
    return;
  case Action::Drop:
    pool.erase(first_ref(step).id);
    return;
  case Action::Call:
  case Action::InPlace:
    break;
  }
  dispatch::Call call = call_of(step, device, pool);
  dispatch::Binding binding = dispatch::bind(call);
  if (step.action == Action::InPlace) {
    binding.entry->in_place(binding.slots);
    return;
  }
  dispatch::Results results = binding.entry->call(binding.slots);
  for (size_t i = 0; i < step.results.size(); ++i)
    pool[step.results[i]] = results.at(i);
}

Pool run(const Program &program, Device device) {
  Pool pool;
  for (const Input &input : program.inputs)
    pool[input.id] = make(input, device);
  for (const Step &step : program.steps)
    if (has_operands(step, pool))
      run_step(step, device, pool);
  return pool;
}

//===- Generation ---------------------------------------------------------===//

namespace {

/// Returns the largest magnitude in tensors of programs of this kind.
double bound_of(Kind kind, Dtype dtype) {
  if (kind == Kind::Smooth)
    return 4;
  switch (dtype) {
  case kBFloat16:
    return 128;
  case kFloat16:
    return 1024;
  case kFloat32:
    return 1 << 20;
  default:
    return 1 << 30;
  }
}

bool is_within_bounds(Kind kind, const Tensor &tensor) {
  if (tensor.numel() > 256)
    return false;
  for (double x : tensor.to_vector<double>())
    if (!(std::fabs(x) <= bound_of(kind, tensor.dtype())))
      return false;
  return true;
}

/// Whether the step works and leaves only values within bounds. Writes are
/// tried on copies.
bool is_fit(const Step &step, Kind kind, const Pool &pool, size_t &results) {
  Device cpu(kCPU);
  try {
    dispatch::Call call = call_of(step, cpu, pool);
    bool writes = step.action == Action::InPlace || step.name.ends_with('_');
    if (writes) {
      // Tried on a copy. A view that shows an element twice cannot be written
      // to.
      Tensor self = std::get<Tensor>(call.positional[0]);
      Shape sizes = self.sizes(), strides = self.strides();
      for (size_t i = 0; i < sizes.size(); ++i)
        if (strides[i] == 0 && sizes[i] > 1)
          return false;
      call.positional[0] = self.clone();
    }
    dispatch::Binding binding = dispatch::bind(call);
    bool in_place = step.action == Action::InPlace;
    if (in_place && !binding.entry->in_place)
      return false;
    dispatch::Results made = in_place ? binding.entry->in_place(binding.slots)
                                      : binding.entry->call(binding.slots);
    results = writes ? 0 : made.size();
    for (const Tensor &each : made)
      if (!is_within_bounds(kind, each))
        return false;
    return true;
  } catch (const Error &) {
    return false;
  } catch (const std::invalid_argument &) {
    return false; // no overload for these operands
  }
}

Input random_input(Dice &dice, Kind kind, int id) {
  static constexpr Dtype kDtypes[] = {kFloat32, kFloat32, kFloat64, kInt64,
                                      kInt32,   kBool,    kBFloat16};
  Input input;
  input.id = id;
  input.dtype =
      kind == Kind::Smooth ? kFloat64 : kDtypes[dice.below(std::size(kDtypes))];
  int64_t count = 1;
  for (auto rank = dice.between(0, 3); rank > 0; --rank) {
    input.sizes.push_back(dice.between(1, 4));
    count *= input.sizes.back();
  }
  for (int64_t i = 0; i < count; ++i)
    input.values.push_back(
        input.dtype == kBool   ? static_cast<double>(dice.below(2))
        : kind == Kind::Smooth ? static_cast<double>(dice.between(-90, 90)) / 64
                               : static_cast<double>(dice.between(-4, 4)));
  return input;
}

} // namespace

Program generate(uint64_t seed, size_t length) {
  Dice dice(seed);
  Program program;
  program.kind = dice.chance(3) ? Kind::Smooth : Kind::Exact;
  int next = 0;
  Pool pool;
  for (int i = 0; i < 5; ++i) {
    program.inputs.push_back(random_input(dice, program.kind, next++));
    pool[program.inputs.back().id] = make(program.inputs.back(), Device(kCPU));
  }
  for (size_t tries = 0; program.steps.size() < length && tries < 50 * length;
       ++tries) {
    auto step = random_step(dice, program.kind, pool);
    if (!step)
      continue;
    bool calls =
        step->action == Action::Call || step->action == Action::InPlace;
    size_t results = 0;
    if (calls && !is_fit(*step, program.kind, pool, results))
      continue;
    for (size_t i = 0; i < results; ++i)
      step->results.push_back(next++);
    run_step(*step, Device(kCPU), pool);
    program.steps.push_back(std::move(*step));
  }
  return program;
}

//===- Comparison ---------------------------------------------------------===//

std::string difference(const Program &program, const Pool &a, const Pool &b) {
  for (const auto &[id, x] : a) {
    auto other = b.find(id);
    if (other == b.end())
      return "t" + std::to_string(id) + " is not there";
    const Tensor &y = other->second;
    std::string name = "t" + std::to_string(id);
    if (x.dtype() != y.dtype() || x.sizes() != y.sizes())
      return name + " has another dtype or shape";
    std::vector<double> p = x.to_vector<double>(), q = y.to_vector<double>();
    for (size_t i = 0; i < p.size(); ++i) {
      double allowed = program.kind == Kind::Exact ? 0 : 1e-6;
      if (!(std::fabs(p[i] - q[i]) <= allowed)) {
        std::ostringstream text;
        text << name << "[" << i << "] is " << p[i] << " and " << q[i];
        return text.str();
      }
    }
  }
  return "";
}

//===- Printing and shrinking ---------------------------------------------===//

namespace {

std::string text_of(const std::vector<int64_t> &list) {
  std::string text;
  for (int64_t x : list)
    text += (text.empty() ? "" : ", ") + std::to_string(x);
  return "{" + text + "}";
}

std::string text_of(const Operand &operand) {
  if (auto *ref = std::get_if<Ref>(&operand))
    return "t" + std::to_string(ref->id);
  if (auto *list = std::get_if<std::vector<Ref>>(&operand)) {
    std::string text;
    for (Ref each : *list)
      text += (text.empty() ? "t" : ", t") + std::to_string(each.id);
    return "{" + text + "}";
  }
  const auto &argument = std::get<Argument>(operand);
  if (auto *list = std::get_if<std::vector<int64_t>>(&argument))
    return text_of(*list);
  if (auto *flag = std::get_if<bool>(&argument))
    return *flag ? "true" : "false";
  return std::to_string(std::get<int64_t>(argument));
}

std::string text_of(const Step &step) {
  if (step.action == Action::Sync)
    return "xlac::sync();";
  if (step.action == Action::Read)
    return text_of(step.operands[0]) + ".to_vector<double>();";
  if (step.action == Action::Drop)
    return text_of(step.operands[0]) + " = Tensor();";
  std::string text;
  for (int id : step.results)
    text += (text.empty() ? "t" : ", t") + std::to_string(id);
  if (step.results.size() > 1)
    text = "auto [" + text + "]";
  if (!text.empty())
    text = (step.results.size() == 1 ? "Tensor " : "") + text + " = ";
  size_t begin = 0;
  if (step.action == Action::InPlace) {
    text += text_of(step.operands[0]) + ".";
    begin = 1;
  }
  text += step.name + (begin ? "_(" : "(");
  for (size_t i = begin; i < step.operands.size(); ++i)
    text += (i > begin ? ", " : "") + text_of(step.operands[i]);
  return text + ");";
}

} // namespace

std::string Program::str() const {
  std::ostringstream text;
  for (const Input &input : inputs) {
    text << "Tensor t" << input.id << " = tensor({";
    for (size_t i = 0; i < input.values.size(); ++i)
      text << (i ? ", " : "") << input.values[i];
    text << "}, dtype " << name(input.dtype) << ").view("
         << text_of(input.sizes) << ");\n";
  }
  for (const Step &step : steps)
    text << text_of(step) << "\n";
  return text.str();
}

Program shrink(Program program,
               const std::function<bool(const Program &)> &fails) {
  for (size_t chunk = program.steps.size() / 2; chunk > 0; chunk /= 2) {
    for (size_t begin = 0; begin < program.steps.size();) {
      Program shorter = program;
      auto first = shorter.steps.begin() + static_cast<long>(begin);
      auto last =
          shorter.steps.begin() +
          static_cast<long>(std::min(begin + chunk, program.steps.size()));
      shorter.steps.erase(first, last);
      if (fails(shorter))
        program = std::move(shorter);
      else
        begin += chunk;
    }
  }
  for (size_t i = program.inputs.size(); i-- > 0;) {
    Program shorter = program;
    shorter.inputs.erase(shorter.inputs.begin() + static_cast<long>(i));
    if (fails(shorter))
      program = std::move(shorter);
  }
  // Removes steps with missing operands, since they are not run.
  std::set<int> there;
  for (const Input &input : program.inputs)
    there.insert(input.id);
  std::erase_if(program.steps, [&](const Step &step) {
    bool runs = true;
    for_each_ref(step, [&](Ref ref) { runs &= there.contains(ref.id); });
    if (runs)
      there.insert(step.results.begin(), step.results.end());
    return !runs;
  });
  return program;
}

} // namespace xlac::random_programs
