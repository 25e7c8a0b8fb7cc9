// The C interface between a host and foreign functions (XLA FFI API 0.2 and
// 0.3): the call frame that a handler gets, and the table of functions that it
// may call. Names, types and their order equal those of XLA's ffi/api/c_api.h.
//
// XLA_FFI_X_Args are the arguments and results of function XLA_FFI_X of the
// table.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct XLA_FFI_Api;
struct XLA_FFI_Error;
struct XLA_FFI_ExecutionContext;
struct XLA_FFI_Future;
struct XLA_FFI_InternalApi;

/// The newest supported version. Version 0.3 adds a stage to the arguments of
/// XLA_FFI_State_Set and XLA_FFI_State_Get.
inline constexpr int kFfiMajor = 0, kFfiMinor = 3;

/// The types of extensions of structs.
enum XLA_FFI_Extension_Type { XLA_FFI_Extension_Metadata = 1 };

/// The beginning of each extension of a struct.
struct XLA_FFI_Extension_Base {
  size_t struct_size;
  XLA_FFI_Extension_Type type;
  XLA_FFI_Extension_Base *next;
};

/// A version of the interface.
struct XLA_FFI_Api_Version {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  int major_version;
  int minor_version;
};

/// Error codes, with the values of PJRT_Error_Code.
enum XLA_FFI_Error_Code {
  XLA_FFI_Error_Code_OK = 0,
  XLA_FFI_Error_Code_CANCELLED = 1,
  XLA_FFI_Error_Code_UNKNOWN = 2,
  XLA_FFI_Error_Code_INVALID_ARGUMENT = 3,
  XLA_FFI_Error_Code_DEADLINE_EXCEEDED = 4,
  XLA_FFI_Error_Code_NOT_FOUND = 5,
  XLA_FFI_Error_Code_ALREADY_EXISTS = 6,
  XLA_FFI_Error_Code_PERMISSION_DENIED = 7,
  XLA_FFI_Error_Code_RESOURCE_EXHAUSTED = 8,
  XLA_FFI_Error_Code_FAILED_PRECONDITION = 9,
  XLA_FFI_Error_Code_ABORTED = 10,
  XLA_FFI_Error_Code_OUT_OF_RANGE = 11,
  XLA_FFI_Error_Code_UNIMPLEMENTED = 12,
  XLA_FFI_Error_Code_INTERNAL = 13,
  XLA_FFI_Error_Code_UNAVAILABLE = 14,
  XLA_FFI_Error_Code_DATA_LOSS = 15,
  XLA_FFI_Error_Code_UNAUTHENTICATED = 16,
};

/// Creates an error, which the caller owns. The message is copied.
struct XLA_FFI_Error_Create_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  const char *message;
  XLA_FFI_Error_Code errc;
};

/// Returns the message, which is valid as long as the error.
struct XLA_FFI_Error_GetMessage_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_Error *error;
  const char *message;
};

/// Destroys an error.
struct XLA_FFI_Error_Destroy_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_Error *error;
};

/// Element types. The values differ from those of PJRT_Buffer_Type.
enum XLA_FFI_DataType {
  XLA_FFI_DataType_INVALID = 0,
  XLA_FFI_DataType_PRED = 1,
  XLA_FFI_DataType_S8 = 2,
  XLA_FFI_DataType_S16 = 3,
  XLA_FFI_DataType_S32 = 4,
  XLA_FFI_DataType_S64 = 5,
  XLA_FFI_DataType_U8 = 6,
  XLA_FFI_DataType_U16 = 7,
  XLA_FFI_DataType_U32 = 8,
  XLA_FFI_DataType_U64 = 9,
  XLA_FFI_DataType_F16 = 10,
  XLA_FFI_DataType_F32 = 11,
  XLA_FFI_DataType_F64 = 12,
  XLA_FFI_DataType_C64 = 15,
  XLA_FFI_DataType_BF16 = 16,
  XLA_FFI_DataType_TOKEN = 17,
  XLA_FFI_DataType_C128 = 18,
  XLA_FFI_DataType_F8E5M2 = 19,
  XLA_FFI_DataType_F8E4M3FN = 20,
  XLA_FFI_DataType_S4 = 21,
  XLA_FFI_DataType_U4 = 22,
  XLA_FFI_DataType_F8E4M3B11FNUZ = 23,
  XLA_FFI_DataType_F8E5M2FNUZ = 24,
  XLA_FFI_DataType_F8E4M3FNUZ = 25,
  XLA_FFI_DataType_S2 = 26,
  XLA_FFI_DataType_U2 = 27,
  XLA_FFI_DataType_F8E4M3 = 28,
  XLA_FFI_DataType_F8E3M4 = 29,
  XLA_FFI_DataType_S1 = 30,
  XLA_FFI_DataType_U1 = 31,
  XLA_FFI_DataType_F4E2M1FN = 32,
  XLA_FFI_DataType_F8E8M0FNU = 33,
};

