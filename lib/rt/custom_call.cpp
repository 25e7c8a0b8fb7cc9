// Custom calls of built-in targets from objects.
#include "xlac/abi/objects.h"

#include "xlac/library/call_bytes.h"
#include "xlac/library/call_loop.h"
#include "xlac/library/custom_calls.h"
#include "xlac/support/fork.h"

#include <exception>
#include <new>
#include <sched.h>
#include <stdexcept>

namespace xlac {

// Forks are the program's own concern here; see language_support.cpp.
void ForkStep::enlist() {}
void ForkStep::withdraw() {}
bool ForkMutex::try_lock() {
  return state_.exchange(kLocked, std::memory_order_acquire) == kFree;
}
void ForkMutex::lock() {
  while (!try_lock())
    sched_yield();
}
void ForkMutex::unlock() { state_.store(kFree, std::memory_order_release); }
bool ForkMutex::try_hold(Clock::time_point) { return true; }
void ForkMutex::release(bool) { is_own_ = false; }

namespace rt {
namespace {

void parallel_for(xlac_rt_context *context, int64_t count,
                  const std::function<void(int64_t, int64_t)> &body) {
  if (!context || !context->parallel_for) {
    if (count > 0)
      body(0, count);
    return;
  }
  library::CallLoop loop(body);
  auto run_piece = [](void *task, void *, int64_t begin, int64_t end) {
    return static_cast<library::CallLoop *>(task)->run(begin, end);
  };
  context->parallel_for(context, run_piece, &loop, count, nullptr, 0);
  loop.rethrow();
}

void set_data(std::vector<CustomCallTensor> &tensors, void *const *buffers) {
  for (size_t i = 0; i < tensors.size(); ++i)
    tensors[i].data = buffers[i];
}

void run(const xlac_ctx *ctx, library::DescribedCall &call,
         void *const *buffers) {
  auto function = library::find_custom_call(call.target);
  if (!function)
    throw std::runtime_error("libxlac_rt.a has no such target");
  auto *state = static_cast<const xlac_object_state *>(ctx->runtime);
  CustomCallLoop loop = [&](int64_t count,
                            const std::function<void(int64_t, int64_t)> &body) {
    parallel_for(state->context, count, body);
  };
  set_data(call.operands, buffers);
  set_data(call.results, buffers + call.operands.size());
  (*function)(CustomCall{call.target, call.operands, call.results,
                         call.attributes, loop});
}

} // namespace
} // namespace rt
} // namespace xlac

extern "C" int32_t xlac_rt_custom_call(const xlac_ctx *ctx,
                                       const void *description, int64_t bytes,
                                       void *const *buffers) {
  using namespace xlac;
  auto fail = [&](int32_t status, std::string_view text) {
    return xlac_object_fail(ctx, status, text.data(),
                            static_cast<int64_t>(text.size()));
  };
  library::DescribedCall call;
  try {
    std::span all(static_cast<const std::byte *>(description),
                  static_cast<size_t>(bytes));
    if (!library::deserialize(all, call))
      return fail(XLAC_RT_FAILED, "a custom call is malformed");
    rt::run(ctx, call, buffers);
    return 0;
  } catch (const std::bad_alloc &) {
    return fail(XLAC_RT_NO_MEMORY, "out of memory");
  } catch (const std::exception &problem) {
    // As the runtime of libxlac.so says it.
    std::string text = "custom_call @" + call.target;
    if (!call.source.empty())
      text += " at " + call.source;
    return fail(XLAC_RT_FAILED, text + ": " + problem.what());
  }
}
