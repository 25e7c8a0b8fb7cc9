#include "untyped_call.h"

#include "ffi_call.h"

#include "xlac/library/custom_calls.h"
#include "xlac/support/call_config.h"
#include "xlac/support/fork.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace xlac::pjrt {
namespace {

/// XLA's XlaCustomCallStatus. Functions set the message by code that is linked
/// to them, so the layout is a part of the interface.
struct UntypedStatus {
  std::optional<std::string> message;
};

struct UntypedFunctions {
  ForkMutex mutex;
  std::map<std::string, void *, std::less<>> all;
};

UntypedFunctions &untyped_functions() {
  // Never destroyed: programs may still run while the process exits.
  static auto *one = new UntypedFunctions();
  return *one;
}

void call_untyped(void *function, const CustomCall &call) {
  std::vector<const void *> in;
  for (const CustomCallTensor &operand : join_aliases(call))
    in.push_back(operand.data);
  std::vector<void *> results;
  for (const CustomCallTensor &result : call.results)
    results.push_back(result.data);
  void *out = results.size() == 1 ? results[0] : results.data();
  const CustomCallValue *version = call.find(names::kApiVersion);
  const auto *number = version ? std::get_if<int64_t>(version) : nullptr;
  const CustomCallValue *config = call.find("");
  const auto *text = config ? std::get_if<std::string>(config) : nullptr;
  UntypedStatus status;
  switch (number ? *number : 1) {
  case 2:
    reinterpret_cast<void (*)(void *, const void **, UntypedStatus *)>(
        function)(out, in.data(), &status);
    break;
  case 3:
    reinterpret_cast<void (*)(void *, const void **, const char *, size_t,
                              UntypedStatus *)>(function)(
        out, in.data(), text ? text->data() : nullptr, text ? text->size() : 0,
        &status);
    break;
  default:
    reinterpret_cast<void (*)(void *, const void **)>(function)(out, in.data());
  }
  if (status.message)
    throw library::CustomCallError(FailureKind::Runtime, *status.message);
}

} // namespace

bool register_untyped_call(const char *name, void *function) {
  if (!name || !*name || !function)
    return false;
  UntypedFunctions &functions = untyped_functions();
  std::lock_guard lock(functions.mutex);
  auto [place, added] = functions.all.try_emplace(name, function);
  if (!added)
    return place->second == function;
  Status status =
      library::add_custom_call(name, [function](const CustomCall &call) {
        call_untyped(function, call);
      });
  if (!status)
    functions.all.erase(place);
  return static_cast<bool>(status);
}

} // namespace xlac::pjrt
