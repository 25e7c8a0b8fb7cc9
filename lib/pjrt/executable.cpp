// Properties of executables.
#include "executable.h"

#include "arguments.h"
#include "errors.h"
#include "functions.h"

#include "xlac/loader/compiler_library.h"

#include <cstring>
#include <numeric>

struct PJRT_SerializedExecutable {
  std::string bytes;
};
struct PJRT_SerializedCompileOptions {};
struct PJRT_DeviceAssignmentSerialized {};

namespace xlac::pjrt {

void call(PJRT_Executable_Destroy_Args &args) { delete args.executable; }

void call(PJRT_LoadedExecutable_Destroy_Args &args) { delete args.executable; }

void call(PJRT_LoadedExecutable_GetExecutable_Args &args) {
  args.executable = new PJRT_Executable{args.loaded_executable->compiled};
}

void call(PJRT_LoadedExecutable_AddressableDevices_Args &args) {
  args.addressable_devices = args.executable->addressable.data();
  args.num_addressable_devices = args.executable->addressable.size();
}

void call(PJRT_LoadedExecutable_GetDeviceAssignment_Args &args) {
  args.serialized_bytes = args.executable->assignment.data();
  args.serialized_bytes_size = args.executable->assignment.size();
  // The executable owns the bytes. Hosts require an object to delete.
  args.serialized_device_assignment = new PJRT_DeviceAssignmentSerialized;
  args.serialized_device_assignment_deleter =
      [](PJRT_DeviceAssignmentSerialized *assignment) { delete assignment; };
}

void call(PJRT_LoadedExecutable_Delete_Args &args) {
  args.executable->is_deleted = true;
}

void call(PJRT_LoadedExecutable_IsDeleted_Args &args) {
  args.is_deleted = args.executable->is_deleted;
}

void call(PJRT_LoadedExecutable_Fingerprint_Args &args) {
  args.executable_fingerprint = args.executable->compiled->fingerprint.data();
  args.executable_fingerprint_size =
      args.executable->compiled->fingerprint.size();
}

void call(PJRT_Executable_Fingerprint_Args &args) {
  args.executable_fingerprint = args.executable->compiled->fingerprint.data();
  args.executable_fingerprint_size =
      args.executable->compiled->fingerprint.size();
}

void call(PJRT_Executable_Name_Args &args) {
  args.executable_name = args.executable->compiled->name().data();
  args.executable_name_size = args.executable->compiled->name().size();
}

void call(PJRT_Executable_NumReplicas_Args &args) {
  args.num_replicas = args.executable->compiled->options.replicas;
}

void call(PJRT_Executable_NumPartitions_Args &args) {
  args.num_partitions = args.executable->compiled->options.partitions;
}

void call(PJRT_Executable_NumOutputs_Args &args) {
  args.num_outputs = args.executable->compiled->output_types.size();
}

void call(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args &args) {
  args.size_in_bytes = args.executable->compiled->program->resident_bytes();
}

void call(PJRT_Executable_GetCostAnalysis_Args &args) {
  args.properties = args.executable->compiled->costs.data();
  args.num_properties = args.executable->compiled->costs.size();
}

void call(PJRT_Executable_GetCompiledMemoryStats_Args &args) {
  const runtime::Executable &program = *args.executable->compiled->program;
  auto sum = [](const std::vector<int64_t> &sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
  };
  args.generated_code_size_in_bytes = program.resident_bytes();
  args.argument_size_in_bytes = sum(program.argument_bytes());
  args.output_size_in_bytes = sum(program.result_bytes());
  args.alias_size_in_bytes =
      args.output_size_in_bytes - sum(program.new_bytes());
  args.temp_size_in_bytes = runtime::temporary_bytes(program.image());
  // All memory of devices counts as device memory. The caller does not
  // initialize the fields, so they are set to zero here.
  args.host_generated_code_size_in_bytes = 0;
  args.host_argument_size_in_bytes = 0;
  args.host_output_size_in_bytes = 0;
  args.host_alias_size_in_bytes = 0;
  args.host_temp_size_in_bytes = 0;
  args.peak_memory_in_bytes = args.argument_size_in_bytes +
                              sum(program.new_bytes()) +
                              args.temp_size_in_bytes;
  args.total_size_in_bytes =
      args.peak_memory_in_bytes + args.generated_code_size_in_bytes;
}

void call(PJRT_Executable_OutputElementTypes_Args &args) {
  args.output_types = args.executable->compiled->output_types.data();
  args.num_output_types = args.executable->compiled->output_types.size();
}

void call(PJRT_Executable_OutputDimensions_Args &args) {
  args.num_outputs = args.executable->compiled->output_ranks.size();
  args.dims = args.executable->compiled->flat_dims.data();
  args.dim_sizes = args.executable->compiled->output_ranks.data();
}

void call(PJRT_Executable_OutputMemoryKinds_Args &args) {
  args.num_outputs = args.executable->compiled->memory_kinds.size();
  args.memory_kinds = args.executable->compiled->memory_kinds.data();
  args.memory_kind_sizes = args.executable->compiled->memory_kind_sizes.data();
}

void call(PJRT_Executable_OptimizedProgram_Args &args) {
  static constexpr std::string_view kFormat = "mlir";
  CompiledProgram &compiled = *args.executable->compiled;
  PJRT_Program program = full_copy(*args.program);
  {
    std::lock_guard lock(compiled.text_mutex);
    if (compiled.text.empty())
      compiled.text = optimized_text(compiled);
  }
  if (!program.code) {
    program.code_size = compiled.text.size();
  } else if (program.code_size < compiled.text.size()) {
    throw_invalid("the memory for the program is too small");
  } else {
    std::memcpy(program.code, compiled.text.data(), compiled.text.size());
  }
  program.format = kFormat.data();
  program.format_size = kFormat.size();
  std::memcpy(static_cast<void *>(args.program), &program,
              common_size(*args.program));
}

void call(PJRT_Executable_Serialize_Args &args) {
  auto serialized = std::make_unique<PJRT_SerializedExecutable>();
  serialized->bytes = serialize(*args.executable->compiled);
  args.serialized_bytes = serialized->bytes.data();
  args.serialized_bytes_size = serialized->bytes.size();
  args.serialized_executable = serialized.release();
  args.serialized_executable_deleter =
      [](PJRT_SerializedExecutable *executable) { delete executable; };
}

void call(PJRT_Executable_GetCompileOptions_Args &args) {
  args.serialized_bytes = args.executable->compiled->options.bytes.data();
  args.serialized_bytes_size = args.executable->compiled->options.bytes.size();
  args.serialized_compile_options = new PJRT_SerializedCompileOptions;
  args.serialized_compile_options_deleter =
      [](PJRT_SerializedCompileOptions *options) { delete options; };
}

} // namespace xlac::pjrt
