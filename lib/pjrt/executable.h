// Compiled programs and the handles that hosts have of them.
#pragma once

#include "client.h"
#include "compile_options.h"
#include "ffi_call.h"
#include "shape.h"

#include "xlac/runtime/executable.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace xlac::pjrt {

/// A program with the properties that hosts query. Several handles share it.
/// All but `text` is immutable.
struct CompiledProgram {
  CompileOptions options;
  std::string source; ///< StableHLO text or bytecode, as the host passed it
  std::string fingerprint;
  /// CompilerOptions::batch_targets, separated by commas.
  std::string batch_targets;
  std::shared_ptr<const runtime::Executable> program;
  /// The foreign functions and Python callbacks; null if it calls none.
  std::shared_ptr<const FfiProgram> foreign;
  std::vector<bool> is_donated; ///< by argument
  bool donates = false;         ///< whether any argument is donated
  /// The arguments' types and layouts: dimensions from the minor one to the
  /// major one.
  std::vector<Type> argument_types;
  std::vector<std::vector<int64_t>> argument_layouts;
  std::vector<Shape> outputs;
  // Properties of `outputs` as lists, for the host.
  std::vector<PJRT_Buffer_Type> output_types;
  std::vector<int64_t> flat_dims;
  std::vector<size_t> output_ranks;
  std::vector<PJRT_Layouts_MemoryLayout> output_layouts;
  std::vector<PJRT_Layouts_MemoryLayout *> output_layout_list;
  std::vector<int> output_memories; ///< indices in kMemoryKinds, by result
  std::vector<const char *> memory_kinds;
  std::vector<size_t> memory_kind_sizes;
  std::vector<PJRT_NamedValue> costs;
  std::mutex text_mutex;
  /// The result of optimized_text(), empty until the host requests it. Guarded
  /// by `text_mutex`.
  std::string text;
  /// The partitioned program if the host partitioned custom calls of it, else
  /// empty. The program is not partitioned again, because the host's functions
  /// may not exist any more.
  std::string partitioned;

  /// The name of the module.
  const std::string &name() const { return program->image().name; }
};

} // namespace xlac::pjrt

/// A handle of a program. The host destroys it.
struct PJRT_Executable {
  std::shared_ptr<xlac::pjrt::CompiledProgram> compiled;
};

/// A handle of a program with the devices that run it. The host destroys it.
struct PJRT_LoadedExecutable {
  std::shared_ptr<xlac::pjrt::CompiledProgram> compiled;
  PJRT_Client *client = nullptr;
  /// devices[replica * partitions + partition]; empty for portable programs.
  std::vector<PJRT_Device *> devices;
  /// The devices of this process among `devices`.
  std::vector<PJRT_Device *> addressable;
  std::vector<int> positions; ///< of `addressable` in `devices`
  std::string assignment;     ///< serialized; empty for portable programs
  std::atomic<bool> is_deleted = false;
};

namespace xlac::pjrt {

/// Compiles the program, or loads it from the cache. `store` is the disk cache
/// and may be null. `has_devices` is false for compilations for a topology.
/// Throws Error for programs of other formats than "mlir" and for invalid
/// programs or options.
std::shared_ptr<CompiledProgram> compile(const PJRT_Program &program,
                                         std::string_view options,
                                         cache::Store *store, bool has_devices);
/// Loads the result of serialize(). `options`, unless empty, replaces the
/// serialized compile options. Throws Error for bytes of another build of xlac
/// and for malformed bytes or options.
std::shared_ptr<CompiledProgram> deserialize(std::string_view bytes,
                                             std::string_view options);
/// Returns the code, the source and the compile options as bytes. Throws Error
/// if the build id of the compiler library cannot be read.
std::string serialize(const CompiledProgram &program);

/// Returns the simplified program as MLIR that hosts can convert to HLO. A
/// program of several partitions is returned as each device executes it; the
/// attributes of the module contain the shardings of arguments and results.
/// Throws Error if the compiler library cannot be loaded.
std::string optimized_text(const CompiledProgram &program);

/// Returns a new handle for the devices of the program's options, or for
/// default devices. The caller owns it. Throws Error if a device does not
/// exist, and for portable programs of several devices.
PJRT_LoadedExecutable *load_on(PJRT_Client &client,
                               std::shared_ptr<CompiledProgram> compiled);

} // namespace xlac::pjrt
