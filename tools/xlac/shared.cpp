#include "commands.h"

#include "xlac/loader/image_loader.h"
#include "xlac/loader/source_names.h"
#include "xlac/runtime/image_file.h"
#include "xlac/support/clock.h"
#include "xlac/support/file_writer.h"
#include "xlac/support/settings.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
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
         "- for standard input, or an image (.xlax)")
      ->required();
  options.entry_option =
      app.add_option("--entry", options.entry, "Function to compile")
          ->capture_default_str();
}

void add_target(CLI::App &app, SharedOptions &options) {
  options.target_option =
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
      ->delimiter(',')
      ->allow_extra_args(false);
}

/// As add_invariant, for commands that run the program. `otherwise` tells
/// whether weights are found without the option.
static void add_invariant_or_auto(CLI::App &app, SharedOptions &options,
                                  bool otherwise) {
  options.find_invariant = otherwise;
  options.invariant_option =
      app.add_option_function<std::vector<std::string>>(
             "--invariant",
             [&options](const std::vector<std::string> &words) {
               options.find_invariant = false;
               for (const std::string &word : words) {
                 uint32_t number = 0;
                 const char *end = word.data() + word.size();
                 auto read = std::from_chars(word.data(), end, number);
                 if (word == "auto")
                   options.find_invariant = true;
                 else if (read.ec == std::errc() && read.ptr == end)
                   options.invariant.push_back(number);
                 else if (word != "none" || words.size() > 1)
                   throw CLI::ValidationError(
                       "--invariant",
                       word + ": expected auto, none, or numbers of arguments");
               }
             },
             "Arguments that stay the same over many runs: their numbers, auto "
             "for those that the program uses as weights, or none. What "
             "depends "
             "only on them is computed and packed once")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->default_str(otherwise ? "auto" : "none");
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

void add_execution(CLI::App &app, ExecutionOptions &options,
                   bool finds_invariant) {
  add_input(app, options);
  app.add_flag("--image", options.image,
               "The input is an image, whatever its name: its machine code "
               "runs with your rights");
  app.add_option("--digest", options.digest,
                 "Run the image only if its file has this digest, as xlac "
                 "inspect --digest prints it");
  add_invariant_or_auto(app, options, finds_invariant);
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
  // Before the first use of the number of threads.
  if (options.threads > 0)
    ::setenv("XLAC_NUM_THREADS", std::to_string(options.threads).c_str(), 1);
  auto profile = find_profile(options.target);
  if (!profile)
    return profile.error();
  CompilerOptions compile;
  compile.target = *profile;
  compile.target.cores = host_profile().cores;
  compile.threads = options.threads;
  compile.invariant_arguments = options.invariant;
  compile.find_invariant_arguments = options.find_invariant;
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

/// Whether the name of the input or --image says that it is an image.
static bool is_named_image(const SharedOptions &options) {
  return options.image ||
         std::filesystem::path(options.input).extension() == ".xlax";
}

Result<SharedBytes> read_input(const SharedOptions &options) {
  if (options.input == "-") {
    static const Result<SharedBytes> standard_input = read_shared("-");
    return standard_input;
  }
  return is_named_image(options) && options.digest.empty()
             ? map_file(options.input)
             : read_shared(options.input);
}

std::string_view text_of(const SharedBytes &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

Result<runtime::ImageFile> image_of(const SharedOptions &options,
                                    const SharedBytes &bytes) {
  auto file = runtime::read_image_file(bytes, bytes.owner());
  if (!file)
    return failure(file.error().failure_kind,
                   options.input + ": " + file.error().message);
  return file;
}

static bool is_given(const CLI::Option *option) {
  return option && option->count() > 0;
}

/// Sets the options of the compilation that the command line does not give, as
/// add_compile_options. Words of --shape may have names of sizes.
static void take_options(const runtime::ImageProgram &program,
                         SharedOptions &options) {
  if (!is_given(options.entry_option))
    options.entry = program.entry;
  if (options.invariant.empty())
    options.invariant = program.invariant_arguments;
  options.ignore_callbacks |= program.ignore_callbacks;
  for (const auto &[argument, sizes] : program.argument_sizes) {
    std::string word = fmt::format("{}=", argument);
    if (std::ranges::none_of(options.shapes, [&](const std::string &given) {
          return given.starts_with(word);
        }))
      options.shapes.push_back(word + fmt::format("{}", fmt::join(sizes, "x")));
  }
}

static Result<std::string> program_in(const runtime::ImageFile &file,
                                      SharedOptions &options) {
  auto artifact = program_of_image(file);
  if (!artifact)
    return failure(artifact.error().failure_kind,
                   options.input + ": " + artifact.error().message);
  take_options(*file.program, options);
  return artifact;
}

Result<std::string> read_program(SharedOptions &options) {
  auto bytes = read_input(options);
  if (!bytes)
    return bytes.error();
  if (!runtime::is_image_file(*bytes))
    return std::string(text_of(*bytes));
  auto file = image_of(options, *bytes);
  if (!file)
    return file.error();
  return program_in(*file, options);
}

/// Looks up the names of the input and returns one member of them.
static GivenArrays::NameLookup
names_of_input(const SharedOptions &options, cache::Store *store,
               std::vector<std::string> SourceNames::*member) {
  return [&options, store, member]() -> Result<std::vector<std::string>> {
    auto bytes = read_input(options);
    if (!bytes)
      return bytes.error();
    if (runtime::is_image_file(*bytes)) {
      auto file = image_of(options, *bytes);
      if (!file)
        return file.error();
      SourceNames names{
          std::move(file->argument_names), std::move(file->result_names), {}};
      return std::move(names.*member);
    }
    auto found =
        names_of_source({text_of(*bytes), options.input, options.entry}, store);
    if (!found)
      return found.error();
    return std::move((*found).*member);
  };
}

Result<GivenArrays> given_inputs(const ExecutionOptions &options,
                                 cache::Store *store) {
  bool reads_stdin = false;
  for (const std::string &word : options.inputs)
    reads_stdin = reads_stdin || word == "-" || word.ends_with("=-");
  if (reads_stdin && options.input == "-")
    return failure(FailureKind::User, "standard input cannot give both the "
                                      "program and an input");
  return GivenArrays::parse(
      options.inputs, "input",
      names_of_input(options, store, &SourceNames::arguments));
}

Result<GivenArrays> given_results(const SharedOptions &options,
                                  const std::vector<std::string> &words,
                                  cache::Store *store) {
  return GivenArrays::parse(
      words, "result", names_of_input(options, store, &SourceNames::results));
}

/// Whether the input is to run as an image. An image is unverified native code.
/// So its content is not sufficient: --image or the extension .xlax must
/// request it.
static Result<bool> wants_image(const SharedOptions &options,
                                std::span<const std::byte> bytes) {
  bool wanted = is_named_image(options);
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

/// Whether options of the compilation are given, so that the code of an image
/// is not what is asked for.
static bool wants_compilation(const SharedOptions &options) {
  return is_given(options.entry_option) || is_given(options.target_option) ||
         is_given(options.invariant_option) || !options.shapes.empty() ||
         options.ignore_callbacks;
}

static Result<LoadedProgram> load_image_file(const ExecutionOptions &options,
                                             const SharedBytes &bytes,
                                             const ProgramLoadOptions &load) {
  auto file = image_of(options, bytes);
  if (!file)
    return file.error();
  if (!wants_compilation(options)) {
    auto loaded = load_image(std::move(*file), options.input, load);
    if (!loaded)
      return failure(loaded.error().failure_kind,
                     options.input + ": " + loaded.error().message);
    return loaded;
  }
  SharedOptions merged = options;
  auto text = program_in(*file, merged);
  if (!text)
    return text.error();
  auto compile = compile_options(merged);
  if (!compile)
    return compile.error();
  ProgramLoadOptions anew = load;
  anew.compile = std::move(*compile);
  return load_or_compile(Source{*text, options.input, merged.entry}, anew);
}

Result<LoadedProgram> load_program(const ExecutionOptions &options,
                                   const CompilerOptions &compile,
                                   cache::Store *store, GivenArrays &inputs) {
  auto start = Clock::now();
  auto bytes = read_input(options);
  if (!bytes)
    return bytes.error();
  auto runs_image = wants_image(options, *bytes);
  if (!runs_image)
    return runs_image.error();
  ProgramLoadOptions load{.compile = compile,
                          .store = store,
                          .keep_in_memory = false,
                          .argument_sizes = [&] { return inputs.sizes(); }};
  if (!*runs_image && !options.digest.empty())
    return failure(FailureKind::User,
                   options.input + ": is not an image, which --digest needs");
  if (auto checked = runtime::check_image_digest(*bytes, options.digest);
      !checked)
    return failure(FailureKind::User,
                   options.input + ": " + checked.error().message);
  auto loaded =
      *runs_image
          ? load_image_file(options, *bytes, load)
          : load_or_compile(
                Source{text_of(*bytes), options.input, options.entry}, load);
  if (!loaded)
    return loaded.error();
  print_warnings(loaded->report);
  if (*runs_image) // includes verifying the file
    loaded->load_ms = milliseconds_since(start) - loaded->compile_ms;
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
