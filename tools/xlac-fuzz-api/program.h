// Random programs of public calls: what they are made of, how they are drawn,
// carried out and shown.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>
#include <xlac/xlac.h>

namespace xlac::fuzz_api {

/// One call. `tensors` and `numbers` are its operands in order; a write has the
/// tensor that it writes first and no result.
struct Step {
  std::string op;
  std::vector<int> tensors;
  std::vector<double> numbers;
  int result = -1;
  bool no_grad = false; ///< within a NoGradGuard
};

struct Input {
  int id = 0;
  Dtype dtype = kFloat64;
  Shape sizes;
  std::vector<double> values; ///< of complex ones two an element
  bool leaf = false;          ///< requires a gradient
};

/// What a program is for.
enum class Kind : uint8_t {
  Values, ///< whole numbers of all dtypes; devices agree to the bit
  Kinks,  ///< gradients, also at kinks, ties and bounds
  Smooth, ///< gradients away from kinks: differences tell them too
};

struct Program {
  uint64_t seed = 0;
  Kind kind = Kind::Values;
  bool second = false; ///< gradients of gradients too
  std::vector<Input> inputs;
  std::vector<Step> steps;

  /// As C++, a call a line.
  std::string str() const;
  bool draws_random_numbers() const;
  /// Gradients are of f16 or bf16: what no function rounds has few bits.
  bool is_narrow() const;
};

struct RandomSource {
  std::mt19937_64 engine;
  explicit RandomSource(uint64_t seed) : engine(seed) {}
  int64_t below(int64_t count) {
    return static_cast<int64_t>(engine() % static_cast<uint64_t>(count));
  }
  bool chance(int64_t one_in) { return below(one_in) == 0; }
  template <class T> const T &of(const std::vector<T> &list) {
    return list[static_cast<size_t>(below(static_cast<int64_t>(list.size())))];
  }
};

//===- Calls --------------------------------------------------------------===//

/// The operands of a call on some device.
struct Arguments {
  std::vector<Tensor> t;
  std::vector<double> n;
  int64_t whole(size_t i) const { return static_cast<int64_t>(n[i]); }
};

enum class Draw : uint8_t {
  One,       ///< a tensor
  Two,       ///< tensors whose shapes broadcast
  Three,     ///< the same
  Number,    ///< a tensor and a number
  Bounds,    ///< a tensor and two numbers in order
  Dim,       ///< a tensor and one of its dims
  DimKeep,   ///< the same, and whether to keep it
  DimNumber, ///< a tensor, a dim, a number
  Special,   ///< as draw_special() does it
};

struct Op {
  const char *name;
  Draw draw;
  Tensor (*call)(const Arguments &);
  bool writes = false;
  /// Results that have no gradient: detach and its kind.
  bool freezes = false;
  /// Only in programs with gradients, as it does not keep numbers whole.
  bool real_only = false;
  bool random = false;
  /// Runs a function of its own that uses other tensors than its arguments, and
  /// may detach them.
  bool has_body = false;
};

const std::vector<Op> &ops();
/// Null for sync, read and drop, which call nothing.
const Op *find_op(const std::string &name);
/// How many bodies the op of that name has.
int64_t body_count(const std::string &name);

//===- Carrying out -------------------------------------------------------===//

/// A tensor by number.
using Pool = std::map<int, Tensor>;

/// How a program is run.
struct Mode {
  std::string name;
  Device device;
  bool eager = false;
  /// Bodies of checkpoints are called as they are.
  bool inline_checkpoints = false;
  /// Inputs lie on the devices of a mesh.
  bool sharded = false;
};

/// What steps without a gradient have given, for runs that must not follow
/// changes through them.
using Frozen = std::map<size_t, Tensor>;

/// Carries out the steps. With `record` what detached steps give is kept there;
/// with `replay` it is taken from there instead. `moved`, if any, replaces the
/// values of an input.
struct RunOptions {
  Frozen *record = nullptr;
  const Frozen *replay = nullptr;
  std::optional<std::pair<size_t, std::vector<double>>> moved = {};
};
Pool run(const Program &program, const Mode &mode,
         const RunOptions &options = {});
Tensor make(const Input &input, const Mode &mode);

/// The inputs that take gradients and are still there, with their ids.
struct Leaves {
  std::vector<Tensor> tensors;
  std::vector<int> ids;
};
Leaves leaves_of(const Program &program, const Pool &pool);
/// One step on `pool`.
void run_step(const Step &step, size_t number, const Mode &mode, Pool &pool,
              const RunOptions &options);

/// What gradients are of: a weighted sum of what requires one.
Tensor loss_of(const Pool &pool);

/// What a program leaves behind: the values of its tensors, and first and
/// second gradients of its leaves. Complex ones are two reals an element.
struct Outcome {
  std::map<int, std::vector<double>> values, gradients, second;
  std::map<int, std::string> types;
  std::string error;
};
Outcome outcome_of(const Program &program, const Mode &mode);

//===- Making and judging -------------------------------------------------===//

/// The program of a seed.
Program generate(uint64_t seed, size_t steps);

/// Empty, or the first thing in which `actual` is not as `expected`.
std::string difference(const Program &program, const Outcome &actual,
                       const Outcome &expected);

/// Gradients on the cpu against differences of the loss in which detached
/// values stand still. Empty, or what is wrong.
std::string check_differences(const Program &program, const Outcome &told);

/// A program as short as can be found of which `fails` is still true.
Program shrink(Program program,
               const std::function<bool(const Program &)> &fails);

/// A line of JSON for torch_judge.py: the program and what the cpu gives.
std::string json_of(const Program &program, const Outcome &outcome);

} // namespace xlac::fuzz_api
