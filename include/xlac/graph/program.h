// A whole program: functions, an entry, which results may reuse which
// arguments. Represents any module that the project can import.
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

/// Attributes of one argument or result that are not the op table's: names and
/// MLIR's text of each value ("mhlo.sharding", "\"{replicated}\"").
using NamedAttributes = std::vector<std::pair<std::string, std::string>>;

struct Function {
  std::string name;
  bool is_public = true;
  Block body;
  /// Empty, or one list for each argument or result.
  std::vector<NamedAttributes> argument_attributes, result_attributes;
  NamedAttributes attributes;
};

struct Program {
  std::string name;                   ///< of the module; may be empty
  std::vector<FunctionRef> functions; ///< callees before callers
  std::string entry = "main";
  std::vector<AliasPair> aliases;
  NamedAttributes attributes;
  /// Devices that the program is cut up for; it is written for all of them.
  int64_t partitions = 1;
  /// How the entry's arguments and results lie on them: one each, of which
  /// those without a value are for the compiler to choose, or none at all.
  std::vector<std::optional<Sharding>> argument_shardings, result_shardings;

  /// The entry function; null when there is none of that name.
  const Function *entry_function() const;
  /// Types of the entry's arguments and results.
  std::vector<Type> argument_types() const;
  std::vector<Type> result_types() const;
};

/// Makes a one-function program that computes `results`. Its arguments are the
/// parameters that they need, in the order in which a walk from the results
/// meets them; the same parameter is one argument.
Program make_program(std::span<const Value> results,
                     std::string name = "xlac_program");

/// 256 bits over structure: ops, attributes, operand numbers, regions, types,
/// order of results, alias pairs, shardings, replica and partition counts.
/// Names of values and functions, origins, order of independent ops and dead
/// ops do not matter. Fails when calls recurse.
Result<std::string> program_key(const Program &program);

/// Nodes of all functions and regions, those of the lists `nodes` only.
size_t node_count(const Program &program);

/// A readable dump, a node a line; not MLIR.
std::string to_text(const Program &program);

} // namespace xlac::graph
