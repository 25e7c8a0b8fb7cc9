// Messages of exceptions in tests.
#pragma once

#include <exception>
#include <string>

namespace xlac {

/// Returns an error's message without the source location that is appended if
/// there is debug information.
inline std::string message_of(const std::exception &error) {
  std::string text = error.what();
  return text.substr(0, text.rfind(" (at "));
}

/// Returns the message of the E that `call` throws; "nothing thrown" without an
/// exception. The message of another class is prefixed with "another class: ".
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
