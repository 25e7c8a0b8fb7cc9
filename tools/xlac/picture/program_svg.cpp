#include "layered_layout.h"
#include "program_picture.h"
#include "run/kernel_times.h"
#include "step_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace xlac::cli {
namespace {

using Step = ProgramPicture::Step;

/// With the margin on both sides, the 190 mm between the margins of a page of
/// A4 at 96 points per inch.
constexpr double kMargin = 12, kPageWidth = 718 - 2 * kMargin;
constexpr double kLineHeight = 14, kCharacterWidth = 6.65, kPadding = 8;
constexpr double kPortSize = 8;
/// Limits on the text of a box; the tooltip has all of it.
constexpr size_t kMostCharacters = 40, kMostOpLines = 2, kMostNameLines = 3;
constexpr size_t kMostPreparationCharacters = 30;

constexpr const char *kStyle =
    "text{font:11px ui-monospace,'DejaVu Sans Mono',Menlo,monospace;"
    "fill:#1c2430;white-space:pre}"
    ".title{font-weight:bold}.note,.kind{fill:#5b6675;font-weight:normal}"
    ".names{fill:#0b5c7a}.time{fill:#a3202f}"
    ".edge{fill:none;stroke:#8a94a3;stroke-width:1.1}"
    ".frame{fill:#fbfcfe;stroke:#9aa4b2;stroke-dasharray:5 3}"
    ".repeated{fill:#f4f8fd;stroke:#7aa7e8}.port{fill:#8a94a3}"
    ".box{stroke:#4a5464}.chosen>.box{stroke:#d3224b;stroke-width:3}"
    ".missed{opacity:.25}";

/// The kinds of shapes that a legend explains.
enum class Sign {
  Kernel,
  Time,
  Names,
  Preparation,
  Other,
  Block,
  Repetition,
  Port,
  Value
};

size_t character_count(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (c & 0xc0) != 0x80; });
}

/// Shortens to `most` characters, of which none is cut in half.
std::string cut_off(const std::string &text, size_t most) {
  if (character_count(text) <= most)
    return text;
  size_t end = 0;
  for (size_t count = 0; count + 1 < most; ++count)
    do
      ++end;
    while (end < text.size() && (text[end] & 0xc0) == 0x80);
  return text.substr(0, end) + "…";
}

/// Distributes the words over lines, with `between` between them. What exceeds
/// `most` lines is left out.
std::vector<std::string> wrapped(const std::vector<std::string> &words,
                                 const std::string &between, size_t most) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string word = cut_off(words[i], kMostCharacters);
    if (i + 1 < words.size())
      word += between;
    size_t length = character_count(word);
    if (!lines.empty() &&
        character_count(lines.back()) + length <= kMostCharacters + 1) {
      lines.back() += word;
      continue;
    }
    if (lines.size() == most) {
      lines.back() += fmt::format("… {} more", words.size() - i);
      break;
    }
    lines.push_back(std::move(word));
  }
  return lines;
}

/// Leaves out the word "argument" or "constant" where the name before has it.
std::vector<std::string>
without_repeated_kinds(std::vector<std::string> names) {
  for (const std::string kind : {"argument ", "constant ", "result "}) {
    bool has_kind = false;
    for (std::string &name : names) {
      bool is_first = !has_kind;
      has_kind = name.starts_with(kind);
      if (!has_kind)
        continue;
      if (size_t again = name.find(" … " + kind); again != std::string::npos)
        name.erase(again + std::string(" … ").size(), kind.size());
      if (!is_first)
        name.erase(0, kind.size());
    }
  }
  return names;
}

/// A part of the picture whose upper left corner is at the origin.
struct Drawing {
  std::string svg;
  double width = 0, height = 0;
  double axis = -1; ///< as in LayoutNode
};

std::string moved(const Drawing &drawing, double x, double y) {
  return fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}</g>\n", x, y,
                     drawing.svg);
}

class SvgWriter {
public:
  SvgWriter(const ProgramPicture &picture, const KernelNotes &notes,
            bool compact)
      : picture_(picture), notes_(notes), compact_(compact) {}

