// What the calls of a test throw.
#pragma once

#include <exception>
#include <string>

namespace xlac {

/// What `call` says by throwing an E; "nothing thrown" when it throws nothing.
/// What another class says stands behind "another class: ".
template <class E, class Fn> std::string message_of(Fn &&call) {
  try {
    call();
  } catch (const E &error) {
    return error.what();
  } catch (const std::exception &error) {
    return std::string("another class: ") + error.what();
  }
  return "nothing thrown";
}

} // namespace xlac
