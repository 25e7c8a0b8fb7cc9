#include "xlac/loader/program_loader.h"

#include "family_visit.h"
#include "kernel_stores.h"
#include "stored_compiler.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/support/clock.h"
#include "xlac/support/fork.h"
#include "xlac/support/hash.h"
#include "xlac/support/named_metrics.h"
#include "xlac/support/recently_used.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <charconv>

namespace xlac {
namespace {

using ExecutableMemory =
    RecentlyUsed<std::string, std::shared_ptr<ProgramCode>>;

/// The compile time from which an executable is worth an fsync. What a power
/// failure damages is compiled again.
constexpr double kSyncedFromMs = 50;

/// Executables of this process.
ExecutableMemory &memory() {
  // Outlives static destructors.
  static auto *instance = new ExecutableMemory(2048);
  return *instance;
}

bool shares_kernels() {
  static const bool shares = flag_setting(SettingId::ShareKernels, true);
  return shares;
}

std::string hash_of(std::initializer_list<std::string_view> parts) {
  Hasher hasher;
  for (std::string_view part : parts)
    hasher.update(part);
  return to_hex(hasher.finish());
}

Result<std::shared_ptr<const runtime::Executable>>
load_image(std::span<const std::byte> bytes, runtime::CallCheck check) {
  auto image = runtime::deserialize_image(bytes);
  if (!image)
    return image.error();
  return runtime::Executable::load(std::move(*image), check);
}

std::shared_ptr<const runtime::Executable>
find_stored(const std::string &key, const ProgramLoadOptions &options) {
  if (!options.store)
    return nullptr;
  auto bytes = options.store->get(cache::Kind::Executable, key);
  if (!bytes)
    return nullptr;
  auto executable = load_image(*bytes, options.call_check);
  // A damaged or unsuitable entry is a miss, not an error.
  return executable ? *executable : nullptr;
}

/// Names the programs that differ from one in sizes, given the key that they
/// have in common.
Result<std::string> family_of(const Result<std::string> &common,
                              CompilerOptions options) {
  if (!common)
    return common.error();
  auto build_id = compiler_build_id();
  if (!build_id)
    return build_id.error();
  options.argument_sizes.clear();
  return hash_of({*common, cache_text(options), *build_id});
}

/// How long own code for a kernel takes to compile, and how many times as long
/// a program must run before that pays off: code for any size takes about 5%
/// longer to run.
constexpr double kKernelNanoseconds = 5e6, kPayingRuns = 20;

/// The code of a program that has been compiled or read from the disk cache.
std::shared_ptr<ProgramCode> code_of(const LoadedProgram &loaded,
                                     const std::string &key,
                                     std::string family) {
  const CompileReport &report = loaded.report;
  if (report.kernels_for_any_size == 0 || family.empty())
    return std::make_shared<ProgramCode>(loaded.executable);
  double one = std::max<double>(
      1e3, double(loaded.executable->image().estimated_nanoseconds));
  double most =
      double(report.kernels_for_any_size) * kKernelNanoseconds * kPayingRuns;
  return std::make_shared<ProgramCode>(loaded.executable, key,
                                       std::move(family),
                                       1 + static_cast<int64_t>(most / one));
}

/// Looks up or compiles a program whose key is known.
Result<LoadedProgram> finish(Compilable &program, const std::string &key,
                             const ProgramLoadOptions &options,
                             Clock::time_point start) {
  LoadedProgram loaded;
  loaded.cache = options.store ? CacheStatus::Miss : CacheStatus::Off;
  std::optional<cache::Claim> claim;
  if (options.store) {
    // Another process may be compiling the same program: wait for it, up to the
    // deadline, and look again.
    claim = options.store->claim(key, std::chrono::seconds(60));
    loaded.executable = find_stored(key, options);
    if (loaded.executable)
      loaded.cache = CacheStatus::Hit;
  }
  loaded.load_ms = milliseconds_since(start);
  std::string family;
  if (!loaded.executable) {
    auto compile_start = Clock::now();
    CompilerOptions compile = options.compile;
    // A process that compiles one program alone has nothing to share.
    bool shares = options.store || options.keep_in_memory ||
                  !compile.argument_sizes.empty();
    if (compile.family.empty() && shares && shares_kernels()) {
      auto family = family_of(program.common_key(), compile);
      if (!family)
        return family.error();
      compile.family = std::move(*family);
    }
    std::optional<StoredKernels> kernels;
    if (options.store && !compile.kernels) {
      kernels.emplace(*options.store);
      compile.kernels = &*kernels;
    } else if (!compile.kernels && !compile.family.empty()) {
      compile.kernels = &kernels_in_memory();
    }
    FamilyVisit visit(compile, options.store, options.in_background);
    Result<runtime::ExecutableImage> image =
        program.compile(compile, &loaded.report);
    if (!image)
      return image.error();
    visit.leave(program, compile, loaded.report);
    loaded.compile_ms = milliseconds_since(compile_start);
    if (options.store) {
      (void)options.store->put(cache::Kind::Executable, key, serialize(*image),
                               0, loaded.compile_ms >= kSyncedFromMs);
      note_compiler(*options.store);
    }
    auto load_start = Clock::now();
    auto executable =
        runtime::Executable::load(std::move(*image), options.call_check);
    if (!executable)
      return executable.error();
    loaded.executable = std::move(*executable);
    loaded.load_ms += milliseconds_since(load_start);
    family = std::move(compile.family);
  }
  loaded.code = code_of(loaded, key, std::move(family));
  if (options.keep_in_memory)
    memory().keep(key, loaded.code);
  return loaded;
}

/// An executable in this process's memory or, under `key`, in the disk cache.
std::optional<LoadedProgram> find_loaded(const std::string &key,
                                         const ProgramLoadOptions &options,
                                         Clock::time_point start) {
  LoadedProgram loaded;
  if (options.keep_in_memory)
    loaded.code = memory().find(key);
  loaded.cache = CacheStatus::Memory;
  if (loaded.code) {
    loaded.executable = loaded.code->executable();
  } else {
    loaded.executable = find_stored(key, options);
    if (!loaded.executable)
      return std::nullopt;
    loaded.cache = CacheStatus::Hit;
    loaded.code = std::make_shared<ProgramCode>(loaded.executable);
    if (options.keep_in_memory)
      memory().keep(key, loaded.code);
  }
  loaded.load_ms = milliseconds_since(start);
  return loaded;
}

std::string text_of(const std::vector<std::byte> &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace

std::optional<ArgumentSizes::value_type>
parse_argument_sizes(std::string_view text) {
  ArgumentSizes::value_type argument;
  const char *at = text.data(), *end = at + text.size();
  auto number = std::from_chars(at, end, argument.first);
  if (number.ec != std::errc() || number.ptr == end || *number.ptr != '=')
    return std::nullopt;
  at = number.ptr + 1;
  while (at != end) {
    int64_t size = 0;
    auto read = std::from_chars(at, end, size);
    if (read.ec != std::errc() || size < 0 ||
        (read.ptr != end && (*read.ptr != 'x' || read.ptr + 1 == end)))
      return std::nullopt;
    argument.second.push_back(size);
    at = read.ptr == end ? end : read.ptr + 1;
  }
  return argument;
}

/// What the search of shardings depends on, unless it is as by default.
static std::string text_of_search(const PartitionOptions &partition) {
  std::string text;
  for (int64_t size : partition.mesh)
    text += "x" + std::to_string(size);
  const DeviceRates &rates = partition.rates;
  if (!(rates == DeviceRates()))
    for (double rate : {rates.gflops, rates.memory_gbytes, rates.link_gbytes,
                        rates.link_microseconds})
      text += "/" + std::to_string(rate);
  return text;
}

std::string cache_text(const CompilerOptions &options) {
  std::string text = options.target.cache_name();
  for (uint32_t argument : options.invariant_arguments)
    text += "," + std::to_string(argument);
  if (options.find_invariant_arguments)
    text += ",find_invariants";
  if (!options.invariant_arguments.empty() || options.find_invariant_arguments)
    if (auto limit = integer_setting(SettingId::PackLimit))
      text += ",packs=" + std::to_string(*limit);
  if (auto limit = integer_setting(SettingId::MemoryLimit))
    text += ",memory=" + std::to_string(*limit);
  if (auto percent = integer_setting(SettingId::ColdPercent))
    text += ",cold=" + std::to_string(*percent);
  if (options.ignore_callbacks)
    text += ",ignore_callbacks";
  if (options.partition.count > 0)
    text += ",partitions=" + std::to_string(options.partition.count);
  for (const auto &[argument, sharding] : options.partition.arguments)
    text += ",sharding" + std::to_string(argument) + "=" + sharding.str();
  if (options.partition.automatic)
    text += ",automatic" + text_of_search(options.partition);
  if (options.requested_layouts)
    text += ",layouts";
  for (const std::string &target : options.batch_targets)
    text += ",batch=" + target;
  for (const auto &[argument, sizes] : options.argument_sizes) {
    text += ",sizes" + std::to_string(argument) + "=";
    for (int64_t size : sizes)
      text += std::to_string(size) + "x";
  }
  return text;
}

std::string_view to_string(CacheStatus status) {
  switch (status) {
  case CacheStatus::Memory:
    return "memory";
  case CacheStatus::Hit:
    return "hit";
  case CacheStatus::Miss:
    return "miss";
  case CacheStatus::Off:
    return "off";
  }
  return "off";
}

namespace {

/// Stands in the disk cache for the key of a program whose executable depends
/// on the sizes of its arguments.
constexpr std::string_view kNeedsSizes = "sizes";

/// The entry of the disk cache under which the key of a source is kept.
std::string alias_of(const Source &source, const CompilerOptions &compile,
                     std::string_view build_id) {
  return hash_of({source.bytes, source.entry, cache_text(compile), build_id});
}

std::string find_alias(cache::Store *store, const std::string &alias) {
  if (!store)
    return {};
  auto entry = store->get(cache::Kind::Alias, alias);
  return entry ? text_of(*entry) : std::string();
}

void keep_alias(cache::Store *store, const std::string &alias,
                std::string_view key) {
  // Without its alias, a program is found after it has been read.
  if (store)
    (void)store->put(cache::Kind::Alias, alias,
                     std::as_bytes(std::span(key.data(), key.size())), 0,
                     /*sync=*/false);
}

/// Asks for the sizes of arguments unless they are given.
Status complete_sizes(ProgramLoadOptions &options) {
  if (!options.compile.argument_sizes.empty() || !options.argument_sizes)
    return {};
  auto sizes = options.argument_sizes();
  if (!sizes)
    return sizes.error();
  options.compile.argument_sizes = std::move(*sizes);
  return {};
}

} // namespace

namespace {

/// Copies the program, for another thread.
Compilable::Parse parse_later(const Source &source) {
  return [bytes = std::string(source.bytes), name = source.name,
          entry = source.entry]() -> Result<std::unique_ptr<ParsedProgram>> {
    auto compiler = open_compiler();
    if (!compiler)
      return compiler.error();
    return (*compiler)->parse({bytes, name, entry});
  };
}

/// Parses at once, because the graph may refer to data that the program is
/// going to overwrite.
Compilable::Parse parse_later(const graph::Program &program) {
  auto parsed = std::make_shared<Result<std::unique_ptr<ParsedProgram>>>(
      [&]() -> Result<std::unique_ptr<ParsedProgram>> {
        auto compiler = open_compiler();
        if (!compiler)
          return compiler.error();
        return (*compiler)->parse(program);
      }());
  return [parsed] { return std::move(*parsed); };
}

class CompilableSource final : public Compilable {
public:
  CompilableSource(ParsedProgram &parsed, const Source &source)
      : parsed_(parsed), source_(source) {
    // An error appears again in the compilation.
    if (auto signature = parsed.signature())
      arguments_ = std::move(signature->arguments);
  }

  Result<std::string> common_key() override { return parsed_.family(); }
  std::vector<Type> arguments() const override { return arguments_; }
  Result<runtime::ExecutableImage> compile(const CompilerOptions &options,
                                           CompileReport *report) override {
    return parsed_.compile(options, report);
  }
  Parse parse_again() override { return parse_later(source_); }

private:
  ParsedProgram &parsed_;
  const Source &source_;
  std::vector<Type> arguments_;
};

} // namespace

Result<LoadedProgram> load_or_compile(const Source &source,
                                      const ProgramLoadOptions &given) {
  ForkSection section;
  auto start = Clock::now();
  auto build_id = compiler_id_for(given.store);
  if (!build_id)
    return build_id.error();
  ProgramLoadOptions options = given;
  std::string alias = alias_of(source, options.compile, *build_id);
  std::string key = find_alias(options.store, alias);
  if (key == kNeedsSizes) {
    XLAC_RETURN_IF_ERROR(complete_sizes(options));
    alias = alias_of(source, options.compile, *build_id);
    key = find_alias(options.store, alias);
  }
  if (!key.empty())
    if (auto loaded = find_loaded(key, options, start))
      return std::move(*loaded);

  auto compiler = open_compiler();
  if (!compiler)
    return compiler.error();
  auto program = (*compiler)->parse(source);
  if (!program)
    return program.error();
  auto structure = (*program)->key();
  if (!structure)
    return structure.error();
  if (options.compile.call_partitioner &&
      (*program)->has_calls_for(*options.compile.call_partitioner)) {
    options.store = nullptr;
    options.keep_in_memory = false;
  }
  CompilableSource compilable(**program, source);
  std::vector<Type> arguments = compilable.arguments();
  if (std::all_of(arguments.begin(), arguments.end(), [](const Type &type) {
        return !type.is_tensor() || type.tensor().is_static();
      })) {
    // They do not distinguish executables of this program.
    options.compile.argument_sizes.clear();
  } else if (options.compile.argument_sizes.empty()) {
    keep_alias(options.store, alias, kNeedsSizes);
    XLAC_RETURN_IF_ERROR(complete_sizes(options));
    alias = alias_of(source, options.compile, *build_id);
  }
  if (options.in_background && compiles_in_background() &&
      !options.compile.argument_sizes.empty())
    options.compile.other_sizes =
        other_sizes_of_unknown(arguments, options.compile.argument_sizes);
  key = hash_of({*structure, cache_text(options.compile), *build_id});
  auto loaded = find_loaded(key, options, start);
  if (!loaded) {
    auto made = finish(compilable, key, options, start);
    if (!made)
      return made.error();
    loaded = std::move(*made);
    if (loaded->cache != CacheStatus::Hit)
      loaded->compile_ms = milliseconds_since(start);
  }
  loaded->hash = std::move(*structure);
  keep_alias(options.store, alias, key);
  return std::move(*loaded);
}

namespace {

class CompilableGraph final : public Compilable {
public:
  explicit CompilableGraph(const graph::Program &program) : program_(program) {}

  Result<std::string> common_key() override {
    return graph::family_key(program_);
  }
  std::vector<Type> arguments() const override {
    return program_.argument_types();
  }
  Result<runtime::ExecutableImage> compile(const CompilerOptions &options,
                                           CompileReport *report) override {
    auto compiler = open_compiler();
    if (!compiler)
      return compiler.error();
    return (*compiler)->compile(program_, options, report);
  }
  Parse parse_again() override { return parse_later(program_); }

private:
  const graph::Program &program_;
};

} // namespace

Result<LoadedProgram> load_or_compile(const graph::Program &program,
                                      const ProgramLoadOptions &options) {
  ForkSection section;
  auto start = Clock::now();
  auto build_id = compiler_id_for(options.store);
  if (!build_id)
    return build_id.error();
  auto structure = graph::program_key(program);
  if (!structure)
    return structure.error();
  std::string key =
      hash_of({*structure, cache_text(options.compile), *build_id});
  auto loaded = find_loaded(key, options, start);
  CompilableGraph compilable(program);
  Result<LoadedProgram> result = loaded
                                     ? Result<LoadedProgram>(std::move(*loaded))
                                     : finish(compilable, key, options, start);
  if (result)
    result->hash = std::move(*structure);
  return result;
}

void count_compilation(const LoadedProgram &loaded) {
  static constinit metrics::NamedCounter shared("SharedCodeCompile"),
      uncached("UncachedCompile");
  bool is_shared =
      loaded.report.kernels_for_other_sizes > 0 && loaded.new_kernels() == 0;
  (is_shared ? shared : uncached).add();
}

//===- Specialization -----------------------------------------------------===//

namespace {

int64_t most_specializations() {
  static const int64_t most =
      integer_setting(SettingId::MaxSpecializations).value_or(8);
  return most;
}

void compile_own_code(ParsedProgram &program, const CompilerOptions &compile,
                      const ProgramLoadOptions &options, ProgramCode &code) {
  auto image = program.compile(compile);
  if (!image)
    return;
  if (options.store)
    (void)options.store->put(cache::Kind::Executable, code.key(),
                             serialize(*image), 0, /*sync=*/true);
  auto executable =
      runtime::Executable::load(std::move(*image), options.call_check);
  if (!executable)
    return;
  code.replace(std::move(*executable));
  static constinit metrics::NamedCounter count("SpecializedCompile");
  count.add();
}

void specialize(Compilable::Parse parse, const ProgramLoadOptions &given,
                std::shared_ptr<ProgramCode> code) {
  if (!compiles_in_background())
    return;
  std::string family = code->family();
  BackgroundCompiler::process().add_specialization(
      family, most_specializations(),
      [parse = std::move(parse), options = given,
       code = std::move(code)](const std::atomic<bool> &is_cancelled) {
        ForkSection section;
        CompilerOptions compile = options.compile;
        compile.family.clear(); // so that it shares nothing
        compile.other_sizes.clear();
        compile.threads = 1;
        compile.is_cancelled = &is_cancelled;
        std::optional<StoredKernels> kernels;
        if (options.store)
          compile.kernels = &kernels.emplace(*options.store);
        if (auto program = parse())
          compile_own_code(**program, compile, options, *code);
      });
}

} // namespace

void specialize(const Source &source, const ProgramLoadOptions &options,
                std::shared_ptr<ProgramCode> code) {
  specialize(parse_later(source), options, std::move(code));
}

void specialize(const graph::Program &program,
                const ProgramLoadOptions &options,
                std::shared_ptr<ProgramCode> code) {
  specialize(parse_later(program), options, std::move(code));
}

} // namespace xlac
