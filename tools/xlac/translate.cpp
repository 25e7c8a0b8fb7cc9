// xlac translate and xlac opt: modules in, modules out.
#include "commands.h"

#include "xlac/lazy/compiler_door.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>

namespace xlac::tool {
namespace {

struct TranslateOptions : SharedOptions {
  std::string to = "stablehlo", output, passes;
  bool generic = false;
};

int print(const TranslateOptions &options, const Result<std::string> &text) {
  if (!text)
    return report(text.error());
  if (options.output.empty() || options.output == "-") {
    std::fputs(text->c_str(), stdout);
    return 0;
  }
  std::ofstream file(options.output, std::ios::binary);
  file << *text;
  file.close();
  if (!file)
    return report(
        failure(Fault::Runtime, options.output + ": cannot be written"));
  return 0;
}

int translate(const TranslateOptions &options) {
  auto text = read_input(options.input);
  if (!text)
    return report(text.error());
  auto compiler = open_compiler();
  if (!compiler)
    return report(compiler.error());
  Source source{*text, options.input, options.entry};
  if (!options.passes.empty())
    return print(options, (*compiler)->run_passes(source, options.passes));
  return print(options, (*compiler)->print(source, options.generic));
}

} // namespace

Command add_translate(CLI::App &app) {
  auto options = std::make_shared<TranslateOptions>();
  app.add_option("input", options->input, "StableHLO text, or -")->required();
  app.add_option("--to", options->to, "stablehlo: text in the pretty form")
      ->check(CLI::IsMember({"stablehlo"}))
      ->capture_default_str();
  app.add_flag("--generic", options->generic, "Print MLIR's generic form");
  app.add_option("-o,--output", options->output, "File to write");
  return [options] { return translate(*options); };
}

Command add_opt(CLI::App &app) {
  auto options = std::make_shared<TranslateOptions>();
  app.add_option("input", options->input, "StableHLO text, or -")->required();
  app.add_option("--passes", options->passes,
                 "An MLIR pass pipeline, as builtin.module(canonicalize,cse)")
      ->required();
  app.add_option("-o,--output", options->output, "File to write");
  return [options] { return translate(*options); };
}

} // namespace xlac::tool
