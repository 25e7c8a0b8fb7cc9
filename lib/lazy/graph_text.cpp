#include "xlac/lazy/graph_text.h"

#include "xlac/job/job.h"
#include "xlac/lazy/replication.h"
#include "xlac/loader/compiler_library.h"
#include "xlac/ops/infer.h"
#include "xlac/support/file_writer.h"
#include "xlac/support/fork.h"
#include "xlac/support/logging.h"
#include "xlac/support/raise.h"
#include "xlac/support/settings.h"
#include "xlac/support/unreachable.h"

#include <cstdio>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace xlac::lazy {

using graph::Node;
using graph::NodeKind;
using graph::NodeRef;
using graph::Value;

namespace {

std::string name_of(const Node &node) {
  switch (node.kind()) {
  case NodeKind::Parameter:
    return "xla::device_data";
  case NodeKind::Op:
    return "aten::" + std::string(ops::short_name(node.op()));
  case NodeKind::Call:
  case NodeKind::Foreign:
    return node.name();
  }
  unreachable("a kind of node");
}

const std::optional<std::string> &save_path() {
  static const auto path = text_setting(SettingId::SaveTensorsFile);
  return path;
}

std::string types_of(const Node &node) {
  std::string text;
  for (const Type &type : node.types())
    text += (text.empty() ? "" : ", ") + ops::short_text(type);
  return node.types().size() == 1 ? text : "(" + text + ")";
}

} // namespace

std::string graph_text(const graph::Program &program) {
  const graph::Block &body = program.entry_function()->body;
  std::unordered_map<const Node *, size_t> numbers;
  std::unordered_map<const Node *, std::string> roots;
  for (size_t i = 0; i < body.results.size(); ++i)
    roots[body.results[i].node.get()] += ", ROOT=" + std::to_string(i);
  std::string text = "IR {\n";
  auto add = [&](const NodeRef &node) {
    size_t number = numbers.size();
    numbers.emplace(node.get(), number);
    text += "  %" + std::to_string(number) + " = " + types_of(*node) + " " +
            name_of(*node) + "(";
    const char *separator = "";
    for (const Value &operand : node->operands()) {
      text += separator;
      text += "%" + std::to_string(numbers[operand.node.get()]);
      if (operand.node->types().size() > 1)
        text += "." + std::to_string(operand.number);
      separator = ", ";
    }
    text += ")";
    if (node->kind() == NodeKind::Op && !node->attributes().empty())
      text += ", " + node->attributes().text(node->op());
    text += roots[node.get()] + "\n";
  };
  for (const NodeRef &argument : body.arguments)
    add(argument);
  for (const NodeRef &node : body.nodes)
    add(node);
  return text + "}\n";
}

bool saves_graphs() { return save_path().has_value(); }

/// The suffix of the file name, so that processes of a job use different files.
static std::string process_suffix() {
  const std::shared_ptr<job::Job> &job = replication().job;
  return job && job->topology().processes() > 1
             ? "." + std::to_string(job->topology().process())
             : "";
}

void save_graph(const graph::Program &program) {
  ForkSection section; // protects the compiler's locks from fork
  static const bool as_stablehlo =
      text_setting(SettingId::SaveTensorsFormat).value_or("text") == "hlo";
  std::string text =
      as_stablehlo ? unwrap(unwrap(open_compiler())->print(program, false))
                   : graph_text(program);
  static ForkMutex mutex;
  std::lock_guard lock(mutex);
  static bool has_warned = false;
  Status written = append_to_file(*save_path() + process_suffix(),
                                  "[TensorsGraphInfo]\n\n## BEGIN_GRAPH\n" +
                                      text + "## END_GRAPH\n\n");
  if (!written && !std::exchange(has_warned, true))
    log_warning(written.error().message);
}

} // namespace xlac::lazy
