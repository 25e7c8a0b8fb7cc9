#include "xlac/optim.h"

#include "xlac/lazy/errors.h"
#include "xlac/tensor/access.h"

#include <algorithm>

namespace xlac::optim {

using lazy::raise;

Optimizer::Optimizer(std::vector<ParamGroup> groups,
                     std::map<std::string, double> defaults)
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
    if (!defaults_.contains(name))
      raise<ValueError>("the optimizer has no option '" + name + "'");
  group.options.insert(defaults_.begin(), defaults_.end());
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

std::map<std::string, Tensor> &Optimizer::state_of(const Tensor &parameter) {
  return state_[parameter.id()];
}

std::optional<Tensor> Optimizer::evaluate(const StepArgs &args) {
  if (!args.closure)
    return std::nullopt;
  AutoGradMode following(true);
  return args.closure();
}

//===- State --------------------------------------------------------------===//

Value Optimizer::state_dict() const {
  Value::Dict state;
  Value::List groups;
  int64_t number = 0;
  for (const ParamGroup &group : groups_) {
    Value::Dict written;
    for (const auto &[name, value] : group.options)
      written.emplace_back(Value(name), Value(value));
    Value::List numbers;
    for (const Tensor &parameter : group.params) {
      if (auto kept = state_.find(parameter.id());
          kept != state_.end() && !kept->second.empty()) {
        Value::Dict entries;
        for (const auto &[name, tensor] : kept->second)
          entries.emplace_back(Value(name), Value(tensor));
        state.emplace_back(Value(number), Value(std::move(entries)));
      }
      numbers.push_back(Value(number++));
    }
    written.emplace_back(Value("params"), Value(std::move(numbers)));
    groups.push_back(Value(std::move(written)));
  }
  return Value(Value::Dict{{Value("state"), Value(std::move(state))},
                           {Value("param_groups"), Value(std::move(groups))}});
}

void Optimizer::load_state_dict(const Value &state) {
  XLAC_CALL("load_state_dict");
  NoGradGuard guard;
  auto groups = state.at("param_groups").to<Value::List>();
  if (groups.size() != groups_.size())
    raise<ValueError>("loaded state dict has a different number of parameter "
                      "groups");
  for (size_t i = 0; i < groups.size(); ++i)
    if (groups[i].at("params").size() != groups_[i].params.size())
      raise<ValueError>("loaded state dict contains a parameter group that "
                        "doesn't match the size of optimizer's group");
  std::vector<std::map<std::string, double>> options;
  for (size_t i = 0; i < groups.size(); ++i) {
    options.push_back(groups_[i].options);
    for (auto &[name, value] : options.back())
      value = groups[i].at(name).to<double>();
  }
  std::vector<Tensor> all = all_parameters();
  std::map<int64_t, std::map<std::string, Tensor>> kept;
  for (const auto &[key, entries] : state.at("state").to<Value::Dict>()) {
    auto number = key.to<int64_t>();
    if (number < 0 || number >= static_cast<int64_t>(all.size()))
      raise<ValueError>("loaded state dict has state of parameter " +
                        std::to_string(number) + ", which is not there");
    const Tensor &parameter = all[static_cast<size_t>(number)];
    for (const auto &[name, value] : entries.to<Value::Dict>())
      kept[parameter.id()][name.to<std::string>()] =
          value.to<Tensor>().detach().clone().to(parameter.device());
  }
  state_ = std::move(kept);
  for (size_t i = 0; i < groups_.size(); ++i)
    groups_[i].options = options[i];
}

} // namespace xlac::optim
