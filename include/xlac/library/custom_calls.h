// The targets of custom calls: a user's own, and those that other front ends
// emit (LAPACK's decompositions).
#pragma once

#include "xlac/custom_call.h"
#include "xlac/library/declared_call.h"
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

/// All forms of all targets, by their names.
std::vector<DeclaredCall> declared_calls();

} // namespace xlac::library
