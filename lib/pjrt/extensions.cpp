#include "extensions.h"

#include "buffer.h"
#include "errors.h"
#include "executable.h"
#include "shape.h"

#include <array>

struct PJRT_Layouts_SerializedLayout {
  std::string bytes;
};
/// A kind of memory, which every device has.
struct PJRT_MemoryDescription {
  int number = 0; ///< in kMemoryKinds
};

namespace xlac::pjrt {
namespace {

/// Returns a new layout, which the host destroys.
PJRT_Layouts_MemoryLayout *new_layout(const Shape &shape) {
  return new PJRT_Layouts_MemoryLayout{layout_text(shape)};
}

void handle(PJRT_Layouts_MemoryLayout_Destroy_Args &args) {
  delete args.layout;
}

void handle(PJRT_Layouts_MemoryLayout_Serialize_Args &args) {
  args.serialized_layout = new PJRT_Layouts_SerializedLayout{args.layout->text};
  args.serialized_bytes = args.serialized_layout->bytes.data();
  args.serialized_bytes_size = args.serialized_layout->bytes.size();
  args.serialized_layout_deleter = [](PJRT_Layouts_SerializedLayout *layout) {
    delete layout;
  };
}

void handle(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args &args) {
  args.layout = new_layout(make_shape(args.type, {args.dims, args.num_dims}));
}

void handle(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args &args) {
  args.layout = new_layout(make_shape(args.type, {args.dims, args.num_dims}));
}

void handle(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args &args) {
  args.layout = new_layout(args.buffer->shape);
}

void handle(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args &args) {
  CompiledProgram &program = *args.executable->compiled;
  args.num_outputs = program.output_layout_list.size();
  args.layouts = program.output_layout_list.data();
}

constexpr size_t kKinds = std::size(kMemoryKinds);

void handle(PJRT_DeviceDescription_MemoryDescriptions_Args &args) {
  static constexpr auto kinds = [] {
    std::array<PJRT_MemoryDescription, kKinds> all;
    for (size_t i = 0; i < kKinds; ++i)
      all[i].number = static_cast<int>(i);
    return all;
  }();
  static constexpr auto list = [] {
    std::array<const PJRT_MemoryDescription *, kKinds> all{};
    for (size_t i = 0; i < kKinds; ++i)
      all[i] = &kinds[i];
    return all;
  }();
  args.memory_descriptions = list.data();
  args.num_memory_descriptions = kKinds;
  args.default_memory_index = 0;
}

void handle(PJRT_MemoryDescription_Kind_Args &args) {
  args.kind_id = args.memory_description->number;
  args.kind = kMemoryKinds[args.kind_id].data();
  args.kind_size = kMemoryKinds[args.kind_id].size();
}

PJRT_Layouts_Extension layouts = {
    {sizeof(PJRT_Layouts_Extension), PJRT_Extension_Type_Layouts, nullptr},
    enter_extension<PJRT_Layouts_MemoryLayout_Destroy_Args, handle>,
    enter_extension<PJRT_Layouts_MemoryLayout_Serialize_Args, handle>,
    enter_extension<PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args, handle>,
    enter_extension<PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args, handle>,
    enter_extension<PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args, handle>,
    enter_extension<PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args, handle>,
};

PJRT_MemoryDescriptions_Extension memory_descriptions = {
    {sizeof(PJRT_MemoryDescriptions_Extension),
     PJRT_Extension_Type_MemoryDescriptions, nullptr},
    enter_extension<PJRT_DeviceDescription_MemoryDescriptions_Args, handle>,
    enter_extension<PJRT_MemoryDescription_Kind_Args, handle>,
};

} // namespace

PJRT_Extension_Base *layouts_extension(PJRT_Extension_Base *next) {
  layouts.base.next = next;
  return &layouts.base;
}

PJRT_Extension_Base *memory_descriptions_extension(PJRT_Extension_Base *next) {
  memory_descriptions.base.next = next;
  return &memory_descriptions.base;
}

} // namespace xlac::pjrt
