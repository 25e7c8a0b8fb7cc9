#include "ffi_call.h"

#include "errors.h"
#include "ffi_registry.h"

#include "xlac/library/custom_calls.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <span>

namespace xlac::pjrt {
namespace {

/// The operands or the results of a call as FFI buffers. Tokens are included at
/// their positions in the program.
class FfiBuffers {
public:
  FfiBuffers(std::span<const CustomCallTensor> tensors,
             std::span<const int64_t> tokens);
  size_t size() const { return buffers_.size(); }
  void **pointers() { return pointers_.data(); }
  template <class Type> Type *types() {
    static_assert(sizeof(Type) == sizeof(int));
    return reinterpret_cast<Type *>(types_.data());
  }

private:
  std::vector<XLA_FFI_Buffer> buffers_;
  std::vector<void *> pointers_;
  std::vector<int> types_;
};

FfiBuffers::FfiBuffers(std::span<const CustomCallTensor> tensors,
                       std::span<const int64_t> tokens)
    : buffers_(tensors.size() + tokens.size()) {
  size_t next = 0;
  for (size_t place = 0; place < buffers_.size(); ++place) {
    XLA_FFI_Buffer &buffer = buffers_[place];
    buffer = {};
    buffer.struct_size = sizeof buffer;
    bool is_token = std::find(tokens.begin(), tokens.end(),
                              static_cast<int64_t>(place)) != tokens.end();
    if (is_token || next == tensors.size()) {
      buffer.dtype = XLA_FFI_DataType_TOKEN;
    } else {
      const CustomCallTensor &tensor = tensors[next++];
      buffer.dtype = ffi_type(tensor.element_type);
      buffer.data = tensor.data;
      buffer.rank = static_cast<int64_t>(tensor.sizes.size());
      buffer.dims = const_cast<int64_t *>(tensor.sizes.data());
    }
    pointers_.push_back(&buffer);
    types_.push_back(1); // XLA_FFI_ArgType_BUFFER and XLA_FFI_RetType_BUFFER
  }
}

static_assert(int(XLA_FFI_ArgType_BUFFER) == 1 &&
              int(XLA_FFI_RetType_BUFFER) == 1);

XLA_FFI_CallFrame make_frame(XLA_FFI_ExecutionContext &context,
                             const FfiProgram::Site &site) {
  XLA_FFI_CallFrame frame = {};
  frame.struct_size = kFfiFrameSize;
  frame.api = site.table;
  frame.ctx = &context;
  frame.stage = context.stage;
  frame.args.struct_size = sizeof frame.args;
  frame.rets.struct_size = sizeof frame.rets;
  frame.attrs = site.attributes.view();
  return frame;
}

/// Calls the handler of `stage`. If it stores a future in the frame, waits for
/// that. Returns the error, which the caller owns, or null.
XLA_FFI_Error *run_stage(XLA_FFI_Handler *handler, XLA_FFI_CallFrame &frame,
                         XLA_FFI_ExecutionStage stage) {
  frame.ctx->stage = frame.stage = stage;
  frame.future = nullptr;
  XLA_FFI_Error *error = handler(&frame);
  XLA_FFI_Future *future = frame.future;
  if (!error && future)
    error = await_ffi_future(future);
  return error;
}

/// Returns the index among tensors of a position that counts `tokens` too;
/// nothing if it is a token's.
std::optional<size_t> without_tokens(int64_t position,
                                     std::span<const int64_t> tokens) {
  if (std::ranges::count(tokens, position) > 0)
    return std::nullopt;
  return position - std::ranges::count_if(tokens, [&](int64_t token) {
           return token < position;
         });
}

} // namespace

std::shared_ptr<const FfiProgram>
FfiProgram::make(const runtime::ExecutableImage &image,
                 const XLA_FFI_Api &table) {
  auto program = std::make_shared<FfiProgram>();
  bool needs_launch = false;
  for (const runtime::Collective &what : image.collectives) {
    program->sites_.emplace_back();
    const std::string &target = what.function.target;
    std::optional<XLA_FFI_Handler_Bundle> handlers;
    if (what.kind == runtime::CollectiveKind::CustomCall)
      handlers = find_ffi_handlers(target);
    bool calls_python = !handlers && is_python_target(target);
    needs_launch |= handlers || calls_python;
    if (!handlers && !calls_python)
      continue;
    auto site = std::make_unique<Site>();
    if (calls_python) {
      site->callable = find_python_callable(what.function.exact);
      program->sites_.back() = std::move(site);
      continue;
    }
    site->table = &table;
    site->handlers = *handlers;
    site->attributes = FfiAttributes(what.function.exact);
    if (handlers->instantiate) {
      XLA_FFI_ExecutionContext context;
      context.states = {&site->state};
      XLA_FFI_CallFrame frame = make_frame(context, *site);
      if (XLA_FFI_Error *error = run_stage(handlers->instantiate, frame,
                                           XLA_FFI_ExecutionStage_INSTANTIATE))
        throw_ffi_error(describe(what) + ": ", error);
    }
    program->sites_.back() = std::move(site);
  }
  return needs_launch ? program : nullptr;
}

const FfiProgram::Site *FfiProgram::site(int64_t number) const {
  return number >= 0 && number < static_cast<int64_t>(sites_.size())
             ? sites_[number].get()
             : nullptr;
}

const FfiProgram::Site *site_of(const CustomCall &call) {
  const auto *launch = static_cast<const FfiLaunch *>(call.origin.launch);
  return launch && launch->program ? launch->program->site(call.origin.number)
                                   : nullptr;
}

std::shared_ptr<const FfiLaunch>
make_ffi_launch(std::shared_ptr<const FfiProgram> program,
                const FfiUserData *user_data) {
  static std::atomic<int64_t> last_run_id{0};
  auto launch = std::make_shared<FfiLaunch>();
  launch->program = std::move(program);
  if (user_data)
    launch->user_data = *user_data;
  launch->run_id = ++last_run_id;
  return launch;
}

std::vector<CustomCallTensor> join_aliases(const CustomCall &call) {
  std::vector<CustomCallTensor> operands(call.operands.begin(),
                                         call.operands.end());
  std::span<const int64_t> pairs = call.origin.result_aliases;
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    auto number = without_tokens(pairs[i], call.origin.result_tokens);
    auto from = without_tokens(pairs[i + 1], call.origin.operand_tokens);
    if (!number || !from)
      continue;
    const CustomCallTensor &result = call.results[*number];
    CustomCallTensor &operand = operands[*from];
    auto type = parse_element_type(result.element_type);
    if (int64_t bytes = type ? result.numel() * byte_size(*type) : 0)
      std::memcpy(result.data, operand.data, bytes);
    operand.data = result.data;
  }
  return operands;
}

