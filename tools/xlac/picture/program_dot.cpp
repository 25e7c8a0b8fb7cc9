#include "program_picture.h"
#include "step_graph.h"

#include <fmt/format.h>

namespace xlac::cli {
namespace {

using Step = ProgramPicture::Step;

std::string dot_text(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + '"';
}

/// The nodes of each block have a unique prefix.
class DotWriter {
public:
  explicit DotWriter(const ProgramPicture &picture) : picture_(picture) {}

  std::string write() {
    text_ = "digraph program {\n"
            "  node [shape=box, style=\"rounded,filled\", fillcolor=white, "
            "fontname=monospace, fontsize=10];\n";
    write_block(picture_.steps, "n", "  ");
    return text_ + "}\n";
  }

private:
  void write_block(const std::vector<Step> &steps, const std::string &prefix,
                   const std::string &indent) {
    StepGraph graph = graph_of(picture_, steps);
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      std::string id = prefix + std::to_string(i);
      if (graph.nodes[i].kind == StepNode::Kind::Step)
        write_step(steps[graph.nodes[i].step], id, indent);
      else
        text_ += fmt::format("{}{} [label={}, style=rounded];\n", indent, id,
                             dot_text(graph.nodes[i].label));
    }
    for (const StepEdge &edge : graph.edges)
      text_ += fmt::format(
          "{}{}{} -> {}{}{};\n", indent, prefix, edge.from, prefix, edge.to,
          edge.bytes > 0
              ? fmt::format(" [tooltip={}]", dot_text(bytes_text(edge.bytes)))
              : "");
  }

  void write_step(const Step &step, const std::string &id,
                  const std::string &indent) {
    std::string title = title_of(picture_, step);
    if (step.kind != Step::Kind::Launch) {
      text_ += fmt::format("{}{} [label={}];\n", indent, id, dot_text(title));
      for (size_t i = 0; i < step.bodies.size(); ++i) {
        std::string name = fmt::format("{}_{}", id, i);
        text_ += fmt::format("{}subgraph cluster_{} {{\n{}  label={};\n",
                             indent, name, indent,
                             dot_text(title + ": " + body_title(step, i)));
        write_block(step.bodies[i], name + "_", indent + "  ");
        text_ += indent + "}\n";
      }
      return;
    }
    const ProgramPicture::Kernel &kernel = picture_.kernels[step.kernel];
    std::string label = title + ": " + kernel.kind;
    for (const ProgramPicture::Op &op : kernel.ops)
      label += "\n" + op.name + " " + op.type;
    std::string escaped;
    for (char c : dot_text(label))
      escaped += c == '\n' ? std::string("\\l") : std::string(1, c);
    escaped.insert(escaped.size() - 1, "\\l");
    text_ += fmt::format("{}{} [label={}, fillcolor=\"{:.3f} 0.14 1.0\"];\n",
                         indent, id, escaped,
                         static_cast<double>(step.kernel * 137 % 360) / 360);
  }

  const ProgramPicture &picture_;
  std::string text_;
};

} // namespace

std::string dot_of(const ProgramPicture &picture) {
  return DotWriter(picture).write();
}

} // namespace xlac::cli
