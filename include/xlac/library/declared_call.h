// What the targets of custom calls that xlac brings along take and give.
#pragma once

#include <string>
#include <vector>

namespace xlac::library {

/// A tensor as a target declares it: an element type, or T, R and C for the
/// target's own, its real part and its complex type, and sizes, each a letter
/// as "m", "n-1" (0 for n = 0), "min(m,n)", or "k<=min(m,n)", which bounds k.
struct DeclaredTensor {
  std::string element;
  std::vector<std::string> sizes;
};

/// One form in which a target that xlac brings along may be called.
struct DeclaredCall {
  std::string target;
  std::string element;   ///< T; empty: any that decompositions have
  std::string attribute; ///< the form is for calls whose attribute of that name
  char value = 0;        ///< is this letter, or '1' and '0' for true and false
  bool takes_batches = true;  ///< dimensions before those written
  bool more_operands = false; ///< of one element each, of any type
  std::vector<DeclaredTensor> operands, results;
};

} // namespace xlac::library
