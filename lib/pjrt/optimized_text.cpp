#include "errors.h"
#include "executable.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/support/fork.h"

#include <fmt/ranges.h>

namespace xlac::pjrt {
namespace {

constexpr char kWhole[] = "builtin.module(xlac-prepare-module)";
constexpr char kPartitioned[] =
    "builtin.module(xlac-prepare-module,xlac-expand-chlo,"
    "xlac-expand-rare-ops,xlac-partition{{batch-targets={}}})";

/// Returns `list` if it has `count` shardings. Otherwise the program is not
/// partitioned, and all `count` values are replicated.
std::vector<Sharding> shardings_of(const std::vector<Sharding> &list,
                                   size_t count) {
  return list.size() == count ? list : std::vector<Sharding>(count);
}

std::string in_quotes(const Sharding &sharding) {
  return "\"" + sharding.str() + "\"";
}

/// Returns the attributes from which hosts read the layouts of arguments.
std::string layout_attributes(const CompiledProgram &program) {
  std::vector<std::string> layouts, tiles;
  for (const std::vector<int64_t> &order : program.argument_layouts) {
    layouts.push_back(fmt::format("dense<[{}]> : tensor<{}xindex>",
                                  fmt::join(order, ", "), order.size()));
    tiles.push_back("[]");
  }
  return fmt::format(", mhlo.xla_entry_computation_parameter_layouts = [{}], "
                     "mhlo.xla_entry_computation_parameter_tiles = [{}]",
                     fmt::join(layouts, ", "), fmt::join(tiles, ", "));
}

/// Returns the attributes from which hosts read the shardings of arguments and
/// results.
std::string sharding_attributes(const runtime::ExecutableImage &image) {
  std::string text;
  std::vector<Sharding> results =
      shardings_of(image.result_shardings, image.results.size());
  if (results.size() == 1) {
    text += ", mhlo.spmd_output_sharding = " + in_quotes(results[0]);
  } else if (results.size() > 1) {
    Sharding tuple;
    tuple.kind = Sharding::Kind::Tuple;
    tuple.elements = std::move(results);
    text += ", mhlo.spmd_output_sharding = " + in_quotes(tuple);
  }
  std::string arguments;
  for (const Sharding &sharding :
       shardings_of(image.argument_shardings, image.arguments.size()))
    arguments += (arguments.empty() ? "" : ", ") + in_quotes(sharding);
  return text + ", mhlo.spmd_parameters_shardings = [" + arguments + "]";
}

} // namespace

/// Returns the text of the program, with the compiler's own attributes.
static std::string text_of(const CompiledProgram &program, bool is_cut) {
  if (!program.partitioned.empty())
    return program.partitioned;
  ForkSection section; // protects the compiler's locks from fork
  Compiler *compiler = unwrap(open_compiler());
  std::string passes =
      is_cut ? fmt::format(kPartitioned, program.batch_targets) : kWhole;
  return unwrap(compiler->run_passes(
      Source{.bytes = program.source, .name = "<jax>"}, passes));
}

std::string optimized_text(const CompiledProgram &program) {
  const runtime::ExecutableImage &image = program.program->image();
  bool is_cut = program.options.partitions > 1;
  bool has_layouts = !image.argument_layouts.empty();
  std::string text = text_of(program, is_cut);
  if (!is_cut && !has_layouts)
    return text;
  // The compiler prints the module's header as one line. Its attributes belong
  // to a dialect that hosts do not have, so they are replaced.
  size_t end = text.find(" {\n"), begin = text.find(" attributes {");
  if (end == std::string::npos)
    throw Error(PJRT_Error_Code_INTERNAL, "the program's text has no header");
  begin = std::min(begin, end);
  std::string attributes = fmt::format(
      " attributes {{mhlo.num_partitions = {} : i32, mhlo.num_replicas = {} : "
      "i32{}{}}}",
      program.options.partitions, program.options.replicas,
      is_cut ? sharding_attributes(image) : "",
      has_layouts ? layout_attributes(program) : "");
  return text.substr(0, begin) + attributes + text.substr(end);
}

} // namespace xlac::pjrt