/// An operand or result: `rank` sizes, and row-major elements.
struct XLA_FFI_Buffer {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_DataType dtype;
  void *data;
  int64_t rank;
  int64_t *dims;
};

/// The kinds of operands.
enum XLA_FFI_ArgType { XLA_FFI_ArgType_BUFFER = 1 };
/// The kinds of results.
enum XLA_FFI_RetType { XLA_FFI_RetType_BUFFER = 1 };

/// The kinds of attributes.
enum XLA_FFI_AttrType {
  XLA_FFI_AttrType_ARRAY = 1,
  XLA_FFI_AttrType_DICTIONARY = 2,
  XLA_FFI_AttrType_SCALAR = 3,
  XLA_FFI_AttrType_STRING = 4,
};

/// Bytes without a terminating zero.
struct XLA_FFI_ByteSpan {
  const char *ptr;
  size_t len;
};

/// An attribute of one element.
struct XLA_FFI_Scalar {
  XLA_FFI_DataType dtype;
  void *value;
};

/// An attribute of `size` elements.
struct XLA_FFI_Array {
  XLA_FFI_DataType dtype;
  size_t size;
  void *data;
};

/// The id of a registered type; 0: not registered.
struct XLA_FFI_TypeId {
  int64_t type_id;
};

/// How to delete objects of a type; the deleter may be null.
struct XLA_FFI_TypeInfo {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  void (*deleter)(void *object);
};

/// Creates a future, which the handler stores in its frame.
struct XLA_FFI_Future_Create_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_Future *future;
};

/// Completes a future with success.
struct XLA_FFI_Future_SetAvailable_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_Future *future;
};

/// Completes a future with an error, which it takes over.
struct XLA_FFI_Future_SetError_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_Future *future;
  XLA_FFI_Error *error;
};

/// The stages of a call, in order. A call is instantiated once for each loaded
/// program; the other stages run in each execution.
enum XLA_FFI_ExecutionStage {
  XLA_FFI_ExecutionStage_INSTANTIATE = 0,
  XLA_FFI_ExecutionStage_PREPARE = 1,
  XLA_FFI_ExecutionStage_INITIALIZE = 2,
  XLA_FFI_ExecutionStage_EXECUTE = 3,
};

/// The operands of a call. Tokens are operands of type TOKEN.
struct XLA_FFI_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  int64_t size;
  XLA_FFI_ArgType *types;
  void **args;
};

/// The results of a call. Tokens are results of type TOKEN.
struct XLA_FFI_Rets {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  int64_t size;
  XLA_FFI_RetType *types;
  void **rets;
};

/// The attributes of a call, sorted by name.
struct XLA_FFI_Attrs {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  int64_t size;
  XLA_FFI_AttrType *types;
  XLA_FFI_ByteSpan **names;
  void **attrs;
};

/// The arguments of a handler. Handlers that finish later store a future in
/// `future`.
struct XLA_FFI_CallFrame {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  const XLA_FFI_Api *api;
  XLA_FFI_ExecutionContext *ctx;
  XLA_FFI_ExecutionStage stage;
  XLA_FFI_Args args;
  XLA_FFI_Rets rets;
  XLA_FFI_Attrs attrs;
  XLA_FFI_Future *future;
};

/// The `struct_size` of a frame. Handlers require the constant of XLA's header,
/// which excludes `future`.
inline constexpr size_t kFfiFrameSize = offsetof(XLA_FFI_CallFrame, future);

/// Returns an error, which the caller destroys, or null.
typedef XLA_FFI_Error *XLA_FFI_Handler(XLA_FFI_CallFrame *frame);

/// The handlers of a custom call target by stage; all but `execute` may be
/// null.
struct XLA_FFI_Handler_Bundle {
  XLA_FFI_Handler *instantiate;
  XLA_FFI_Handler *prepare;
  XLA_FFI_Handler *initialize;
  XLA_FFI_Handler *execute;
};

/// Properties of handlers, which xlac ignores.
typedef uint32_t XLA_FFI_Handler_Traits;

/// Registers the handlers of a target. ALREADY_EXISTS if the target has other
/// handlers.
struct XLA_FFI_Handler_Register_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ByteSpan name;
  XLA_FFI_ByteSpan platform;
  XLA_FFI_Handler_Bundle bundle;
  XLA_FFI_Handler_Traits traits;
};

/// Registers a type. Id 0 requests a new id. INVALID_ARGUMENT if the name or
/// the id is registered otherwise.
struct XLA_FFI_Type_Register_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ByteSpan name;
  XLA_FFI_TypeId *type_id;
  const XLA_FFI_TypeInfo *type_info;
};

/// Returns the user data of a type. NOT_FOUND if the execution has none.
struct XLA_FFI_ExecutionContext_Get_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ExecutionContext *ctx;
  XLA_FFI_TypeId *type_id;
  void *data;
};

