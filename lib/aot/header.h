// The header of an object file. Private to the component.
#pragma once

#include "xlac/aot/aot.h"

namespace xlac::aot {

/// A program of the object, with the types and names of the source.
struct HeaderProgram {
  std::string entry; ///< function of the source
  Signature signature;
  const ObjectProgram *program = nullptr;
};

/// The text of the header: C11, also for C++.
std::string write_header(const std::string &source, const Request &request,
                         const std::vector<HeaderProgram> &programs,
                         const ObjectFiles &files);

} // namespace xlac::aot
