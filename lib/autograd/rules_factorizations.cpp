// Rules of custom calls, by target: the factorizations of the library.
#include "rules.h"

#include "xlac/lazy/errors.h"

#include <map>
#include <string>

namespace xlac::autograd {

namespace {

using TargetRules = std::map<std::string, Rule, std::less<>>;

/// One line a target.
const TargetRules &target_rules() {
  static const TargetRules rules = {};
  return rules;
}

Grads custom_call_rule(const Step &step) {
  const std::string &target =
      step.node.attributes().get<ops::CustomCallAttributes>().call_target_name;
  auto found = target_rules().find(target);
  if (found == target_rules().end())
    lazy::raise<UnsupportedError>("the derivative of the custom call " +
                                  target + " is not implemented");
  return found->second(step);
}

} // namespace

void add_factorization_rules(RuleTable &table) {
  table.set(OpKind::CustomCall, custom_call_rule);
}

} // namespace xlac::autograd
