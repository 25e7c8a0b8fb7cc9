// Tests of programs through the function table: compilation, execution,
// donation and serialization.
#include "programs.h"

using namespace xlac::test;

namespace {

const char kDouble[] = R"(
module @double {
  func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %y = stablehlo.add %x, %x : tensor<2xf32>
    return %y : tensor<2xf32>
  }
})";

const char kDonates[] = R"(
module @donates {
  func.func public @main(%x: tensor<2xf32> {tf.aliasing_output = 0 : i32},
                         %y: tensor<2xf32>) -> tensor<2xf32> {
    %z = stablehlo.add %x, %y : tensor<2xf32>
    return %z : tensor<2xf32>
  }
})";

const char kDonatesMore[] = R"(
module @donates_more {
  func.func public @main(%x: tensor<2xf32> {jax.buffer_donor = true},
                         %y: tensor<2xf32> {jax.buffer_donor = true},
                         %z: tensor<4xf32> {jax.buffer_donor = true})
      -> tensor<2xf32> {
    %0 = stablehlo.slice %z [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    %1 = stablehlo.add %x, %y : tensor<2xf32>
    %2 = stablehlo.add %0, %1 : tensor<2xf32>
    return %2 : tensor<2xf32>
  }
})";

const char kSums[] = R"(
module @sums {
  func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %y = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
        : (tensor<2xf32>) -> tensor<2xf32>
    return %y : tensor<2xf32>
  }
})";

} // namespace

TEST_F(Programs, Run) {
  PJRT_LoadedExecutable *executable = compile(kDouble);
  PJRT_Buffer *x = upload({1, 2});
  PJRT_Buffer *y = run(executable, {x});
  PJRT_Buffer *z = run(executable, {y});
  EXPECT_EQ(download<float>(z), (std::vector<float>{4, 8}));
  EXPECT_FALSE(is_deleted(x));
  run(executable, {});
  EXPECT_NE(error.find("expected 1 buffers"), std::string::npos) << error;
  for (PJRT_Buffer *buffer : {x, y, z})
    destroy(buffer);
  destroy(executable);
}

TEST_F(Programs, TakeDonatedBuffers) {
  PJRT_LoadedExecutable *executable = compile(kDonates);
  PJRT_Buffer *x = upload({1, 2}), *y = upload({10, 20});
  PJRT_Buffer *kept = run(executable, {x, y}, {0});
  EXPECT_FALSE(is_deleted(x));
  run(executable, {x, x});
  EXPECT_NE(error.find("donate the same buffer twice"), std::string::npos);
  EXPECT_FALSE(is_deleted(x));
  PJRT_Buffer *z = run(executable, {x, y});
  EXPECT_TRUE(is_deleted(x));
  EXPECT_EQ(download<float>(z), (std::vector<float>{11, 22}));
  run(executable, {x, y});
  EXPECT_EQ(error, "Buffer has been deleted or donated.");
  for (PJRT_Buffer *buffer : {x, y, z, kept})
    destroy(buffer);
  destroy(executable);
}

// No result has the size of the third argument, and one argument suffices for
// the only result.
TEST_F(Programs, TakeOnlyTheMemoryThatResultsNeed) {
  PJRT_LoadedExecutable *executable = compile(kDonatesMore);
  PJRT_Buffer *x = upload({1, 2}), *y = upload({10, 20}),
              *z = upload({100, 200, 300, 400});
  PJRT_Buffer *sum = run(executable, {x, y, z});
  EXPECT_NE(is_deleted(x), is_deleted(y));
  EXPECT_FALSE(is_deleted(z));
  EXPECT_EQ(download<float>(sum), (std::vector<float>{111, 222}));
  for (PJRT_Buffer *buffer : {x, y, z, sum})
    destroy(buffer);
  destroy(executable);
}

// PyTorch/XLA launches executions on one device at a time, from a thread for
// each device. Their collectives must match.
TEST_F(Programs, MeetAcrossExecutionsOnOneDeviceEach) {
  PJRT_LoadedExecutable *here = nullptr, *there = nullptr;
  ASSERT_EQ(text_of(try_compile(kSums, kReplicas, here)), "");
  ASSERT_EQ(text_of(try_compile(kSums, kReplicas, there)), "");
  PJRT_Buffer *x = upload({1, 2});
  PJRT_Buffer *y = upload_there({10, 20});
  for (int round = 0; round < 3; ++round) {
    PJRT_Event *first_done = nullptr, *second_done = nullptr;
    PJRT_Buffer *first = launch(here, device, {x}, {}, first_done);
    ASSERT_EQ(error, "");
    PJRT_Buffer *second = launch(there, second_device, {y}, {}, second_done);
    ASSERT_EQ(error, "");
    EXPECT_EQ(await(first_done) + await(second_done), "");
    EXPECT_EQ(download<float>(first), (std::vector<float>{11, 22}));
    EXPECT_EQ(download<float>(second), (std::vector<float>{11, 22}));
    destroy(first), destroy(second);
  }
  destroy(x), destroy(y), destroy(here), destroy(there);
}

