#include "custom_partitioner.h"

#include "errors.h"
#include "inspect_sharding.h"
#include "op_sharding.h"

#include "xlac/support/fork.h"

#include <deque>
#include <map>
#include <mutex>
#include <set>

namespace xlac::pjrt {
namespace {

using Callbacks = JAX_CustomCallPartitioner_Callbacks;
using Bytes = JAX_CustomCallPartitioner_string;
using Header = JAX_CustomCallPartitioner_version_and_error;

struct PartitionerRegistry {
  ForkMutex mutex;
  std::map<std::string, Callbacks *, std::less<>> partitioners;
  std::set<std::string> batch_targets;
};

PartitionerRegistry &partitioner_registry() {
  // Never destroyed: other threads may compile while the process exits.
  static auto *one = new PartitionerRegistry();
  return *one;
}

Callbacks *find_partitioner(std::string_view target) {
  PartitionerRegistry &all = partitioner_registry();
  std::lock_guard lock(all.mutex);
  auto found = all.partitioners.find(target);
  return found == all.partitioners.end() ? nullptr : found->second;
}

std::string name_of(const char *name, size_t size) {
  if (!name || size == 0)
    throw_invalid("a custom call target without a name cannot be registered");
  return {name, size};
}

void handle(PJRT_Register_Custom_Partitioner_Args &args) {
  std::string name = name_of(args.name, args.name_size);
  Callbacks *callbacks = args.callbacks;
  if (!callbacks || !callbacks->partition || !callbacks->infer_sharding ||
      !callbacks->propagate_user_sharding)
    throw_invalid("the partitioner of custom call '" + name +
                  "' lacks functions");
  if (callbacks->version != 0)
    throw_unimplemented("the partitioner of custom call '" + name +
                        "' has version " + std::to_string(callbacks->version) +
                        ", only 0 is supported");
  PartitionerRegistry &all = partitioner_registry();
  std::lock_guard lock(all.mutex);
  // Earlier callbacks are not destroyed, because a compilation may use them.
  all.partitioners.insert_or_assign(std::move(name), callbacks);
}

void handle(PJRT_Register_Batch_Partitionable_Args &args) {
  std::string name = name_of(args.name, args.name_size);
  // Names become a part of the text of pass options.
  if (name.find_first_of(" ,{}\"'()") != std::string::npos)
    throw_invalid("the custom call target '" + name +
                  "' cannot be partitionable: its name has spaces, commas, "
                  "quotes or brackets");
  PartitionerRegistry &all = partitioner_registry();
  std::lock_guard lock(all.mutex);
  all.batch_targets.insert(std::move(name));
}

PJRT_Custom_Partitioner_Extension partitioner_extension = {
    {sizeof(PJRT_Custom_Partitioner_Extension),
     PJRT_Extension_Type_Custom_Partitioner, nullptr},
    enter_extension<PJRT_Register_Custom_Partitioner_Args, handle>,
    enter_extension<PJRT_Register_Batch_Partitionable_Args, handle>,
};

/// Frees the results of a callback.
class Cleanup {
public:
  explicit Cleanup(Header &header) : header_(header) {}
  Cleanup(const Cleanup &) = delete;
  ~Cleanup() {
    if (header_.cleanup_fn)
      header_.cleanup_fn(header_.data);
  }

private:
  Header &header_;
};

std::string_view view_of(Bytes bytes) {
  return bytes.data ? std::string_view(bytes.data, bytes.size)
                    : std::string_view();
}

void check_header(const Header &header) {
  if (header.has_error)
    throw Error(header.code, std::string(view_of(header.error_msg)));
}

/// The arguments of a callback and their memory.
class CallArguments {
public:
  explicit CallArguments(const CallSite &site) {
    for (const CallValue &operand : site.operands)
      operands.push_back(
          {keep(serialize_shape(TensorType{operand.element, operand.dims})),
           true, keep(serialize_sharding(operand.sharding))});
    std::vector<TensorType> types;
    std::vector<Sharding> shardings;
    for (const CallValue &value : site.results) {
      types.push_back({value.element, value.dims});
      shardings.push_back(value.sharding);
    }
    result = {keep(serialize_result_shape(types)), true,
              keep(serialize_result_shardings(shardings))};
    config = keep(site.config);
  }

  std::vector<JAX_CustomCallPartitioner_aval> operands;
  JAX_CustomCallPartitioner_aval result;
  Bytes config;

private:
  Bytes keep(std::string bytes) {
    memory_.push_back(std::move(bytes));
    return {memory_.back().data(), memory_.back().size()};
  }

