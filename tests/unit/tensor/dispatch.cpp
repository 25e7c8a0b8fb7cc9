#include "dispatch.h"

#include <algorithm>

namespace xlac::dispatch {

#define XLAC_FAMILY(name) void add_##name(Table &table);
#include "families.inc"
#undef XLAC_FAMILY

const Table &table() {
  static const Table all = [] {
    Table made;
#define XLAC_FAMILY(name) add_##name(made);
#include "families.inc"
#undef XLAC_FAMILY
    return made;
  }();
  return all;
}

namespace {

/// Maps PyTorch's argument names to different parameter names here.
bool is_called(const ParameterEntry &parameter, const std::string &name) {
  struct Pair {
    const char *ours, *theirs;
  };
  static constexpr Pair kPairs[] = {
      {"dims", "dim"},      {"dim", "dims"},   {"sizes", "size"},
      {"sizes", "shape"},   {"self", "input"}, {"options", "dtype"},
      {"other", "tensor2"}, {"other", "mat2"}, {"end_dim", "end"},
      {"sizes", "dims"},    {"input", "self"},
  };
  return parameter.name == name ||
         std::any_of(std::begin(kPairs), std::end(kPairs), [&](Pair pair) {
           return parameter.name == pair.ours && name == pair.theirs;
         });
}

/// Returns the cost of a call of this overload; sets the slots of `binding`.
int try_bind(const Entry &entry, const Call &call, Binding &binding) {
  const auto &parameters = entry.parameters;
  if (call.positional.size() > parameters.size())
    return kUnfit;
  binding = {&entry, Slots(parameters.size(), nullptr), nullptr};
  for (size_t i = 0; i < call.positional.size(); ++i)
    binding.slots[i] = &call.positional[i];
  for (const auto &[name, value] : call.named) {
    auto place = std::find_if(
        parameters.begin(), parameters.end(),
        [&](const ParameterEntry &each) { return is_called(each, name); });
    auto at = static_cast<size_t>(place - parameters.begin());
    if (place == parameters.end() || binding.slots[at])
      return kUnfit;
    binding.slots[at] = &value;
  }
  int cost = 0;
  bool any_tensor = false;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Argument *&slot = binding.slots[i];
    // None is equal to leaving the argument out.
    if (slot && std::holds_alternative<Nothing>(*slot) &&
        parameters[i].has_default)
      slot = nullptr;
    if (!slot && !parameters[i].has_default)
      return kUnfit;
    if (!slot)
      continue;
    cost += parameters[i].fit(*slot);
    any_tensor |= std::holds_alternative<Tensor>(*slot) ||
                  std::holds_alternative<std::vector<Tensor>>(*slot);
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name != "options" || any_tensor)
      continue;
    const Argument *given = binding.slots[i];
    TensorOptions options = given && parameters[i].fit(*given) < kUnfit
                                ? take<TensorOptions>(given).device(call.device)
                                : TensorOptions(call.device);
    binding.made = std::make_shared<Argument>(options);
    binding.slots[i] = binding.made.get();
  }
  return std::min(cost, kUnfit);
}

} // namespace

Binding bind(const Call &call) {
  Binding best;
  int least = kUnfit;
  for (const Entry &entry : table()) {
    if (entry.name != call.name)
      continue;
    Binding binding;
    int cost = try_bind(entry, call, binding);
    if (cost < least) {
      least = cost;
      best = std::move(binding);
    }
  }
  if (!best.entry)
    throw std::invalid_argument("no overload of " + call.name +
                                " takes these arguments");
  return best;
}

} // namespace xlac::dispatch
