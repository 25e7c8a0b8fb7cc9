// Random programs of front-end calls: views, writes through them, syncs. The
// same steps run on any device, and the final tensors are compared.
#pragma once

#include "dispatch.h"

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace xlac::random_programs {

/// A tensor of a program, by number.
struct Ref {
  int id = 0;
};
using Operand = std::variant<Ref, std::vector<Ref>, dispatch::Argument>;

enum class Action : uint8_t {
  Call,    ///< a function; its results are new tensors
  InPlace, ///< the in-place form, on the first operand
  Sync,    ///< syncs the pending graph
  Read,    ///< reads the values of the first operand
  Drop,    ///< destroys the first operand
};

struct Step {
  Action action = Action::Call;
  std::string name;
  std::vector<Operand> operands;
  std::vector<int> results;
};

/// Exact programs hold integers that are small enough to avoid rounding, so
/// that every device gives the same bits. Smooth ones hold f64 and have no
/// ill-conditioned operations.
enum class Kind : uint8_t { Exact, Smooth };

struct Input {
  int id = 0;
  Dtype dtype = kFloat32;
  Shape sizes;
  std::vector<double> values;
};

struct Program {
  Kind kind = Kind::Exact;
  std::vector<Input> inputs;
  std::vector<Step> steps;

  /// Returns the program as C++, one step per line.
  std::string str() const;
};

/// The tensors of a running program.
using Pool = std::map<int, Tensor>;

/// Random numbers for program generation.
struct Dice {
  std::mt19937_64 engine;
  explicit Dice(uint64_t seed) : engine(seed) {}
  /// Returns a number from 0 to count - 1.
  size_t below(size_t count) { return engine() % count; }
  int64_t between(int64_t low, int64_t high) {
    return low +
           static_cast<int64_t>(below(static_cast<size_t>(high - low) + 1));
  }
  bool chance(size_t one_in) { return below(one_in) == 0; }
};

/// Returns a step with operands from `pool`, or nothing if none fit. Results
/// are not numbered yet.
std::optional<Step> random_step(Dice &dice, Kind kind, const Pool &pool);

/// Runs a step and adds its results to the pool. Throws exceptions of the call.
void run_step(const Step &step, Device device, Pool &pool);

/// Generates a program of `length` steps, each of which works on the cpu.
Program generate(uint64_t seed, size_t length);

/// Runs the program and returns its final tensors. Steps with missing operands
/// are skipped.
Pool run(const Program &program, Device device);

/// Returns "" or the first tensor that differs.
std::string difference(const Program &program, const Pool &a, const Pool &b);

/// Shortens a program while `fails` remains true.
Program shrink(Program program,
               const std::function<bool(const Program &)> &fails);

} // namespace xlac::random_programs