TEST_F(Programs, RefuseDevicesOutsideTheirAssignment) {
  PJRT_LoadedExecutable *executable = compile(kDouble);
  PJRT_Event *done = nullptr;
  PJRT_Buffer *x = upload_there({1, 2});
  launch(executable, second_device, {x}, {}, done);
  EXPECT_NE(error.find("its device assignment has other devices"),
            std::string::npos)
      << error;
  destroy(x), destroy(executable);
}

TEST_F(Programs, LeaveMemoryThatTheHostReads) {
  PJRT_LoadedExecutable *executable = compile(kDonates);
  PJRT_Buffer *x = upload({1, 2}), *y = upload({10, 20});
  auto reference = arguments<PJRT_Buffer_IncreaseExternalReferenceCount_Args>();
  reference.buffer = x;
  XLAC_CALL(Buffer_IncreaseExternalReferenceCount, reference);
  auto pointer = arguments<PJRT_Buffer_UnsafePointer_Args>();
  pointer.buffer = x;
  XLAC_CALL(Buffer_UnsafePointer, pointer);
  PJRT_Buffer *z = run(executable, {x, y});
  EXPECT_TRUE(is_deleted(x));
  EXPECT_EQ(reinterpret_cast<const float *>(pointer.buffer_pointer)[0], 1);
  auto drop = arguments<PJRT_Buffer_DecreaseExternalReferenceCount_Args>();
  drop.buffer = x;
  XLAC_CALL(Buffer_DecreaseExternalReferenceCount, drop);
  EXPECT_EQ(download<float>(z), (std::vector<float>{11, 22}));
  for (PJRT_Buffer *buffer : {x, y, z})
    destroy(buffer);
  destroy(executable);
}

TEST_F(Programs, SurviveSerialization) {
  PJRT_LoadedExecutable *executable = compile(kDouble);
  auto get = arguments<PJRT_LoadedExecutable_GetExecutable_Args>();
  get.loaded_executable = executable;
  XLAC_CALL(LoadedExecutable_GetExecutable, get);
  auto name = arguments<PJRT_Executable_Name_Args>();
  name.executable = get.executable;
  XLAC_CALL(Executable_Name, name);
  EXPECT_EQ(std::string(name.executable_name, name.executable_name_size),
            "double");
  auto serialize = arguments<PJRT_Executable_Serialize_Args>();
  serialize.executable = get.executable;
  XLAC_CALL(Executable_Serialize, serialize);
  auto load = arguments<PJRT_Executable_DeserializeAndLoad_Args>();
  load.client = client;
  load.serialized_executable = serialize.serialized_bytes;
  load.serialized_executable_size = serialize.serialized_bytes_size;
  XLAC_CALL(Executable_DeserializeAndLoad, load);
  PJRT_Buffer *x = upload({3, 4});
  PJRT_Buffer *y = run(load.loaded_executable, {x});
  EXPECT_EQ(download<float>(y), (std::vector<float>{6, 8}));

  // Serializing the loaded executable returns the same bytes.
  auto get_again = arguments<PJRT_LoadedExecutable_GetExecutable_Args>();
  get_again.loaded_executable = load.loaded_executable;
  XLAC_CALL(LoadedExecutable_GetExecutable, get_again);
  auto again = arguments<PJRT_Executable_Serialize_Args>();
  again.executable = get_again.executable;
  XLAC_CALL(Executable_Serialize, again);
  EXPECT_EQ(
      std::string_view(again.serialized_bytes, again.serialized_bytes_size),
      std::string_view(serialize.serialized_bytes,
                       serialize.serialized_bytes_size));
  again.serialized_executable_deleter(again.serialized_executable);
  auto drop_again = arguments<PJRT_Executable_Destroy_Args>();
  drop_again.executable = get_again.executable;
  XLAC_CALL(Executable_Destroy, drop_again);

  for (size_t size :
       {size_t(0), size_t(20), serialize.serialized_bytes_size / 2}) {
    load.serialized_executable_size = size;
    EXPECT_NE(text_of(api().PJRT_Executable_DeserializeAndLoad(&load)), "");
  }
  serialize.serialized_executable_deleter(serialize.serialized_executable);
  auto drop = arguments<PJRT_Executable_Destroy_Args>();
  drop.executable = get.executable;
  XLAC_CALL(Executable_Destroy, drop);
  destroy(x), destroy(y), destroy(load.loaded_executable), destroy(executable);
}

TEST_F(Programs, BadOnesAreRefused) {
  PJRT_LoadedExecutable *made = nullptr;
  PJRT_Error_Code code = PJRT_Error_Code_OK;
  EXPECT_NE(text_of(try_compile("module {", kOptions, made), &code), "");
  EXPECT_EQ(code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_NE(text_of(try_compile(kDouble, "\x1a\x7f", made), &code), "");
  EXPECT_EQ(code, PJRT_Error_Code_INVALID_ARGUMENT);
  // A serialized CompileOptionsProto with an override of the option "bad".
  EXPECT_EQ(text_of(try_compile(kDouble,
                                "\x3a\x05\x0a\x03"
                                "bad",
                                made)),
            "No such compile option: 'bad'");
}
