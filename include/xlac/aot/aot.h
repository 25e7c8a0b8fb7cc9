// Ahead-of-time compilation for programs in C: an object file with a header.
#pragma once

#include "xlac/compiler.h"
#include "xlac/compiler_object.h"
#include "xlac/support/result.h"
#include "xlac/support/target_profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::aot {

/// A size that callers of the program choose.
struct SizeSymbol {
  std::string name;            ///< a C identifier
  std::vector<int64_t> values; ///< allowed ones, in ascending order
};

/// A dimension of an argument: a symbol's value, or a number.
struct SizeOfDim {
  std::optional<size_t> symbol;
  int64_t number = 0;
};

/// The dimensions of an argument whose type has unknown ones.
struct SymbolicArgument {
  uint32_t argument = 0;
  std::vector<SizeOfDim> dims;
};

struct Request {
  std::string name; ///< prefix of all symbols: a C identifier
  ObjectKind kind = ObjectKind::Object;
  bool weights_file = false;
  std::vector<std::string> entries = {"main"}; ///< functions to compile
  std::vector<TargetProfile> targets;          ///< at least one
  std::vector<SizeSymbol> symbols;
  std::vector<SymbolicArgument> arguments;
};

struct Files {
  ObjectFiles object;
  std::string header;
};

/// True for a name that is an identifier and no keyword in C and in C++.
bool is_c_identifier(std::string_view name);

/// Compiles the source for every target and every list of sizes. `options`
/// apply to each of these compilations, except for their target, kernel store
/// and sizes. User failure for names that are no identifiers and for sizes that
/// the program cannot have; Unsupported, naming the op, for what needs the
/// runtime of libxlac.so: collectives, transfers, and custom calls without a
/// built-in target. Adds the phases and warnings of all compilations to
/// `report`.
Result<Files> compile(Compiler &compiler, const Source &source,
                      const CompilerOptions &options, const Request &request,
                      CompileReport &report);

} // namespace xlac::aot
