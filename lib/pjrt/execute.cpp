// Execution: checks and donates the arguments, launches the program on its
// devices, and returns the results and events.
#include "arguments.h"
#include "buffer.h"
#include "errors.h"
#include "event.h"
#include "executable.h"
#include "execute_context.h"
#include "functions.h"

#include "xlac/job/placed_grid.h"

#include <algorithm>
#include <set>
#include <span>

namespace xlac::pjrt {
namespace {

using Args = PJRT_LoadedExecutable_Execute_Args;

/// Returns for each argument whether this execution donates it. Empty if the
/// program donates none.
std::vector<bool> donated_arguments(const CompiledProgram &compiled,
                                    const PJRT_ExecuteOptions &options) {
  if (!compiled.donates)
    return {};
  std::vector<bool> donated = compiled.is_donated;
  for (size_t i = 0; i < options.num_non_donatable_input_indices; ++i) {
    int64_t number = options.non_donatable_input_indices[i];
    if (number >= 0 && number < static_cast<int64_t>(donated.size()))
      donated[number] = false;
  }
  return donated;
}

std::string type_text(const Shape &shape) {
  if (shape.type == PJRT_Buffer_Type_TOKEN)
    return to_string(Type(TokenType{}));
  TensorType type;
  type.element = element_type_of(shape.type);
  type.dims = shape.dims;
  return to_string(type);
}

bool has_type(const Shape &shape, const Type &type) {
  // JAX passes arrays without elements as tokens.
  if (type.is_token())
    return shape.type == PJRT_Buffer_Type_TOKEN || shape.bytes == 0;
  const TensorType &tensor = type.tensor();
  return shape.type == buffer_type_of(tensor.element) &&
         std::equal(shape.dims.begin(), shape.dims.end(), tensor.dims.begin(),
                    tensor.dims.end(), [](int64_t size, int64_t wanted) {
                      return wanted == kDynamic || size == wanted;
                    });
}

void check_layout(const CompiledProgram &compiled, size_t number,
                  const Shape &shape) {
  const std::vector<int64_t> &wanted = compiled.argument_layouts[number];
  if (shape.minor_to_major == wanted)
    return;
  Shape expected = shape;
  expected.minor_to_major = wanted;
  if (!are_equal(shape, device_strides(shape), device_strides(expected)))
    throw_invalid("Executable expected parameter " + std::to_string(number) +
                  " in the layout " + layout_text(expected) +
                  " but got buffer in the layout " + layout_text(shape));
}

void check_argument(const CompiledProgram &compiled, size_t number,
                    const PJRT_Buffer &buffer, const PJRT_Device &device) {
  const Type &wanted = compiled.argument_types[number];
  if (!has_type(buffer.shape, wanted) ||
      buffer.shape.bytes != compiled.program->argument_bytes()[number])
    throw_invalid("Executable expected parameter " + std::to_string(number) +
                  " of type " + to_string(wanted) +
                  " but got buffer with incompatible type " +
                  type_text(buffer.shape));
  if (wanted.is_tensor())
    check_layout(compiled, number, buffer.shape);
  if (buffer.memory->device->device != device.device)
    throw_invalid(
        "Buffer passed to Execute() as argument " + std::to_string(number) +
        " is on device " + buffer.memory->device->description->debug_string +
        ", but the program runs on " + device.description->debug_string);
}

/// Throws if a donated argument is passed twice.
void check_donation(const std::vector<runtime::BufferRef> &arguments,
                    const std::vector<bool> &donated) {
  std::set<const runtime::Buffer *> given, seen;
  for (size_t i = 0; i < donated.size(); ++i) {
    const runtime::Buffer *data = arguments[i].get();
    bool is_second = !seen.insert(data).second;
    if (given.contains(data) || (donated[i] && is_second))
      throw_invalid("Attempt to donate the same buffer twice in Execute() "
                    "(argument " +
                    std::to_string(i) + ")");
    if (donated[i])
      given.insert(data);
  }
}

/// Checks and returns the arguments of one device. Donates none of them, so
/// that a failed check on any device leaves all buffers intact.
std::vector<runtime::BufferRef>
read_arguments(const CompiledProgram &compiled, PJRT_Buffer *const *list,
               const PJRT_Device &device, const std::vector<bool> &donated) {
  size_t count = compiled.is_donated.size();
  std::vector<runtime::BufferRef> arguments;
  arguments.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    check_argument(compiled, i, *list[i], device);
    arguments.push_back(list[i]->data());
  }
  check_donation(arguments, donated);
  return arguments;
}

std::span<PJRT_Device *const> devices_of(const Args &args) {
  if (!args.execute_device)
    return args.executable->addressable;
  if (args.num_devices != 1)
    throw_invalid("an execution on a chosen device has one device, got " +
                  std::to_string(args.num_devices));
  (void)own(args.execute_device);
  return {&args.execute_device, 1};
}

/// Returns the position of `device` in the executable's device assignment;
/// throws if it is not part of that.
int process_of(const PJRT_LoadedExecutable &executable,
               const PJRT_Device &device) {
  const std::vector<PJRT_Device *> &devices = executable.devices;
  auto found = std::find(devices.begin(), devices.end(), &device);
  if (found == devices.end())
    throw_invalid("the program does not run on " +
                  device.description->debug_string +
                  ", its device assignment has other devices");
  return static_cast<int>(found - devices.begin());
}

/// Returns the grid of an assignment with devices of several processes. Equal
/// assignments share one grid.
std::shared_ptr<runtime::Communicator>
job_grid(const PJRT_LoadedExecutable &executable, runtime::GridShape shape) {
  std::vector<int> ordinals;
  for (const PJRT_Device *device : executable.devices)
    ordinals.push_back(device->description->id);
  return unwrap(job::place_grid(*executable.client->processes.job, shape,
                                std::move(ordinals)));
}

/// Returns the grid of this execution and the rank of `chosen` in it; rank 0 if
/// `chosen` is null. Executions that the host launches on one device at a time
/// share a grid, so that their collectives match.
runtime::GridRank grid_rank(const PJRT_LoadedExecutable &executable,
                            const PJRT_Device *chosen) {
  const CompileOptions &options = executable.compiled->options;
  int process = chosen && !executable.devices.empty()
                    ? process_of(executable, *chosen)
                    : 0;
  if (options.replicas * options.partitions == 1)
    return {};
  runtime::GridOptions grid;
  grid.deadline = collective_deadline();
  grid.shape = {static_cast<int>(options.replicas),
                static_cast<int>(options.partitions)};
  if (executable.addressable.size() < executable.devices.size())
    return {job_grid(executable, grid.shape), process};
  if (!chosen)
    return {unwrap(make_local_grid(grid)), 0};
  PJRT_Client &client = *executable.client;
  std::lock_guard lock(client.launching);
  std::shared_ptr<runtime::Communicator> &shared =
      client.grids[{executable.devices, options.partitions}];
  if (!shared || !shared->status())
    shared = unwrap(make_local_grid(grid));
  return {shared, process};
}

/// Returns the data of this execution for the program's foreign functions; null
/// if the program calls none.
std::shared_ptr<const void> launch_data(const CompiledProgram &compiled,
                                        PJRT_ExecuteContext *context) {
  if (!compiled.foreign)
    return nullptr;
  if (!context)
    return make_ffi_launch(compiled.foreign, nullptr);
  std::lock_guard lock(context->mutex);
  return make_ffi_launch(compiled.foreign, &context->user_data);
}

/// The results and the event of one device, before the host owns them.
struct Outputs {
  std::vector<std::unique_ptr<PJRT_Buffer>> buffers;
  std::unique_ptr<PJRT_Event> event;
};

Outputs make_outputs(const CompiledProgram &compiled, PJRT_Device &device,
                     std::vector<runtime::BufferRef> results,
                     runtime::BufferRef completion) {
  Outputs outputs;
  outputs.buffers.reserve(results.size());
  for (size_t i = 0; i < results.size(); ++i)
    outputs.buffers.push_back(std::make_unique<PJRT_Buffer>(
        std::move(results[i]), compiled.outputs[i],
        device.memories[compiled.output_memories[i]]));
  if (completion)
    outputs.event.reset(make_event(std::move(completion)));
  return outputs;
}

} // namespace

