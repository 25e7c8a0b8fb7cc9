// Images of programs: what a file carries beside the code, and loading an image
// on a machine for which it was not compiled.
#pragma once

#include "xlac/loader/program_loader.h"
#include "xlac/runtime/image_file.h"

#include <string>
#include <vector>

namespace xlac {

/// What a file carries beside the code.
enum class ImageExtras : uint8_t { Names, NamesAndProgram };

/// The names, or an empty list if all are empty.
std::vector<std::string> names_or_none(std::vector<std::string> names);

/// Adds the names of the source's arguments and results to `file` and, if
/// wanted, the program as a portable artifact. `compile` are the options with
/// which the image was compiled. Loads the compiler.
Status describe_image(const Source &source, const CompilerOptions &compile,
                      ImageExtras extras, runtime::ImageFile &file);

/// The artifact of the program that the file carries. User failure, which says
/// that the image contains none, if it does not.
Result<std::string> program_of_image(const runtime::ImageFile &file);

/// Sets the options with which the program was compiled, except for its target,
/// where `compile` has none: the sizes of further arguments, and the invariant
/// arguments if there are none.
void add_compile_options(const runtime::ImageProgram &program,
                         CompilerOptions &compile);

/// Loads the code of an image. If this machine lacks CPU features that the code
/// uses, finds or compiles the program that the file carries for
/// `options.compile.target` instead, with add_compile_options(). `name` is the
/// name of the file in messages of the compiler. Runtime failure with the
/// missing features if the file has no program, or if it cannot be compiled.
Result<LoadedProgram> load_image(runtime::ImageFile file,
                                 const std::string &name,
                                 const ProgramLoadOptions &options);

} // namespace xlac
