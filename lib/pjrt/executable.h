// Compiled programs: what was compiled and how, and where it runs.
#pragma once

#include "client.h"
#include "compile_options.h"
#include "ffi_call.h"

#include "xlac/runtime/executable.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace xlac::pjrt {

/// What hosts ask about a program; several handles share it.
struct CompiledProgram {
  CompileOptions options;
  std::string source; ///< StableHLO, as it came
  std::string fingerprint;
  std::shared_ptr<const runtime::Executable> program;
  /// Its foreign functions; null if it has none.
  std::shared_ptr<const FfiProgram> foreign;
  std::vector<bool> is_donated; ///< by argument
  bool donates = false;         ///< any of them
  std::vector<PJRT_Buffer_Type> output_types;
  std::vector<std::vector<int64_t>> output_dims;
  // The same, as the interface gives lists of lists.
  std::vector<int64_t> flat_dims;
  std::vector<size_t> output_ranks;
  std::vector<int> output_memories; ///< numbers of a device's memories
  std::vector<const char *> memory_kinds;
  std::vector<size_t> memory_kind_sizes;
  std::vector<PJRT_NamedValue> costs;
  /// Printed when it is asked for.
  std::mutex text_mutex;
  std::string text;

  const std::string &name() const { return program->image().name; }
};

} // namespace xlac::pjrt

/// A handle of the host's, which destroys it.
struct PJRT_Executable {
  std::shared_ptr<xlac::pjrt::CompiledProgram> compiled;
};

struct PJRT_LoadedExecutable {
  std::shared_ptr<xlac::pjrt::CompiledProgram> compiled;
  PJRT_Client *client = nullptr;
  /// devices[replica * partitions + partition]; empty for portable programs.
  std::vector<PJRT_Device *> devices;
  /// Those of this process, and their positions in `devices`.
  std::vector<PJRT_Device *> addressable;
  std::vector<int> positions;
  std::string assignment; ///< serialized; empty for portable programs
  std::atomic<bool> is_deleted = false;
};

namespace xlac::pjrt {

/// Compiles, or finds what was compiled before. `store` may be null.
std::shared_ptr<CompiledProgram> compile(const PJRT_Program &program,
                                         std::string_view options,
                                         cache::Store *store);
/// From what Executable_Serialize gave; other compile options than those of
/// then if `options` is not empty.
std::shared_ptr<CompiledProgram> deserialize(std::string_view bytes,
                                             std::string_view options);
std::string serialize(const CompiledProgram &program);

/// The program as MLIR that hosts can turn into HLO: without annotations, and
/// of several partitions as each device runs it, with the shardings of
/// arguments and results.
std::string optimized_text(const CompiledProgram &program);

/// On the devices that its options say.
PJRT_LoadedExecutable *load_on(PJRT_Client &client,
                               std::shared_ptr<CompiledProgram> compiled);

} // namespace xlac::pjrt
