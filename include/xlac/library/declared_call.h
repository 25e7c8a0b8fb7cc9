// Operands and results of built-in custom call targets.
#pragma once

#include <string>
#include <vector>

namespace xlac::library {

/// The type of a tensor in a declaration. `element` is an element type, or T, R
/// or C for the call's element type, its real type and its complex type. Sizes
/// are letters such as "m", expressions "n-1" (0 for n = 0) and "min(m,n)", or
/// "k<=min(m,n)", which bounds k.
struct DeclaredTensor {
  std::string element;
  std::vector<std::string> sizes;
};

/// One form of a call of a built-in target.
struct DeclaredCall {
  std::string target;
  std::string element;   ///< T; empty: any that decompositions have
  std::string attribute; ///< the form is for calls whose attribute of that name
  char value = 0;        ///< is this letter, or '1' and '0' for true and false
  bool takes_batches = true;  ///< dimensions before those written
  bool more_operands = false; ///< of any type
  bool any_sizes = false;     ///< of those; else they have one element each
  std::vector<DeclaredTensor> operands, results;
};

} // namespace xlac::library
