// Sizes that the arguments of a program may have in later runs.
#pragma once

#include "xlac/compiler.h"
#include "xlac/graph/node.h"

#include <span>
#include <vector>

namespace xlac::lazy {

/// CompilerOptions::other_sizes of a program whose arguments hold the data of
/// these parameters, from the marks of the data.
std::vector<ArgumentSizes>
other_sizes_of(std::span<const graph::Node *const> arguments);

} // namespace xlac::lazy
