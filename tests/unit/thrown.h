// What the calls of a test throw.
#pragma once

#include <exception>
#include <string>

namespace xlac {

/// What an error says, without the place in the program that stands behind it
/// where there is debug information.
inline std::string message_of(const std::exception &error) {
  std::string text = error.what();
  return text.substr(0, text.rfind(" (at "));
}

/// What `call` says by throwing an E; "nothing thrown" when it throws nothing.
/// What another class says stands behind "another class: ".
template <class E, class Fn> std::string message_of(Fn &&call) {
  try {
    call();
  } catch (const E &error) {
    return message_of(error);
  } catch (const std::exception &error) {
    return "another class: " + message_of(error);
  }
  return "nothing thrown";
}

} // namespace xlac
