// Tests of foreign functions: the arguments of handlers, their states, errors
// and futures, and the functions of the FFI table.
#include "ffi_extension.h"
#include "programs.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>

using namespace xlac::test;

namespace {

template <class Extension> Extension &extension(int type) {
  PJRT_Extension_Base *base = api().extension_start;
  while (base && base->type != type)
    base = base->next;
  EXPECT_NE(base, nullptr);
  return *reinterpret_cast<Extension *>(base);
}

PJRT_FFI_Extension &ffi() {
  return extension<PJRT_FFI_Extension>(PJRT_Extension_Type_FFI);
}

const XLA_FFI_Api &table() {
  return *extension<XLAC_Extension>(xlac::pjrt::kXlacExtensionType).ffi;
}

/// If the frame requests metadata, sets the version in it and returns true.
/// Handlers must then return without executing.
bool tells_version(XLA_FFI_CallFrame *frame, int major = 0, int minor = 2) {
  if (!frame->extension_start)
    return false;
  EXPECT_EQ(frame->extension_start->type, XLA_FFI_Extension_Metadata);
  auto *extension =
      reinterpret_cast<XLA_FFI_Metadata_Extension *>(frame->extension_start);
  extension->metadata->api_version.major_version = major;
  extension->metadata->api_version.minor_version = minor;
  return true;
}

XLA_FFI_Error *error_of(const XLA_FFI_CallFrame *frame, XLA_FFI_Error_Code code,
                        const char *message) {
  auto args = arguments<XLA_FFI_Error_Create_Args>();
  args.errc = code;
  args.message = message;
  return frame->api->XLA_FFI_Error_Create(&args);
}

std::string register_handler(const char *name, XLA_FFI_Handler *handler,
                             PJRT_Error_Code *code = nullptr) {
  auto args = arguments<PJRT_FFI_Register_Handler_Args>();
  args.target_name = name;
  args.target_name_size = std::strlen(name);
  args.platform_name = "xlac";
  args.platform_name_size = 4;
  args.handler = reinterpret_cast<void *>(handler);
  return text_of(ffi().register_handler(&args), code);
}

/// Returns the message and destroys the error; "" for null.
std::string text_of(XLA_FFI_Error *error) {
  if (!error)
    return "";
  auto message = arguments<XLA_FFI_Error_GetMessage_Args>();
  message.error = error;
  table().XLA_FFI_Error_GetMessage(&message);
  std::string text = message.message;
  auto destroy = arguments<XLA_FFI_Error_Destroy_Args>();
  destroy.error = error;
  table().XLA_FFI_Error_Destroy(&destroy);
  return text;
}

std::string register_bundle(const std::string &name,
                            const XLA_FFI_Handler_Bundle &bundle) {
  auto args = arguments<XLA_FFI_Handler_Register_Args>();
  args.name = {name.data(), name.size()};
  args.platform = {"Host", 4};
  args.bundle = bundle;
  return text_of(table().XLA_FFI_Handler_Register(&args));
}

const XLA_FFI_Buffer &operand(const XLA_FFI_CallFrame *frame, int64_t i) {
  return *static_cast<XLA_FFI_Buffer *>(frame->args.args[i]);
}

const XLA_FFI_Buffer &result(const XLA_FFI_CallFrame *frame, int64_t i) {
  return *static_cast<XLA_FFI_Buffer *>(frame->rets.rets[i]);
}

/// Returns a program with one custom call from tensor<2xf32> to tensor<2xf32>.
std::string program(const std::string &target,
                    const std::string &attributes = "") {
  return "func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
         "  %y = stablehlo.custom_call @" +
         target + "(%x) {api_version = 4 : i32" + attributes +
         "} : (tensor<2xf32>) -> tensor<2xf32>\n"
         "  return %y : tensor<2xf32>\n}\n";
}

/// Sets result 0 to twice operand 0. Both have two elements.
void write_double(const XLA_FFI_CallFrame *frame) {
  const auto *from = static_cast<const float *>(operand(frame, 0).data);
  auto *to = static_cast<float *>(result(frame, 0).data);
  to[0] = 2 * from[0];
  to[1] = 2 * from[1];
}

class ForeignFunctions : public Programs {
protected:
  /// Compiles and runs a program and returns its result for {1, 2}. Sets
  /// `error` and returns no values if that fails.
  std::vector<float> call(const std::string &text) {
    PJRT_LoadedExecutable *executable = nullptr;
    error = text_of(try_compile(text, kOptions, executable));
    if (!error.empty())
      return {};
    std::vector<float> values = run_once(executable);
    destroy(executable);
    return values;
  }
  std::vector<float> run_once(PJRT_LoadedExecutable *executable) {
    PJRT_Buffer *x = upload({1, 2});
    PJRT_Event *done = nullptr;
    PJRT_Buffer *y = launch(executable, nullptr, {x}, {}, done);
    std::vector<float> values;
    auto wait = arguments<PJRT_Event_Await_Args>();
    wait.event = done;
    error = text_of(api().PJRT_Event_Await(&wait), &code);
    destroy(done);
    if (error.empty())
      values = download<float>(y);
    destroy(x), destroy(y);
    return values;
  }
  using xlac::test::Host::destroy;
  static std::string text_of(PJRT_Error *error,
                             PJRT_Error_Code *code = nullptr) {
    return xlac::test::text_of(error, code);
  }

