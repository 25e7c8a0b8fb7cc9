// Pictures of compiled programs: what is launched in which order, the values
// between, the ops fused into each kernel. Colours tell kernels apart; a kernel
// that is launched twice has one colour.
#pragma once

#include "xlac/compiler.h"
#include "xlac/compiler_picture.h"

#include <map>
#include <string>
#include <string_view>

namespace xlac::cli {

/// What measuring adds to a kernel's box.
struct KernelNote {
  std::string text;    ///< a line, such as "1.20 ms, 31%"
  double emphasis = 0; ///< 0 to 1: share of the time, as a darker edge
};

/// By the kernels' names; may be empty.
using KernelNotes = std::map<std::string, KernelNote>;

/// An <svg> element of its own; boxes bear the class "launch" and their
/// kernel's name as data-kernel.
std::string svg_of(const ProgramPicture &picture,
                   const KernelNotes &notes = {});

/// The same graph for Graphviz.
std::string dot_of(const ProgramPicture &picture);

/// A page of its own with the picture, which can be moved and enlarged.
std::string page_of(const ProgramPicture &picture);

/// `text` with the characters that mean something in XML replaced.
std::string xml_text(std::string_view text);

/// "2.5 MiB"
std::string bytes_text(double bytes);

/// "0, 2-5, 9" of ascending numbers.
std::string ranges_text(const std::vector<int64_t> &numbers);

/// How a kernel's box is filled: "hsl(137, 62%, 88%)".
std::string kernel_colour(size_t kernel);

} // namespace xlac::cli
