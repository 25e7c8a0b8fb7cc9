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
  std::string element;        ///< T; empty: any that decompositions support
  std::string attribute;      ///< name of an attribute that selects the form
  char value = 0;             ///< its value: a letter; '1' and '0' for booleans
  bool takes_batches = true;  ///< allows batch dimensions before those listed
  bool more_operands = false; ///< one-element operands of any type
  std::vector<DeclaredTensor> operands, results;
};

} // namespace xlac::library