  /// Returns the steps, if possible within `width`.
  Drawing block(const std::vector<Step> &steps, double width);
  /// Explains the signs that the drawn blocks contain.
  Drawing legend(double width) const;

private:
  struct Line {
    std::string text;
    const char *style = "";
    std::string kind = {}; ///< behind the text
  };

  Drawing graph(const StepGraph &graph, const std::vector<Step> &steps,
                double width);
  Drawing node(const StepNode &node, const std::vector<Step> &steps,
               double width);
  Drawing launch(const StepNode &node, const std::vector<Step> &steps);
  Drawing with_preparations(const StepNode &node,
                            const std::vector<Step> &steps);
  Drawing preparation(const StepNode &node, const std::vector<Step> &steps);
  Drawing framed(const std::string &title, const char *style,
                 const std::vector<std::pair<std::string, Drawing>> &parts,
                 double width);
  std::string details(const StepNode &node, const std::vector<Step> &steps);
  void add_names(const StepNode &node, const std::vector<Step> &steps,
                 std::vector<Line> &lines);
  void sign(Sign shown) { signs_.insert(shown); }
  static Drawing box(const std::vector<Line> &lines, const std::string &shape);
  static std::string edge_path(const std::vector<Point> &points);

  const ProgramPicture &picture_;
  const KernelNotes &notes_;
  const bool compact_;
  std::set<Sign> signs_;
};

Drawing SvgWriter::box(const std::vector<Line> &lines,
                       const std::string &shape) {
  Drawing drawing;
  size_t longest = 0;
  for (const Line &line : lines)
    longest = std::max(longest, character_count(line.text + line.kind));
  drawing.width = static_cast<double>(longest) * kCharacterWidth + 2 * kPadding;
  drawing.height =
      static_cast<double>(lines.size()) * kLineHeight + 1.2 * kPadding;
  drawing.svg = fmt::format("<rect class=\"box\" width=\"{:.0f}\" "
                            "height=\"{:.0f}\" rx=\"6\" {}/>",
                            drawing.width, drawing.height, shape);
  double y = kPadding / 2;
  for (const Line &line : lines) {
    y += kLineHeight;
    drawing.svg += fmt::format(
        "<text x=\"{}\" y=\"{:.0f}\"{}>{}{}</text>", kPadding, y - 2,
        line.style, xml_text(line.text),
        line.kind.empty()
            ? std::string()
            : fmt::format("<tspan class=\"kind\">{}</tspan>", line.kind));
  }
  return drawing;
}

/// Returns the tooltip of a launch: all of what its box shows a part of.
std::string SvgWriter::details(const StepNode &node,
                               const std::vector<Step> &steps) {
  const ProgramPicture::Kernel &kernel =
      picture_.kernels[steps[node.steps.front()].kernel];
  std::string text = kernel.name + "  " + kernel.kind + "\n" +
                     kernel.signature + "\n" + kernel.schedule + "\n";
  for (const ProgramPicture::Op &op : kernel.ops)
    text += op.name + " " + op.type +
            (op.place.empty() ? "" : "  " + op.place) + "\n";
  for (size_t step : node.steps) {
    StepNode one{StepNode::Kind::Step, {step}, {}, 1, {}};
    for (auto [what, names] :
         {std::pair("in  ", inputs_of(picture_, steps, one)),
          std::pair("out  ", results_of(picture_, steps, one))})
      if (!names.empty())
        text += fmt::format("{}{}\n", what,
                            fmt::join(without_repeated_kinds(names), ", "));
  }
  return text;
}

void SvgWriter::add_names(const StepNode &node, const std::vector<Step> &steps,
                          std::vector<Line> &lines) {
  for (auto [what, names] :
       {std::pair("in  ", inputs_of(picture_, steps, node)),
        std::pair("out ", results_of(picture_, steps, node))}) {
    names = without_repeated_kinds(std::move(names));
    for (const std::string &line : wrapped(names, ", ", kMostNameLines)) {
      lines.push_back({what + line, " class=\"names\""});
      what = "    ";
      sign(Sign::Names);
    }
  }
}