  PJRT_Error_Code code = PJRT_Error_Code_OK;
};

/// Returns the attributes as text. A scalar is "name:type=value", where type is
/// the number of an XLA_FFI_DataType.
std::string describe(const XLA_FFI_Attrs &attrs);

template <class T> std::string numbers(const void *data, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, static_cast<const char *>(data) + i * sizeof value,
                sizeof value);
    text += (i ? "," : "") + std::to_string(value);
  }
  return text;
}

std::string elements(XLA_FFI_DataType type, const void *data, size_t count) {
  std::string number = std::to_string(type) + "=";
  switch (type) {
  case XLA_FFI_DataType_PRED:
  case XLA_FFI_DataType_U8:
    return number + numbers<uint8_t>(data, count);
  case XLA_FFI_DataType_S8:
    return number + numbers<int8_t>(data, count);
  case XLA_FFI_DataType_S16:
    return number + numbers<int16_t>(data, count);
  case XLA_FFI_DataType_U16:
  case XLA_FFI_DataType_F16:
  case XLA_FFI_DataType_BF16:
    return number + numbers<uint16_t>(data, count);
  case XLA_FFI_DataType_S32:
    return number + numbers<int32_t>(data, count);
  case XLA_FFI_DataType_U32:
    return number + numbers<uint32_t>(data, count);
  case XLA_FFI_DataType_S64:
    return number + numbers<int64_t>(data, count);
  case XLA_FFI_DataType_U64:
    return number + numbers<uint64_t>(data, count);
  case XLA_FFI_DataType_F32:
    return number + numbers<float>(data, count);
  case XLA_FFI_DataType_F64:
    return number + numbers<double>(data, count);
  default:
    return number + "?";
  }
}

std::string describe_one(XLA_FFI_AttrType type, void *value) {
  switch (type) {
  case XLA_FFI_AttrType_SCALAR: {
    auto *scalar = static_cast<XLA_FFI_Scalar *>(value);
    return elements(scalar->dtype, scalar->value, 1);
  }
  case XLA_FFI_AttrType_ARRAY: {
    auto *array = static_cast<XLA_FFI_Array *>(value);
    return "[" + elements(array->dtype, array->data, array->size) + "]";
  }
  case XLA_FFI_AttrType_STRING: {
    auto *span = static_cast<XLA_FFI_ByteSpan *>(value);
    return "'" + std::string(span->ptr, span->len) + "'";
  }
  case XLA_FFI_AttrType_DICTIONARY:
    return "{" + describe(*static_cast<XLA_FFI_Attrs *>(value)) + "}";
  }
  return "?";
}

std::string describe(const XLA_FFI_Attrs &attrs) {
  std::string text;
  for (int64_t i = 0; i < attrs.size; ++i)
    text += std::string(i ? " " : "") +
            std::string(attrs.names[i]->ptr, attrs.names[i]->len) + ":" +
            describe_one(attrs.types[i], attrs.attrs[i]);
  return text;
}

std::string seen; ///< the text that the last handler recorded

XLA_FFI_Error *note_attributes(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  seen = describe(frame->attrs);
  write_double(frame);
  return nullptr;
}

} // namespace