/// Stores the state of the current stage, which the plugin then owns.
/// ALREADY_EXISTS if there is one.
struct XLA_FFI_State_Set_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ExecutionContext *ctx;
  XLA_FFI_TypeId *type_id;
  void *state;
};

/// Returns the state of a stage. NOT_FOUND if there is none, INVALID_ARGUMENT
/// if it has another type.
struct XLA_FFI_State_Get_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ExecutionContext *ctx;
  XLA_FFI_TypeId *type_id;
  void *state;
};

/// The arguments of XLA_FFI_State_Set and XLA_FFI_State_Get in version 0.3.
struct XLAC_FFI_StageState_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ExecutionContext *ctx;
  XLA_FFI_ExecutionStage stage;
  XLA_FFI_TypeId *type_id;
  void *state;
};

/// Not implemented by xlac: devices have no streams.
struct XLA_FFI_Stream_Get_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ExecutionContext *ctx;
  void *stream;
};

/// Allocates memory aligned to at least 64 bytes, which DeviceMemory_Free
/// releases. RESOURCE_EXHAUSTED if there is none, or if the alignment is not a
/// power of two.
struct XLA_FFI_DeviceMemory_Allocate_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ExecutionContext *ctx;
  size_t size;
  size_t alignment;
  void *data;
};

/// Releases memory of DeviceMemory_Allocate.
struct XLA_FFI_DeviceMemory_Free_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ExecutionContext *ctx;
  size_t size;
  void *data;
};

/// A task for the thread pool.
typedef void XLA_FFI_Task(void *data);

/// Calls a task once on a thread of the pool.
struct XLA_FFI_ThreadPool_Schedule_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ExecutionContext *ctx;
  XLA_FFI_Task *task;
  void *data;
};

/// Returns the maximum number of threads of the pool.
struct XLA_FFI_ThreadPool_NumThreads_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ExecutionContext *ctx;
  int64_t *num_threads;
};

/// Returns the id of the execution, which is unique in this process.
struct XLA_FFI_RunId_Get_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ExecutionContext *ctx;
  int64_t run_id;
};

/// Returns the device of the execution. FAILED_PRECONDITION in the instantiate
/// stage.
struct XLA_FFI_DeviceOrdinal_Get_Args {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_ExecutionContext *ctx;
  int32_t device_ordinal;
};

/// The version and traits that a handler reports.
struct XLA_FFI_Metadata {
  size_t struct_size;
  XLA_FFI_Api_Version api_version;
  XLA_FFI_Handler_Traits traits;
  XLA_FFI_TypeId state_type_id;
};

/// The `struct_size` of metadata, which excludes `state_type_id`.
inline constexpr size_t kFfiMetadataSize =
    offsetof(XLA_FFI_Metadata, traits) + sizeof(XLA_FFI_Handler_Traits);

/// The extension of a frame that requests the metadata of a handler instead of
/// a call.
struct XLA_FFI_Metadata_Extension {
  XLA_FFI_Extension_Base extension_base;
  XLA_FFI_Metadata *metadata;
};

// The functions of the table that return an error, in the order of the table,
// except XLA_FFI_Error_Create.
#define XLAC_FFI_FUNCTIONS(XLAC_FFI)                                           \
  XLAC_FFI(Handler_Register)                                                   \
  XLAC_FFI(Stream_Get)                                                         \
  XLAC_FFI(Type_Register)                                                      \
  XLAC_FFI(ExecutionContext_Get)                                               \
  XLAC_FFI(State_Set)                                                          \
  XLAC_FFI(State_Get)                                                          \
  XLAC_FFI(DeviceMemory_Allocate)                                              \
  XLAC_FFI(DeviceMemory_Free)                                                  \
  XLAC_FFI(ThreadPool_Schedule)                                                \
  XLAC_FFI(ThreadPool_NumThreads)                                              \
  XLAC_FFI(Future_Create)                                                      \
  XLAC_FFI(Future_SetAvailable)                                                \
  XLAC_FFI(Future_SetError)                                                    \
  XLAC_FFI(RunId_Get)                                                          \
  XLAC_FFI(DeviceOrdinal_Get)

/// The table of functions. The plugin owns it.
struct XLA_FFI_Api {
  size_t struct_size;
  XLA_FFI_Extension_Base *extension_start;
  XLA_FFI_Api_Version api_version;
  const XLA_FFI_InternalApi *internal_api;
  XLA_FFI_Error *(*XLA_FFI_Error_Create)(XLA_FFI_Error_Create_Args *);
  void (*XLA_FFI_Error_GetMessage)(XLA_FFI_Error_GetMessage_Args *);
  void (*XLA_FFI_Error_Destroy)(XLA_FFI_Error_Destroy_Args *);
#define XLAC_FFI(name)                                                         \
  XLA_FFI_Error *(*XLA_FFI_##name)(XLA_FFI_##name##_Args *);
  XLAC_FFI_FUNCTIONS(XLAC_FFI)
#undef XLAC_FFI
};

} // extern "C"
