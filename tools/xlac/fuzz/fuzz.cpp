// xlac fuzz: compares compiled random programs with the evaluator.
#include "commands.h"
#include "json.h"

#include "fuzz/generate.h"
#include "fuzz/hostile.h"
#include "fuzz/run_case.h"
#include "fuzz/shrink.h"
#include "xlac/loader/compiler_library.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

namespace xlac::cli {
namespace {

struct FuzzOptions : SharedOptions {
  uint64_t seed = 1, count = 100;
  fuzz::ProgramLimits limits;
  int jobs = 0;
  int shrinks = 10;
  int64_t sizes = 0; ///< programs of a seed; 0: one
  std::string directory = "fuzz-failures";
  bool print = false, partitions = false, unknown_sizes = false;
  bool hostile = false;
  std::vector<std::string> corpus; ///< files of cases, or folders of them

  /// Returns the changes to the program of `seed`.
  fuzz::Changes changes(uint64_t seed) const {
    auto if_set = [&](bool set) {
      return set ? std::optional(seed) : std::nullopt;
    };
    return {if_set(partitions), if_set(unknown_sizes)};
  }
};

std::string_view name_of(fuzz::CaseResult verdict) {
  using fuzz::CaseResult;
  switch (verdict) {
  case CaseResult::Passed:
    return "passed";
  case CaseResult::Mismatch:
    return "mismatch";
  case CaseResult::Refused:
    return "rejected";
  case CaseResult::Crashed:
    return "crashed";
  case CaseResult::Hung:
    return "hung";
  }
  return "?";
}

struct FailedProgram {
  uint64_t seed;
  fuzz::Outcome outcome;
  std::string directory; ///< of the files, if it was shrunk
};

/// Writes the inputs and expected results of one process.
Status write_process(const std::filesystem::path &directory,
                     const fuzz::Process &one) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  for (size_t i = 0; i < one.inputs.size(); ++i) {
    const host::Literal &input = one.inputs[i];
    XLAC_RETURN_IF_ERROR(write_npy(
        directory / fmt::format("in_{:03d}.npy", i), input.type(),
        std::span(input.data(), static_cast<size_t>(input.byte_count()))));
  }
  for (size_t i = 0; i < one.expected.size(); ++i) {
    const host::Literal &result = one.expected[i].data;
    XLAC_RETURN_IF_ERROR(write_npy(
        directory / fmt::format("expected_{:03d}.npy", i), result.type(),
        std::span(result.data(), static_cast<size_t>(result.byte_count()))));
  }
  return {};
}

/// Writes the program, its inputs and its expected results to `directory`; with
/// several processes, each has a subdirectory.
Status write_case(const std::filesystem::path &directory, const fuzz::Case &one,
                  std::string_view text) {
  for (size_t i = 0; i <= one.peers.size(); ++i)
    XLAC_RETURN_IF_ERROR(write_process(
        one.peers.empty() ? directory
                          : directory / fmt::format("process_{}", i),
        one.process(i)));
  return write_file((directory / "program.mlir").string(), text);
}

std::string command_of(const std::filesystem::path &directory,
                       const fuzz::Case &one) {
  std::string line =
      fmt::format("xlac run {}", (directory / "program.mlir").string());
  // The command gives all processes the inputs of process 0.
  std::filesystem::path inputs =
      one.peers.empty() ? directory : directory / "process_0";
  if (!one.inputs.empty())
    line += fmt::format(" --inputs {}", (inputs / "in_*.npy").string());
  return line + " --no-cache";
}

std::vector<std::filesystem::path> corpus_of(const FuzzOptions &options) {
  std::vector<std::filesystem::path> files;
  for (const std::string &place : options.corpus)
    if (std::filesystem::is_directory(place))
      for (const auto &entry : std::filesystem::directory_iterator(place))
        files.push_back(entry.path());
    else
      files.emplace_back(place);
  std::erase_if(files, [](const std::filesystem::path &file) {
    return file.extension() != ".mlir";
  });
  std::sort(files.begin(), files.end());
  return files;
}

/// Writes the program of that seed without shrinking it.
void write_hostile(FailedProgram &failed, const FuzzOptions &options) {
  auto directory = std::filesystem::path(options.directory);
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  auto file = directory / fmt::format("hostile_{}.mlir", failed.seed);
  std::ofstream(file) << fuzz::hostile_text(failed.seed, corpus_of(options));
  failed.directory = file.string();
}

/// Shrinks the program of that seed and writes it.
void explain(FailedProgram &failed, const FuzzOptions &options,
             const CompilerOptions &compile) {
  if (options.hostile)
    return write_hostile(failed, options);
  // The failure may depend on the programs of other sizes before.
  if (options.sizes > 0)
    return;
  auto runs = [&](const fuzz::Case &one) {
    return fuzz::run_case(one, compile, options.changes(failed.seed));
  };
  // Generates in a child process first, since the generator may crash.
  fuzz::Outcome dry = fuzz::run_apart([&] {
    fuzz::generate(fuzz::Random(failed.seed), options.limits);
    return fuzz::Outcome{};
  });
  if (dry.failed()) {
    failed.outcome.message += " (in the evaluator, before compiling)";
    return;
  }
  fuzz::Shrunk small =
      fuzz::shrink(fuzz::generate(fuzz::Random(failed.seed), options.limits),
                   failed.outcome, options.limits, runs);
  failed.outcome = small.outcome;
  auto text = fuzz::text_of(small.smallest, options.changes(failed.seed));
  auto directory = std::filesystem::path(options.directory) /
                   fmt::format("seed_{}", failed.seed);
  Status written =
      write_case(directory, small.smallest,
                 text ? *text : graph::to_text(small.smallest.program));
  if (!written) {
    std::fprintf(stderr, "xlac: %s\n", written.error().message.c_str());
    return;
  }
  failed.directory = directory.string();
  if (options.json)
    return;
  std::printf("  shrunk in %d attempts: %s\n%s  run: %s\n", small.attempts,
              small.outcome.message.c_str(), text ? text->c_str() : "",
              command_of(directory, small.smallest).c_str());
}

int print_program(const FuzzOptions &options) {
  for (uint64_t seed = options.seed; seed < options.seed + options.count;
       ++seed) {
    if (options.hostile) {
      std::printf("// seed %llu\n%s", static_cast<unsigned long long>(seed),
                  fuzz::hostile_text(seed, corpus_of(options)).c_str());
      continue;
    }
    fuzz::Case one = fuzz::generate(fuzz::Random(seed), options.limits);
    auto text = fuzz::text_of(one, options.changes(seed));
    std::printf("// seed %llu\n%s", static_cast<unsigned long long>(seed),
                text ? text->c_str() : text.error().message.c_str());
  }
  return 0;
}

std::string json_of(const FuzzOptions &options, uint64_t passed,
                    const std::vector<FailedProgram> &failures) {
  Json list = Json::list();
  for (const FailedProgram &failed : failures) {
    Json one;
    one.add("seed", static_cast<int64_t>(failed.seed));
    one.add("verdict", name_of(failed.outcome.verdict));
    one.add("message", failed.outcome.message);
    one.add("directory", failed.directory);
    list.push(std::move(one));
  }
  Json json;
  json.add("seed", static_cast<int64_t>(options.seed));
  json.add("count", static_cast<int64_t>(options.count));
  json.add("passed", static_cast<int64_t>(passed));
  json.add("failed", static_cast<int64_t>(failures.size()));
  json.add("failures", std::move(list));
  return json.text();
}

int run_fuzz(const FuzzOptions &options) {
  auto compile = compile_options(options);
  if (!compile)
    return report(compile.error());
  // Each process compiles with one thread; the processes run in parallel.
  compile->threads = 1;
  auto compiler = open_compiler();
  if (!compiler)
    return report(compiler.error());
  if (options.print)
    return print_program(options);
  int jobs =
      options.jobs > 0
          ? options.jobs
          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::vector<FailedProgram> failures;
  uint64_t passed = 0;
  auto corpus = corpus_of(options);
  auto body = [&](uint64_t seed) {
    if (options.hostile)
      return fuzz::run_hostile_seed(seed, corpus, *compile);
    if (options.sizes > 0)
      return fuzz::run_family(seed, options.limits, options.sizes, *compile);
    return fuzz::run_case(fuzz::generate(fuzz::Random(seed), options.limits),
                          *compile, options.changes(seed));
  };
  fuzz::run_all(options.seed, options.count, jobs, body,
                [&](uint64_t seed, const fuzz::Outcome &outcome) {
                  if (!outcome.failed()) {
                    ++passed;
                    return;
                  }
                  failures.push_back({seed, outcome, {}});
                  if (!options.json)
                    std::printf("seed %llu: %s: %s\n",
                                static_cast<unsigned long long>(seed),
                                std::string(name_of(outcome.verdict)).c_str(),
                                outcome.message.c_str());
                  std::fflush(stdout);
                });
  for (size_t i = 0; i < failures.size(); ++i) {
    if (static_cast<int>(i) >= options.shrinks)
      break;
    if (!options.json)
      std::printf("seed %llu\n",
                  static_cast<unsigned long long>(failures[i].seed));
    explain(failures[i], options, *compile);
  }
  if (options.json)
    std::printf("%s\n", json_of(options, passed, failures).c_str());
  else
    std::printf("%llu passed, %zu failed\n",
                static_cast<unsigned long long>(passed), failures.size());
  return failures.empty() ? 0 : 1;
}

} // namespace

