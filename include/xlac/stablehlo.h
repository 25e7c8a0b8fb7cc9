// Programs as objects: traced without running, written, read back, compiled
// ahead of time, run.
#pragma once

#include "xlac/tree.h"
#include "xlac/xla_model.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace xlac::stablehlo {

struct TraceOptions {
  std::string name = "main"; ///< of the module
  /// Tensors that the function uses and is not given become further inputs;
  /// else their values are constants of the program.
  bool parameters_as_inputs = true;
};

/// A verified StableHLO module with an entry function `main`.
class XLAC_API Program {
public:
  /// The program of StableHLO text or bytecode of either form, told apart by
  /// content. Throws UserError, with line and column, where it is not valid.
  static Program parse(std::string_view text_or_bytecode);
  /// The program of a file: text, MLIR bytecode or portable artifact, by
  /// content.
  static Program load(const std::filesystem::path &path);

  /// The module as text, with source locations if asked for.
  std::string text(bool debug_info = false) const;
  /// A portable artifact for readers of StableHLO `version` ("1.9.0") and
  /// later. Throws UserError, naming op or type, where `version` lacks
  /// something.
  Bytes bytecode(std::string_view version = "current") const;
  /// Writes bytecode() to a path that ends in .bc, else text().
  void save(const std::filesystem::path &path) const;
  /// Hex; the same for every process and run.
  std::string hash() const;
  struct Type {
    Dtype dtype;
    Shape shape;
  };
  /// UnsupportedError where one is no tensor of a Dtype.
  std::vector<Type> inputs() const;
  std::vector<Type> outputs() const;

private:
  friend struct ProgramAccess;
  struct Rep;
  static Program make(std::string_view source, std::string name);
  const Rep &rep() const;
  std::shared_ptr<const Rep> rep_;
};

struct BuildOptions {
  int opt_level = 3;          ///< 0 to 3; lower ones oblige to nothing
  std::string cpu = "native"; ///< a target profile that this machine can run
  bool fast_math = false;     ///< allows it, without a promise
  /// Leaves out calls of JAX's Python callbacks that only have side effects, as
  /// those of `jax.debug.print`; Executable::warnings() says which.
  bool ignore_callbacks = false;
  Device device = Device(kXLA);
};

/// Native code; run() may be called from several threads.
class XLAC_API Executable {
public:
  /// The results, on the device that it was built for; inputs of other devices
  /// are carried there. ShapeError or DtypeError where they do not fit,
  /// ValueError for another number of them.
  std::vector<Tensor> run(const std::vector<Tensor> &inputs) const;
  std::string assembly() const;
  std::string llvm_ir() const;
  int64_t kernel_count() const;
  /// What was noticed while compiling, a line each; none from the cache.
  const std::vector<std::string> &warnings() const;
  /// Whether nothing had to be compiled.
  bool from_cache() const;

private:
  friend Executable build(const Program &, BuildOptions);
  struct Rep;
  const Rep &rep() const;
  std::shared_ptr<const Rep> rep_;
};

/// Looks among the programs of this process, then in the persistent cache, then
/// compiles.
XLAC_API Executable build(const Program &program, BuildOptions options = {});

/// The program of fn over example inputs, of which only shapes and dtypes
/// matter. Nothing runs: UserError where fn asks for values. C++ numbers are
/// constants. The inputs come first, then what fn uses besides, in the order of
/// first use; random operations use the state of their generator.
XLAC_API Program
trace(const std::function<std::vector<Tensor>(const std::vector<Tensor> &)> &fn,
      const std::vector<Tensor> &example_inputs, TraceOptions options = {});
/// What get_stablehlo prints: the program of what the tensors wait for, or of
/// everything pending on the current device; runs nothing. Numbers and uploaded
/// data are arguments.
XLAC_API Program from_tensors(const std::vector<Tensor> &outputs = {});

/// Writes a traced program to a folder, with the values of all that it takes
/// besides the inputs of its function: under their names where `weights` has
/// them. UserError for a program that trace() did not make in this process.
XLAC_API void save_as_stablehlo(const Program &program,
                                const StateDict &weights,
                                const std::filesystem::path &folder);

/// What save_as_stablehlo wrote, ready to run on the current device.
class XLAC_API GraphModule {
public:
  static GraphModule load(const std::filesystem::path &folder);
  /// The function's results for its inputs; throws as Executable::run.
  std::vector<Tensor> operator()(const std::vector<Tensor> &inputs) const;

private:
  Executable executable_;
  std::vector<Tensor> weights_;
};

} // namespace xlac::stablehlo
