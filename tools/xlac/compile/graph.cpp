// xlac graph: draws a program's kernels, the ops that are fused into them, and
// the values between them.
#include "commands.h"
#include "picture/program_picture.h"
#include "xlac/loader/compiler_library.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>

namespace xlac::cli {

Result<ProgramPicture> picture_of(SharedOptions options) {
  auto text = read_program(options);
  if (!text)
    return text.error();
  auto compile = compile_options(options);
  if (!compile)
    return compile.error();
  auto compiler = open_compiler();
  if (!compiler)
    return compiler.error();
  return (*compiler)->picture(Source{*text, options.input, options.entry},
                              *compile);
}

namespace {

struct GraphOptions : SharedOptions {
  std::string output;
  std::string format;
  bool expand = false;
};

int graph(const GraphOptions &options) {
  std::string format = options.format;
  if (format.empty()) {
    format = std::filesystem::path(options.output).extension().string();
    format = format.empty() ? format : format.substr(1);
  }
  if (format != "svg" && format != "dot" && format != "html") {
    std::fprintf(stderr,
                 "xlac graph: %s: the file's name says neither svg, dot nor "
                 "html; --format does\n",
                 options.output.c_str());
    return 2;
  }
  auto picture = picture_of(options);
  if (!picture)
    return report(picture.error());
  bool compact = !options.expand;
  std::string text = format == "svg"   ? svg_of(*picture, {}, compact)
                     : format == "dot" ? dot_of(*picture, compact)
                                       : page_of(*picture, compact);
  auto written = write_file(options.output, text);
  return written ? 0 : report(written.error());
}

} // namespace

Command add_graph(CLI::App &app) {
  auto options = std::make_shared<GraphOptions>();
  add_input(app, *options);
  add_invariant(app, *options);
  add_shapes(app, *options);
  add_target(app, *options);
  app.add_option("-o,--output", options->output,
                 "File to write: .svg, .dot for Graphviz, or .html; - for "
                 "standard output")
      ->required();
  app.add_option("--format", options->format, "svg, dot or html")
      ->check(CLI::IsMember({"svg", "dot", "html"}));
  app.add_flag("--expand", options->expand,
               "Draw every repetition of equal steps, and small kernels that "
               "prepare parameters as steps of their own");
  return [options] { return graph(*options); };
}

} // namespace xlac::cli