TEST_F(ForeignFunctions, GetAttributesWithTheirTypes) {
  ASSERT_EQ(register_handler("test.attributes", note_attributes), "");
  EXPECT_EQ(call(program("test.attributes", R"(, backend_config = {
      flag = true, i8 = -1 : i8, i16 = -2 : i16, i32 = -3 : i32, i64 = -4 : i64,
      u8 = 255 : ui8, u16 = 65535 : ui16, u32 = 4294967295 : ui32,
      u64 = 18446744073709551615 : ui64, f16 = 1.0 : f16, bf16 = 1.0 : bf16,
      f32 = 0.5 : f32, f64 = 0.25 : f64, text = "a\00b", empty = "",
      flags = array<i1: true, false>, bytes = array<i8: 1, -1>,
      numbers = array<i32: 1, 2>, longs = array<i64: 3>, none = array<i64>,
      floats = array<f32: 0.5>, doubles = array<f64: 0.25>,
      dense = dense<[1, 2]> : tensor<2xui64>,
      splat = dense<7> : tensor<3xi32>,
      list = [1 : i32, 2 : i32],
      mixed = [1 : i32, "two"],
      nested = {a = 1 : i32, b = {c = "deep"}}})")),
            (std::vector<float>{2, 4}))
      << error;
  EXPECT_EQ(seen, "bf16:16=16256 bytes:[2=1,-1] dense:[9=1,2] "
                  "doubles:[12=0.250000] empty:'' f16:10=15360 "
                  "f32:11=0.500000 f64:12=0.250000 flag:1=1 flags:[1=1,0] "
                  "floats:[11=0.500000] i16:3=-2 i32:4=-3 i64:5=-4 i8:2=-1 "
                  "list:[4=1,2] longs:[5=3] mixed:{0:4=1 1:'two'} "
                  "nested:{a:4=1 b:{c:'deep'}} none:[5=] numbers:[4=1,2] "
                  "splat:[4=7,7,7] " +
                      std::string("text:'a\0b'", 10) +
                      " u16:7=65535 u32:8=4294967295 "
                      "u64:9=18446744073709551615 u8:6=255");
}

namespace {

XLA_FFI_Error *note_buffers(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  seen.clear();
  auto note = [](const XLA_FFI_Buffer &buffer) {
    seen += std::to_string(buffer.dtype) + "[";
    for (int64_t i = 0; i < buffer.rank; ++i)
      seen += std::to_string(buffer.dims[i]) + ",";
    seen += "] ";
  };
  for (int64_t i = 0; i < frame->args.size; ++i)
    note(operand(frame, i));
  seen += "-> ";
  for (int64_t i = 0; i < frame->rets.size; ++i)
    note(result(frame, i));
  write_double(frame);
  return nullptr;
}

} // namespace

TEST_F(ForeignFunctions, GetBuffersAndTokensInTheirPlaces) {
  ASSERT_EQ(register_handler("test.buffers", note_buffers), "");
  EXPECT_EQ(call(R"(
func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %token = stablehlo.create_token : !stablehlo.token
  %none = stablehlo.constant dense<> : tensor<0x3xi8>
  %one = stablehlo.constant dense<true> : tensor<i1>
  %y:3 = "stablehlo.custom_call"(%x, %token, %none, %one) {
      call_target_name = "test.buffers", api_version = 4 : i32,
      has_side_effect = true}
    : (tensor<2xf32>, !stablehlo.token, tensor<0x3xi8>, tensor<i1>)
      -> (tensor<2xf32>, !stablehlo.token, tensor<0xui16>)
  return %y#0 : tensor<2xf32>
})"),
            (std::vector<float>{2, 4}))
      << error;
  EXPECT_EQ(seen, "11[2,] 17[] 2[0,3,] 1[] -> 11[2,] 17[] 7[0,] ");
}

namespace {

XLA_FFI_Error *add_in_place(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  seen = operand(frame, 0).data == result(frame, 0).data ? "same" : "apart";
  auto *to = static_cast<float *>(result(frame, 0).data);
  to[0] += 10;
  to[1] += 10;
  return nullptr;
}

} // namespace

TEST_F(ForeignFunctions, WorkInPlaceWhereResultsBeginAsOperands) {
  ASSERT_EQ(register_handler("test.in_place", add_in_place), "");
  PJRT_LoadedExecutable *executable = compile(
      program("test.in_place",
              ", output_operand_aliases = [#stablehlo.output_operand_alias<"
              "output_tuple_indices = [], operand_index = 0, "
              "operand_tuple_indices = []>]"));
  // The call must not modify the argument, so both runs return the same values.
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(run_once(executable), (std::vector<float>{11, 12})) << error;
    EXPECT_EQ(seen, "same");
  }
  destroy(executable);
}