Drawing SvgWriter::launch(const StepNode &node,
                          const std::vector<Step> &steps) {
  const Step &step = steps[node.steps.front()];
  const ProgramPicture::Kernel &kernel = picture_.kernels[step.kernel];
  std::vector<Line> lines{
      {kernel.name, " class=\"title\"", "  " + kernel.kind}};
  double emphasis = 0;
  if (auto note = notes_.find(kernel.name); note != notes_.end()) {
    lines.push_back({note->second.text, " class=\"time\""});
    emphasis = note->second.emphasis;
    sign(Sign::Time);
  }
  std::string ops;
  for (const ProgramPicture::Op &op : kernel.ops)
    ops += op.name + " ";
  for (std::string &line : wrapped(counted_ops(ops), " ", kMostOpLines))
    lines.push_back({std::move(line)});
  size_t arrow = kernel.signature.rfind("-> ");
  if (arrow != std::string::npos)
    lines.push_back(
        {cut_off("→ " + kernel.signature.substr(arrow + 3), kMostCharacters),
         " class=\"note\""});
  add_names(node, steps, lines);
  Drawing drawing =
      box(lines, fmt::format("fill=\"{}\" stroke-width=\"{:.2f}\"",
                             kernel_colour(step.kernel), 1 + 5 * emphasis));
  drawing.svg = fmt::format(
      "<g class=\"launch\" data-kernel=\"{}\"><title>{}</title>{}</g>",
      xml_text(kernel.name), xml_text(details(node, steps)), drawing.svg);
  sign(Sign::Kernel);
  return drawing;
}

/// Draws a preparation as a small box: its name and arguments.
Drawing SvgWriter::preparation(const StepNode &node,
                               const std::vector<Step> &steps) {
  const Step &step = steps[node.steps.front()];
  const std::string &name = picture_.kernels[step.kernel].name;
  std::vector<Line> lines{{cut_off(name, kMostPreparationCharacters)}};
  auto names = without_repeated_kinds(inputs_of(picture_, steps, node));
  if (!names.empty())
    lines.push_back({cut_off(fmt::format("in  {}", fmt::join(names, ", ")),
                             kMostPreparationCharacters),
                     " class=\"names\""});
  Drawing drawing =
      box(lines, fmt::format("fill=\"{}\"", kernel_colour(step.kernel)));
  drawing.svg = fmt::format(
      "<g class=\"launch\" data-kernel=\"{}\"><title>{}</title>{}</g>",
      xml_text(name), xml_text(details(node, steps)), drawing.svg);
  sign(Sign::Preparation);
  return drawing;
}

/// Draws a launch with its preparations on the right.
Drawing SvgWriter::with_preparations(const StepNode &node,
                                     const std::vector<Step> &steps) {
  Drawing drawing = launch(node, steps);
  if (node.preparations.empty())
    return drawing;
  constexpr double gap = 16;
  drawing.axis = drawing.width / 2;
  double right = drawing.width + gap, y = 0, widest = 0;
  for (const StepNode &one : node.preparations) {
    Drawing small = preparation(one, steps);
    double middle = y + small.height / 2;
    drawing.svg +=
        fmt::format("<path class=\"edge\" marker-end=\"url(#tip)\" d=\"M{:.1f} "
                    "{:.1f}H{:.1f}\"/>",
                    right, middle, drawing.width);
    drawing.svg += moved(small, right, y);
    widest = std::max(widest, small.width);
    y += small.height + kPadding / 2;
  }
  drawing.width = right + widest;
  drawing.height = std::max(drawing.height, y - kPadding / 2);
  return drawing;
}

