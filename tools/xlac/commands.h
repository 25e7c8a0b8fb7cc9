// The subcommands of xlac. Each declares its options on a CLI11 app and runs
// when that subcommand was chosen; the result is the process's exit code:
// 0 fine, 1 the program or its data is at fault, 2 usage.
#pragma once

#include "run/npy.h"
#include "run/shards.h"
#include "xlac/cache/store.h"
#include "xlac/compiler.h"
#include "xlac/compiler_picture.h"
#include "xlac/loader/program_loader.h"
#include "xlac/runtime/device.h"
#include "xlac/support/read_file.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace xlac::cli {

/// Options that several subcommands share.
struct SharedOptions {
  std::string input;
  std::string entry = "main";
  std::string target = "native";
  std::string cache_directory;
  bool no_cache = false;
  int threads = 0;
  std::vector<uint32_t> invariant;
  bool ignore_callbacks = false;
  bool json = false;
  bool image = false; ///< the input is one
};

/// Those of commands that run a program.
struct ExecutionOptions : SharedOptions {
  std::vector<std::string> inputs;
  std::string outputs;    ///< a folder; empty: none
  std::string trace_file; ///< empty: none
  bool memory = false;
};

void add_input(CLI::App &app, SharedOptions &options);
void add_target(CLI::App &app, SharedOptions &options);
void add_cache(CLI::App &app, SharedOptions &options);
void add_invariant(CLI::App &app, SharedOptions &options);
void add_ignore_callbacks(CLI::App &app, SharedOptions &options);
/// All of these, and --inputs: for commands that run a program.
void add_execution(CLI::App &app, ExecutionOptions &options);

/// --trace, --memory and --json.
void add_reports(CLI::App &app, ExecutionOptions &options);

/// Writes a file whole or not at all, a device or pipe as it comes, and
/// standard output for "-" or no name.
Status write_file(const std::string &path, std::string_view bytes);

/// The disk cache the options and the environment name; null for none.
std::unique_ptr<cache::Store> open_store(const SharedOptions &options);

/// Compile options for the target and threads asked for.
Result<CompilerOptions> compile_options(const SharedOptions &options);

/// The executable of the input: an image as it is, if its name is .xlax or
/// --image is given, a program by way of
/// the cache and the compiler.
Result<LoadedProgram> load_program(const SharedOptions &options,
                                   const CompilerOptions &compile,
                                   cache::Store *store);

/// The picture of the input, which must be a program; opens the compiler.
Result<ProgramPicture> picture_of(const SharedOptions &options,
                                  const CompilerOptions &compile);

/// Buffers over the arrays' own memory, which must outlive them.
std::vector<runtime::BufferRef> borrow(const std::vector<HostArray> &inputs);

/// Runs once on device 0 and waits for the results.
Result<std::vector<runtime::BufferRef>>
run_and_wait(const std::shared_ptr<const runtime::Executable> &executable,
             const std::vector<runtime::BufferRef> &arguments);

/// Runs program i as process i of a grid, on device i, and waits for all. The
/// grid's first failure, if any.
Result<std::vector<std::vector<runtime::BufferRef>>> run_on_grid(
    const std::vector<std::shared_ptr<const runtime::Executable>> &programs,
    const runtime::GridOptions &options,
    const std::vector<std::vector<runtime::BufferRef>> &arguments);

/// Copies of what a run of `executable` gave, with the program's types.
std::vector<HostArray>
to_arrays(const runtime::Executable &executable,
          const std::vector<runtime::BufferRef> &results);

/// run_and_wait from arrays to arrays, as the program's types say.
Result<std::vector<HostArray>>
run_on_host(const std::shared_ptr<const runtime::Executable> &executable,
            const std::vector<HostArray> &inputs);

/// Makes `directory` and writes the outputs as out_000.npy …
Status write_outputs(const std::string &directory,
                     const std::vector<HostArray> &outputs);

/// Prints the warnings of a report to standard error, a line each.
void print_warnings(const CompileReport &report);

/// Prints the failure as one message and gives the exit code it deserves.
int report(const Failure &failure);

/// True if a compiler library (xlac's, LLVM's or MLIR's) is mapped into this
/// process.
bool compiler_library_mapped();

/// Peak resident memory of this process in MiB.
double peak_rss_mb();

/// Milliseconds since this process began.
double process_milliseconds();

using Command = std::function<int()>;
Command add_run(CLI::App &app);
Command add_compile(CLI::App &app);
Command add_check(CLI::App &app);
Command add_bench(CLI::App &app);
Command add_opt(CLI::App &app);
Command add_translate(CLI::App &app);
Command add_explain(CLI::App &app);
Command add_graph(CLI::App &app);
Command add_fuzz(CLI::App &app);
Command add_cache_command(CLI::App &app);
Command add_settings(CLI::App &app);
Command add_launch(CLI::App &app);

} // namespace xlac::cli
