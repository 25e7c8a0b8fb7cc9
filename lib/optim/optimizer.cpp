#include "xlac/optim/optimizer.h"

#include "number.h"
#include "state_layout.h"

#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <algorithm>

namespace xlac::optim {

using Kind = OptionDefault::Kind;

double &ParameterState::counter(std::string_view name, double start) {
  for (auto &[known, value] : counters)
    if (known == name)
      return value;
  return counters.emplace_back(name, start).second;
}

Optimizer::Optimizer(std::vector<ParamGroup> groups,
                     std::vector<OptionDefault> defaults)
    : defaults_(std::move(defaults)) {
  if (groups.empty())
    raise<ValueError>("optimizer got an empty parameter list");
  for (ParamGroup &group : groups)
    add_param_group(std::move(group));
}

Optimizer::~Optimizer() = default;

std::vector<Tensor> Optimizer::all_parameters() const {
  std::vector<Tensor> all;
  for (const ParamGroup &group : groups_)
    all.insert(all.end(), group.params.begin(), group.params.end());
  return all;
}

bool Optimizer::has_option(std::string_view name) const {
  return std::any_of(
      defaults_.begin(), defaults_.end(),
      [&](const OptionDefault &own) { return own.name == name; });
}

/// True for options that schedulers store in groups.
static bool is_of_schedulers(std::string_view name) {
  for (const char *own :
       {"initial_lr", "max_lr", "min_lr", "max_momentum", "base_momentum"})
    if (name == own)
      return true;
  return false;
}

void Optimizer::add_param_group(ParamGroup group) {
  XLAC_CALL("add_param_group");
  if (group.params.empty())
    raise<ValueError>("optimizer got an empty parameter list");
  std::vector<Tensor> known = all_parameters();
  for (const Tensor &parameter : group.params) {
    auto same = [&](const Tensor &other) { return other.is_same(parameter); };
    if (std::any_of(known.begin(), known.end(), same))
      raise<ValueError>("some parameters appear in more than one parameter "
                        "group");
    if (!parameter.is_leaf())
      raise<ValueError>("can't optimize a non-leaf Tensor");
    known.push_back(parameter);
  }
  for (const auto &[name, value] : group.options)
    if (!has_option(name) && !is_of_schedulers(name))
      raise<ValueError>("the optimizer has no option '" + name + "'");
  for (const OptionDefault &own : defaults_)
    group.options.emplace(own.name, own.value);
  groups_.push_back(std::move(group));
}

void Optimizer::zero_grad(bool set_to_none) {
  NoGradGuard guard;
  for (Tensor &parameter : all_parameters()) {
    if (set_to_none)
      parameter.set_grad({});
    else if (Tensor grad = parameter.grad(); grad.defined())
      grad.zero_();
  }
}

ParameterState &Optimizer::state_of(const Tensor &parameter) {
  return states_[parameter.id()];
}

std::optional<Tensor> Optimizer::evaluate(const StepArgs &args) {
  if (!args.closure)
    return std::nullopt;
  AutoGradMode following(true);
  return args.closure();
}

//===- Writing ------------------------------------------------------------===//

Value::Dict Optimizer::write_options(const ParamGroup &group) const {
  Value::Dict written;
  for (const OptionDefault &own : defaults_) {
    double value = group.options.at(own.name);
    switch (own.kind) {
    case Kind::Real:
      written.emplace_back(own.name, value);
      break;
    case Kind::Whole:
      written.emplace_back(own.name, static_cast<int64_t>(value));
      break;
    case Kind::Flag:
      written.emplace_back(own.name, value != 0);
      break;
    case Kind::First:
      written.emplace_back(own.text, Value::Tuple{{Value(value)}});
      break;
    case Kind::Second:
      written.back().second =
          Value::Tuple{{written.back().second.at(0), Value(value)}};
      break;
    case Kind::Choice:
      written.emplace_back(own.name, value != 0 ? Value(own.text) : Value());
      break;
    }
  }
  for (const auto &[name, value] : group.options)
    if (!has_option(name))
      written.emplace_back(name, value);
  return written;
}

Value::Dict Optimizer::write_states() const {
  Value::Dict states;
  int64_t number = -1;
  for (const Tensor &parameter : all_parameters()) {
    ++number;
    auto kept = states_.find(parameter.id());
    if (kept == states_.end() || kept->second.empty())
      continue;
    Value::Dict entries;
    for (const auto &[name, value] : kept->second.counters)
      entries.emplace_back(name,
                           tensor(value, TensorOptions(kFloat32).device(kCPU)));
    for (const auto &[name, tensor] : kept->second.tensors)
      entries.emplace_back(name, tensor);
    states.emplace_back(number, std::move(entries));
  }
  return states;
}

Value Optimizer::state_dict() const {
  XLAC_CALL("state_dict");
  Value::List groups;
  int64_t number = 0;
  for (const ParamGroup &group : groups_) {
    Value::Dict written = write_options(group);
    Value::List numbers;
    for (size_t i = 0; i < group.params.size(); ++i)
      numbers.emplace_back(number++);
    written.emplace_back("params", std::move(numbers));
    groups.emplace_back(std::move(written));
  }
  return Value::Dict{{"state", write_states()},
                     {"param_groups", std::move(groups)}};
}

//===- Reading ------------------------------------------------------------===//

/// The value of a string key; null without one.
static const Value *find(const Value::Dict &dict, std::string_view key) {
  for (const auto &[name, value] : dict)
    if (const auto *text = name.get_if<std::string>(); text && *text == key)
      return &value;
  return nullptr;
}

static double read_option(const OptionDefault &own, const Value &value) {
  switch (own.kind) {
  case Kind::First:
    return to_number(value.at(size_t{0}));
  case Kind::Second:
    return to_number(value.at(size_t{1}));
  case Kind::Choice:
    return value.is<std::string>() && value.to<std::string>() == own.text;
  default:
    return to_number(value);
  }
}

std::map<std::string, double>
Optimizer::read_options(const ParamGroup &group, const Value &written) const {
  std::map<std::string, double> options = group.options;
  auto entries = written.to<Value::Dict>();
  for (const OptionDefault &own : defaults_) {
    bool in_pair = own.kind == Kind::First || own.kind == Kind::Second;
    const std::string &key = in_pair ? own.text : own.name;
    if (const Value *value = find(entries, key))
      options[own.name] = read_option(own, *value);
    else if (own.kind != Kind::Flag)
      raise<KeyError>("a parameter group of the state dict has no '" + key +
                      "'");
  }
  for (const auto &[name, value] : entries)
    if (auto key = name.to<std::string>(); is_of_schedulers(key))
      options[key] = to_number(value);
  return options;
}

/// Returns the value in the form in which it is stored for `parameter`: a new
/// tensor on its device, with its dtype if both are floating and its layout.
static Tensor adapted(const Tensor &value, const Tensor &parameter) {
  Tensor own = value.detach().clone();
  if (parameter.is_floating_point() && own.is_floating_point())
    own = own.to(parameter.dtype());
  return laid_out_like(own.to(parameter.device()), parameter);
}

void Optimizer::read_states(const Value::Dict &states) {
  std::vector<Tensor> all = all_parameters();
  std::map<int64_t, ParameterState> read;
  for (const auto &[key, entries] : states) {
    auto number = key.to<int64_t>();
    if (number < 0 || number >= static_cast<int64_t>(all.size()))
      raise<ValueError>("loaded state dict has state of parameter " +
                        std::to_string(number) + ", which is not there");
    const Tensor &parameter = all[static_cast<size_t>(number)];
    ParameterState &state = read[parameter.id()];
    for (const auto &[name, value] : entries.to<Value::Dict>()) {
      auto key_text = name.to<std::string>();
      bool counts = key_text == "step" || key_text == "mu_product";
      if (counts)
        state.counter(key_text) = to_number(value);
      else if (!value.is<None_t>())
        state.tensors[key_text] = adapted(value.to<Tensor>(), parameter);
    }
  }
  states_ = std::move(read);
}

void Optimizer::load_state_dict(const Value &state) {
  XLAC_CALL("load_state_dict");
  NoGradGuard guard;
  auto groups = state.at("param_groups").to<Value::List>();
  if (groups.size() != groups_.size())
    raise<ValueError>("loaded state dict has a different number of parameter "
                      "groups");
  std::vector<std::map<std::string, double>> options;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].at("params").size() != groups_[i].params.size())
      raise<ValueError>("loaded state dict contains a parameter group that "
                        "doesn't match the size of optimizer's group");
    options.push_back(read_options(groups_[i], groups[i]));
  }
  read_states(state.at("state").to<Value::Dict>());
  for (size_t i = 0; i < groups_.size(); ++i)
    groups_[i].options = std::move(options[i]);
}

} // namespace xlac::optim