namespace {

std::atomic<int> live_states{0};
std::map<std::string, int> stages;
XLA_FFI_TypeId counter_type{0};

XLA_FFI_Error *make_counter(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  ++stages["instantiate"];
  EXPECT_EQ(frame->stage, XLA_FFI_ExecutionStage_INSTANTIATE);
  EXPECT_EQ(frame->args.size, 0);
  EXPECT_EQ(describe(frame->attrs), "start:4=7");
  ++live_states;
  auto args = arguments<XLA_FFI_State_Set_Args>();
  args.ctx = frame->ctx;
  args.type_id = &counter_type;
  args.state = new int(7);
  return frame->api->XLA_FFI_State_Set(&args);
}

template <XLA_FFI_ExecutionStage stage>
XLA_FFI_Error *count_stage(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  EXPECT_EQ(frame->stage, stage);
  ++stages[stage == XLA_FFI_ExecutionStage_PREPARE ? "prepare" : "initialize"];
  ++live_states;
  auto args = arguments<XLAC_FFI_StageState_Args>(); // version 0.3
  args.ctx = frame->ctx;
  args.type_id = &counter_type;
  args.stage = stage;
  args.state = new int(100 * stage);
  return frame->api->XLA_FFI_State_Set(
      reinterpret_cast<XLA_FFI_State_Set_Args *>(&args));
}

XLA_FFI_Error *count_up(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  ++stages["execute"];
  auto args = arguments<XLA_FFI_State_Get_Args>();
  args.ctx = frame->ctx;
  XLA_FFI_TypeId other{counter_type.type_id + 1000};
  args.type_id = &other;
  EXPECT_NE(text_of(frame->api->XLA_FFI_State_Get(&args)), "");
  args.type_id = &counter_type;
  if (XLA_FFI_Error *error = frame->api->XLA_FFI_State_Get(&args))
    return error;
  write_double(frame);
  static_cast<float *>(result(frame, 0).data)[0] =
      static_cast<float>((*static_cast<int *>(args.state))++);
  auto initialized = arguments<XLAC_FFI_StageState_Args>();
  initialized.ctx = frame->ctx;
  initialized.type_id = &counter_type;
  initialized.stage = XLA_FFI_ExecutionStage_INITIALIZE;
  EXPECT_EQ(text_of(frame->api->XLA_FFI_State_Get(
                reinterpret_cast<XLA_FFI_State_Get_Args *>(&initialized))),
            "");
  EXPECT_EQ(*static_cast<int *>(initialized.state), 200);
  return nullptr;
}

} // namespace

TEST_F(ForeignFunctions, KeepAStateForEachExecutable) {
  XLA_FFI_TypeInfo info = {};
  info.struct_size = sizeof info;
  info.deleter = [](void *object) {
    delete static_cast<int *>(object);
    --live_states;
  };
  auto type = arguments<XLA_FFI_Type_Register_Args>();
  type.name = {"test.counter", 12};
  type.type_id = &counter_type;
  type.type_info = &info;
  ASSERT_EQ(::text_of(table().XLA_FFI_Type_Register(&type)), "");
  EXPECT_NE(counter_type.type_id, 0);
  ASSERT_EQ(register_bundle(
                "test.counter",
                {make_counter, count_stage<XLA_FFI_ExecutionStage_PREPARE>,
                 count_stage<XLA_FFI_ExecutionStage_INITIALIZE>, count_up}),
            "");
  const std::string text =
      program("test.counter", ", backend_config = {start = 7 : i32}, "
                              "has_side_effect = true");
  PJRT_LoadedExecutable *first = compile(text), *second = compile(text);
  EXPECT_EQ(run_once(first)[0], 7) << error;
  EXPECT_EQ(run_once(first)[0], 8);
  EXPECT_EQ(run_once(second)[0], 7) << "the same program shares no state";
  EXPECT_EQ(stages["instantiate"], 2);
  EXPECT_EQ(stages["prepare"], 3);
  EXPECT_EQ(stages["initialize"], 3);
  EXPECT_EQ(stages["execute"], 3);
  EXPECT_EQ(live_states, 2);
  destroy(first), destroy(second);
  EXPECT_EQ(live_states, 0);
}

