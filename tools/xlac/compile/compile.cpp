// xlac compile: writes any stage of the compilation to a file.
#include "commands.h"
#include "object.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/loader/image_loader.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

namespace xlac::cli {
namespace {

struct CompileCommand : SharedOptions {
  ObjectOptions object; // with the options of all kinds
  std::string emit = "xlax";
  bool without_program = false;
};

const std::map<std::string, Stage> kStages = {{"stablehlo", Stage::StableHLO},
                                              {"kernels", Stage::Kernels},
                                              {"llvm", Stage::Llvm},
                                              {"asm", Stage::Assembly}};

const std::map<std::string, ObjectKind> kObjects = {
    {"obj", ObjectKind::Object},
    {"so", ObjectKind::SharedObject},
    {"archive", ObjectKind::Archive}};

int write_image(Compiler &compiler, const Source &source,
                const CompilerOptions &options, const CompileCommand &command) {
  if (command.object.output.empty()) {
    std::fprintf(stderr, "xlac compile: -o is needed for an executable\n");
    return 2;
  }
  CompileReport phases;
  auto image = compiler.compile(source, options, &phases);
  if (!image)
    return report(image.error());
  print_warnings(phases);
  runtime::ImageFile file{std::move(*image), {}, {}, {}};
  auto extras = command.without_program ? ImageExtras::Names
                                        : ImageExtras::NamesAndProgram;
  if (auto described = describe_image(source, options, extras, file);
      !described)
    return report(described.error());
  if (auto written = runtime::write_image_file(command.object.output, file);
      !written)
    return report(written.error());
  if (command.object.timing)
    print_phases(phases);
  return 0;
}

int compile(CompileCommand command) {
  auto text = read_program(command);
  if (!text)
    return report(text.error());
  auto compiler = open_compiler();
  if (!compiler)
    return report(compiler.error());
  Source source{*text, command.input, command.entry};
  if (auto kind = kObjects.find(command.emit); kind != kObjects.end())
    return write_object(**compiler, source, command, command.object,
                        kind->second);
  if (!command.object.sizes.empty()) {
    std::fprintf(stderr, "xlac compile: --size needs --emit obj, so or "
                         "archive\n");
    return 2;
  }
  auto options = compile_options(command);
  if (!options)
    return report(options.error());
  options->dump_directory = command.object.dump_directory;
  CompileReport report_of;
  if (auto stage = kStages.find(command.emit); stage != kStages.end()) {
    auto bytes = (*compiler)->emit(source, *options, stage->second, &report_of);
    if (!bytes)
      return report(bytes.error());
    print_warnings(report_of);
    auto written = write_file(command.object.output, *bytes);
    return written ? 0 : report(written.error());
  }
  return write_image(**compiler, source, *options, command);
}

} // namespace

Command add_compile(CLI::App &app) {
  auto command = std::make_shared<CompileCommand>();
  add_input(app, *command);
  add_invariant(app, *command);
  add_ignore_callbacks(app, *command);
  add_shapes(app, *command);
  add_target(app, *command);
  app.add_option("-o,--output", command->object.output,
                 "File to write; standard output for printable stages");
  app.add_option("--emit", command->emit,
                 "xlax (an executable image), stablehlo, kernels, llvm, asm, "
                 "or for programs in C with a header: obj, so, archive")
      ->check(CLI::IsMember({"xlax", "stablehlo", "kernels", "llvm", "asm",
                             "obj", "so", "archive"}))
      ->capture_default_str();
  app.add_flag("--without-program", command->without_program,
               "Leave the StableHLO program out of the image: it then serves "
               "only to run, on processors that have the target's features");
  add_object(app, command->object);
  app.add_option("--dump-dir", command->object.dump_directory,
                 "Directory for every stage as a file");
  app.add_flag("--timing", command->object.timing,
               "Print the time of each phase");
  return [command] { return compile(*command); };
}

} // namespace xlac::cli
