// Tests of buffers and programs with other layouts than the row-major one, and
// of the extensions for layouts and for kinds of memory.
#include "programs.h"

#include "c_api_extensions.h"

using namespace xlac::test;

namespace {

/// Returns the extension of that type in the table's list.
template <class Extension> const Extension &extension(int type) {
  const PJRT_Extension_Base *next = api().extension_start;
  while (next && next->type != type)
    next = next->next;
  EXPECT_NE(next, nullptr) << "no extension of type " << type;
  return *reinterpret_cast<const Extension *>(next);
}

const PJRT_Layouts_Extension &layouts() {
  return extension<PJRT_Layouts_Extension>(PJRT_Extension_Type_Layouts);
}

/// Returns the layout's text, and destroys the layout if `is_owned`.
std::string layout_text(PJRT_Layouts_MemoryLayout *layout, bool is_owned) {
  auto serialize = arguments<PJRT_Layouts_MemoryLayout_Serialize_Args>();
  serialize.layout = layout;
  EXPECT_EQ(layouts().PJRT_Layouts_MemoryLayout_Serialize(&serialize), nullptr);
  std::string text(serialize.serialized_bytes, serialize.serialized_bytes_size);
  serialize.serialized_layout_deleter(serialize.serialized_layout);
  if (is_owned) {
    auto destroy = arguments<PJRT_Layouts_MemoryLayout_Destroy_Args>();
    destroy.layout = layout;
    EXPECT_EQ(layouts().PJRT_Layouts_MemoryLayout_Destroy(&destroy), nullptr);
  }
  return text;
}

/// What a host leaves in the struct_size of a layout that it does not set.
constexpr size_t kUnset = 3;

/// Returns the layout with that order of dimensions, which must outlive it.
PJRT_Buffer_MemoryLayout tiled(const std::vector<int64_t> &minor_to_major) {
  PJRT_Buffer_MemoryLayout layout = {};
  layout.struct_size = layout.tiled.struct_size = kUnset;
  layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  layout.tiled.minor_to_major = minor_to_major.data();
  layout.tiled.minor_to_major_size = minor_to_major.size();
  return layout;
}

PJRT_Buffer_MemoryLayout strided(const std::vector<int64_t> &strides) {
  PJRT_Buffer_MemoryLayout layout = {};
  layout.struct_size = layout.strides.struct_size = kUnset;
  layout.type = PJRT_Buffer_MemoryLayout_Type_Strides;
  layout.strides.byte_strides = strides.data();
  layout.strides.num_byte_strides = strides.size();
  return layout;
}

using Floats = std::vector<float>;

class Layouts : public Programs {
protected:
  const Floats data = {1, 2, 3, 4, 5, 6};
  const std::vector<int64_t> dims = {2, 3}, row_major = {1, 0},
                             column_major = {0, 1};

  /// Returns a buffer of `data` as a 2 x 3 matrix in that layout.
  PJRT_Buffer *matrix(PJRT_Buffer_MemoryLayout layout) {
    auto args = upload_arguments(data.data(), PJRT_Buffer_Type_F32, dims);
    args.device_layout = &layout;
    return upload(args);
  }
  std::string layout_of(PJRT_Buffer *buffer) {
    auto args = arguments<PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args>();
    args.buffer = buffer;
    EXPECT_EQ(layouts().PJRT_Layouts_PJRT_Buffer_MemoryLayout(&args), nullptr);
    return layout_text(args.layout, true);
  }
  Floats in_row_major(PJRT_Buffer *buffer) {
    PJRT_Buffer_MemoryLayout layout = tiled(row_major);
    auto args = arguments<PJRT_Buffer_ToHostBuffer_Args>();
    args.src = buffer;
    args.host_layout = &layout;
    XLAC_CALL(Buffer_ToHostBuffer, args);
    Floats values(args.dst_size / sizeof(float));
    args.dst = values.data();
    XLAC_CALL(Buffer_ToHostBuffer, args);
    EXPECT_EQ(await(args.event), "");
    return values;
  }
};

} // namespace

