// xlac check: runs conformance files as compiled code.
#include "commands.h"
#include "comparison.h"
#include "json.h"
#include "print_call.h"

#include "xlac/compiler_check_case.h"
#include "xlac/loader/compiler_library.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace xlac::cli {
namespace {

struct CheckOptions : SharedOptions {
  std::vector<std::string> files;
  bool mutate = false, report = false;
};

/// The compiled parts of a case, one line each in the order of first use.
struct CompiledParts {
  /// "kernel loop: add multiply", "library call: fft", "custom call: @f",
  /// "collective: all_reduce", and their counts.
  std::vector<std::pair<std::string, int>> lines;

  void add(const std::string &line) {
    for (auto &[known, count] : lines)
      if (known == line) {
        ++count;
        return;
      }
    lines.emplace_back(line, 1);
  }
  void add(const runtime::ExecutableImage &image) {
    const std::string *last = nullptr;
    for (const runtime::KernelEntry &kernel : image.kernels) {
      // The phases of a kernel are consecutive: "k12.0", "k12.1".
      std::string_view name(kernel.symbol);
      name = name.substr(0, name.rfind('.'));
      if (!last || !std::string_view(*last).starts_with(name))
        add(kernel.kind == "library"
                ? "library call: " + kernel.source_ops
                : "kernel " + kernel.kind + ": " + kernel.source_ops);
      last = &kernel.symbol;
    }
    for (const runtime::Collective &what : image.collectives)
      add(what.kind == runtime::CollectiveKind::CustomCall
              ? "custom call: @" + what.function.target
              : "collective: " + std::string(to_string(what.kind)));
  }
};

/// The limit of processes; no conformance case has as many.
constexpr int kMostProcesses = 256;

Result<std::vector<HostArray>>
compile_and_run(const Source &source, const ProgramLoadOptions &load,
                const std::vector<std::vector<std::byte>> &bytes,
                CompiledParts &parts) {
  auto loaded = load_or_compile(source, load);
  if (!loaded)
    return loaded.error();
  print_warnings(loaded->report);
  parts.add(loaded->executable->image());
  const std::vector<Type> &types = loaded->executable->image().arguments;
  if (types.size() != bytes.size())
    return failure(FailureKind::Internal,
                   fmt::format("the case takes {} inputs, {} were found",
                               types.size(), bytes.size()));
  std::vector<HostArray> inputs;
  for (size_t i = 0; i < bytes.size(); ++i)
    inputs.push_back(
        {types[i].is_tensor() ? types[i].tensor() : no_elements(), bytes[i]});
  return run_on_host(loaded->executable, inputs);
}

/// Runs the case's functions and pushes their results to the infeed of every
/// device.
Status fill_infeeds(const CheckCase::Grid &grid, int processes,
                    const std::string &name, const ProgramLoadOptions &load,
                    CompiledParts &parts) {
  for (int i = 0; i < processes; ++i) {
    auto device = runtime::find_device(i);
    if (!device)
      return device.error();
    // Removes entries of a previous case.
    while ((*device)->infeed().size() > 0)
      (void)(*device)->infeed().pop(std::chrono::milliseconds(0));
  }
  for (const std::string &function : grid.infeed) {
    auto made =
        compile_and_run(Source{grid.programs, name, function}, load, {}, parts);
    if (!made)
      return made.error();
    runtime::Transfer transfer;
    for (HostArray &array : *made)
      transfer.push_back(std::move(array.bytes));
    for (int i = 0; i < processes; ++i)
      (*runtime::find_device(i))->infeed().push(transfer);
  }
  return {};
}

/// Runs the programs of the case's grid one after another and returns their
/// results.
Result<std::vector<std::vector<std::byte>>>
run_grid(const CheckCase::Grid &grid, const std::string &name,
         const ProgramLoadOptions &load, CompiledParts &parts) {
  runtime::GridOptions options;
  options.shape = {static_cast<int>(grid.rows.size()),
                   static_cast<int>(grid.rows.front().size())};
  options.deadline = std::chrono::seconds(30);
  int processes = options.shape.count();
  if (processes > kMostProcesses)
    return failure(FailureKind::Unsupported,
                   fmt::format("{} programs in parallel", processes));
  auto operands = compile_and_run(Source{grid.setup, name, "main"}, load,
                                  grid.setup_inputs, parts);
  if (!operands)
    return operands.error();
  XLAC_RETURN_IF_ERROR(fill_infeeds(grid, processes, name, load, parts));
  std::vector<std::shared_ptr<const runtime::Executable>> programs;
  std::vector<std::vector<runtime::BufferRef>> arguments;
  std::vector<runtime::BufferRef> all = borrow(*operands);
  size_t next = 0, wanted = 0;
  for (const auto &row : grid.rows)
    for (const std::string &function : row) {
      auto loaded =
          load_or_compile(Source{grid.programs, name, function}, load);
      if (!loaded)
        return loaded.error();
      print_warnings(loaded->report);
      parts.add(loaded->executable->image());
      programs.push_back(loaded->executable);
      size_t count = loaded->executable->argument_bytes().size();
      wanted += count;
      if (wanted <= all.size())
        arguments.emplace_back(all.begin() + next, all.begin() + wanted);
      next = wanted;
    }
  if (wanted != all.size())
    return failure(FailureKind::User,
                   fmt::format("the programs take {} operands, got {}", wanted,
                               all.size()));
  auto results = run_on_grid(programs, options, arguments);
  if (!results)
    return results.error();
  std::vector<std::vector<std::byte>> outputs;
  for (size_t i = 0; i < programs.size(); ++i)
    for (size_t k = 0; k < (*results)[i].size(); ++k)
      outputs.push_back(
          to_array(programs[i]->image().results[k], (*results)[i][k]).bytes);
  return outputs;
}

/// Returns nothing if the case passes, else the reason.
std::optional<std::string> run_case(const CheckCase &one,
                                    const ProgramLoadOptions &load,
                                    bool mutate_expected,
                                    CompiledParts &parts) {
  if (!one.unsupported.empty())
    return one.unsupported;
  std::vector<std::vector<std::byte>> inputs = one.inputs;
  if (one.grid) {
    auto made = run_grid(*one.grid, one.name, load, parts);
    if (!made)
      return made.error().message;
    inputs.insert(inputs.begin(), made->begin(), made->end());
  }
  auto outputs = compile_and_run(Source{one.module, one.name, "main"}, load,
                                 inputs, parts);
  if (!outputs)
    return outputs.error().message;
  bool mutated = !mutate_expected;
  for (const auto &comparison : one.comparisons) {
    HostArray expected = (*outputs)[comparison.expected];
    if (!mutated)
      mutated = mutate(expected);
    if (auto difference =
            compare(comparison, (*outputs)[comparison.actual], expected))
      return difference;
  }
  if (!mutated)
    return "nothing to change: the case compares no element";
  return std::nullopt;
}

/// Prints counts, the most frequent first.
void print_counts(const std::map<std::string, int> &counts) {
  std::vector<std::pair<int, std::string>> ordered;
  for (const auto &[what, count] : counts)
    ordered.emplace_back(count, what);
  std::sort(ordered.rbegin(), ordered.rend());
  for (const auto &[count, what] : ordered)
    std::printf("%5d  %s\n", count, what.c_str());
}

/// Returns a failure message without locations and numbers, for grouping.
std::string reason_of(const std::string &message) {
  size_t at = message.find("error: ");
  if (at != std::string::npos)
    return message.substr(at + 7);
  at = message.find("elements differ");
  return at == std::string::npos ? message : "elements differ";
}

/// Counts the cases and prints their results.
class CaseCounts {
public:
  explicit CaseCounts(const CheckOptions &options) : options_(options) {}

