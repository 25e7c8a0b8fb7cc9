// Tests of buffers and events through the function table.
#include "host.h"

using namespace xlac::test;

namespace {

class Buffers : public Host {};

} // namespace

TEST_F(Buffers, ArriveAndLeaveInAnyLayout) {
  std::vector<int32_t> data = {1, 2, 3, 4, 5, 6};
  auto args = upload_arguments(data.data(), PJRT_Buffer_Type_S32, {2, 3});
  std::vector<int64_t> dims = {2, 3};
  args.dims = dims.data();
  PJRT_Buffer *plain = upload(args);
  EXPECT_EQ(download<int32_t>(plain), data);

  // Transposed, reversed and broadcast host arrays.
  std::vector<int64_t> strides = {4, 8}, turned = {3, 2};
  args.byte_strides = strides.data();
  args.num_byte_strides = 2;
  PJRT_Buffer *transposed = upload(args);
  EXPECT_EQ(download<int32_t>(transposed),
            (std::vector<int32_t>{1, 3, 5, 2, 4, 6}));
  strides = {-12, -4};
  args.data = &data[5];
  PJRT_Buffer *backwards = upload(args);
  EXPECT_EQ(download<int32_t>(backwards),
            (std::vector<int32_t>{6, 5, 4, 3, 2, 1}));
  strides = {0, 4};
  args.data = data.data();
  PJRT_Buffer *repeated = upload(args);
  EXPECT_EQ(download<int32_t>(repeated),
            (std::vector<int32_t>{1, 2, 3, 1, 2, 3}));

  std::vector<int64_t> order = {0, 1};
  auto layout = arguments<PJRT_Buffer_MemoryLayout>();
  layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  layout.tiled.minor_to_major = order.data();
  layout.tiled.minor_to_major_size = 2;
  auto to_host = arguments<PJRT_Buffer_ToHostBuffer_Args>();
  std::vector<int32_t> columns(6);
  to_host.src = plain;
  to_host.host_layout = &layout;
  to_host.dst = columns.data();
  to_host.dst_size = 24;
  XLAC_CALL(Buffer_ToHostBuffer, to_host);
  EXPECT_EQ(await(to_host.event), "");
  EXPECT_EQ(columns, (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
  for (PJRT_Buffer *buffer : {plain, transposed, backwards, repeated})
    destroy(buffer);
}

TEST_F(Buffers, NarrowIntegersAreBroughtIntoForm) {
  std::vector<int8_t> data = {0x1f, 0x08, 0x27};
  std::vector<int64_t> dims = {3};
  PJRT_Buffer *buffer =
      upload(upload_arguments(data.data(), PJRT_Buffer_Type_S4, dims));
  EXPECT_EQ(download<int8_t>(buffer), (std::vector<int8_t>{-1, -8, 7}));
  destroy(buffer);
}

TEST_F(Buffers, ZeroCopyBorrowsUntilTheBufferGoes) {
  alignas(64) float data[4] = {1, 2, 3, 4};
  std::vector<int64_t> dims = {4};
  auto args = upload_arguments(data, PJRT_Buffer_Type_F32, dims);
  args.host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableZeroCopy;
  XLAC_CALL(Client_BufferFromHostBuffer, args);
  auto pointer = arguments<PJRT_Buffer_UnsafePointer_Args>();
  pointer.buffer = args.buffer;
  XLAC_CALL(Buffer_UnsafePointer, pointer);
  EXPECT_EQ(pointer.buffer_pointer, reinterpret_cast<uintptr_t>(data));
  auto ready = arguments<PJRT_Event_IsReady_Args>();
  ready.event = args.done_with_host_buffer;
  XLAC_CALL(Event_IsReady, ready);
  EXPECT_FALSE(ready.is_ready);
  destroy(args.buffer);
  XLAC_CALL(Event_IsReady, ready);
  EXPECT_TRUE(ready.is_ready);
  destroy(args.done_with_host_buffer);
}

TEST_F(Buffers, DeletedOnesSayIt) {
  PJRT_Buffer *buffer = upload({1, 2});
  auto ready = arguments<PJRT_Buffer_ReadyEvent_Args>();
  ready.buffer = buffer;
  XLAC_CALL(Buffer_ReadyEvent, ready);
  PJRT_Event *early = ready.event;
  auto reference = arguments<PJRT_Buffer_IncreaseExternalReferenceCount_Args>();
  reference.buffer = buffer;
  XLAC_CALL(Buffer_IncreaseExternalReferenceCount, reference);
  auto pointer = arguments<PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args>();
  pointer.buffer = buffer;
  XLAC_CALL(Buffer_OpaqueDeviceMemoryDataPointer, pointer);

  auto remove = arguments<PJRT_Buffer_Delete_Args>();
  remove.buffer = buffer;
  XLAC_CALL(Buffer_Delete, remove);
  EXPECT_TRUE(is_deleted(buffer));
  EXPECT_EQ(static_cast<float *>(pointer.device_memory_ptr)[1], 2);
  EXPECT_EQ(await(early), "");
  XLAC_CALL(Buffer_ReadyEvent, ready);
  EXPECT_EQ(await(ready.event), "Buffer has been deleted or donated.");
  PJRT_Error_Code code = PJRT_Error_Code_OK;
  EXPECT_EQ(
      text_of(api().PJRT_Buffer_OpaqueDeviceMemoryDataPointer(&pointer), &code),
      "Buffer has been deleted or donated.");
  EXPECT_EQ(code, PJRT_Error_Code_INVALID_ARGUMENT);
  auto drop = arguments<PJRT_Buffer_DecreaseExternalReferenceCount_Args>();
  drop.buffer = buffer;
  XLAC_CALL(Buffer_DecreaseExternalReferenceCount, drop);
  EXPECT_NE(text_of(api().PJRT_Buffer_DecreaseExternalReferenceCount(&drop)),
            "");
  destroy(buffer);
}

TEST_F(Buffers, HostsOfOtherVersionsFit) {
  // A shorter struct: the plugin neither reads nor writes bytes after its end.
  struct Short {
    PJRT_Client_LookupDevice_Args args;
  } lookup = {arguments<PJRT_Client_LookupDevice_Args>()};
  lookup.args.client = client;
  lookup.args.struct_size = offsetof(PJRT_Client_LookupDevice_Args, device);
  XLAC_CALL(Client_LookupDevice, lookup.args);
  EXPECT_EQ(lookup.args.device, nullptr);
  // A longer struct: the plugin does not change fields that it does not know.
  struct {
    PJRT_Client_LookupDevice_Args args;
    uint64_t more = 7;
  } longer = {arguments<PJRT_Client_LookupDevice_Args>()};
  longer.args.client = client;
  longer.args.struct_size += sizeof longer.more;
  XLAC_CALL(Client_LookupDevice, longer.args);
  EXPECT_EQ(longer.args.device, device);
  EXPECT_EQ(longer.more, 7u);
}

TEST_F(Buffers, EventsCallBackWithTheError) {
  auto create = arguments<PJRT_Event_Create_Args>();
  XLAC_CALL(Event_Create, create);
  std::string heard;
  auto on_ready = arguments<PJRT_Event_OnReady_Args>();
  on_ready.event = create.event;
  on_ready.user_arg = &heard;
  on_ready.callback = [](PJRT_Error *error, void *user_arg) {
    *static_cast<std::string *>(user_arg) += text_of(error) + ";";
  };
  XLAC_CALL(Event_OnReady, on_ready);
  EXPECT_EQ(heard, "");
  auto set = arguments<PJRT_Event_Set_Args>();
  set.event = create.event;
  set.error_code = PJRT_Error_Code_INTERNAL;
  set.error_message = "broken";
  set.error_message_size = 6;
  XLAC_CALL(Event_Set, set);
  EXPECT_EQ(heard, "broken;");
  XLAC_CALL(Event_OnReady, on_ready);
  EXPECT_EQ(heard, "broken;broken;");
  EXPECT_NE(text_of(api().PJRT_Event_Set(&set)), "");
  EXPECT_EQ(await(create.event), "broken");
}

TEST_F(Buffers, SlotsWithoutMeaningAreUnimplemented) {
  const void *const *slots = reinterpret_cast<const void *const *>(
      reinterpret_cast<const char *>(&api()) +
      offsetof(PJRT_Api, PJRT_Error_Destroy));
  for (int i = 0; i < 128; ++i)
    EXPECT_NE(slots[i], nullptr) << i;
  auto map = arguments<PJRT_Client_DmaMap_Args>();
  PJRT_Error_Code code = PJRT_Error_Code_OK;
  EXPECT_NE(text_of(api().PJRT_Client_DmaMap(&map), &code), "");
  EXPECT_EQ(code, PJRT_Error_Code_UNIMPLEMENTED);
}
