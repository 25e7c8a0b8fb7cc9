// Shortening of failing programs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

namespace xlac {

/// Removes `steps` and `inputs` of `program` that are not needed for `fails` to
/// be true: first ranges of steps of decreasing size, then single inputs.
/// `prune` removes steps whose operands were removed.
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
