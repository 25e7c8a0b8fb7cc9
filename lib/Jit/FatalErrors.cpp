#include "FatalErrors.h"

#include "Target.h"

#include "llvm/Support/ErrorHandling.h"

#include <csetjmp>
#include <cstdio>
#include <mutex>
#include <new>
#include <optional>
#include <string>

using namespace llvm;

namespace {
/// Where a fatal error of this thread continues.
struct Landing {
  std::jmp_buf state;
  std::string reason;
};
} // namespace

static thread_local Landing *landing = nullptr;

static void onFatalError(void *, const char *reason, bool) {
  if (!landing) {
    std::fprintf(stderr, "xlac: LLVM: %s\n", reason);
    return;
  }
  landing->reason = reason;
  std::longjmp(landing->state, 1);
}

/// Must not return. Without a landing the caller of the compiler gets what
/// operator new would throw; what LLVM was at leaks.
static void onNoMemory(void *, const char *, bool) {
  if (!landing)
    throw std::bad_alloc();
  landing->reason = "out of memory"; // takes none itself
  std::longjmp(landing->state, 1);
}

/// From the beginning, since parsers need memory before anything is compiled.
[[maybe_unused]] static const bool installed = [] {
  install_bad_alloc_error_handler(onNoMemory);
  return true;
}();

/// Kept apart, so that no local of the caller lives across setjmp.
LLVM_ATTRIBUTE_NOINLINE static bool runGuarded(Landing &here,
                                               function_ref<void()> work) {
  if (setjmp(here.state))
    return false;
  work();
  return true;
}

Error xlac::jit::catchFatalErrors(function_ref<Error()> work) {
  static std::once_flag once;
  std::call_once(once, [] { install_fatal_error_handler(onFatalError); });
  Landing here;
  std::optional<Error> result;
  landing = &here;
  bool completed = runGuarded(here, [&] { result.emplace(work()); });
  landing = nullptr;
  if (completed)
    return std::move(*result);
  xlac::jit::forgetTargetMachine();
  return createStringError("LLVM refuses the code: " + here.reason);
}
