// Pictures of compiled programs: the launches in order, the values between
// them, and the ops fused into each kernel. Each kernel has a color; all
// launches of a kernel have the same color.
#pragma once

#include "xlac/compiler.h"
#include "xlac/compiler_picture.h"

#include <map>
#include <string>
#include <string_view>

namespace xlac::cli {

/// Measurements shown in a kernel's box.
struct KernelNote {
  std::string text;    ///< a line, such as "1.20 ms, 31%"
  double emphasis = 0; ///< 0 to 1: share of the time, shown as a darker border
};

/// Notes by the kernels' names; may be empty.
using KernelNotes = std::map<std::string, KernelNote>;

/// Returns a self-contained <svg> element as wide as a page, with a legend.
/// Boxes have the class "launch" and their kernel's name as data-kernel. Equal
/// consecutive steps are drawn once if `compact`, as by compact_graph_of.
std::string svg_of(const ProgramPicture &picture, const KernelNotes &notes = {},
                   bool compact = true);

/// Returns the same graph for Graphviz.
std::string dot_of(const ProgramPicture &picture, bool compact = true);

/// Returns a self-contained page with the picture, which can be panned, zoomed
/// and searched.
std::string page_of(const ProgramPicture &picture, bool compact = true);

/// Returns `text` with XML's special characters escaped.
std::string xml_text(std::string_view text);

/// Formats bytes as "2.5 MiB".
std::string bytes_text(double bytes);

/// Returns the color of a kernel's box: "hsl(137, 62%, 88%)".
std::string kernel_colour(size_t kernel);

} // namespace xlac::cli
