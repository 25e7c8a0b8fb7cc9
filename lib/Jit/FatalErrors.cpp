#include "FatalErrors.h"

#include "Target.h"

#include "xlac/Jit/Jit.h"
#include "xlac/support/logging.h"

#include "llvm/Support/ErrorHandling.h"

#include <csetjmp>
#include <cstdio>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

using namespace llvm;

namespace {
/// Where this thread continues after a fatal error or a failed allocation.
struct RecoveryPoint {
  std::jmp_buf state;
  std::string reason; ///< empty after a failed allocation
};
} // namespace

static thread_local RecoveryPoint *landing = nullptr;

static void onFatalError(void *, const char *reason, bool) {
  if (!landing) {
    xlac::log_error(std::string("LLVM: ") + reason);
    return;
  }
  landing->reason = reason;
  std::longjmp(landing->state, 1);
}

static void onNoMemory(void *, const char *, bool) {
  xlac::jit::failForMemory();
}

/// Installed at load time, because parsers allocate before anything is
/// compiled.
[[maybe_unused]] static const bool installed = [] {
  install_fatal_error_handler(onFatalError);
  install_bad_alloc_error_handler(onNoMemory);
  return true;
}();

/// A separate function, so that no local variable of the caller is live across
/// setjmp.
LLVM_ATTRIBUTE_NOINLINE static bool runGuarded(RecoveryPoint &here,
                                               function_ref<void()> work) {
  if (setjmp(here.state))
    return false;
  work();
  return true;
}

/// Runs `work` with a recovery point. Returns false after a fatal error or a
/// failed allocation.
static bool land(RecoveryPoint &here, function_ref<void()> work) {
  RecoveryPoint *outer = landing;
  landing = &here;
  bool completed = false;
  try {
    completed = runGuarded(here, work);
  } catch (...) {
    landing = outer;
    throw;
  }
  landing = outer;
  return completed;
}

void xlac::jit::failForMemory() {
  if (!landing)
    throw std::bad_alloc();
  // Some of LLVM's functions have no unwind information, so an exception
  // through them would end the process.
  std::longjmp(landing->state, 1);
}

Error xlac::jit::catchFatalErrors(function_ref<Error()> work) {
  RecoveryPoint here;
  std::optional<Error> result;
  bool completed = false;
  std::exception_ptr thrown = exceptionOf(
      [&] { completed = land(here, [&] { result.emplace(work()); }); });
  if (completed)
    return std::move(*result);
  forgetTargetMachine();
  if (thrown)
    std::rethrow_exception(thrown);
  if (here.reason.empty())
    failForMemory();
  return createStringError("LLVM rejects the code: " + here.reason);
}

std::exception_ptr xlac::jit::exceptionOf(function_ref<void()> work) {
  RecoveryPoint here;
  try {
    if (land(here, work))
      return nullptr;
    if (!here.reason.empty())
      throw std::runtime_error("LLVM: " + here.reason);
    throw std::bad_alloc();
  } catch (...) {
    return std::current_exception();
  }
}