TEST_F(Layouts, BuffersKeepTheirs) {
  const std::vector<int64_t> strides = {4, 8};
  for (PJRT_Buffer_MemoryLayout layout :
       {tiled(column_major), strided(strides)}) {
    PJRT_Buffer *buffer = matrix(layout);
    auto get = arguments<PJRT_Buffer_GetMemoryLayout_Args>();
    get.buffer = buffer;
    XLAC_CALL(Buffer_GetMemoryLayout, get);
    ASSERT_EQ(get.layout.tiled.minor_to_major_size, 2u);
    EXPECT_EQ(get.layout.tiled.minor_to_major[0], 0);
    EXPECT_EQ(get.layout.tiled.minor_to_major[1], 1);
    EXPECT_EQ(layout_of(buffer), "{0,1}");
    // Without a layout the host gets the device's.
    EXPECT_EQ(download<float>(buffer), (Floats{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(in_row_major(buffer), data);
    auto copy = arguments<PJRT_Buffer_CopyToDevice_Args>();
    copy.buffer = buffer;
    copy.dst_device = second_device;
    XLAC_CALL(Buffer_CopyToDevice, copy);
    EXPECT_EQ(layout_of(copy.dst_buffer), "{0,1}");
    EXPECT_EQ(in_row_major(copy.dst_buffer), data);
    destroy(copy.dst_buffer);
    destroy(buffer);
  }
}

TEST_F(Layouts, BorrowedMemoryMayHaveAny) {
  alignas(64) const float columns[] = {1, 4, 2, 5, 3, 6};
  const std::vector<int64_t> strides = {4, 8};
  PJRT_Buffer_MemoryLayout layout = tiled(column_major);
  auto args = upload_arguments(columns, PJRT_Buffer_Type_F32, dims);
  args.byte_strides = strides.data();
  args.num_byte_strides = 2;
  args.device_layout = &layout;
  args.host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableZeroCopy;
  PJRT_Buffer *buffer = upload(args);
  auto pointer = arguments<PJRT_Buffer_UnsafePointer_Args>();
  pointer.buffer = buffer;
  XLAC_CALL(Buffer_UnsafePointer, pointer);
  EXPECT_EQ(pointer.buffer_pointer, reinterpret_cast<uintptr_t>(columns));
  EXPECT_EQ(in_row_major(buffer), data);
  destroy(buffer);
}

TEST_F(Layouts, OthersAreRejected) {
  const std::vector<int64_t> twice = {0, 0}, one = {0}, gaps = {4, 16};
  auto message = [&](PJRT_Buffer_MemoryLayout layout) {
    auto args = upload_arguments(data.data(), PJRT_Buffer_Type_F32, dims);
    args.device_layout = &layout;
    return text_of(api().PJRT_Client_BufferFromHostBuffer(&args));
  };
  EXPECT_EQ(message(tiled(twice)), "the layout's order is not a permutation");
  EXPECT_EQ(message(tiled(one)), "the layout's order does not fit the shape");
  EXPECT_EQ(message(strided(gaps)), "the layout of a device's buffer has gaps");
}

TEST_F(Layouts, ProgramsTakeAndReturnThem) {
  PJRT_LoadedExecutable *executable = compile(R"(
    module @layouts {
      func.func public @main(
          %x: tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"},
          %y: tensor<2x3xf32> {mhlo.layout_mode = "default"})
          -> (tensor<3x2xf32> {mhlo.layout_mode = "auto"}) {
        %0 = stablehlo.subtract %x, %y : tensor<2x3xf32>
        %1 = stablehlo.transpose %0, dims = [1, 0]
            : (tensor<2x3xf32>) -> tensor<3x2xf32>
        return %1 : tensor<3x2xf32>
      }
    })");
  auto get = arguments<PJRT_LoadedExecutable_GetExecutable_Args>();
  get.loaded_executable = executable;
  XLAC_CALL(LoadedExecutable_GetExecutable, get);
  auto outputs =
      arguments<PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args>();
  outputs.executable = get.executable;
  ASSERT_EQ(layouts().PJRT_Layouts_PJRT_Executable_GetOutputLayouts(&outputs),
            nullptr);
  ASSERT_EQ(outputs.num_outputs, 1u);
  EXPECT_EQ(layout_text(outputs.layouts[0], false), "{0,1}");
  auto sizes = arguments<PJRT_Executable_OutputDimensions_Args>();
  sizes.executable = get.executable;
  XLAC_CALL(Executable_OutputDimensions, sizes);
  EXPECT_EQ(sizes.dims[0], 3);
  EXPECT_EQ(sizes.dims[1], 2);

  PJRT_Buffer *x = matrix(tiled(column_major)), *y = matrix(tiled(row_major));
  PJRT_Buffer *difference = run(executable, {x, y});
  ASSERT_EQ(error, "");
  EXPECT_EQ(layout_of(difference), "{0,1}");
  EXPECT_EQ(in_row_major(difference), Floats(6, 0));
  destroy(difference);
  run(executable, {y, y});
  EXPECT_EQ(error, "Executable expected parameter 0 in the layout {0,1} but "
                   "got buffer in the layout {1,0}");

  // The host learns the arguments' layouts from the program's text.
  auto program = arguments<PJRT_Program>();
  auto text = arguments<PJRT_Executable_OptimizedProgram_Args>();
  text.executable = get.executable;
  text.program = &program;
  XLAC_CALL(Executable_OptimizedProgram, text);
  std::string code(program.code_size, ' ');
  program.code = code.data();
  XLAC_CALL(Executable_OptimizedProgram, text);
  EXPECT_NE(code.find("mhlo.xla_entry_computation_parameter_layouts = "
                      "[dense<[0, 1]> : tensor<2xindex>, "
                      "dense<[1, 0]> : tensor<2xindex>]"),
            std::string::npos)
      << code;
  auto drop = arguments<PJRT_Executable_Destroy_Args>();
  drop.executable = get.executable;
  XLAC_CALL(Executable_Destroy, drop);
  for (PJRT_Buffer *buffer : {x, y})
    destroy(buffer);
  destroy(executable);
}

TEST_F(Layouts, DefaultsAreRowMajor) {
  auto args = arguments<PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args>();
  args.client = client;
  args.type = PJRT_Buffer_Type_F32;
  args.dims = dims.data();
  args.num_dims = dims.size();
  ASSERT_EQ(layouts().PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args),
            nullptr);
  EXPECT_EQ(layout_text(args.layout, true), "{1,0}");
  args.num_dims = 0;
  ASSERT_EQ(layouts().PJRT_Layouts_PJRT_Client_GetDefaultLayout(&args),
            nullptr);
  EXPECT_EQ(layout_text(args.layout, true), "{}");
}

TEST_F(Layouts, DevicesDescribeTheirMemories) {
  const auto &memories = extension<PJRT_MemoryDescriptions_Extension>(
      PJRT_Extension_Type_MemoryDescriptions);
  auto list = arguments<PJRT_DeviceDescription_MemoryDescriptions_Args>();
  ASSERT_EQ(memories.PJRT_DeviceDescription_MemoryDescriptions(&list), nullptr);
  EXPECT_EQ(list.default_memory_index, 0u);
  std::vector<std::string> names;
  for (size_t i = 0; i < list.num_memory_descriptions; ++i) {
    auto kind = arguments<PJRT_MemoryDescription_Kind_Args>();
    kind.memory_description = list.memory_descriptions[i];
    ASSERT_EQ(memories.PJRT_MemoryDescription_Kind(&kind), nullptr);
    EXPECT_EQ(kind.kind_id, static_cast<int>(i));
    names.emplace_back(kind.kind, kind.kind_size);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"device", "pinned_host",
                                             "unpinned_host"}));
}
