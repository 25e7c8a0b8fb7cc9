#include "commands.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/runtime/image_file.h"
#include "xlac/support/file_writer.h"
#include "xlac/support/settings.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <time.h>
#include <unistd.h>

namespace xlac::cli {

void add_input(CLI::App &app, SharedOptions &options) {
  app.add_option(
         "input", options.input,
         "StableHLO text or bytecode (.mlir, .mlir.bc), a file of jax.export, "
         "or - for standard input; for commands that run programs also an "
         "image (.xlax)")
      ->required();
  app.add_option("--entry", options.entry, "Function to compile")
      ->capture_default_str();
}

void add_target(CLI::App &app, SharedOptions &options) {
  app.add_option("--target", options.target,
                 "Target profile: native, baseline, avx2, avx512, …")
      ->capture_default_str();
  app.add_option("--threads", options.threads,
                 "Threads that compile and run; default XLAC_NUM_THREADS, "
                 "else one per core that this process may use")
      ->check(CLI::Range(1, 4096));
}

void add_cache(CLI::App &app, SharedOptions &options) {
  app.add_option("--cache-dir", options.cache_directory,
                 "Cache directory; default XLAC_CACHE_DIR, else "
                 "$XDG_CACHE_HOME/xlac");
  app.add_flag("--no-cache", options.no_cache, "Leave the disk cache alone");
}

void add_invariant(CLI::App &app, SharedOptions &options) {
  app.add_option("--invariant", options.invariant,
                 "Numbers of the arguments that stay the same over many runs: "
                 "values that depend only on them are computed once")
      ->delimiter(',');
}

void add_ignore_callbacks(CLI::App &app, SharedOptions &options) {
  app.add_flag("--ignore-callbacks", options.ignore_callbacks,
               "Leave out calls of Python that have no results, as those of "
               "jax.debug.print, with a warning when the program is compiled");
}

void add_shapes(CLI::App &app, SharedOptions &options) {
  app.add_option("--shape", options.shapes,
                 "Sizes of an argument whose type has unknown dimensions, as "
                 "NUMBER=2x3; for each such argument")
      ->allow_extra_args(false);
}

void add_reports(CLI::App &app, ExecutionOptions &options) {
  app.add_option("--trace", options.trace_file,
                 "JSON file for Chrome or Perfetto: compiling, launches and "
                 "their pieces, a row a thread");
  app.add_option("--timeline", options.timeline_file,
                 "HTML file for what each thread did during a run, on a time "
                 "axis; of several runs, the one with the median time");
  app.add_flag("--memory", options.memory,
               "Print the memory that the program will take before it runs");
  app.add_flag("--json", options.json, "Report as one JSON object");
}

void add_execution(CLI::App &app, ExecutionOptions &options) {
  add_input(app, options);
  app.add_flag("--image", options.image,
               "The input is an image, whatever its name: its machine code "
               "runs with your rights");
  add_invariant(app, options);
  add_ignore_callbacks(app, options);
  add_shapes(app, options);
  add_target(app, options);
  add_cache(app, options);
  app.add_option(
      "--inputs", options.inputs,
      "Arrays, in order or as NAME=ARRAY or NUMBER=ARRAY. An array is "
      "a .npy file, FILE:NAME of a .npz or .safetensors file, - for "
      "standard input, 2xf32=1,2, zeros or random:SEED. A .npz or "
      ".safetensors file alone gives the inputs that have its "
      "arrays' names; zeros or random:SEED alone gives those that "
      "nothing else gives");
}

Status write_file(const std::string &path, std::string_view bytes) {
  if (!path.empty() && path != "-")
    return write_whole_file(path, bytes);
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  return {}; // main() checks whether writing to standard output succeeded
}

std::unique_ptr<cache::Store> open_store(const SharedOptions &options) {
  if (options.no_cache || cache::is_switched_off())
    return nullptr;
  auto directory = options.cache_directory.empty()
                       ? cache::default_directory()
                       : std::filesystem::path(options.cache_directory);
  auto store = cache::Store::open(directory);
  if (!store) {
    std::fprintf(stderr, "xlac: running without a cache: %s\n",
                 store.error().message.c_str());
    return nullptr;
  }
  return std::move(*store);
}

Result<CompilerOptions> compile_options(const SharedOptions &options) {
  auto profile = find_profile(options.target);
  if (!profile)
    return profile.error();
  if (options.threads > 0)
    ::setenv("XLAC_NUM_THREADS", std::to_string(options.threads).c_str(), 1);
  CompilerOptions compile;
  compile.target = *profile;
  compile.threads = options.threads;
  compile.invariant_arguments = options.invariant;
  compile.ignore_callbacks = options.ignore_callbacks;
  for (const std::string &word : options.shapes) {
    auto argument = parse_argument_sizes(word);
    if (!argument)
      return failure(FailureKind::User,
                     fmt::format("--shape {}: expected NUMBER=2x3", word));
    compile.argument_sizes.push_back(std::move(*argument));
  }
  return compile;
}

/// The bytes of the input. Standard input is read once and kept.
static Result<std::string> read_program(const SharedOptions &options) {
  if (options.input != "-")
    return read_file(options.input);
  static const Result<std::string> standard_input = read_file("-");
  return standard_input;
}

/// Looks up the signature of the input and returns one member of it.
static GivenArrays::NameLookup
names_in_signature(const SharedOptions &options,
                   std::vector<std::string> Signature::*member) {
  return [&options, member]() -> Result<std::vector<std::string>> {
    auto text = read_program(options);
    if (!text)
      return text.error();
    if (runtime::is_image_file(
            std::as_bytes(std::span(text->data(), text->size()))))
      return std::vector<std::string>();
    auto compiler = open_compiler();
    if (!compiler)
      return compiler.error();
    auto signature =
        (*compiler)->signature({*text, options.input, options.entry});
    if (!signature)
      return signature.error();
    return std::move((*signature).*member);
  };
}

Result<GivenArrays> given_inputs(const ExecutionOptions &options) {
  bool reads_stdin = false;
  for (const std::string &word : options.inputs)
    reads_stdin = reads_stdin || word == "-" || word.ends_with("=-");
  if (reads_stdin && options.input == "-")
    return failure(FailureKind::User, "standard input cannot give both the "
                                      "program and an input");
  return GivenArrays::parse(
      options.inputs, "input",
      names_in_signature(options, &Signature::argument_names));
}

Result<GivenArrays> given_results(const SharedOptions &options,
                                  const std::vector<std::string> &words) {
  return GivenArrays::parse(
      words, "result", names_in_signature(options, &Signature::result_names));
}

/// Whether the input is to run as an image. An image is unverified native code.
/// So its content is not sufficient: --image or the extension .xlax must
/// request it.
static Result<bool> wants_image(const SharedOptions &options,
                                std::span<const std::byte> bytes) {
  bool wanted = options.image ||
                std::filesystem::path(options.input).extension() == ".xlax";
  bool is = runtime::is_image_file(bytes);
  if (is && !wanted)
    return failure(FailureKind::User,
                   options.input +
                       ": is an image, whose machine code runs only if it is "
                       "named .xlax or --image is given");
  if (wanted && !is)
    return failure(FailureKind::User, options.input + ": is not an image");
  return wanted;
}

Result<LoadedProgram> load_program(const ExecutionOptions &options,
                                   const CompilerOptions &compile,
                                   cache::Store *store, GivenArrays &inputs) {
  auto text = read_program(options);
  if (!text)
    return text.error();
  auto bytes = std::as_bytes(std::span(text->data(), text->size()));
  auto runs_image = wants_image(options, bytes);
  if (!runs_image)
    return runs_image.error();
  if (!*runs_image) {
    ProgramLoadOptions load{.compile = compile,
                            .store = store,
                            .keep_in_memory = false,
                            .argument_sizes = [&] { return inputs.sizes(); }};
    auto loaded =
        load_or_compile(Source{*text, options.input, options.entry}, load);
    if (loaded)
      print_warnings(loaded->report);
    return loaded;
  }
  auto image = runtime::read_image_file(bytes);
  if (!image)
    return failure(FailureKind::User,
                   options.input + ": " + image.error().message);
  auto executable = runtime::Executable::load(std::move(*image));
  if (!executable)
    return failure(FailureKind::User,
                   options.input + ": " + executable.error().message);
  LoadedProgram loaded;
  loaded.executable = std::move(*executable);
  return loaded;
}

std::vector<runtime::BufferRef> borrow(const std::vector<HostArray> &inputs) {
  std::vector<runtime::BufferRef> buffers;
  for (const HostArray &input : inputs)
    buffers.push_back(runtime::Buffer::borrow(
        input.bytes.data(), static_cast<int64_t>(input.bytes.size())));
  return buffers;
}

Status configure_devices(int count) {
  auto limit = read_integer(SettingId::DeviceMemory);
  if (!limit)
    return limit.error();
  return runtime::configure_devices(
      {.count = count, .memory_limit = limit->value_or(0)});
}

Result<std::vector<runtime::BufferRef>>
run_and_wait(const std::shared_ptr<const runtime::Executable> &executable,
             const std::vector<runtime::BufferRef> &arguments) {
  auto device = runtime::find_device(0);
  if (!device)
    return device.error();
  std::vector<runtime::BufferRef> results =
      (*device)->launch(executable, arguments);
  XLAC_RETURN_IF_ERROR((*device)->sync());
  for (const runtime::BufferRef &result : results)
    XLAC_RETURN_IF_ERROR(result->wait());
  return results;
}

std::vector<HostArray>
to_arrays(const runtime::Executable &executable,
          const std::vector<runtime::BufferRef> &results) {
  std::vector<HostArray> outputs;
  for (size_t i = 0; i < results.size(); ++i)
    outputs.push_back(to_array(executable.image().results[i], results[i]));
  return outputs;
}

Result<std::vector<HostArray>>
run_on_host(const std::shared_ptr<const runtime::Executable> &executable,
            const std::vector<HostArray> &inputs) {
  auto results = run_and_wait(executable, borrow(inputs));
  if (!results)
    return results.error();
  return to_arrays(*executable, *results);
}

Status write_outputs(const std::string &directory,
                     const std::vector<HostArray> &outputs) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    return failure(
        FailureKind::Runtime,
        fmt::format("{}: cannot be made: {}", directory, error.message()));
  for (size_t i = 0; i < outputs.size(); ++i)
    XLAC_RETURN_IF_ERROR(write_npy(std::filesystem::path(directory) /
                                       fmt::format("out_{:03d}.npy", i),
                                   outputs[i].type, outputs[i].bytes));
  return {};
}

