// The targets of custom calls: registered by the user, or built in, such as the
// LAPACK decompositions that other front ends emit.
#pragma once

#include "xlac/custom_call.h"
#include "xlac/library/declared_call.h"
#include "xlac/support/result.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace xlac::library {

/// A failure of which a custom call knows whose fault it is.
class CustomCallError : public std::runtime_error {
public:
  CustomCallError(FailureKind failure_kind, const std::string &message)
      : std::runtime_error(message), failure_kind_(failure_kind) {}
  FailureKind failure_kind() const { return failure_kind_; }

private:
  FailureKind failure_kind_;
};

/// Registers a function of the user. User failure if the name is empty or
/// already registered by the user, or if `function` is empty.
Status add_custom_call(const std::string &target, CustomCallFunction function);

/// `resolve` is called, without locks, with each name that find_custom_call()
/// does not know, and may add a function of that name. Null: nobody is asked.
void set_custom_call_resolver(void (*resolve)(const char *target));

/// The function with that name, or null. Functions of the user take precedence.
/// Built-in functions throw std::invalid_argument for calls that
/// check_custom_call() rejects.
std::shared_ptr<const CustomCallFunction>
find_custom_call(const std::string &target);

/// The same function without the check, for calls that check_custom_call() has
/// accepted.
std::shared_ptr<const CustomCallFunction>
find_unchecked_call(const std::string &target);

/// Whether the target is a built-in one that no function of the user replaces.
/// Built-in functions compute; they wait for nothing but the work pool.
bool is_built_in_call(const std::string &target);

/// User failure unless operands, results and attributes match the declaration
/// of a built-in target. The user's own targets accept anything. It reads no
/// buffers: data may be null.
Status check_custom_call(const CustomCall &call);

/// All forms of all built-in targets, sorted by name.
std::vector<DeclaredCall> declared_calls();

} // namespace xlac::library