namespace {

XLA_FFI_Error *fail(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  return error_of(frame, XLA_FFI_Error_Code_RESOURCE_EXHAUSTED,
                  "no seats are left");
}

XLA_FFI_Error *fail_to_instantiate(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  return error_of(frame, XLA_FFI_Error_Code_INVALID_ARGUMENT, "no such model");
}

template <int major, int minor>
XLA_FFI_Error *of_version(XLA_FFI_CallFrame *frame) {
  EXPECT_TRUE(tells_version(frame, major, minor));
  return nullptr;
}

} // namespace

TEST_F(ForeignFunctions, FailTheExecutionWithTheirErrors) {
  ASSERT_EQ(register_handler("test.fails", fail), "");
  call(program("test.fails"));
  EXPECT_NE(error.find("no seats are left"), std::string::npos) << error;
  EXPECT_EQ(code, PJRT_Error_Code_RESOURCE_EXHAUSTED);
  ASSERT_EQ(register_bundle("test.no_instance",
                            {fail_to_instantiate, nullptr, nullptr, fail}),
            "");
  call(program("test.no_instance"));
  EXPECT_NE(error.find("no such model"), std::string::npos) << error;
  call(program("test.nobody"));
  EXPECT_NE(error.find("test.nobody"), std::string::npos) << error;
}

TEST_F(ForeignFunctions, AreCheckedWhenTheyAreRegistered) {
  EXPECT_NE(register_handler("test.new", of_version<1, 0>), "");
  EXPECT_NE(register_handler("test.new", of_version<0, 4>), "");
  EXPECT_EQ(register_handler("test.new", of_version<0, 2>), "");
  EXPECT_EQ(register_handler("test.new", of_version<0, 2>), "");
  EXPECT_NE(register_handler("test.new", of_version<0, 1>, &code), "");
  EXPECT_EQ(code, PJRT_Error_Code_ALREADY_EXISTS);
  EXPECT_NE(register_bundle("test.bundle", {}), "");
  EXPECT_NE(register_handler("", of_version<0, 2>), "");
  auto &own = extension<XLAC_Extension>(xlac::pjrt::kXlacExtensionType);
  EXPECT_TRUE(own.has_target("test.new"));
  EXPECT_TRUE(own.has_target("lapack_sgetrf_ffi"));
  EXPECT_FALSE(own.has_target("test.other"));
}

namespace {

XLA_FFI_TypeId scale_type{0};

XLA_FFI_Error *scale(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  auto args = arguments<XLA_FFI_ExecutionContext_Get_Args>();
  args.ctx = frame->ctx;
  args.type_id = &scale_type;
  if (XLA_FFI_Error *error = frame->api->XLA_FFI_ExecutionContext_Get(&args))
    return error;
  write_double(frame);
  static_cast<float *>(result(frame, 0).data)[0] =
      *static_cast<float *>(args.data);
  return nullptr;
}

} // namespace

TEST_F(ForeignFunctions, GetTheDataOfTheirExecutionAlone) {
  PJRT_FFI_Type_Info info = {};
  auto type = arguments<PJRT_FFI_Type_Register_Args>();
  type.type_name = "test.scale";
  type.type_name_size = 10;
  type.type_info = &info;
  ASSERT_EQ(text_of(ffi().type_register(&type)), "");
  scale_type.type_id = type.type_id;
  // A second registration returns the same id.
  ASSERT_EQ(text_of(ffi().type_register(&type)), "");
  EXPECT_EQ(scale_type.type_id, type.type_id);
  type.type_id += 1;
  EXPECT_NE(text_of(ffi().type_register(&type)), "");
  ASSERT_EQ(register_handler("test.scale", scale), "");
  PJRT_LoadedExecutable *executable = compile(program("test.scale"));
  auto create = arguments<PJRT_ExecuteContext_Create_Args>();
  XLAC_CALL(ExecuteContext_Create, create);
  float factor = 42;
  auto add = arguments<PJRT_FFI_UserData_Add_Args>();
  add.context = create.context;
  add.user_data = {scale_type.type_id, &factor};
  ASSERT_EQ(text_of(ffi().user_data_add(&add)), "");
  EXPECT_NE(text_of(ffi().user_data_add(&add)), "");
  context = create.context;
  EXPECT_EQ(run_once(executable)[0], 42) << error;
  context = nullptr;
  run_once(executable);
  EXPECT_EQ(code, PJRT_Error_Code_INTERNAL);
  EXPECT_NE(error.find("has no data of the type"), std::string::npos) << error;
  auto drop = arguments<PJRT_ExecuteContext_Destroy_Args>();
  drop.context = create.context;
  XLAC_CALL(ExecuteContext_Destroy, drop);
  destroy(executable);
}

