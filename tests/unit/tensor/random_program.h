// Random programs of front-end calls: views, writes through them, syncs. The
// same steps run on any device; what they leave behind is compared.
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
  Sync,    ///< cuts the pending graph
  Read,    ///< asks for the values of the first operand
  Drop,    ///< ends the first operand
};

struct Step {
  Action action = Action::Call;
  std::string name;
  std::vector<Operand> operands;
  std::vector<int> results;
};

/// Exact programs hold whole numbers small enough that nothing rounds, so that
/// every device gives the same bits. Smooth ones hold f64, and no operation
/// that turns a small difference into a large one.
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

  /// One step a line, as C++.
  std::string str() const;
};

/// Where values live while a program runs.
using Pool = std::map<int, Tensor>;

/// Random numbers for what builds programs.
struct Dice {
  std::mt19937_64 engine;
  explicit Dice(uint64_t seed) : engine(seed) {}
  /// 0 … count - 1.
  size_t below(size_t count) { return engine() % count; }
  int64_t between(int64_t low, int64_t high) {
    return low +
           static_cast<int64_t>(below(static_cast<size_t>(high - low) + 1));
  }
  bool chance(size_t one_in) { return below(one_in) == 0; }
};

/// A step whose operands come from `pool`, or nothing where it has none that
/// fit. Results are not numbered yet.
std::optional<Step> random_step(Dice &dice, Kind kind, const Pool &pool);

/// Carries out a step; results join the pool. Throws what the call throws.
void run_step(const Step &step, Device device, Pool &pool);

/// A program of `length` steps, each of which works on the cpu.
Program generate(uint64_t seed, size_t length);

/// What is left of the program's tensors. Steps whose operands are not there
/// are left out.
Pool run(const Program &program, Device device);

/// Empty, or the first tensor in which the two differ.
std::string difference(const Program &program, const Pool &a, const Pool &b);

/// A program as short as can be found of which `fails` is still true.
Program shrink(Program program,
               const std::function<bool(const Program &)> &fails);

} // namespace xlac::random_programs
