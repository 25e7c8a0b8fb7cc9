// Whether C++ numbers are arguments of programs or part of them.
#pragma once

namespace xlac::frontend {

/// While it lives, every number that this thread's operations meet is part of
/// the program, not 0 and ±1 alone.
class ConstantNumbers {
public:
  ConstantNumbers();
  ~ConstantNumbers();
  ConstantNumbers(const ConstantNumbers &) = delete;
  ConstantNumbers &operator=(const ConstantNumbers &) = delete;

private:
  const bool before_;
};

} // namespace xlac::frontend
