// xlac check: conformance files through the real code generator.
#include "commands.h"
#include "comparison.h"

#include "xlac/lazy/compiler_door.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace xlac::tool {
namespace {

struct CheckOptions : SharedOptions {
  std::vector<std::string> files;
  bool mutate = false, report = false;
};

/// Nothing when the case holds, else why not.
std::optional<std::string>
run_case(const CheckCase &one, const LoadOptions &load, bool mutate_expected) {
  if (!one.unsupported.empty())
    return one.unsupported;
  auto loaded = load_or_compile(Source{one.module, one.name, "main"}, load);
  if (!loaded)
    return loaded.error().message;
  const ExecutableImage &image = loaded->executable->image();
  if (image.arguments.size() != one.inputs.size())
    return fmt::format("the case takes {} inputs, {} were found",
                       image.arguments.size(), one.inputs.size());
  std::vector<HostArray> inputs;
  for (size_t i = 0; i < one.inputs.size(); ++i)
    inputs.push_back({image.arguments[i].tensor(), one.inputs[i]});
  auto outputs = run_on_host(loaded->executable, inputs);
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

/// Failures by what was said, the most frequent first.
void print_reasons(const std::map<std::string, int> &reasons) {
  std::vector<std::pair<int, std::string>> ordered;
  for (const auto &[reason, count] : reasons)
    ordered.emplace_back(count, reason);
  std::sort(ordered.rbegin(), ordered.rend());
  for (const auto &[count, reason] : ordered)
    std::printf("%5d  %s\n", count, reason.c_str());
}

/// What a failure says without the places and numbers of this case.
std::string reason_of(const std::string &message) {
  size_t at = message.find("error: ");
  if (at != std::string::npos)
    return message.substr(at + 7);
  at = message.find("elements differ");
  return at == std::string::npos ? message : "elements differ";
}

int check(const CheckOptions &options) {
  auto compile = compile_options(options);
  if (!compile)
    return report(compile.error());
  auto store = open_store(options);
  LoadOptions load{*compile, store.get(), false};
  auto compiler = open_compiler();
  if (!compiler)
    return report(compiler.error());
  int64_t passed = 0, failed = 0;
  std::map<std::string, int> reasons;
  auto say = [&](const std::string &name,
                 const std::optional<std::string> &problem) {
    (problem ? failed : passed)++;
    if (problem)
      ++reasons[reason_of(*problem)];
    std::string line = problem.value_or("ok");
    for (char &c : line)
      if (c == '\n')
        c = ' ';
    std::printf("%s: %s\n", name.c_str(), line.c_str());
  };
  for (const std::string &file : options.files) {
    auto text = read_input(file);
    if (!text) {
      say(file, text.error().message);
      continue;
    }
    auto cases = (*compiler)->check_cases(Source{*text, file, "main"});
    if (!cases) {
      say(file, cases.error().message);
      continue;
    }
    for (const CheckCase &one : *cases)
      say(one.name, run_case(one, load, options.mutate));
  }
  if (options.report)
    print_reasons(reasons);
  std::printf("%lld passed, %lld failed\n", static_cast<long long>(passed),
              static_cast<long long>(failed));
  return failed == 0 ? 0 : 1;
}

} // namespace

Command add_check(CLI::App &app) {
  auto options = std::make_shared<CheckOptions>();
  app.add_option("files", options->files, "Conformance files (.mlir)")
      ->required();
  add_target(app, *options);
  options->no_cache = true;
  app.add_option("--cache-dir", options->cache_directory,
                 "Use this cache; by default cases are compiled afresh");
  app.add_flag("--mutate", options->mutate,
               "Change one expected element of each case: all must fail");
  app.add_flag("--report", options->report,
               "Also count the failures by what they say");
  return [options] {
    options->no_cache = options->cache_directory.empty();
    return check(*options);
  };
}

} // namespace xlac::tool
