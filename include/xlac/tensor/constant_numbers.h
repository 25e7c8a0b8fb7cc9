// Selects whether C++ numbers become arguments or constants of programs.
#pragma once

namespace xlac::frontend {

/// During its lifetime, every number that operations of this thread use is a
/// constant of the program, not only 0 and ±1.
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