/// Draws the parts in a frame, side by side if they fit, otherwise one below
/// the other.
Drawing
SvgWriter::framed(const std::string &title, const char *style,
                  const std::vector<std::pair<std::string, Drawing>> &parts,
                  double width) {
  double total = kPadding;
  for (const auto &[name, part] : parts)
    total += std::max(part.width, 70.0) + 2 * kPadding;
  bool is_row = total <= width;
  Drawing drawing{{}, 0, 0, -1};
  std::string inner;
  double x = 1.5 * kPadding, y = 1.8 * kLineHeight;
  for (const auto &[name, part] : parts) {
    double top = y;
    if (!name.empty()) {
      inner += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" "
                           "class=\"note\">{}</text>",
                           x, top + kLineHeight - 3, name);
      top += 1.4 * kLineHeight;
    }
    inner += moved(part, x, top);
    double right = x + std::max(part.width, 70.0) + 1.5 * kPadding;
    drawing.width = std::max(drawing.width, right);
    drawing.height =
        std::max(drawing.height, top + part.height + 1.5 * kPadding);
    if (is_row)
      x = right + kPadding / 2;
    else
      y = drawing.height;
  }
  double least = static_cast<double>(character_count(title)) * kCharacterWidth;
  drawing.width = std::max(drawing.width, least + 2 * kPadding);
  drawing.svg = fmt::format(
      "<rect width=\"{:.0f}\" height=\"{:.0f}\" rx=\"8\" class=\"{}\"/>"
      "<text x=\"{}\" y=\"{}\" class=\"title\">{}</text>{}",
      drawing.width, drawing.height, style, kPadding, kLineHeight + 2,
      xml_text(title), inner);
  return drawing;
}