  std::deque<std::string> memory_;
};

/// Calls `function`, and converts its exception to a failure.
template <class Function>
auto without_exception(Function function) -> Result<decltype(function())> {
  try {
    return function();
  } catch (const Error &error) {
    return failure(kind_of(error.code()), error.message());
  } catch (const std::bad_alloc &) {
    return failure(FailureKind::OutOfMemory, "out of memory");
  } catch (const std::exception &error) {
    return failure(FailureKind::Internal, error.what());
  }
}

Callbacks &callbacks_of(const CallSite &site) {
  Callbacks *callbacks = find_partitioner(site.target);
  if (!callbacks)
    throw Error(PJRT_Error_Code_NOT_FOUND,
                "custom call '" + site.target + "' has no partitioner");
  return *callbacks;
}

std::vector<Sharding> unknown_results(const CallSite &site) {
  Sharding unknown;
  unknown.kind = Sharding::Kind::Unknown;
  return std::vector<Sharding>(site.results.size(), unknown);
}

/// "InspectSharding" returns its operand.
const Sharding &inspected(const CallSite &site) {
  if (site.operands.size() != 1 || site.results.size() != 1)
    throw_invalid("custom_call @InspectSharding has " +
                  std::to_string(site.operands.size()) + " operands and " +
                  std::to_string(site.results.size()) +
                  " results, expected one of each");
  return site.operands[0].sharding;
}

std::vector<Sharding> infer(const CallSite &site) {
  Callbacks &callbacks = callbacks_of(site);
  CallArguments given(site);
  JAX_CustomCallPartitioner_InferShardingFromOperands_Args args = {};
  args.num_args = given.operands.size();
  args.op_args = given.operands.data();
  args.result_shape = given.result.shape;
  args.backend_config = given.config;
  callbacks.infer_sharding(&callbacks, &args);
  Cleanup cleanup(args.header);
  check_header(args.header);
  if (!args.has_result_sharding)
    return unknown_results(site);
  return parse_result_shardings(view_of(args.result_sharding),
                                site.results.size());
}

std::vector<Sharding> adapt(const CallSite &site) {
  Callbacks &callbacks = callbacks_of(site);
  CallArguments given(site);
  JAX_CustomCallPartitioner_PropagateUserSharding_Args args = {};
  args.backend_config = given.config;
  args.result_shape = given.result.shape;
  args.result_sharding = given.result.sharding;
  callbacks.propagate_user_sharding(&callbacks, &args);
  Cleanup cleanup(args.header);
  check_header(args.header);
  return parse_result_shardings(view_of(args.result_sharding),
                                site.results.size());
}

PartitionedCall partition_by_host(const CallSite &site) {
  Callbacks &callbacks = callbacks_of(site);
  CallArguments given(site);
  JAX_CustomCallPartitioner_Partition_Args args = {};
  args.num_args = given.operands.size();
  args.op_args = given.operands.data();
  args.op_result = given.result;
  args.backend_config = given.config;
  callbacks.partition(&callbacks, &args);
  Cleanup cleanup(args.header);
  check_header(args.header);
  PartitionedCall call;
  call.module = view_of(args.mlir_module);
  if (call.module.empty())
    throw_invalid("it returned no module");
  if (args.num_args != site.operands.size() ||
      (!args.args_sharding && args.num_args > 0))
    throw_invalid("it returned shardings of another number of operands than " +
                  std::to_string(site.operands.size()));
  for (size_t i = 0; i < args.num_args; ++i)
    call.operands.push_back(parse_op_sharding(view_of(args.args_sharding[i])));
  call.results = parse_result_shardings(view_of(args.result_sharding),
                                        site.results.size());
  return call;
}

} // namespace

PJRT_Extension_Base *custom_partitioner_extension(PJRT_Extension_Base *next) {
  partitioner_extension.base.next = next;
  return &partitioner_extension.base;
}

bool HostPartitioner::handles(std::string_view target) const {
  return target == kInspectSharding || find_partitioner(target);
}

Result<std::vector<Sharding>>
HostPartitioner::infer_results(const CallSite &site) const {
  return without_exception([&]() -> std::vector<Sharding> {
    if (site.target == kInspectSharding)
      return {inspected(site)};
    return uses_shardy_ || !calls_host_ ? unknown_results(site) : infer(site);
  });
}

Result<std::vector<Sharding>>
HostPartitioner::adapt_results(const CallSite &site) const {
  return without_exception([&] {
    bool is_fixed =
        uses_shardy_ || !calls_host_ || site.target == kInspectSharding;
    return is_fixed ? unknown_results(site) : adapt(site);
  });
}

Result<PartitionedCall> HostPartitioner::partition(const CallSite &site) const {
  return without_exception([&] {
    if (!calls_host_)
      throw_unimplemented("it cannot be called in a compilation for a "
                          "topology, during which the host holds Python's "
                          "lock; compile for devices instead");
    if (site.target != kInspectSharding)
      return partition_by_host(site);
    const Sharding &sharding = inspected(site);
    inspect_sharding(site.config, sharding);
    return PartitionedCall{{}, {sharding}, {sharding}};
  });
}

std::vector<std::string> batch_targets() {
  PartitionerRegistry &all = partitioner_registry();
  std::lock_guard lock(all.mutex);
  return {all.batch_targets.begin(), all.batch_targets.end()};
}

} // namespace xlac::pjrt