void call(PJRT_LoadedExecutable_Execute_Args &args) {
  CompiledProgram &compiled = *args.executable->compiled;
  if (args.executable->is_deleted)
    throw_invalid("the executable has been deleted");
  PJRT_ExecuteOptions options =
      args.options ? full_copy(*args.options) : PJRT_ExecuteOptions{};
  std::span<PJRT_Device *const> devices = devices_of(args);
  if (devices.size() != args.num_devices)
    throw_invalid("got arguments for " + std::to_string(args.num_devices) +
                  " devices, the executable runs on " +
                  std::to_string(devices.size()));
  std::vector<bool> donated = donated_arguments(compiled, options);
  size_t wanted = compiled.is_donated.size();
  if (args.num_args != wanted)
    throw_invalid("Execution supplied " + std::to_string(args.num_args) +
                  " buffers but compiled program expected " +
                  std::to_string(wanted) + " buffers");
  std::vector<std::vector<runtime::BufferRef>> arguments;
  arguments.reserve(devices.size());
  for (size_t d = 0; d < devices.size(); ++d)
    arguments.push_back(
        read_arguments(compiled, args.argument_lists[d], *devices[d], donated));
  runtime::GridRank place = grid_rank(*args.executable, args.execute_device);
  std::shared_ptr<const void> data = launch_data(compiled, options.context);
  std::vector<Outputs> outputs;
  outputs.reserve(devices.size());
  {
    // All devices must receive concurrent executions in the same order, because
    // collectives of an execution wait for all its devices.
    std::unique_lock lock(args.executable->client->launching, std::defer_lock);
    if (devices.size() > 1)
      lock.lock();
    for (size_t d = 0; d < devices.size(); ++d) {
      for (size_t i = 0; i < donated.size(); ++i)
        if (donated[i])
          (void)args.argument_lists[d][i]->donate();
      runtime::BufferRef completion = args.device_complete_events
                                          ? make_completion()
                                          : runtime::BufferRef();
      if (!args.execute_device)
        place.process = args.executable->positions[d];
      std::vector<runtime::BufferRef> results = devices[d]->device->launch(
          compiled.program, std::move(arguments[d]),
          {.place = place, .completion = completion, .data = data});
      outputs.push_back(make_outputs(compiled, *devices[d], std::move(results),
                                     std::move(completion)));
    }
  }
  for (size_t d = 0; d < devices.size(); ++d) {
    for (size_t i = 0; i < outputs[d].buffers.size(); ++i)
      args.output_lists[d][i] = outputs[d].buffers[i].release();
    if (args.device_complete_events)
      args.device_complete_events[d] = outputs[d].event.release();
  }
}

void call(PJRT_ExecuteContext_Create_Args &args) {
  args.context = new PJRT_ExecuteContext;
}

void call(PJRT_ExecuteContext_Destroy_Args &args) { delete args.context; }

} // namespace xlac::pjrt