Drawing SvgWriter::node(const StepNode &node, const std::vector<Step> &steps,
                        double width) {
  double inner = width - 4 * kPadding;
  if (node.kind == StepNode::Kind::Repetition) {
    sign(Sign::Repetition);
    return framed(fmt::format("{} times", node.times), "repeated",
                  {{"", graph(node.body.front(), steps, inner)}}, width);
  }
  if (node.kind != StepNode::Kind::Step) {
    sign(Sign::Port);
    constexpr double half = kPortSize / 2;
    return {fmt::format("<circle class=\"port\" cx=\"{0}\" cy=\"{0}\" "
                        "r=\"{0}\"/>",
                        half),
            kPortSize, kPortSize, -1};
  }
  const Step &step = steps[node.steps.front()];
  if (step.kind == Step::Kind::Launch)
    return with_preparations(node, steps);
  if (!step.bodies.empty()) {
    sign(Sign::Block);
    std::vector<std::pair<std::string, Drawing>> parts;
    for (size_t i = 0; i < step.bodies.size(); ++i)
      parts.emplace_back(body_title(step, i), block(step.bodies[i], inner));
    return framed(title_of(picture_, step), "frame", parts, width);
  }
  std::vector<Line> lines{{title_of(picture_, step), " class=\"title\""}};
  add_names(node, steps, lines);
  Drawing drawing = box(lines, "fill=\"#ffffff\"");
  drawing.svg = "<g class=\"step\">" + drawing.svg + "</g>";
  sign(Sign::Other);
  return drawing;
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

Drawing SvgWriter::graph(const StepGraph &graph, const std::vector<Step> &steps,
                         double width) {
  Layout layout;
  std::vector<Drawing> drawn;
  for (const StepNode &one : graph.nodes) {
    drawn.push_back(node(one, steps, width));
    const Drawing &last = drawn.back();
    layout.nodes.push_back({last.width, last.height, 0, 0, last.axis});
  }
  for (const StepEdge &edge : graph.edges)
    layout.edges.push_back(
        {static_cast<int>(edge.from), static_cast<int>(edge.to), {}});
  lay_out(layout, width, 18, 26);
  Drawing drawing{{}, layout.width, layout.height, -1};
  for (size_t i = 0; i < layout.edges.size(); ++i) {
    std::string title;
    if (graph.edges[i].bytes > 0)
      title =
          fmt::format("<title>{}</title>",
                      bytes_text(static_cast<double>(graph.edges[i].bytes)));
    bool has_tip = graph.nodes[graph.edges[i].to].kind != StepNode::Kind::Exit;
    drawing.svg += fmt::format("<path class=\"edge\"{} d=\"{}\">{}</path>\n",
                               has_tip ? " marker-end=\"url(#tip)\"" : "",
                               edge_path(layout.edges[i].points), title);
    sign(Sign::Value);
  }
  for (size_t i = 0; i < layout.nodes.size(); ++i)
    drawing.svg += moved(drawn[i], layout.nodes[i].x, layout.nodes[i].y);
  return drawing;
}

Drawing SvgWriter::block(const std::vector<Step> &steps, double width) {
  return graph(compact_ ? compact_graph_of(picture_, steps)
                        : graph_of(picture_, steps),
               steps, width);
}

Drawing SvgWriter::legend(double width) const {
  struct Entry {
    Sign sign;
    const char *shape, *text;
  };
  static constexpr Entry kEntries[] = {
      {Sign::Kernel,
       "<rect class=\"box\" width=\"22\" height=\"12\" rx=\"4\" "
       "fill=\"hsl(205, 62%, 88%)\"/>",
       "launch of a kernel; one color per kernel; → type of the result"},
      {Sign::Time,
       "<rect class=\"box\" width=\"22\" height=\"12\" rx=\"4\" "
       "fill=\"#fff\" stroke-width=\"3.5\"/>",
       "wide border: large share of the time"},
      {Sign::Names, "<text class=\"names\" y=\"10\">in</text>",
       "arguments and results, by name"},
      {Sign::Preparation,
       "<path class=\"edge\" marker-end=\"url(#tip)\" d=\"M10 6H0\"/><rect "
       "class=\"box\" x=\"10\" width=\"12\" height=\"12\" rx=\"3\" "
       "fill=\"hsl(95, 62%, 88%)\"/>",
       "on the right: small kernel on arguments"},
      {Sign::Other,
       "<rect class=\"box\" width=\"22\" height=\"12\" rx=\"4\" "
       "fill=\"#fff\"/>",
       "copy or collective"},
      {Sign::Block,
       "<rect class=\"frame\" width=\"22\" height=\"12\" rx=\"3\"/>",
       "loop or branches"},
      {Sign::Repetition,
       "<rect class=\"repeated\" width=\"22\" height=\"12\" rx=\"3\"/>",
       "equal steps, drawn once"},
      {Sign::Port, "<circle class=\"port\" cx=\"11\" cy=\"6\" r=\"4\"/>",
       "values from and for outside or the next time"},
      {Sign::Value,
       "<path class=\"edge\" marker-end=\"url(#tip)\" d=\"M0 6H22\"/>",
       "value in memory; point at it for its size"},
  };
  Drawing drawing;
  double x = 0;
  for (const Entry &entry : kEntries) {
    if (!signs_.contains(entry.sign))
      continue;
    double needed =
        30 + static_cast<double>(character_count(entry.text)) * kCharacterWidth;
    if (x > 0 && x + needed > width)
      x = 0, drawing.height += 1.4 * kLineHeight;
    drawing.svg += fmt::format(
        "<g transform=\"translate({:.0f} {:.0f})\">{}<text class=\"note\" "
        "x=\"30\" y=\"10\">{}</text></g>\n",
        x, drawing.height, entry.shape, entry.text);
    drawing.width = std::max(drawing.width, x + needed);
    x += needed + 20;
  }
  if (!drawing.svg.empty())
    drawing.height += 2.4 * kLineHeight;
  return drawing;
}

} // namespace

std::string svg_of(const ProgramPicture &picture, const KernelNotes &notes,
                   bool compact) {
  SvgWriter writer(picture, notes, compact);
  Drawing steps = writer.block(picture.steps, kPageWidth);
  Drawing legend = writer.legend(std::max(kPageWidth, steps.width));
  double width = std::max(legend.width, steps.width);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
      "<style>{2}</style>\n"
      "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
      "markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">"
      "<path d=\"M0 0L8 4L0 8z\" fill=\"#8a94a3\"/></marker></defs>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      "<g class=\"legend\">{3}</g>{4}</svg>\n",
      width + 2 * kMargin, legend.height + steps.height + 2 * kMargin, kStyle,
      moved(legend, kMargin, kMargin),
      moved(steps, kMargin + (width - steps.width) / 2,
            kMargin + legend.height));
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