namespace {

/// A call that a task of the thread pool completes.
struct Later {
  XLA_FFI_CallFrame frame;
  XLA_FFI_Future *future;
  bool fails;
};

void finish_later(void *data) {
  std::unique_ptr<Later> later(static_cast<Later *>(data));
  const XLA_FFI_Api *api = later->frame.api;
  if (later->fails) {
    auto set = arguments<XLA_FFI_Future_SetError_Args>();
    set.future = later->future;
    set.error = error_of(&later->frame, XLA_FFI_Error_Code_UNIMPLEMENTED,
                         "not even later");
    EXPECT_EQ(::text_of(api->XLA_FFI_Future_SetError(&set)), "");
    return;
  }
  write_double(&later->frame);
  auto set = arguments<XLA_FFI_Future_SetAvailable_Args>();
  set.future = later->future;
  EXPECT_EQ(::text_of(api->XLA_FFI_Future_SetAvailable(&set)), "");
}

template <bool fails> XLA_FFI_Error *start(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  auto create = arguments<XLA_FFI_Future_Create_Args>();
  if (XLA_FFI_Error *error = frame->api->XLA_FFI_Future_Create(&create))
    return error;
  auto count = arguments<XLA_FFI_ThreadPool_NumThreads_Args>();
  int64_t threads = 0;
  count.ctx = frame->ctx;
  count.num_threads = &threads;
  EXPECT_EQ(::text_of(frame->api->XLA_FFI_ThreadPool_NumThreads(&count)), "");
  EXPECT_GE(threads, 1);
  auto schedule = arguments<XLA_FFI_ThreadPool_Schedule_Args>();
  schedule.ctx = frame->ctx;
  schedule.task = finish_later;
  schedule.data = new Later{*frame, create.future, fails};
  frame->future = create.future;
  return frame->api->XLA_FFI_ThreadPool_Schedule(&schedule);
}

} // namespace

TEST_F(ForeignFunctions, MayFinishLater) {
  ASSERT_EQ(register_handler("test.later", start<false>), "");
  ASSERT_EQ(register_handler("test.later_fails", start<true>), "");
  PJRT_LoadedExecutable *executable = compile(program("test.later"));
  for (int round = 0; round < 20; ++round)
    EXPECT_EQ(run_once(executable), (std::vector<float>{2, 4})) << error;
  destroy(executable);
  call(program("test.later_fails"));
  EXPECT_NE(error.find("not even later"), std::string::npos) << error;
  EXPECT_EQ(code, PJRT_Error_Code_UNIMPLEMENTED);
}

namespace {

std::vector<int64_t> run_ids;

XLA_FFI_Error *use_services(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  auto device = arguments<XLA_FFI_DeviceOrdinal_Get_Args>();
  device.ctx = frame->ctx;
  EXPECT_EQ(::text_of(frame->api->XLA_FFI_DeviceOrdinal_Get(&device)), "");
  EXPECT_EQ(device.device_ordinal, 0);
  auto run = arguments<XLA_FFI_RunId_Get_Args>();
  run.ctx = frame->ctx;
  EXPECT_EQ(::text_of(frame->api->XLA_FFI_RunId_Get(&run)), "");
  run_ids.push_back(run.run_id);
  auto stream = arguments<XLA_FFI_Stream_Get_Args>();
  stream.ctx = frame->ctx;
  EXPECT_NE(::text_of(frame->api->XLA_FFI_Stream_Get(&stream)), "");
  for (size_t alignment : {size_t(1), size_t(64), size_t(4096)}) {
    auto memory = arguments<XLA_FFI_DeviceMemory_Allocate_Args>();
    memory.ctx = frame->ctx;
    memory.size = 1000;
    memory.alignment = alignment;
    EXPECT_EQ(::text_of(frame->api->XLA_FFI_DeviceMemory_Allocate(&memory)),
              "");
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.data) % alignment, 0u);
    std::memset(memory.data, 1, memory.size);
    auto free = arguments<XLA_FFI_DeviceMemory_Free_Args>();
    free.ctx = frame->ctx;
    free.size = memory.size;
    free.data = memory.data;
    EXPECT_EQ(::text_of(frame->api->XLA_FFI_DeviceMemory_Free(&free)), "");
    memory.size = SIZE_MAX;
    EXPECT_NE(::text_of(frame->api->XLA_FFI_DeviceMemory_Allocate(&memory)),
              "");
  }
  write_double(frame);
  return nullptr;
}

} // namespace

