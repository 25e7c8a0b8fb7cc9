#include "layered_layout.h"
#include "program_picture.h"
#include "step_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace xlac::cli {
namespace {

using Step = ProgramPicture::Step;

constexpr double kLineHeight = 14, kCharacterWidth = 6.65, kPadding = 8;
constexpr size_t kMostOps = 9;
constexpr size_t kMostCharacters = 46;

constexpr const char *kStyle =
    "text{font:11px ui-monospace,'DejaVu Sans Mono',Menlo,monospace;"
    "fill:#1c2430}"
    ".title{font-weight:bold}.note{fill:#5b6675}"
    ".edge{fill:none;stroke:#8a94a3;stroke-width:1.1}"
    ".pill{fill:#f3f5f8;stroke:#b9c1cc}"
    ".frame{fill:#fbfcfe;stroke:#9aa4b2;stroke-dasharray:5 3}"
    ".box{stroke:#4a5464}.chosen .box{stroke:#d3224b;stroke-width:3}";

size_t character_count(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (c & 0xc0) != 0x80; });
}

std::string cut_off(const std::string &text) {
  return text.size() <= kMostCharacters
             ? text
             : text.substr(0, kMostCharacters - 1) + "…";
}

/// A part of the picture whose upper left corner is at the origin.
struct Drawing {
  std::string svg;
  double width = 0, height = 0;
};

class SvgWriter {
public:
  SvgWriter(const ProgramPicture &picture, const KernelNotes &notes)
      : picture_(picture), notes_(notes) {}

  Drawing block(const std::vector<Step> &steps);

private:
  struct Line {
    std::string text;
    const char *style = "";
  };

  Drawing node(const StepNode &node, const std::vector<Step> &steps);
  Drawing launch(const Step &step);
  Drawing compound(const Step &step);
  static Drawing box(const std::vector<Line> &lines, const std::string &shape);
  static std::string edge_path(const std::vector<Point> &points);

  const ProgramPicture &picture_;
  const KernelNotes &notes_;
};

Drawing SvgWriter::box(const std::vector<Line> &lines,
                       const std::string &shape) {
  Drawing drawing;
  size_t longest = 0;
  for (const Line &line : lines)
    longest = std::max(longest, character_count(line.text));
  drawing.width = static_cast<double>(longest) * kCharacterWidth + 2 * kPadding;
  drawing.height =
      static_cast<double>(lines.size()) * kLineHeight + 1.2 * kPadding;
  drawing.svg =
      fmt::format("<rect width=\"{:.0f}\" height=\"{:.0f}\" rx=\"6\" {}/>",
                  drawing.width, drawing.height, shape);
  double y = kPadding / 2;
  for (const Line &line : lines) {
    y += kLineHeight;
    drawing.svg +=
        fmt::format("<text x=\"{}\" y=\"{:.0f}\"{}>{}</text>", kPadding, y - 2,
                    line.style, xml_text(line.text));
  }
  return drawing;
}

Drawing SvgWriter::launch(const Step &step) {
  const ProgramPicture::Kernel &kernel = picture_.kernels[step.kernel];
  std::vector<Line> lines{
      {kernel.name + "  " + kernel.kind, " class=\"title\""}};
  double emphasis = 0;
  if (auto note = notes_.find(kernel.name); note != notes_.end()) {
    lines.push_back({note->second.text, " class=\"note\""});
    emphasis = note->second.emphasis;
  }
  std::string details = kernel.signature + "\n" + kernel.schedule + "\n";
  for (size_t i = 0; i < kernel.ops.size(); ++i) {
    const ProgramPicture::Op &op = kernel.ops[i];
    std::string text = op.name + " " + op.type;
    details += text + (op.place.empty() ? "" : "  " + op.place) + "\n";
    if (i + 1 < kMostOps || kernel.ops.size() <= kMostOps)
      lines.push_back({cut_off(text)});
  }
  if (kernel.ops.size() > kMostOps)
    lines.push_back(
        {fmt::format("… {} more", kernel.ops.size() - kMostOps + 1)});
  Drawing drawing = box(
      lines, fmt::format("class=\"box\" fill=\"{}\" stroke-width=\"{:.2f}\"",
                         kernel_colour(step.kernel), 1 + 5 * emphasis));
  drawing.svg =
      fmt::format("<g class=\"launch\" data-kernel=\"{}\"><title>{}</title>{}"
                  "</g>",
                  xml_text(kernel.name), xml_text(details), drawing.svg);
  return drawing;
}

