// Names of C for the values of a program. Private to the component.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xlac::aot {

/// True for an identifier that can name a field or parameter of the header.
bool is_free_name(std::string_view name);

/// Identifiers for `names`, of which empty ones become `unnamed` with their
/// number. They differ from each other, and from those in `taken`, in more than
/// the case of letters, and are added to it in capital letters.
std::vector<std::string> c_names(const std::vector<std::string> &names,
                                 std::string_view unnamed,
                                 std::vector<std::string> &taken);

/// The name in capital letters.
std::string capitals(std::string_view name);

} // namespace xlac::aot
