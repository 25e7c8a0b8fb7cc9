// Compiles, serializes and deserializes programs, and assigns devices to them.
#include "arguments.h"
#include "custom_partitioner.h"
#include "errors.h"
#include "executable.h"
#include "ffi_table.h"
#include "functions.h"
#include "python_api.h"
#include "shape.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/loader/program_loader.h"
#include "xlac/runtime/checked_payload.h"
#include "xlac/support/hash.h"

#include <algorithm>
#include <cstring>
#include <fmt/ranges.h>
#include <numeric>

namespace xlac::pjrt {
namespace {

/// Returns the index in kMemoryKinds of the memory kind that the program
/// requests for a result; 0 if it requests none. Throws for unknown kinds.
int memory_kind_of(const CompiledProgram &executable, size_t result) {
  const std::vector<std::string> &kinds =
      executable.program->image().memory_kinds;
  if (kinds.empty() || kinds[result].empty())
    return 0;
  auto found = std::find(std::begin(kMemoryKinds), std::end(kMemoryKinds),
                         kinds[result]);
  if (found == std::end(kMemoryKinds))
    throw_invalid("the program asks for memory of kind '" + kinds[result] +
                  "' for result " + std::to_string(result) +
                  ", devices have the kinds device, pinned_host and "
                  "unpinned_host");
  return static_cast<int>(found - std::begin(kMemoryKinds));
}

/// The type of a value whose dimensions are in the order of its memory, and its
/// layout: dimensions from the minor one to the major one.
struct TypeWithLayout {
  Type type;
  std::vector<int64_t> minor_to_major;
};
TypeWithLayout with_layout(const Type &in_memory,
                           const std::vector<std::vector<int64_t>> &layouts,
                           size_t number) {
  if (!in_memory.is_tensor())
    return {in_memory, {}};
  TensorType tensor = in_memory.tensor();
  std::vector<int64_t> order(tensor.dims.size());
  std::iota(order.begin(), order.end(), 0);
  if (!layouts.empty())
    order = layouts[number];
  for (size_t i = 0; i < order.size(); ++i)
    tensor.dims[order[i]] = in_memory.tensor().dims[i];
  std::ranges::reverse(order);
  return {Type(std::move(tensor)), std::move(order)};
}

void describe_arguments(CompiledProgram &executable) {
  const runtime::ExecutableImage &image = executable.program->image();
  for (size_t i = 0; i < image.arguments.size(); ++i) {
    TypeWithLayout argument =
        with_layout(image.arguments[i], image.argument_layouts, i);
    executable.argument_types.push_back(std::move(argument.type));
    executable.argument_layouts.push_back(std::move(argument.minor_to_major));
  }
}

Shape output_shape(const runtime::ExecutableImage &image, size_t number) {
  TypeWithLayout result =
      with_layout(image.results[number], image.result_layouts, number);
  if (!result.type.is_tensor())
    return make_shape(PJRT_Buffer_Type_TOKEN, {});
  const TensorType &tensor = result.type.tensor();
  Shape shape = make_shape(buffer_type_of(tensor.element), tensor.dims);
  shape.minor_to_major = std::move(result.minor_to_major);
  return shape;
}

void describe_outputs(CompiledProgram &executable) {
  const runtime::ExecutableImage &image = executable.program->image();
  for (size_t i = 0; i < image.results.size(); ++i) {
    Shape shape = output_shape(image, i);
    executable.output_types.push_back(shape.type);
    executable.flat_dims.insert(executable.flat_dims.end(), shape.dims.begin(),
                                shape.dims.end());
    executable.output_ranks.push_back(shape.dims.size());
    executable.output_layouts.push_back({layout_text(shape)});
    executable.outputs.push_back(std::move(shape));
    int number = memory_kind_of(executable, i);
    executable.output_memories.push_back(number);
    executable.memory_kinds.push_back(kMemoryKinds[number].data());
    executable.memory_kind_sizes.push_back(kMemoryKinds[number].size());
  }
  for (PJRT_Layouts_MemoryLayout &layout : executable.output_layouts)
    executable.output_layout_list.push_back(&layout);
}

void describe_costs(CompiledProgram &executable) {
  double flops = 0, bytes = 0;
  for (const runtime::KernelEntry &kernel :
       executable.program->image().kernels) {
    flops += static_cast<double>(kernel.flops);
    bytes += static_cast<double>(kernel.bytes);
  }
  executable.costs = {named_value("flops", static_cast<float>(flops)),
                      named_value("bytes accessed", static_cast<float>(bytes))};
}

/// Returns for each argument whether executions take its memory: the program
/// donates it, and a result has its size. As with XLA, other donated arguments
/// stay valid.
std::vector<bool> donated_arguments(const runtime::Executable &program) {
  const runtime::ExecutableImage &image = program.image();
  std::vector<bool> is_given(image.arguments.size()),
      is_donated(image.arguments.size()), has_memory(image.results.size());
  for (uint32_t argument : image.donated)
    is_given[argument] = true;
  auto donate = [&](uint32_t argument, size_t result) {
    is_donated[argument] = has_memory[result] = true;
  };
  for (AliasPair pair : image.aliases)
    if (is_given[pair.argument] && !is_donated[pair.argument])
      donate(pair.argument, pair.result);
  for (uint32_t argument : image.donated)
    for (size_t i = 0; i < has_memory.size() && !is_donated[argument]; ++i)
      if (!has_memory[i] &&
          program.result_bytes()[i] == program.argument_bytes()[argument])
        donate(argument, i);
  return is_donated;
}

/// What a program is made from besides its code.
struct Origin {
  std::string source, batch_targets, partitioned;
};

std::shared_ptr<CompiledProgram>
make_executable(CompileOptions options, Origin origin,
                std::shared_ptr<const runtime::Executable> program) {
  auto executable = std::make_shared<CompiledProgram>();
  executable->options = std::move(options);
  executable->source = std::move(origin.source);
  executable->batch_targets = std::move(origin.batch_targets);
  executable->partitioned = std::move(origin.partitioned);
  executable->program = std::move(program);
  const runtime::ExecutableImage &image = executable->program->image();
  executable->foreign = FfiProgram::make(image, ffi_table());
  Hasher hasher;
  hasher.update(executable->source);
  hasher.update(executable->options.bytes);
  hasher.update(executable->batch_targets);
  hasher.update(executable->partitioned);
  hasher.update(unwrap(compiler_build_id()));
  executable->fingerprint = to_hex(hasher.finish());
  executable->is_donated = donated_arguments(*executable->program);
  describe_arguments(*executable);
  describe_outputs(*executable);
  describe_costs(*executable);
  executable->donates = std::ranges::count(executable->is_donated, true) > 0;
  return executable;
}

ProgramLoadOptions load_options(const CompileOptions &options,
                                cache::Store *store) {
  ProgramLoadOptions load;
  load.store = store;
  load.in_background = true;
  load.compile.requested_layouts = true;
  load.compile.find_invariant_arguments = true;
  load.call_check = runtime::CallCheck::Call; // as XLA does
  load.compile.partition.count =
      options.partitions > 1 ? options.partitions : 0;
  load.compile.argument_sizes = options.argument_sizes;
  return load;
}

constexpr std::string_view kMark = "XLACPJRT";

void put_part(std::string &to, std::string_view bytes) {
  uint64_t size = bytes.size();
  to.append(reinterpret_cast<const char *>(&size), sizeof size);
  to += bytes;
}

std::string_view take_part(std::string_view &from) {
  uint64_t size = 0;
  if (from.size() >= sizeof size)
    std::memcpy(&size, from.data(), sizeof size);
  if (from.size() < sizeof size || from.size() - sizeof size < size)
    throw_invalid("these bytes are not an executable of xlac");
  std::string_view part = from.substr(sizeof size, size);
  from.remove_prefix(sizeof size + size);
  return part;
}

} // namespace

std::shared_ptr<CompiledProgram> compile(const PJRT_Program &theirs,
                                         std::string_view options_bytes,
                                         cache::Store *store,
                                         bool has_devices) {
  PJRT_Program program = full_copy(theirs);
  std::string_view format(program.format, program.format_size);
  if (format != "mlir")
    throw_unimplemented("programs of format '" + std::string(format) +
                        "' are not supported, only 'mlir'");
  CompileOptions options = parse_compile_options(options_bytes);
  std::string source(program.code, program.code_size);
  ProgramLoadOptions load = load_options(options, store);
  // jaxlib holds the GIL during compilations for a topology, so functions in
  // Python would wait for ever.
  HostPartitioner partitioner(options.uses_shardy,
                              has_devices || !PythonApi::find());
  if (options.partitions > 1) {
    load.compile.call_partitioner = &partitioner;
    load.compile.batch_targets = batch_targets();
  }
  LoadedProgram loaded =
      unwrap(load_or_compile({.bytes = source, .name = "<jax>"}, load));
  return make_executable(std::move(options),
                         {.source = std::move(source),
                          .batch_targets = fmt::format(
                              "{}", fmt::join(load.compile.batch_targets, ",")),
                          .partitioned = std::move(loaded.report.partitioned)},
                         std::move(loaded.executable));
}

std::string serialize(const CompiledProgram &executable) {
  std::vector<std::byte> code =
      runtime::serialize(executable.program->whole_image());
  std::string bytes;
  put_part(bytes, unwrap(compiler_build_id()));
  put_part(bytes, executable.options.bytes);
  put_part(bytes, executable.source);
  put_part(bytes, executable.batch_targets);
  put_part(bytes, executable.partitioned);
  put_part(bytes, {reinterpret_cast<const char *>(code.data()), code.size()});
  return runtime::with_checksum(kMark, bytes);
}

std::shared_ptr<CompiledProgram> deserialize(std::string_view bytes,
                                             std::string_view options) {
  auto payload = runtime::check_payload(kMark, bytes);
  if (!payload)
    throw_invalid(payload.error().message);
  bytes = *payload;
  std::string_view build_id = take_part(bytes), stored = take_part(bytes),
                   source = take_part(bytes), batch_targets = take_part(bytes),
                   partitioned = take_part(bytes), code = take_part(bytes);
  if (build_id != unwrap(compiler_build_id()))
    throw_invalid("the executable was compiled by another version of xlac");
  runtime::ExecutableImage image = unwrap(runtime::deserialize_image(
      std::as_bytes(std::span(code.data(), code.size()))));
  return make_executable(
      parse_compile_options(options.empty() ? stored : options),
      {.source = std::string(source),
       .batch_targets = std::string(batch_targets),
       .partitioned = std::string(partitioned)},
      unwrap(runtime::Executable::load(std::move(image),
                                       runtime::CallCheck::Call)));
}

PJRT_LoadedExecutable *load_on(PJRT_Client &client,
                               std::shared_ptr<CompiledProgram> executable) {
  auto loaded = std::make_unique<PJRT_LoadedExecutable>();
  loaded->client = &client;
  const CompileOptions &options = executable->options;
  std::vector<int64_t> ids = options.devices;
  int64_t count = options.replicas * options.partitions;
  if (ids.empty() && !options.is_portable) {
    if (count == 1 && options.device_ordinal >= 0)
      ids.push_back(options.device_ordinal);
    else
      ids = client.default_devices(count);
  }
  if (!options.is_portable) {
    for (int64_t id : ids) {
      PJRT_Device &device = client.device(id);
      if (device.device) {
        loaded->addressable.push_back(&device);
        loaded->positions.push_back(static_cast<int>(loaded->devices.size()));
      }
      loaded->devices.push_back(&device);
    }
    loaded->assignment = serialize_assignment(options, ids);
  } else if (count != 1) {
    throw_invalid("a portable executable is for one device");
  }
  loaded->compiled = std::move(executable);
  return loaded.release();
}

void call(PJRT_Client_Compile_Args &args) {
  args.executable = load_on(
      *args.client,
      compile(*args.program, {args.compile_options, args.compile_options_size},
              args.client->store.get(), /*has_devices=*/true));
}

void call(PJRT_Compile_Args &args) {
  auto executable =
      compile(*args.program, {args.compile_options, args.compile_options_size},
              args.client ? args.client->store.get() : nullptr,
              /*has_devices=*/false);
  args.executable = new PJRT_Executable{std::move(executable)};
}

void call(PJRT_Executable_DeserializeAndLoad_Args &args) {
  args.loaded_executable = load_on(
      *args.client,
      deserialize({args.serialized_executable, args.serialized_executable_size},
                  {args.overridden_serialized_compile_options,
                   args.overridden_serialized_compile_options_size}));
}

} // namespace xlac::pjrt