/// Draws a loop or branches: their blocks side by side in a frame.
Drawing SvgWriter::compound(const Step &step) {
  Drawing drawing;
  std::string inner;
  double x = kPadding, height = 0;
  for (size_t i = 0; i < step.bodies.size(); ++i) {
    Drawing body = block(step.bodies[i]);
    inner += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" class=\"note\">{}"
                         "</text><g transform=\"translate({:.0f} {:.0f})\">{}"
                         "</g>",
                         x, 2.6 * kLineHeight, body_title(step, i), x,
                         3.2 * kLineHeight, body.svg);
    x += std::max(body.width, 70.0) + 3 * kPadding;
    height = std::max(height, body.height);
  }
  drawing.width = x - kPadding;
  drawing.height = height + 3.2 * kLineHeight + kPadding;
  drawing.svg = fmt::format(
      "<rect width=\"{:.0f}\" height=\"{:.0f}\" rx=\"8\" class=\"frame\"/>"
      "<text x=\"{}\" y=\"{}\" class=\"title\">{}</text>{}",
      drawing.width, drawing.height, kPadding, kLineHeight + 2,
      title_of(picture_, step), inner);
  return drawing;
}

Drawing SvgWriter::node(const StepNode &node, const std::vector<Step> &steps) {
  if (node.kind != StepNode::Kind::Step)
    return box({{cut_off(node.label), " class=\"note\""}}, "class=\"pill\"");
  const Step &step = steps[node.step];
  if (step.kind == Step::Kind::Launch)
    return launch(step);
  if (!step.bodies.empty())
    return compound(step);
  return box({{title_of(picture_, step), " class=\"title\""}},
             "class=\"box\" fill=\"#ffffff\"");
}

/// Draws a line through the points with smooth bends.
std::string SvgWriter::edge_path(const std::vector<Point> &points) {
  std::string path = fmt::format("M{:.1f} {:.1f}", points[0].x, points[0].y);
  for (size_t i = 1; i < points.size(); ++i) {
    const Point &from = points[i - 1], &to = points[i];
    if (from.x == to.x) {
      path += fmt::format("V{:.1f}", to.y);
      continue;
    }
    double middle = (from.y + to.y) / 2;
    path += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", from.x,
                        middle, to.x, middle, to.x, to.y);
  }
  return path;
}

Drawing SvgWriter::block(const std::vector<Step> &steps) {
  StepGraph graph = graph_of(picture_, steps);
  Layout layout;
  std::vector<Drawing> drawn;
  for (const StepNode &one : graph.nodes) {
    drawn.push_back(node(one, steps));
    layout.nodes.push_back({drawn.back().width, drawn.back().height, 0, 0,
                            one.kind == StepNode::Kind::Inputs});
  }
  for (const StepEdge &edge : graph.edges)
    layout.edges.push_back(
        {static_cast<int>(edge.from), static_cast<int>(edge.to), {}});
  lay_out(layout);
  Drawing drawing{{}, layout.width, layout.height};
  for (size_t i = 0; i < layout.edges.size(); ++i) {
    std::string title;
    if (graph.edges[i].bytes > 0)
      title =
          fmt::format("<title>{}</title>",
                      bytes_text(static_cast<double>(graph.edges[i].bytes)));
    drawing.svg += fmt::format(
        "<path class=\"edge\" marker-end=\"url(#tip)\" d=\"{}\">{}</path>\n",
        edge_path(layout.edges[i].points), title);
  }
  for (size_t i = 0; i < layout.nodes.size(); ++i)
    drawing.svg +=
        fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}</g>\n",
                    layout.nodes[i].x, layout.nodes[i].y, drawn[i].svg);
  return drawing;
}

} // namespace

std::string svg_of(const ProgramPicture &picture, const KernelNotes &notes) {
  Drawing drawing = SvgWriter(picture, notes).block(picture.steps);
  constexpr double margin = 12;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
      "<style>{2}</style>\n"
      "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
      "markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">"
      "<path d=\"M0 0L8 4L0 8z\" fill=\"#8a94a3\"/></marker></defs>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      "<g transform=\"translate({3} {3})\">\n{4}</g></svg>\n",
      drawing.width + 2 * margin, drawing.height + 2 * margin, kStyle, margin,
      drawing.svg);
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '&':
      out += "&amp;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      // Other control characters are invalid in XML.
      if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
        out += c;
    }
  }
  return out;
}

std::string bytes_text(double bytes) {
  static constexpr const char *kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits))
    bytes /= 1024, ++unit;
  return unit == 0 ? fmt::format("{:.0f} B", bytes)
                   : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string kernel_colour(size_t kernel) {
  // The golden angle makes the hues of consecutive kernels distinct.
  return fmt::format("hsl({}, 62%, 88%)", kernel * 137 % 360);
}

} // namespace xlac::cli
