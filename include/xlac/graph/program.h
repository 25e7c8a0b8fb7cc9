// A whole program: functions, an entry function, and aliases of results and
// arguments. It can represent any module that xlac can import.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/support/result.h"
#include "xlac/support/sharding.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xlac::graph {

/// Attributes of one argument or result that are not in the op table: pairs of
/// name and MLIR text ("mhlo.sharding", "\"{replicated}\"").
using NamedAttributes = std::vector<std::pair<std::string, std::string>>;

struct Function {
  std::string name;
  bool is_public = true;
  Block body;
  /// Empty, or one list per argument or result.
  std::vector<NamedAttributes> argument_attributes, result_attributes;
  NamedAttributes attributes;
};

struct Program {
  std::string name;                   ///< of the module; may be empty
  std::vector<FunctionRef> functions; ///< callees before callers
  std::string entry = "main";
  std::vector<AliasPair> aliases;
  NamedAttributes attributes;
  /// The device meshes that shardings refer to: names and MLIR text.
  NamedAttributes meshes = {};
  /// Number of partitions; the program describes the global computation.
  int64_t partitions = 1;
  /// Shardings of the entry's arguments and results: empty, or one per value.
  /// The compiler chooses those without a value.
  std::vector<std::optional<Sharding>> argument_shardings, result_shardings;

  /// The entry function; null if there is none with that name.
  const Function *entry_function() const;
  /// Types of the entry's arguments and results.
  std::vector<Type> argument_types() const;
  std::vector<Type> result_types() const;
};

/// Makes a program with one function that computes `results`. Its arguments are
/// the parameters that they depend on, in traversal order from the results;
/// each parameter is one argument.
Program make_program(std::span<const Value> results,
                     std::string name = "xlac_program");

/// A 256-bit hash of the structure: ops, attributes, operand numbers, regions,
/// types, order of results, alias pairs, meshes, replica and partition counts,
/// and attributes of arguments and results, such as shardings, kinds of memory
/// and layouts. It does not depend on names of values and functions, origins,
/// the order of independent ops, or dead ops. Fails if calls recurse.
Result<std::string> program_key(const Program &program);

/// A hash of what programs that differ only in sizes have in common: ops,
/// operand numbers, regions, element types and ranks. It says nothing about
/// attributes and the values of constants. Fails if calls recurse.
Result<std::string> family_key(const Program &program);

/// Number of nodes in the lists `nodes` of all functions and regions.
size_t node_count(const Program &program);

/// A readable dump with one node per line; not MLIR.
std::string to_text(const Program &program);

} // namespace xlac::graph
