// Programs as objects: trace, write, read, compile ahead of time and run them.
#pragma once

#include "xlac/tree.h"
#include "xlac/xla_model.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace xlac::stablehlo {

/// Options of trace().
struct TraceOptions {
  std::string name = "main"; ///< of the module
  /// Tensors that the function captures become further inputs. If false, their
  /// values are constants of the program.
  bool parameters_as_inputs = true;
};

/// The size of a dimension of which only the rank is known, in the types of a
/// Program.
inline constexpr int64_t kUnknownSize = INT64_MIN;

/// A verified StableHLO module with an entry function `main`.
class XLAC_API Program {
public:
  /// Parses StableHLO text, MLIR bytecode, a portable artifact, a file of
  /// jax.export or the program inside an image, distinguished by content. An
  /// invalid program is a UserError with line and column; so is an image
  /// without a program.
  static Program parse(std::string_view text_or_bytecode);
  /// Loads a file in one of these formats.
  static Program load(const std::filesystem::path &path);

  /// The module as text, with source locations if `debug_info` is set.
  std::string text(bool debug_info = false) const;
  /// A portable artifact for readers of StableHLO `version` ("1.9.0") and
  /// later. If `version` lacks an op or type, the UserError names it.
  Bytes bytecode(std::string_view version = "current") const;
  /// Writes bytecode() if the path ends in .bc, else text().
  void save(const std::filesystem::path &path) const;
  /// Hexadecimal program key; the same in every process and run.
  std::string hash() const;
  /// The type of an input or a result.
  struct Type {
    /// The element type.
    Dtype dtype;
    /// The sizes; -1 for an unknown one.
    Shape shape;
  };
  /// UnsupportedError where one is no tensor of a Dtype. A dimension of unknown
  /// size has the size kUnknownSize.
  std::vector<Type> inputs() const;
  /// The types of the results, in order.
  std::vector<Type> outputs() const;

private:
  friend struct ProgramAccess;
  struct Rep;
  static Program make(std::string_view source, std::string name);
  const Rep &rep() const;
  std::shared_ptr<const Rep> rep_;
};

/// Options of build().
struct BuildOptions {
  int opt_level = 3;          ///< 0 to 3, else ValueError; has no effect
  std::string cpu = "native"; ///< a target profile that this machine supports
  bool fast_math = false;     ///< permits fast math; has no effect
  /// Omits calls of JAX Python callbacks that only have side effects, such as
  /// those of `jax.debug.print`. Executable::warnings() lists them.
  bool ignore_callbacks = false;
  Device device = Device(kXLA); ///< where the program runs
  /// Shapes of the inputs, for a program whose inputs have dimensions of
  /// unknown size; one for each input, or none. Without them run() compiles the
  /// program for each list of shapes that it meets, and the other functions of
  /// Executable throw ValueError.
  std::vector<Shape> input_shapes = {};
};

/// Options of Executable::save().
struct SaveOptions {
  /// Writes the StableHLO program into the file as well. Machines that lack the
  /// CPU features of the code then compile it again.
  bool program = true;
};

/// Options of Executable::load().
struct LoadOptions {
  Device device = Device(kXLA); ///< where the program runs
  /// 64 hexadecimal digits, as `xlac inspect --digest` prints them: a file with
  /// another digest is a UserError. The file is then read instead of mapped, so
  /// that nobody changes it after the comparison. Empty: any digest.
  std::string digest;
};

/// Native code of a program. Several threads may call run() at the same time.
class XLAC_API Executable {
public:
  /// Returns the results, on the device of the build. Inputs on other devices
  /// are copied to it. ShapeError or DtypeError if an input does not match,
  /// ValueError for a wrong number of inputs.
  std::vector<Tensor> run(const std::vector<Tensor> &inputs) const;
  /// Writes the native code to a file, which load() and `xlac run` read, with
  /// the names of inputs and outputs and with the program. By convention the
  /// name ends in .xlax. ValueError for a program with inputs of unknown sizes
  /// that BuildOptions::input_shapes does not fix. Writing the program of an
  /// executable that build() made needs libxlac_compiler.so.
  void save(const std::filesystem::path &path, SaveOptions options = {}) const;
  /// Reads a file that save() or `xlac compile` wrote. It contains machine
  /// code, which runs unchecked: load only files from sources that you trust.
  /// If this machine lacks CPU features that the code uses, the program in the
  /// file is compiled, or found in the persistent cache. The file is mapped:
  /// it must not be overwritten while the executable exists; renaming another
  /// file over it does no harm. RuntimeError if the file cannot be read.
  /// UserError if it is incomplete, damaged, or of another version, or if this
  /// machine lacks CPU features and the file contains no program.
  static Executable load(const std::filesystem::path &path,
                         LoadOptions options = {});
  /// The same for a file with any digest, on `device`.
  static Executable load(const std::filesystem::path &path, Device device) {
    return load(path, LoadOptions{.device = device, .digest = {}});
  }
  /// The names that the program gives its inputs; empty texts for those without
  /// a name, and an empty list if none has one.
  const std::vector<std::string> &input_names() const;
  /// The same for the results.
  const std::vector<std::string> &output_names() const;
  /// ValueError for an executable from a file without its program.
  std::string assembly() const;
  std::string llvm_ir() const; ///< errors as for assembly()
  /// The number of kernels.
  int64_t kernel_count() const;
  /// Warnings of the compilation, one line each; empty if it came from the
  /// cache.
  const std::vector<std::string> &warnings() const;
  /// Whether no compilation was needed.
  bool from_cache() const;

private:
  friend Executable build(const Program &, BuildOptions);
  struct Rep;
  const Rep &rep() const;
  std::shared_ptr<const Rep> rep_;
};

/// Looks for the program in the process's memory, then in the persistent cache,
/// and compiles it otherwise.
XLAC_API Executable build(const Program &program, BuildOptions options = {});

/// Traces `fn` over example inputs, of which only shapes and dtypes matter.
/// Nothing is executed: reading a value in `fn` is a UserError. C++ numbers
/// become constants. The inputs come first, then captured tensors in the order
/// of first use. Random operations use the state of their generator.
XLAC_API Program
trace(const std::function<std::vector<Tensor>(const std::vector<Tensor> &)> &fn,
      const std::vector<Tensor> &example_inputs, TraceOptions options = {});
/// The program of get_stablehlo: the pending graph of the tensors, or of all
/// pending tensors of the current device. It is not executed. Numbers and
/// uploaded data become arguments.
XLAC_API Program from_tensors(const std::vector<Tensor> &outputs = {});

/// Writes a traced program to a directory, with the values of all inputs that
/// are not inputs of its function. Values in `weights` keep their names.
/// UserError for a program that trace() did not make in this process.
XLAC_API void save_as_stablehlo(const Program &program,
                                const StateDict &weights,
                                const std::filesystem::path &folder);

/// A program that save_as_stablehlo wrote, ready to run on the current device.
class XLAC_API GraphModule {
public:
  /// Reads a folder that save_as_stablehlo wrote, and compiles it.
  static GraphModule load(const std::filesystem::path &folder);
  /// The function's results for its inputs; errors as in Executable::run.
  std::vector<Tensor> operator()(const std::vector<Tensor> &inputs) const;

private:
  Executable executable_;
  std::vector<Tensor> weights_;
};

} // namespace xlac::stablehlo