void call_ffi_handler(const CustomCall &call) {
  const FfiProgram::Site *site = site_of(call);
  if (!site || !site->handlers.execute)
    throw library::CustomCallError(
        FailureKind::Internal,
        "is not prepared for calls of foreign functions");
  const auto &launch = *static_cast<const FfiLaunch *>(call.origin.launch);
  XLA_FFI_ExecutionContext context;
  context.device = call.origin.device;
  context.run_id = launch.run_id;
  context.user_data = &launch.user_data;
  FfiState prepared, initialized; // these states belong to this execution
  context.states = {&site->state, &prepared, &initialized};
  std::vector<CustomCallTensor> joined = join_aliases(call);
  FfiBuffers operands(joined, call.origin.operand_tokens);
  FfiBuffers results(call.results, call.origin.result_tokens);
  XLA_FFI_CallFrame frame = make_frame(context, *site);
  frame.args.size = static_cast<int64_t>(operands.size());
  frame.args.types = operands.types<XLA_FFI_ArgType>();
  frame.args.args = operands.pointers();
  frame.rets.size = static_cast<int64_t>(results.size());
  frame.rets.types = results.types<XLA_FFI_RetType>();
  frame.rets.rets = results.pointers();
  const XLA_FFI_Handler_Bundle &handlers = site->handlers;
  const std::pair<XLA_FFI_Handler *, XLA_FFI_ExecutionStage> stages[] = {
      {handlers.prepare, XLA_FFI_ExecutionStage_PREPARE},
      {handlers.initialize, XLA_FFI_ExecutionStage_INITIALIZE},
      {handlers.execute, XLA_FFI_ExecutionStage_EXECUTE}};
  for (auto [handler, stage] : stages)
    if (handler)
      if (std::unique_ptr<XLA_FFI_Error> error{
              run_stage(handler, frame, stage)})
        throw library::CustomCallError(
            kind_of(static_cast<PJRT_Error_Code>(error->code)), error->message);
}

} // namespace xlac::pjrt
