// Programs that fail, made shorter as long as they fail.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

namespace xlac {

/// `program`, which has `steps` and `inputs`, without those that `fails`, asked
/// of a shorter program, does not need: ever smaller runs of steps, then single
/// inputs. `prune` takes out steps whose operands are gone.
template <class Program, class Fails, class Prune>
Program shortened(Program program, const Fails &fails, const Prune &prune) {
  auto attempt = [&](Program shorter) {
    prune(shorter);
    if (!fails(shorter))
      return false;
    program = std::move(shorter);
    return true;
  };
  for (size_t chunk = program.steps.size(); chunk > 0; chunk /= 2)
    for (size_t begin = 0; begin < program.steps.size();) {
      Program shorter = program;
      auto first = shorter.steps.begin() + static_cast<std::ptrdiff_t>(begin);
      auto last = shorter.steps.begin() +
                  static_cast<std::ptrdiff_t>(
                      std::min(begin + chunk, program.steps.size()));
      shorter.steps.erase(first, last);
      if (!attempt(std::move(shorter)))
        begin += chunk;
    }
  for (size_t i = program.inputs.size(); i-- > 0;) {
    Program shorter = program;
    shorter.inputs.erase(shorter.inputs.begin() +
                         static_cast<std::ptrdiff_t>(i));
    attempt(std::move(shorter));
  }
  return program;
}

} // namespace xlac
