// The subcommands of xlac. Each declares its options on a CLI11 app and runs if
// it is selected. The result is the process's exit code: 0 success, 1 a failure
// of the program or its data, 2 wrong usage.
#pragma once

#include "run/given_arrays.h"
#include "run/npy.h"
#include "run/shards.h"
#include "xlac/cache/store.h"
#include "xlac/compiler.h"
#include "xlac/compiler_picture.h"
#include "xlac/loader/program_loader.h"
#include "xlac/runtime/device.h"
#include "xlac/runtime/image_file.h"
#include "xlac/support/read_file.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace xlac::cli {

/// Options that several subcommands have.
struct SharedOptions {
  std::string input;
  std::string entry = "main";
  std::string target = "native";
  std::string cache_directory;
  bool no_cache = false;
  int threads = 0;
  std::vector<uint32_t> invariant;
  bool find_invariant = false;     ///< weights are invariant as well
  std::vector<std::string> shapes; ///< as --shape: number=2x3
  bool ignore_callbacks = false;
  bool json = false;
  bool image = false; ///< the input is an image
  std::string digest; ///< that an image must have; empty: any
  /// --entry, --target and --invariant, to tell whether they were given.
  const CLI::Option *entry_option = nullptr, *target_option = nullptr,
                    *invariant_option = nullptr;
};

/// Options of commands that run a program.
struct ExecutionOptions : SharedOptions {
  std::vector<std::string> inputs;
  std::string outputs;       ///< a folder; empty: none
  std::string trace_file;    ///< empty: none
  std::string timeline_file; ///< empty: none
  bool memory = false;
};

void add_input(CLI::App &app, SharedOptions &options);
void add_target(CLI::App &app, SharedOptions &options);
void add_cache(CLI::App &app, SharedOptions &options);
void add_invariant(CLI::App &app, SharedOptions &options);
void add_ignore_callbacks(CLI::App &app, SharedOptions &options);
void add_shapes(CLI::App &app, SharedOptions &options);
/// Adds all of these, and --inputs: for commands that run a program.
/// `finds_invariant` is the default of --invariant: auto or none.
void add_execution(CLI::App &app, ExecutionOptions &options,
                   bool finds_invariant);

/// --trace, --timeline, --memory and --json.
void add_reports(CLI::App &app, ExecutionOptions &options);

/// Writes a file atomically. Devices and pipes are written directly; "-" or an
/// empty path is standard output.
Status write_file(const std::string &path, std::string_view bytes);

/// Returns the disk cache that the options and the environment select; null for
/// none.
std::unique_ptr<cache::Store> open_store(const SharedOptions &options);

/// Returns the compile options for the requested target and threads.
Result<CompilerOptions> compile_options(const SharedOptions &options);

/// Returns the bytes of the input, mapped if it is named as an image. With
/// --digest it is read, so that nobody changes it after the check. Standard
/// input is read once and kept.
Result<SharedBytes> read_input(const SharedOptions &options);

/// The image in the bytes of the input; User failure with its name.
Result<runtime::ImageFile> image_of(const SharedOptions &options,
                                    const SharedBytes &bytes);
std::string_view text_of(const SharedBytes &bytes);

/// Returns the input as a program, for commands that run no code of an image.
/// Of an image it is the program inside, and the options of its compilation
/// become those of `options` that the command line does not give.
Result<std::string> read_program(SharedOptions &options);

/// Returns the executable of the input. An image, named .xlax or given with
/// --image, is loaded directly, unless options of the compilation are given: a
/// program, or the one in the image, is looked up in the cache or compiled.
/// `inputs` gives the sizes of a program with dimensions of unknown size.
Result<LoadedProgram> load_program(const ExecutionOptions &options,
                                   const CompilerOptions &compile,
                                   cache::Store *store, GivenArrays &inputs);

/// The arrays of --inputs, and of --expected, whose words are `words`. They
/// refer to `options`. Names that are not in `store`, which may be null, are
/// looked up by the compiler.
Result<GivenArrays> given_inputs(const ExecutionOptions &options,
                                 cache::Store *store);
Result<GivenArrays> given_results(const SharedOptions &options,
                                  const std::vector<std::string> &words,
                                  cache::Store *store);

/// Returns the picture of the input, a program or an image that contains its
/// program. Loads the compiler.
Result<ProgramPicture> picture_of(SharedOptions options);

/// Returns buffers that refer to the arrays' memory, which must outlive them.
std::vector<runtime::BufferRef> borrow(const std::vector<HostArray> &inputs);

/// Makes `count` devices, with the memory limit that XLAC_DEVICE_MEMORY sets.
Status configure_devices(int count);

/// Runs once on device 0 and waits for the results.
Result<std::vector<runtime::BufferRef>>
run_and_wait(const std::shared_ptr<const runtime::Executable> &executable,
             const std::vector<runtime::BufferRef> &arguments);

/// Runs program i as process i of a grid, on device i, and waits for all.
/// Returns the first failure, if any.
Result<std::vector<std::vector<runtime::BufferRef>>> run_on_grid(
    const std::vector<std::shared_ptr<const runtime::Executable>> &programs,
    const runtime::GridOptions &options,
    const std::vector<std::vector<runtime::BufferRef>> &arguments);

/// Copies the results of a run of `executable` to arrays of the program's
/// types.
std::vector<HostArray>
to_arrays(const runtime::Executable &executable,
          const std::vector<runtime::BufferRef> &results);

/// As run_and_wait, with arrays of the program's types.
Result<std::vector<HostArray>>
run_on_host(const std::shared_ptr<const runtime::Executable> &executable,
            const std::vector<HostArray> &inputs);

/// Creates `directory` and writes the outputs as out_000.npy ….
Status write_outputs(const std::string &directory,
                     const std::vector<HostArray> &outputs);

/// Prints the warnings of a report to standard error, one per line.
void print_warnings(const CompileReport &report);

/// Prints the time of each phase to standard error.
void print_phases(const CompileReport &report);

/// Prints the failure as one message and returns its exit code.
int report(const Failure &failure);

/// True if a compiler library (of xlac, LLVM or MLIR) is mapped into this
/// process.
bool compiler_library_mapped();

/// Returns the peak resident memory of this process in MiB.
double peak_rss_mb();

/// Returns the milliseconds since this process started.
double process_milliseconds();

using Command = std::function<int()>;
Command add_run(CLI::App &app);
Command add_compile(CLI::App &app);
Command add_check(CLI::App &app);
Command add_bench(CLI::App &app);
Command add_opt(CLI::App &app);
Command add_translate(CLI::App &app);
Command add_inspect(CLI::App &app);
Command add_explain(CLI::App &app);
Command add_graph(CLI::App &app);
Command add_fuzz(CLI::App &app);
Command add_cache_command(CLI::App &app);
Command add_settings(CLI::App &app);
Command add_launch(CLI::App &app);
/// These describe all subcommands of the parent of `app`.
Command add_completion(CLI::App &app);
Command add_manual(CLI::App &app);

} // namespace xlac::cli
