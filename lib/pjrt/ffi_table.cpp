#include "ffi_table.h"

#include "errors.h"
#include "ffi_call.h"
#include "ffi_context.h"
#include "ffi_registry.h"
#include "task_pool.h"

#include "xlac/library/custom_calls.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace xlac::pjrt {
namespace {

XLA_FFI_Error *make_ffi_error(XLA_FFI_Error_Code code, std::string message) {
  return new XLA_FFI_Error{code, std::move(message)};
}

bool is_cpu(std::string_view platform) {
  std::string lower(platform);
  for (char &letter : lower)
    letter = static_cast<char>(std::tolower(letter));
  return lower == "cpu" || lower == "host" || lower == "xlac";
}

/// Throws unless the handler was compiled with a supported version of the
/// interface.
void check_version(std::string_view target, XLA_FFI_Handler *handler) {
  XLA_FFI_Metadata metadata = {};
  metadata.struct_size = kFfiMetadataSize;
  metadata.api_version.struct_size = sizeof metadata.api_version;
  XLA_FFI_Metadata_Extension extension = {};
  extension.extension_base.struct_size = sizeof extension;
  extension.extension_base.type = XLA_FFI_Extension_Metadata;
  extension.metadata = &metadata;
  XLA_FFI_CallFrame frame = {};
  frame.struct_size = kFfiFrameSize;
  frame.extension_start = &extension.extension_base;
  frame.api = &ffi_table();
  if (XLA_FFI_Error *error = handler(&frame))
    throw_ffi_error("the handler of '" + std::string(target) +
                        "' does not say what it is: ",
                    error);
  const XLA_FFI_Api_Version &version = metadata.api_version;
  if (version.major_version != kFfiMajor || version.minor_version > kFfiMinor)
    throw_invalid("the handler of '" + std::string(target) +
                  "' was compiled with version " +
                  std::to_string(version.major_version) + "." +
                  std::to_string(version.minor_version) +
                  " of XLA's FFI API; xlac has version " +
                  std::to_string(kFfiMajor) + "." + std::to_string(kFfiMinor));
}

XLA_FFI_Error *handle(XLA_FFI_Handler_Register_Args &args) {
  register_ffi_handlers({args.name.ptr, args.name.len},
                        {args.platform.ptr, args.platform.len}, args.bundle);
  return nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_Type_Register_Args &args) {
  args.type_id->type_id =
      register_ffi_type({args.name.ptr, args.name.len}, args.type_id->type_id,
                        args.type_info ? args.type_info->deleter : nullptr);
  return nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_Stream_Get_Args &) {
  return make_ffi_error(XLA_FFI_Error_Code_UNIMPLEMENTED,
                        "devices of xlac have no streams");
}

XLA_FFI_Error *handle(XLA_FFI_ExecutionContext_Get_Args &args) {
  if (const FfiUserData *all = args.ctx->user_data)
    for (auto [id, data] : *all)
      if (id == args.type_id->type_id) {
        args.data = data;
        return nullptr;
      }
  return make_ffi_error(XLA_FFI_Error_Code_NOT_FOUND,
                        "the execution has no data of the type with the id " +
                            std::to_string(args.type_id->type_id));
}

/// Converts the arguments to version 0.3. Earlier versions have no field for
/// the stage; their states belong to the instantiate stage.
template <class Args> XLAC_FFI_StageState_Args with_stage(const Args &args) {
  if (args.struct_size >= sizeof(XLAC_FFI_StageState_Args))
    return reinterpret_cast<const XLAC_FFI_StageState_Args &>(args);
  return {args.struct_size, args.extension_start,
          args.ctx,         XLA_FFI_ExecutionStage_INSTANTIATE,
          args.type_id,     args.state};
}

FfiState *state_of(const XLAC_FFI_StageState_Args &args) {
  size_t stage = args.stage;
  return stage < args.ctx->states.size() ? args.ctx->states[stage] : nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_State_Set_Args &given) {
  XLAC_FFI_StageState_Args args = with_stage(given);
  FfiState *state = state_of(args);
  if (!state || args.ctx->stage != args.stage)
    return make_ffi_error(XLA_FFI_Error_Code_FAILED_PRECONDITION,
                          "a state is set in its own stage, before execution");
  if (state->object)
    return make_ffi_error(XLA_FFI_Error_Code_ALREADY_EXISTS,
                          "the call has a state of this stage already");
  state->type_id = args.type_id->type_id;
  state->object = args.state;
  return nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_State_Get_Args &given) {
  XLAC_FFI_StageState_Args args = with_stage(given);
  const FfiState *state = state_of(args);
  if (!state || !state->object)
    return make_ffi_error(XLA_FFI_Error_Code_NOT_FOUND,
                          "the call has no state of this stage");
  if (state->type_id != args.type_id->type_id)
    return make_ffi_error(XLA_FFI_Error_Code_INVALID_ARGUMENT,
                          "the state of the call has the type with the id " +
                              std::to_string(state->type_id) + ", not " +
                              std::to_string(args.type_id->type_id));
  if (given.struct_size >= sizeof args)
    reinterpret_cast<XLAC_FFI_StageState_Args &>(given).state = state->object;
  else
    given.state = state->object;
  return nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_DeviceMemory_Allocate_Args &args) {
  constexpr size_t kLeastAlignment = 64;
  size_t alignment = std::max(args.alignment, kLeastAlignment);
  bool fits =
      args.size <= SIZE_MAX - alignment && (alignment & (alignment - 1)) == 0;
  args.data = fits ? std::aligned_alloc(alignment, (args.size + alignment) /
                                                       alignment * alignment)
                   : nullptr;
  if (!args.data)
    return make_ffi_error(XLA_FFI_Error_Code_RESOURCE_EXHAUSTED,
                          "no memory for " + std::to_string(args.size) +
                              " bytes aligned to " +
                              std::to_string(args.alignment));
  return nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_DeviceMemory_Free_Args &args) {
  std::free(args.data);
  return nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_ThreadPool_Schedule_Args &args) {
  TaskPool::process().schedule(args.task, args.data);
  return nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_ThreadPool_NumThreads_Args &args) {
  *args.num_threads = TaskPool::process().size();
  return nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_Future_Create_Args &args) {
  args.future = new XLA_FFI_Future;
  return nullptr;
}

/// Holds the state, because the waiter may delete the future as soon as it is
/// done.
void finish(XLA_FFI_Future &future, XLA_FFI_Error *error) {
  std::shared_ptr<FfiFutureState> state = future.state;
  std::lock_guard lock(state->mutex);
  state->is_done = true;
  state->error = error;
  state->changed.notify_all();
}

XLA_FFI_Error *handle(XLA_FFI_Future_SetAvailable_Args &args) {
  finish(*args.future, nullptr);
  return nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_Future_SetError_Args &args) {
  finish(*args.future, args.error);
  return nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_RunId_Get_Args &args) {
  args.run_id = args.ctx->run_id;
  return nullptr;
}

XLA_FFI_Error *handle(XLA_FFI_DeviceOrdinal_Get_Args &args) {
  if (args.ctx->stage == XLA_FFI_ExecutionStage_INSTANTIATE)
    return make_ffi_error(XLA_FFI_Error_Code_FAILED_PRECONDITION,
                          "a call is instantiated for no device");
  args.device_ordinal = args.ctx->device;
  return nullptr;
}

/// Converts exceptions to errors: they must not propagate into handlers, which
/// may be compiled by another compiler.
template <class Args> XLA_FFI_Error *enter(Args *args) {
  try {
    return handle(*args);
  } catch (const Error &error) {
    return make_ffi_error(static_cast<XLA_FFI_Error_Code>(error.code()),
                          error.message());
  } catch (const std::exception &error) {
    return make_ffi_error(XLA_FFI_Error_Code_INTERNAL, error.what());
  }
}

XLA_FFI_Error *create_error(XLA_FFI_Error_Create_Args *args) {
  return make_ffi_error(args->errc, args->message ? args->message : "");
}

void get_message(XLA_FFI_Error_GetMessage_Args *args) {
  args->message = args->error->message.c_str();
}

void destroy_error(XLA_FFI_Error_Destroy_Args *args) { delete args->error; }

constexpr XLA_FFI_Api make_ffi_table() {
  XLA_FFI_Api table = {};
  table.struct_size = sizeof table;
  table.api_version.struct_size = sizeof table.api_version;
  table.api_version.major_version = kFfiMajor;
  table.api_version.minor_version = kFfiMinor;
  table.XLA_FFI_Error_Create = create_error;
  table.XLA_FFI_Error_GetMessage = get_message;
  table.XLA_FFI_Error_Destroy = destroy_error;
#define XLAC_FFI(name) table.XLA_FFI_##name = enter<XLA_FFI_##name##_Args>;
  XLAC_FFI_FUNCTIONS(XLAC_FFI)
#undef XLAC_FFI
  return table;
}

constexpr XLA_FFI_Api kFfiTable = make_ffi_table();

} // namespace

const XLA_FFI_Api &ffi_table() { return kFfiTable; }

void register_ffi_handlers(std::string_view target, std::string_view platform,
                           const XLA_FFI_Handler_Bundle &handlers) {
  if (!is_cpu(platform))
    return;
  if (target.empty() || !handlers.execute)
    throw_invalid("a foreign function needs a name and a handler that executes "
                  "it");
  for (XLA_FFI_Handler *handler : {handlers.instantiate, handlers.prepare,
                                   handlers.initialize, handlers.execute})
    if (handler)
      check_version(target, handler);
  if (add_ffi_handlers(target, handlers))
    unwrap(library::add_custom_call(std::string(target), call_ffi_handler));
}

} // namespace xlac::pjrt
