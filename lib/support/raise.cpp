#include "xlac/support/raise.h"

#include "call_place.h"

#include "xlac/support/call_scope.h"

namespace xlac {

std::string with_call_name(const std::string &message) {
  const char *name = CallScope::name();
  std::string text = name ? std::string(name) + "(): " + message : message;
  std::string place = call_place();
  return place.empty() ? text : text + " (at " + place + ")";
}

void raise(const Failure &failure) {
  std::string message = with_call_name(failure.message);
  switch (failure.failure_kind) {
  case FailureKind::User:
    throw UserError(message);
  case FailureKind::Shape:
    throw ShapeError(message);
  case FailureKind::Dtype:
    throw DtypeError(message);
  case FailureKind::Index:
    throw IndexError(message);
  case FailureKind::Device:
    throw DeviceError(message);
  case FailureKind::Unsupported:
    throw UnsupportedError(message);
  case FailureKind::Runtime:
    throw RuntimeError(message);
  case FailureKind::OutOfMemory:
    throw OutOfMemoryError(message);
  case FailureKind::Collective:
    throw CollectiveError(message);
  case FailureKind::Internal:
    break;
  }
  throw InternalError(message, {});
}

} // namespace xlac
