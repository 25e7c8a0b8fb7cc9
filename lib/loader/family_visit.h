// What is compiled in the background after a program of a family has been
// compiled (xlac/loader/background_compiler.h).
#pragma once

#include "xlac/cache/store.h"
#include "xlac/compiler.h"
#include "xlac/loader/background_compiler.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace xlac {

/// A program to compile, from a source or a graph.
class Compilable {
public:
  virtual ~Compilable() = default;
  /// The key that it has in common with programs of other sizes.
  virtual Result<std::string> common_key() = 0;
  /// The types of the arguments, as the program states them.
  virtual std::vector<Type> arguments() const = 0;
  virtual Result<runtime::ExecutableImage> compile(const CompilerOptions &,
                                                   CompileReport *) = 0;
  /// Returns a function that parses the program once more. It does not refer to
  /// this object.
  using Parse = std::function<Result<std::unique_ptr<ParsedProgram>>()>;
  virtual Parse parse_again() = 0;
};

/// Whether XLAC_BACKGROUND_COMPILE is on.
bool compiles_in_background();

/// Sizes with which a program with arguments of unknown sizes is likely to run
/// besides `sizes`.
std::vector<ArgumentSizes>
other_sizes_of_unknown(const std::vector<Type> &arguments,
                       const ArgumentSizes &sizes);

/// The compilation of one program of a family.
class FamilyVisit {
public:
  /// With `in_background`, chooses how `compile` treats code for any size. If
  /// the background thread is compiling for the family, waits for it. `store`
  /// is the disk cache, or null.
  FamilyVisit(CompilerOptions &compile, cache::Store *store,
              bool in_background);

  /// Called after the program has been compiled with `compile`. Adds work for
  /// the background thread if code for any size is missing.
  void leave(Compilable &program, CompilerOptions compile,
             const CompileReport &report);

private:
  cache::Store *const store_;
  const bool in_background_;
  std::vector<ArgumentSizes> other_sizes_;
  BackgroundCompiler::Family state_ = BackgroundCompiler::Family::New;
};

} // namespace xlac
