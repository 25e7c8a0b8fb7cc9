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

std::unique_ptr<HostCall::Tensors> HostCall::describe_tensors() const {
  std::vector<void *> unknown(
      std::max(what_.operands.size(), what_.results.size()), nullptr);
  auto tensors = std::make_unique<Tensors>();
  tensors->operands = call_tensors(what_.operands, what_.function, 0, unknown);
  tensors->results = call_tensors(what_.results, what_.function,
                                  what_.operands.size(), unknown);
  return tensors;
}

HostCall::~HostCall() { delete spare_.load(); }

Result<std::shared_ptr<const HostCall>> HostCall::find(const Collective &what,
                                                       CallCheck check) {
  std::shared_ptr<HostCall> call(new HostCall(what));
  call->function_ = library::find_unchecked_call(what.function.target);
  if (!call->function_) {
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
  auto tensors = call->describe_tensors();
  Status checked = library::check_custom_call(
      CustomCall{what.function.target, tensors->operands, tensors->results,
                 what.function.attributes, CustomCallLoop(),
                 CustomCallOrigin{.attributes = &what.function.exact}});
  if (!checked && check == CallCheck::Load)
    return failure(checked.error().failure_kind,
                   describe(what) + " " + checked.error().message);
  if (!checked)
    call->function_ = std::make_shared<const CustomCallFunction>(
        [problem = checked.error()](const CustomCall &) {
          throw library::CustomCallError(problem.failure_kind, problem.message);
        });
  call->spare_ = tensors.release();
  return std::shared_ptr<const HostCall>(std::move(call));
}

Status HostCall::run(std::span<void *const> operands,
                     std::span<void *const> results, int threads,
                     CustomCallOrigin origin) const {
  CustomCallLoop parallel_for =
      [&](int64_t count, const std::function<void(int64_t, int64_t)> &body) {
        library::CallLoop loop(body);
        auto run_piece = [](void *state, int64_t begin, int64_t end) {
          return static_cast<library::CallLoop *>(state)->run(begin, end);
        };
        WorkPool::process().run(run_piece, &loop, count, 1, threads);
        loop.rethrow();
      };
  auto set_data = [](std::vector<CustomCallTensor> &tensors,
                     std::span<void *const> buffers) {
    for (size_t i = 0; i < tensors.size(); ++i)
      tensors[i].data = buffers[i];
  };
  try {
    std::unique_ptr<Tensors> tensors(spare_.exchange(nullptr));
    if (!tensors)
      tensors = describe_tensors();
    set_data(tensors->operands, operands);
    set_data(tensors->results, results);
    origin.attributes = &what_.function.exact;
    origin.operand_tokens = what_.function.operand_tokens;
    origin.result_tokens = what_.function.result_tokens;
    origin.result_aliases = what_.function.result_aliases;
    {
      HostCallMark mark;
      (*function_)(CustomCall{what_.function.target, tensors->operands,
                              tensors->results, what_.function.attributes,
                              parallel_for, origin});
    }
    tensors.reset(spare_.exchange(tensors.release()));
    return {};
  } catch (const library::CustomCallError &problem) {
    return failure(problem.failure_kind(),
                   describe(what_) + ": " + problem.what());
  } catch (const std::exception &problem) {
    return failure(FailureKind::Runtime,
                   describe(what_) + ": " + problem.what());
  } catch (...) {
    return failure(FailureKind::Runtime, describe(what_) + " failed");
  }
}

} // namespace xlac::runtime