TEST_F(ForeignFunctions, UseTheServicesOfTheTable) {
  ASSERT_EQ(register_handler("test.services", use_services), "");
  PJRT_LoadedExecutable *executable = compile(program("test.services"));
  EXPECT_EQ(run_once(executable), (std::vector<float>{2, 4})) << error;
  EXPECT_EQ(run_once(executable), (std::vector<float>{2, 4})) << error;
  destroy(executable);
  ASSERT_EQ(run_ids.size(), 2u);
  EXPECT_NE(run_ids[0], run_ids[1]);
}

namespace {

ForeignFunctions *running = nullptr;
PJRT_LoadedExecutable *inner_program = nullptr, *later_program = nullptr;
PJRT_Buffer *queued = nullptr;

} // namespace

// Handlers launch another program on the same device and wait for it. That must
// not wait for the end of the program that calls the handler.
class Reentrant : public ForeignFunctions {
public:
  std::vector<float> run_inner() { return run_once(inner_program); }
  std::vector<float> read(PJRT_Buffer *buffer) {
    return download<float>(buffer);
  }
  /// Launches a program after the running one, and returns its pending result.
  PJRT_Buffer *queue() {
    PJRT_Buffer *x = upload({5, 6});
    PJRT_Event *done = nullptr;
    PJRT_Buffer *y = launch(later_program, nullptr, {x}, {}, done);
    destroy(done), destroy(x);
    return y;
  }
};

namespace {

std::atomic<int> step{0};

void wait_for_step(int wanted) {
  for (int now = step; now < wanted; now = step)
    step.wait(now);
}

void reach_step(int number) {
  step = number;
  step.notify_all();
}

XLA_FFI_Error *reenter(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  std::vector<float> inner = static_cast<Reentrant *>(running)->run_inner();
  EXPECT_EQ(inner, (std::vector<float>{2, 4}));
  std::memcpy(result(frame, 0).data, inner.data(), 8);
  return nullptr;
}

XLA_FFI_Error *wait_for_queued(XLA_FFI_CallFrame *frame) {
  if (tells_version(frame))
    return nullptr;
  reach_step(1);
  wait_for_step(2);
  std::vector<float> values = static_cast<Reentrant *>(running)->read(queued);
  EXPECT_EQ(values, (std::vector<float>{10, 12}));
  std::memcpy(result(frame, 0).data, values.data(), 8);
  return nullptr;
}

} // namespace

TEST_F(Reentrant, LaunchesRunAtOnce) {
  running = this;
  ASSERT_EQ(register_handler("test.reenter", reenter), "");
  ASSERT_EQ(register_handler("test.double", note_attributes), "");
  inner_program = compile(program("test.double"));
  PJRT_LoadedExecutable *outer = compile(program("test.reenter"));
  for (int round = 0; round < 3; ++round)
    EXPECT_EQ(run_once(outer), (std::vector<float>{2, 4})) << error;
  destroy(outer), destroy(inner_program);
}

TEST_F(Reentrant, WaitsForWhatIsQueuedBehind) {
  running = this;
  ASSERT_EQ(register_handler("test.waits", wait_for_queued), "");
  ASSERT_EQ(register_handler("test.double", note_attributes), "");
  later_program = compile(program("test.double"));
  PJRT_LoadedExecutable *outer = compile(program("test.waits"));
  for (int round = 0; round < 3; ++round) {
    step = 0;
    PJRT_Buffer *x = upload({1, 2});
    PJRT_Event *done = nullptr;
    PJRT_Buffer *y = launch(outer, nullptr, {x}, {}, done);
    wait_for_step(1);
    queued = queue();
    reach_step(2);
    EXPECT_EQ(await(done), "");
    EXPECT_EQ(download<float>(y), (std::vector<float>{10, 12}));
    destroy(x), destroy(y), destroy(queued);
  }
  destroy(outer), destroy(later_program);
}
