// Random programs of public calls: their representation, generation, execution
// and printing.
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

/// One call. `tensors` and `numbers` are its operands in order. A write has its
/// target first and no result.
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
  std::vector<double> values; ///< complex: two numbers per element
  bool leaf = false;          ///< requires a gradient
};

/// The purpose of a program.
enum class Kind : uint8_t {
  Values, ///< integers in all dtypes; devices agree bit for bit
  Kinks,  ///< gradients, including those at kinks, ties and bounds
  Smooth, ///< gradients away from kinks, which differences can check, too
};

struct Program {
  uint64_t seed = 0;
  Kind kind = Kind::Values;
  bool second = false; ///< second-order gradients, too
  std::vector<Input> inputs;
  std::vector<Step> steps;

  /// Returns the program as C++, one call per line.
  std::string str() const;
  bool draws_random_numbers() const;
  /// True for gradients in f16 or bf16. Values before rounding functions have
  /// few bits.
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

/// The operands of a call on a device.
struct Arguments {
  std::vector<Tensor> t;
  std::vector<double> n;
  int64_t whole(size_t i) const { return static_cast<int64_t>(n[i]); }
};

enum class Draw : uint8_t {
  One,       ///< a tensor
  Two,       ///< two tensors whose shapes broadcast
  Three,     ///< three tensors whose shapes broadcast
  Number,    ///< a tensor and a number
  Bounds,    ///< a tensor and two numbers in order
  Dim,       ///< a tensor and one of its dims
  DimKeep,   ///< as Dim, and the flag keepdim
  DimNumber, ///< a tensor, a dim, a number
  Special,   ///< by draw_special()
};

struct Op {
  const char *name;
  Draw draw;
  Tensor (*call)(const Arguments &);
  bool writes = false;
  /// The results have no gradient, as those of detach.
  bool freezes = false;
  /// Used only in programs with gradients, since the results of integers are
  /// not integers.
  bool real_only = false;
  bool random = false;
  /// Calls a function that uses other tensors than its arguments and may detach
  /// them.
  bool has_body = false;
};

const std::vector<Op> &ops();
/// Returns null for sync, read and drop, which are not calls.
const Op *find_op(const std::string &name);
/// Returns the number of bodies of the op with that name.
int64_t body_count(const std::string &name);

//===- Execution ----------------------------------------------------------===//

/// Tensors by id.
using Pool = std::map<int, Tensor>;

/// The mode of execution of a program.
struct Mode {
  std::string name;
  Device device;
  bool eager = false;
  /// Bodies of checkpoints are called directly.
  bool inline_checkpoints = false;
  /// Inputs are sharded over the devices of a mesh.
  bool sharded = false;
  /// The compiler shards every second input.
  bool automatic = false;
};

/// The results of detached steps, for runs that must not propagate changes
/// through them.
using Frozen = std::map<size_t, Tensor>;

/// With `record`, results of detached steps are stored there; with `replay`,
/// they are read from there. `moved`, if any, replaces the values of an input.
struct RunOptions {
  Frozen *record = nullptr;
  const Frozen *replay = nullptr;
  std::optional<std::pair<size_t, std::vector<double>>> moved = {};
};
Pool run(const Program &program, const Mode &mode,
         const RunOptions &options = {});
Tensor make(const Input &input, const Mode &mode);

/// The existing inputs that require gradients, and their ids.
struct Leaves {
  std::vector<Tensor> tensors;
  std::vector<int> ids;
};
Leaves leaves_of(const Program &program, const Pool &pool);
/// Runs one step on `pool`.
void run_step(const Step &step, size_t number, const Mode &mode, Pool &pool,
              const RunOptions &options);

/// Returns the loss: a weighted sum of the tensors that require a gradient.
Tensor loss_of(const Pool &pool);

/// The final values of a program's tensors, and the first and second gradients
/// of its leaves. Complex elements are two reals.
struct Outcome {
  std::map<int, std::vector<double>> values, gradients, second;
  std::map<int, std::string> types;
  std::string error;
};
Outcome outcome_of(const Program &program, const Mode &mode);

//===- Generation and checks ----------------------------------------------===//

/// Generates the program of a seed.
Program generate(uint64_t seed, size_t steps);

/// Returns an empty string, or the first difference of `actual` from
/// `expected`.
std::string difference(const Program &program, const Outcome &actual,
                       const Outcome &expected);

/// Compares gradients on the cpu with differences of the loss, in which
/// detached values are constant. Returns an empty string or the failure.
std::string check_differences(const Program &program, const Outcome &told);

/// Shortens a program while `fails` remains true.
Program shrink(Program program,
               const std::function<bool(const Program &)> &fails);

/// Returns a line of JSON for torch_judge.py: the program and its outcome on
/// the cpu.
std::string json_of(const Program &program, const Outcome &outcome);

} // namespace xlac::fuzz_api
