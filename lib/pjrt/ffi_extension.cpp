#include "ffi_extension.h"

#include "errors.h"
#include "execute_context.h"
#include "ffi_registry.h"
#include "ffi_table.h"
#include "python_callable.h"
#include "python_callback.h"
#include "untyped_call.h"

#include "xlac/library/custom_calls.h"

namespace xlac::pjrt {
namespace {

void handle(PJRT_FFI_Type_Register_Args &args) {
  args.type_id =
      register_ffi_type({args.type_name, args.type_name_size}, args.type_id,
                        args.type_info ? args.type_info->deleter : nullptr);
}

void handle(PJRT_FFI_UserData_Add_Args &args) {
  if (!args.context)
    throw_invalid("the data of an execution need its context");
  std::lock_guard lock(args.context->mutex);
  for (auto [id, data] : args.context->user_data)
    if (id == args.user_data.type_id)
      throw Error(PJRT_Error_Code_ALREADY_EXISTS,
                  "the execution has data of the type with the id " +
                      std::to_string(id) + " already");
  args.context->user_data.emplace_back(args.user_data.type_id,
                                       args.user_data.data);
}

void handle(PJRT_FFI_Register_Handler_Args &args) {
  XLA_FFI_Handler_Bundle handlers = {};
  handlers.execute = reinterpret_cast<XLA_FFI_Handler *>(args.handler);
  register_ffi_handlers({args.target_name, args.target_name_size},
                        {args.platform_name, args.platform_name_size},
                        handlers);
}

XLAC_Extension own_extension = {
    {sizeof(XLAC_Extension),
     static_cast<PJRT_Extension_Type>(kXlacExtensionType), nullptr},
    nullptr,
    [](const char *name) { return library::find_custom_call(name) != nullptr; },
    [](void (*resolve)(const char *name)) {
      library::set_custom_call_resolver(resolve);
    },
    close_python,
    register_untyped_call,
};

PJRT_FFI_Extension pjrt_extension = {
    {sizeof(PJRT_FFI_Extension), PJRT_Extension_Type_FFI, &own_extension.base},
    enter_extension<PJRT_FFI_Type_Register_Args, handle>,
    enter_extension<PJRT_FFI_UserData_Add_Args, handle>,
    enter_extension<PJRT_FFI_Register_Handler_Args, handle>,
};

} // namespace

PJRT_Extension_Base *ffi_extensions(PJRT_Extension_Base *next) {
  own_extension.base.next = next;
  own_extension.ffi = &ffi_table();
  add_python_targets();
  return &pjrt_extension.base;
}

} // namespace xlac::pjrt
