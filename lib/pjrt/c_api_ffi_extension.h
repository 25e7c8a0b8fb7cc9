// The PJRT extension for XLA's FFI. Hosts register foreign functions with it,
// and add user data to executions. Names, types and their order equal those of
// XLA's pjrt_c_api_ffi_extension.h, version 3.
#pragma once

#include "c_api_types.h"

extern "C" {

/// How to delete objects of a type; the deleter may be null.
struct PJRT_FFI_Type_Info {
  void (*deleter)(void *object);
  void (*serialize)();
  void (*deserialize)();
};

/// Registers a type. `type_id` 0 requests a new id. INVALID_ARGUMENT if the
/// name or the id is registered otherwise.
struct PJRT_FFI_Type_Register_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const char *type_name;
  size_t type_name_size;
  int64_t type_id;
  PJRT_FFI_Type_Info *type_info;
};

/// A pointer with the id of its type. The host owns the object.
struct PJRT_FFI_UserData {
  int64_t type_id;
  void *data;
};

/// Adds user data to a context. ALREADY_EXISTS if it has data of the type.
struct PJRT_FFI_UserData_Add_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_ExecuteContext *context;
  PJRT_FFI_UserData user_data;
};

/// Properties of handlers, which xlac ignores.
enum PJRT_FFI_Handler_TraitsBits {
  PJRT_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE = 1,
};

/// Registers an execute handler for a custom call target. ALREADY_EXISTS if the
/// target has another handler.
struct PJRT_FFI_Register_Handler_Args {
  size_t struct_size;
  const char *target_name;
  size_t target_name_size;
  void *handler;
  const char *platform_name;
  size_t platform_name_size;
  PJRT_FFI_Handler_TraitsBits traits;
};

/// The extension of type PJRT_Extension_Type_FFI.
struct PJRT_FFI_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*type_register)(PJRT_FFI_Type_Register_Args *args);
  PJRT_Error *(*user_data_add)(PJRT_FFI_UserData_Add_Args *args);
  PJRT_Error *(*register_handler)(PJRT_FFI_Register_Handler_Args *args);
};

} // extern "C"