void print_warnings(const CompileReport &report) {
  for (const std::string &warning : report.warnings)
    std::fprintf(stderr, "xlac: warning: %s\n", warning.c_str());
}

void print_phases(const CompileReport &report) {
  for (const PhaseTime &phase : report.phases)
    std::fprintf(stderr, "%-16s %8.2f ms\n", phase.phase.c_str(),
                 phase.milliseconds);
}

int report(const Failure &failure) {
  std::fprintf(stderr, "xlac: %s\n", failure.message.c_str());
  return 1;
}

bool compiler_library_mapped() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    for (const char *name : {"libxlac_compiler", "libLLVM", "libMLIR"})
      if (line.find(name) != std::string::npos)
        return true;
  return false;
}

double peak_rss_mb() {
  // Not getrusage's number, which includes memory that the parent had mapped
  // between fork and exec.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:"))
      return std::strtod(line.c_str() + 6, nullptr) / 1024;
  return 0;
}

double process_milliseconds() {
  // Field 22 of /proc/self/stat: the start time in clock ticks since boot.
  std::ifstream stat("/proc/self/stat");
  std::string text(std::istreambuf_iterator<char>(stat), {});
  size_t close = text.rfind(')');
  if (close == std::string::npos)
    return 0;
  std::istringstream rest(text.substr(close + 1));
  std::string word;
  for (int field = 3; field <= 22; ++field)
    rest >> word;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  double started = std::strtod(word.c_str(), nullptr) /
                   static_cast<double>(sysconf(_SC_CLK_TCK));
  return (static_cast<double>(now.tv_sec) + now.tv_nsec * 1e-9 - started) * 1e3;
}

} // namespace xlac::cli
