// The extension of the PJRT C API by which hosts register foreign functions and
// give executions the data that those read. Names, types and their order are
// the interface of XLA's pjrt_c_api_ffi_extension.h, version 3.
#pragma once

#include "c_api_types.h"

extern "C" {

struct PJRT_FFI_Type_Info {
  void (*deleter)(void *object);
  void (*serialize)();
  void (*deserialize)();
};

struct PJRT_FFI_Type_Register_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const char *type_name;
  size_t type_name_size;
  int64_t type_id;
  PJRT_FFI_Type_Info *type_info;
};

struct PJRT_FFI_UserData {
  int64_t type_id;
  void *data;
};

struct PJRT_FFI_UserData_Add_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_ExecuteContext *context;
  PJRT_FFI_UserData user_data;
};

enum PJRT_FFI_Handler_TraitsBits {
  PJRT_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE = 1,
};

struct PJRT_FFI_Register_Handler_Args {
  size_t struct_size;
  const char *target_name;
  size_t target_name_size;
  void *handler;
  const char *platform_name;
  size_t platform_name_size;
  PJRT_FFI_Handler_TraitsBits traits;
};

struct PJRT_FFI_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*type_register)(PJRT_FFI_Type_Register_Args *args);
  PJRT_Error *(*user_data_add)(PJRT_FFI_UserData_Add_Args *args);
  PJRT_Error *(*register_handler)(PJRT_FFI_Register_Handler_Args *args);
};

} // extern "C"