Command add_fuzz(CLI::App &app) {
  auto options = std::make_shared<FuzzOptions>();
  app.add_option("--seed", options->seed,
                 "Seed of the first program; the next ones follow")
      ->capture_default_str();
  app.add_option("--count", options->count, "Programs to make")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--max-ops", options->limits.max_ops,
                 "Ops of the largest program")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag(
      "--large", options->limits.large,
      "Tensors of up to 262,144 elements, whose kernels are divided into tasks "
      "and chunks");
  app.add_option("--jobs", options->jobs,
                 "Processes at a time; default one a core");
  app.add_option("--shrink", options->shrinks,
                 "Failures to shrink and write down")
      ->capture_default_str();
  app.add_option("--dump-dir", options->directory,
                 "Where shrunk failures are written")
      ->capture_default_str();
  app.add_flag(
      "--partitions", options->partitions,
      "Cut the programs over two to eight devices by random shardings");
  app.add_flag(
      "--unknown-sizes", options->unknown_sizes,
      "Replace sizes by unknown ones, which are derived again from the "
      "inputs");
  app.add_option("--sizes", options->sizes,
                 "Programs of each seed that differ in sizes; kernels compiled "
                 "for some serve the others");
  app.add_flag("--hostile", options->hostile,
               "Programs that must be rejected or run within their buffers: "
               "custom calls, sizes, unknown ops, images, mutated cases");
  app.add_option("--corpus", options->corpus,
                 "Files of cases, or folders of them, that --hostile mutates");
  app.add_flag("--print", options->print, "Print the programs, run nothing");
  app.add_flag("--json", options->json, "Print one JSON object");
  add_target(app, *options);
  return [options] {
    options->limits.rows = options->partitions;
    return run_fuzz(*options);
  };
}

} // namespace xlac::cli