  void add(const std::string &name, const std::optional<std::string> &problem,
           const CompiledParts &parts = {});
  /// Prints the totals and returns the exit code.
  int finish();

private:
  void print(const std::string &name, const std::string &outcome,
             const CompiledParts &parts) const;

  const CheckOptions &options_;
  int64_t passed_ = 0, failed_ = 0;
  std::map<std::string, int> reasons_, parts_;
  Json cases_ = Json::list();
};

void CaseCounts::print(const std::string &name, const std::string &outcome,
                       const CompiledParts &parts) const {
  std::printf("%s: %s\n", name.c_str(), outcome.c_str());
  if (!options_.report)
    return;
  for (const auto &[line, count] : parts.lines)
    std::printf("  %s%s\n", line.c_str(),
                count > 1 ? fmt::format(" ({} times)", count).c_str() : "");
  if (parts.lines.empty())
    std::printf("  nothing but copies\n");
}

void CaseCounts::add(const std::string &name,
                     const std::optional<std::string> &problem,
                     const CompiledParts &parts) {
  (problem ? failed_ : passed_)++;
  if (problem)
    ++reasons_[reason_of(*problem)];
  for (const auto &[line, count] : parts.lines)
    parts_[line.substr(0, line.starts_with("kernel") ? line.find(':')
                                                     : std::string::npos)] +=
        count;
  std::string outcome = problem.value_or("ok");
  std::replace(outcome.begin(), outcome.end(), '\n', ' ');
  if (!options_.json) {
    print(name, outcome, parts);
    return;
  }
  Json one;
  one.add("name", name);
  one.add("passed", !problem);
  if (problem)
    one.add("problem", outcome);
  Json lines = Json::list();
  for (const auto &[line, count] : parts.lines)
    lines.push(line);
  one.add("compiled", std::move(lines));
  cases_.push(std::move(one));
}

int CaseCounts::finish() {
  if (options_.json) {
    Json all;
    all.add("passed", passed_);
    all.add("failed", failed_);
    all.add("cases", std::move(cases_));
    std::printf("%s\n", all.text().c_str());
    return failed_ == 0 ? 0 : 1;
  }
  if (options_.report) {
    print_counts(parts_);
    print_counts(reasons_);
  }
  std::printf("%lld passed, %lld failed\n", static_cast<long long>(passed_),
              static_cast<long long>(failed_));
  return failed_ == 0 ? 0 : 1;
}

int check(const CheckOptions &options) {
  auto compile = compile_options(options);
  if (!compile)
    return report(compile.error());
  if (auto configured = runtime::configure_devices({.count = kMostProcesses});
      !configured)
    return report(configured.error());
  auto store = open_store(options);
  ProgramLoadOptions load{*compile, store.get(), false};
  auto compiler = open_compiler();
  if (!compiler)
    return report(compiler.error());
  // With --json, standard output is reserved for the report.
  register_print_call(options.json ? stderr : stdout);
  CaseCounts case_counts(options);
  for (const std::string &file : options.files) {
    auto text = read_file(file);
    if (!text) {
      case_counts.add(file, text.error().message.substr(file.size() + 2));
      continue;
    }
    auto cases = (*compiler)->check_cases(Source{*text, file, "main"});
    if (!cases) {
      case_counts.add(file, cases.error().message);
      continue;
    }
    for (const CheckCase &one : *cases) {
      CompiledParts parts;
      auto problem = run_case(one, load, options.mutate, parts);
      case_counts.add(one.name, problem, parts);
    }
  }
  return case_counts.finish();
}

} // namespace

Command add_check(CLI::App &app) {
  auto options = std::make_shared<CheckOptions>();
  app.add_option("files", options->files, "Conformance files (.mlir)")
      ->required();
  add_ignore_callbacks(app, *options);
  add_target(app, *options);
  options->no_cache = true;
  app.add_option("--cache-dir", options->cache_directory,
                 "Use this cache; by default cases are compiled afresh");
  app.add_flag("--mutate", options->mutate,
               "Change one expected element of each case: all must fail");
  app.add_flag("--report", options->report,
               "Print the kernels compiled for each case and what it calls "
               "of the runtime library; count these and the failures");
  app.add_flag("--json", options->json, "Print one JSON object");
  return [options] {
    options->no_cache = options->cache_directory.empty();
    return check(*options);
  };
}

} // namespace xlac::cli
