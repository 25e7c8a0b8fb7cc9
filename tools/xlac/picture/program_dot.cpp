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
  DotWriter(const ProgramPicture &picture, bool compact)
      : picture_(picture), compact_(compact) {}

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
    write_graph(compact_ ? compact_graph_of(picture_, steps)
                         : graph_of(picture_, steps),
                steps, prefix, indent);
  }

  void write_graph(const StepGraph &graph, const std::vector<Step> &steps,
                   const std::string &prefix, const std::string &indent) {
    for (size_t i = 0; i < graph.nodes.size(); ++i)
      write_node(graph.nodes[i], steps, prefix + std::to_string(i), indent);
    for (const StepEdge &edge : graph.edges)
      text_ += fmt::format(
          "{}{}{} -> {}{}{};\n", indent, prefix, edge.from, prefix, edge.to,
          edge.bytes > 0
              ? fmt::format(" [tooltip={}]", dot_text(bytes_text(edge.bytes)))
              : "");
  }

  void write_node(const StepNode &node, const std::vector<Step> &steps,
                  const std::string &id, const std::string &indent) {
    switch (node.kind) {
    case StepNode::Kind::Entry:
    case StepNode::Kind::Exit:
      text_ += fmt::format("{}{} [shape=point];\n", indent, id);
      return;
    case StepNode::Kind::Repetition: {
      std::string title = fmt::format("{} times", node.times);
      text_ += fmt::format("{}{} [label={}];\n", indent, id, dot_text(title));
      open_cluster(id, title, indent);
      write_graph(node.body.front(), steps, id + "_", indent + "  ");
      text_ += indent + "}\n";
      return;
    }
    case StepNode::Kind::Step:
      write_step(node, steps, id, indent);
    }
    for (size_t i = 0; i < node.preparations.size(); ++i) {
      std::string name = fmt::format("{}p{}", id, i);
      write_step(node.preparations[i], steps, name, indent);
      text_ += fmt::format("{}{} -> {};\n", indent, name, id);
    }
  }

  void open_cluster(const std::string &name, const std::string &label,
                    const std::string &indent) {
    text_ += fmt::format("{}subgraph cluster_{} {{\n{}  label={};\n", indent,
                         name, indent, dot_text(label));
  }

  void write_step(const StepNode &node, const std::vector<Step> &steps,
                  const std::string &id, const std::string &indent) {
    const Step &step = steps[node.steps.front()];
    std::string label = title_of(picture_, step);
    if (step.kind == Step::Kind::Launch) {
      const ProgramPicture::Kernel &kernel = picture_.kernels[step.kernel];
      label += ": " + kernel.kind;
      for (const ProgramPicture::Op &op : kernel.ops)
        label += "\n" + op.name + " " + op.type;
    }
    for (auto [what, names] :
         {std::pair("in ", inputs_of(picture_, steps, node)),
          std::pair("out ", results_of(picture_, steps, node))})
      for (const std::string &name : names)
        label += "\n" + (what + name);
    std::string escaped;
    for (char c : dot_text(label))
      escaped += c == '\n' ? std::string("\\l") : std::string(1, c);
    if (label.find('\n') != std::string::npos)
      escaped.insert(escaped.size() - 1, "\\l");
    std::string color;
    if (step.kind == Step::Kind::Launch)
      color = fmt::format(", fillcolor=\"{:.3f} 0.14 1.0\"",
                          static_cast<double>(step.kernel * 137 % 360) / 360);
    text_ += fmt::format("{}{} [label={}{}];\n", indent, id, escaped, color);
    for (size_t i = 0; i < step.bodies.size(); ++i) {
      std::string name = fmt::format("{}_{}", id, i);
      open_cluster(name, title_of(picture_, step) + ": " + body_title(step, i),
                   indent);
      write_block(step.bodies[i], name + "_", indent + "  ");
      text_ += indent + "}\n";
    }
  }

  const ProgramPicture &picture_;
  const bool compact_;
  std::string text_;
};

} // namespace

std::string dot_of(const ProgramPicture &picture, bool compact) {
  return DotWriter(picture, compact).write();
}

} // namespace xlac::cli
