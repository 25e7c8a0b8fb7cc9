// The targets of custom calls: a user's own, and those that other front ends
// emit (LAPACK's decompositions).
#pragma once

#include "xlac/custom_call.h"
#include "xlac/support/result.h"

#include <memory>
#include <string>
#include <vector>

namespace xlac::library {

/// Adds a function of the user's; User for a name that is empty or taken by
/// another of the user's.
Status add_custom_call(const std::string &target, CustomCallFunction function);

/// The function of that name, the user's first; null if there is none.
std::shared_ptr<const CustomCallFunction>
find_custom_call(const std::string &target);

/// User unless operands, results and attributes are as a target that xlac
/// brings along declares them. The user's own targets take anything. Reads no
/// buffers: data may be null.
Status check_custom_call(const CustomCall &call);

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

/// All forms of all targets, by their names.
std::vector<DeclaredCall> declared_calls();

} // namespace xlac::library
