// xlac translate and xlac opt: read and write modules.
#include "commands.h"

#include "xlac/loader/compiler_library.h"

#include <CLI/CLI.hpp>

namespace xlac::cli {
namespace {

struct TranslateOptions : SharedOptions {
  std::string to = "stablehlo", output, passes;
  TextOptions print;
  ArtifactOptions artifact;
};

int write(const TranslateOptions &options, const Result<std::string> &bytes) {
  if (!bytes)
    return report(bytes.error());
  if (auto written = write_file(options.output, *bytes); !written)
    return report(written.error());
  return 0;
}

int translate(TranslateOptions options) {
  auto input = read_program(options);
  if (!input)
    return report(input.error());
  auto compiler = open_compiler();
  if (!compiler)
    return report(compiler.error());
  Source source{*input, options.input, options.entry};
  if (!options.passes.empty())
    return write(options, (*compiler)->run_passes(source, options.passes));
  if (options.to == "bytecode")
    return write(options, (*compiler)->artifact(source, options.artifact));
  return write(options, (*compiler)->print(source, options.print));
}

} // namespace

Command add_translate(CLI::App &app) {
  auto options = std::make_shared<TranslateOptions>();
  app.add_option("input", options->input,
                 "StableHLO text or bytecode, an image, or -")
      ->required();
  app.add_option("--to", options->to,
                 "stablehlo: text in the pretty form; bytecode: a portable "
                 "artifact")
      ->check(CLI::IsMember({"stablehlo", "bytecode"}))
      ->capture_default_str();
  app.add_option("--target-version", options->artifact.version,
                 "Version of the artifact: 1.9.0, current or minimum")
      ->capture_default_str();
  app.add_flag("--strip-debug-info", options->artifact.strip_debug_info,
               "Write the artifact without locations");
  app.add_flag("--debug-info", options->print.debug_info,
               "Print locations with the text");
  app.add_flag("--generic", options->print.generic,
               "Print MLIR's generic form");
  app.add_option("-o,--output", options->output, "File to write");
  return [options] { return translate(*options); };
}

Command add_opt(CLI::App &app) {
  auto options = std::make_shared<TranslateOptions>();
  app.add_option("input", options->input,
                 "StableHLO text or bytecode, an image, or -")
      ->required();
  app.add_option("--passes", options->passes,
                 "An MLIR pass pipeline, as builtin.module(canonicalize,cse)")
      ->required();
  app.add_option("-o,--output", options->output, "File to write");
  return [options] { return translate(*options); };
}

} // namespace xlac::cli
