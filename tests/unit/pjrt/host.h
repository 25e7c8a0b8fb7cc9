// A fixture that uses the plugin as a host does: it calls the functions of the
// table.
#pragma once

#include "c_api.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace xlac::test {

/// Returns the table of the plugin.
inline const PJRT_Api &api() { return *GetPjrtApi(); }

/// Returns zeroed arguments of a call with `struct_size` set.
template <class Args> Args arguments() {
  Args args = {};
  args.struct_size = sizeof args;
  return args;
}

/// Returns the message and destroys the error; "" for null. Stores the error
/// code unless `code` or the error is null.
inline std::string text_of(PJRT_Error *error, PJRT_Error_Code *code = nullptr) {
  if (!error)
    return "";
  auto message = arguments<PJRT_Error_Message_Args>();
  message.error = error;
  api().PJRT_Error_Message(&message);
  std::string text(message.message, message.message_size);
  auto get_code = arguments<PJRT_Error_GetCode_Args>();
  get_code.error = error;
  EXPECT_EQ(api().PJRT_Error_GetCode(&get_code), nullptr);
  if (code)
    *code = get_code.code;
  auto destroy = arguments<PJRT_Error_Destroy_Args>();
  destroy.error = error;
  api().PJRT_Error_Destroy(&destroy);
  return text;
}

/// Calls PJRT_<name> and expects success.
#define XLAC_CALL(name, args) EXPECT_EQ(text_of(api().PJRT_##name(&args)), "")

/// A client with two devices for each test.
class Host : public testing::Test {
protected:
  void SetUp() override {
    auto count = arguments<PJRT_NamedValue>();
    count.name = "num_devices";
    count.name_size = 11;
    count.type = PJRT_NamedValue_kInt64;
    count.int64_value = 2;
    count.value_size = 1;
    auto create = arguments<PJRT_Client_Create_Args>();
    create.create_options = &count;
    create.num_options = 1;
    ASSERT_EQ(text_of(api().PJRT_Client_Create(&create)), "");
    client = create.client;
    auto devices = arguments<PJRT_Client_Devices_Args>();
    devices.client = client;
    XLAC_CALL(Client_Devices, devices);
    ASSERT_EQ(devices.num_devices, 2u);
    device = devices.devices[0];
    second_device = devices.devices[1];
  }
  void TearDown() override {
    auto destroy = arguments<PJRT_Client_Destroy_Args>();
    destroy.client = client;
    XLAC_CALL(Client_Destroy, destroy);
  }

  /// Returns arguments for an upload to the first device. `data` and `dims`
  /// must outlive them.
  PJRT_Client_BufferFromHostBuffer_Args
  upload_arguments(const void *data, PJRT_Buffer_Type type,
                   const std::vector<int64_t> &dims) {
    auto args = arguments<PJRT_Client_BufferFromHostBuffer_Args>();
    args.client = client;
    args.data = data;
    args.type = type;
    args.dims = dims.data();
    args.num_dims = dims.size();
    args.device = device;
    return args;
  }
  /// Returns a new buffer, which the caller destroys.
  PJRT_Buffer *upload(PJRT_Client_BufferFromHostBuffer_Args args) {
    XLAC_CALL(Client_BufferFromHostBuffer, args);
    destroy(args.done_with_host_buffer);
    return args.buffer;
  }
  /// Returns a new f32 buffer of rank 1 on the first device.
  PJRT_Buffer *upload(const std::vector<float> &values) {
    std::vector<int64_t> dims = {static_cast<int64_t>(values.size())};
    return upload(upload_arguments(values.data(), PJRT_Buffer_Type_F32, dims));
  }

  /// Waits for the buffer and returns its elements in row-major order.
  template <class T> std::vector<T> download(PJRT_Buffer *buffer) {
    auto args = arguments<PJRT_Buffer_ToHostBuffer_Args>();
    args.src = buffer;
    XLAC_CALL(Buffer_ToHostBuffer, args);
    std::vector<T> values(args.dst_size / sizeof(T));
    args.dst = values.data();
    XLAC_CALL(Buffer_ToHostBuffer, args);
    EXPECT_EQ(await(args.event), "");
    return values;
  }

  /// Waits for the event, destroys it, and returns its error's message or "".
  std::string await(PJRT_Event *event) {
    auto args = arguments<PJRT_Event_Await_Args>();
    args.event = event;
    std::string text = text_of(api().PJRT_Event_Await(&args));
    destroy(event);
    return text;
  }
  /// Destroys the event.
  void destroy(PJRT_Event *event) {
    auto args = arguments<PJRT_Event_Destroy_Args>();
    args.event = event;
    XLAC_CALL(Event_Destroy, args);
  }
  /// Destroys the buffer.
  void destroy(PJRT_Buffer *buffer) {
    auto args = arguments<PJRT_Buffer_Destroy_Args>();
    args.buffer = buffer;
    XLAC_CALL(Buffer_Destroy, args);
  }
  /// Destroys the executable.
  void destroy(PJRT_LoadedExecutable *executable) {
    auto args = arguments<PJRT_LoadedExecutable_Destroy_Args>();
    args.executable = executable;
    XLAC_CALL(LoadedExecutable_Destroy, args);
  }
  /// Whether the buffer has been deleted or donated.
  bool is_deleted(PJRT_Buffer *buffer) {
    auto args = arguments<PJRT_Buffer_IsDeleted_Args>();
    args.buffer = buffer;
    XLAC_CALL(Buffer_IsDeleted, args);
    return args.is_deleted;
  }

  PJRT_Client *client = nullptr;
  PJRT_Device *device = nullptr, *second_device = nullptr;
};

} // namespace xlac::test
