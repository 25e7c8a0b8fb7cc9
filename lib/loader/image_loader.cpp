#include "xlac/loader/image_loader.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/support/clock.h"

#include <algorithm>

namespace xlac {

std::vector<std::string> names_or_none(std::vector<std::string> names) {
  if (std::ranges::all_of(names, &std::string::empty))
    names.clear();
  return names;
}

Status describe_image(const Source &source, const CompilerOptions &compile,
                      ImageExtras extras, runtime::ImageFile &file) {
  auto compiler = open_compiler();
  if (!compiler)
    return compiler.error();
  auto signature = (*compiler)->signature(source);
  if (!signature)
    return signature.error();
  file.argument_names = names_or_none(std::move(signature->argument_names));
  file.result_names = names_or_none(std::move(signature->result_names));
  if (extras == ImageExtras::Names)
    return {};
  auto artifact = (*compiler)->artifact(source, ArtifactOptions());
  if (!artifact)
    return artifact.error();
  runtime::ImageProgram program;
  program.entry = source.entry;
  program.invariant_arguments = compile.invariant_arguments;
  program.argument_sizes = compile.argument_sizes;
  program.ignore_callbacks = compile.ignore_callbacks;
  XLAC_RETURN_IF_ERROR(runtime::pack_artifact(*artifact, program));
  file.program = std::move(program);
  return {};
}

Result<std::string> program_of_image(const runtime::ImageFile &file) {
  if (!file.program)
    return failure(FailureKind::User,
                   "the image does not contain the program that it was "
                   "compiled from");
  return runtime::unpack_artifact(*file.program);
}

void add_compile_options(const runtime::ImageProgram &program,
                         CompilerOptions &compile) {
  if (compile.invariant_arguments.empty())
    compile.invariant_arguments = program.invariant_arguments;
  for (const auto &[argument, sizes] : program.argument_sizes)
    if (std::ranges::find(compile.argument_sizes, argument,
                          &ArgumentSizes::value_type::first) ==
        compile.argument_sizes.end())
      compile.argument_sizes.emplace_back(argument, sizes);
  compile.ignore_callbacks |= program.ignore_callbacks;
}

/// Finds or compiles the program of an image whose code this machine cannot
/// run. `why` says so.
static Result<LoadedProgram> compile_again(const runtime::ImageFile &file,
                                           const std::string &name,
                                           const ProgramLoadOptions &given,
                                           const std::string &why) {
  auto artifact = program_of_image(file);
  if (!artifact)
    return failure(FailureKind::Runtime, why + "; " + artifact.error().message);
  ProgramLoadOptions options = given;
  add_compile_options(*file.program, options.compile);
  auto loaded =
      load_or_compile(Source{*artifact, name, file.program->entry}, options);
  if (!loaded)
    return failure(loaded.error().failure_kind,
                   why + "; its program cannot be compiled again: " +
                       loaded.error().message);
  return loaded;
}

Result<LoadedProgram> load_image(runtime::ImageFile file,
                                 const std::string &name,
                                 const ProgramLoadOptions &options) {
  std::string missing = runtime::missing_features(file.image);
  if (!missing.empty())
    return compile_again(file, name, options,
                         "the image was compiled for '" +
                             file.image.target_profile +
                             "'; this machine lacks " + missing);
  auto start = Clock::now();
  LoadedProgram loaded;
  auto executable =
      runtime::Executable::load(std::move(file.image), options.call_check);
  if (!executable)
    return executable.error();
  loaded.executable = std::move(*executable);
  loaded.code = std::make_shared<ProgramCode>(loaded.executable);
  loaded.cache = CacheStatus::Hit;
  loaded.load_ms = milliseconds_since(start);
  return loaded;
}

} // namespace xlac
