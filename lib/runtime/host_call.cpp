#include "host_call.h"

#include "xlac/library/call_loop.h"
#include "xlac/library/custom_calls.h"
#include "xlac/runtime/call_tensors.h"
#include "xlac/runtime/work_pool.h"
#include "xlac/support/program_names.h"

#include <algorithm>
#include <exception>
#include <numeric>

namespace xlac::runtime {

namespace {

/// `type` lists its dimensions in memory order, major first; the tensor lists
/// them in the order of the call.
CustomCallTensor describe(const TensorType &type,
                          const std::vector<int64_t> &fastest_first,
                          void *data) {
  size_t rank = type.dims.size();
  CustomCallTensor tensor{element_type_name(type.element),
                          std::vector<int64_t>(rank),
                          std::vector<int64_t>(rank), data};
  int64_t stride = 1;
  for (size_t i = 0; i < rank; ++i) {
    tensor.sizes[fastest_first[i]] = type.dims[rank - 1 - i];
    tensor.strides[fastest_first[i]] = stride;
    stride *= type.dims[rank - 1 - i];
  }
  return tensor;
}

thread_local int host_calls = 0;

/// Marks this thread while it is in a function of the host.
struct HostCallMark {
  HostCallMark() { ++host_calls; }
  ~HostCallMark() { --host_calls; }
};

} // namespace

std::vector<CustomCallTensor> call_tensors(const std::vector<TensorType> &types,
                                           const HostFunction &function,
                                           size_t first,
                                           std::span<void *const> buffers) {
  std::vector<CustomCallTensor> tensors;
  for (size_t i = 0; i < types.size(); ++i) {
    std::vector<int64_t> layout(types[i].dims.size());
    if (function.layouts.empty())
      std::iota(layout.rbegin(), layout.rend(), 0);
    else
      layout = function.layouts[first + i];
    tensors.push_back(describe(types[i], layout, buffers[i]));
  }
  return tensors;
}

bool is_in_host_call() { return host_calls > 0; }

Result<std::shared_ptr<const CustomCallFunction>>
find_host_function(const Collective &what, CallCheck check) {
  auto function = library::find_custom_call(what.function.target);
  if (!function) {
    std::string text = describe(what) +
                       ": no function is registered for this target "
                       "(xlac::register_custom_call)";
    if (names::is_python_callback(what.function.target))
      text += what.results.empty()
                  ? "; it calls Python for side effects alone, which "
                    "--ignore-callbacks leaves out"
                  : "; it calls Python for its results";
    return failure(FailureKind::User, text);
  }
  std::vector<void *> unknown(
      std::max(what.operands.size(), what.results.size()), nullptr);
  auto operands = call_tensors(what.operands, what.function, 0, unknown);
  auto results =
      call_tensors(what.results, what.function, what.operands.size(), unknown);
  Status checked = library::check_custom_call(CustomCall{
      what.function.target, operands, results, what.function.attributes,
      CustomCallLoop(), CustomCallOrigin{.attributes = &what.function.exact}});
  if (checked)
    return function;
  if (check == CallCheck::Load)
    return failure(checked.error().failure_kind,
                   describe(what) + " " + checked.error().message);
  return std::make_shared<const CustomCallFunction>(
      [problem = checked.error()](const CustomCall &) {
        throw library::CustomCallError(problem.failure_kind, problem.message);
      });
}

Status call_host(const Collective &what, const CustomCallFunction &function,
                 std::span<const void *const> operands,
                 std::span<void *const> results, int threads,
                 CustomCallOrigin origin) {
  CustomCallLoop parallel_for =
      [&](int64_t count, const std::function<void(int64_t, int64_t)> &body) {
        library::CallLoop loop(body);
        auto run_piece = [](void *state, int64_t begin, int64_t end) {
          return static_cast<library::CallLoop *>(state)->run(begin, end);
        };
        WorkPool::process().run(run_piece, &loop, count, 1, threads);
        loop.rethrow();
      };
  try {
    std::vector<void *> inputs;
    for (const void *operand : operands)
      inputs.push_back(const_cast<void *>(operand));
    auto arguments = call_tensors(what.operands, what.function, 0, inputs);
    auto outputs = call_tensors(what.results, what.function,
                                what.operands.size(), results);
    origin.attributes = &what.function.exact;
    origin.operand_tokens = what.function.operand_tokens;
    origin.result_tokens = what.function.result_tokens;
    origin.result_aliases = what.function.result_aliases;
    HostCallMark mark;
    function(CustomCall{what.function.target, arguments, outputs,
                        what.function.attributes, parallel_for, origin});
    return {};
  } catch (const library::CustomCallError &problem) {
    return failure(problem.failure_kind(),
                   describe(what) + ": " + problem.what());
  } catch (const std::exception &problem) {
    return failure(FailureKind::Runtime,
                   describe(what) + ": " + problem.what());
  } catch (...) {
    return failure(FailureKind::Runtime, describe(what) + " failed");
  }
}

} // namespace xlac::runtime
