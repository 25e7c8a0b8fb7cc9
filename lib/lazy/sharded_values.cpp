#include "xlac/lazy/sharded_values.h"

#include "shards.h"

#include "xlac/lazy/build.h"
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/metric_names.h"
#include "xlac/lazy/storage_modes.h"
#include "xlac/support/named_metrics.h"
#include "xlac/support/raise.h"

namespace xlac::lazy {

using graph::Node;
using graph::NodeKind;
using graph::Value;

Value laid_out(Value value, const Layout &layout) {
  const Sharding &wanted = sharding_in(layout);
  if (value.node->kind() == NodeKind::Parameter) {
    std::shared_ptr<DeviceData> data = data_behind(value);
    if (!data || sharding_in(data->layout()) == wanted)
      return value;
  } else if (asked_sharding(*value.node) == wanted) {
    return value;
  }
  return build::sharding(std::move(value), wanted.str());
}

Value distributed_value(host::Literal literal, Layout layout) {
  static constinit metrics::NamedMetric times(kTransferToDeviceTime,
                                              metrics::Unit::Nanoseconds);
  static constinit metrics::NamedMetric sizes("OutboundData",
                                              metrics::Unit::Bytes);
  static constinit metrics::NamedCounter uses("VirtualDeviceUsage");
  metrics::Timer timer(times);
  sizes.add(static_cast<double>(literal.byte_count()));
  uses.add();
  TensorType type = literal.type();
  host::Literal stored = converted(literal, stored_type(type).element);
  return {Node::make_parameter(
              Type(type),
              std::make_shared<DeviceData>(
                  type, layout, shard_literal(stored, sharding_in(layout)))),
          0};
}

Value rearranged_value(DeviceData &data, Layout layout) {
  std::vector<runtime::BufferRef> shards =
      rearranged(stored_type(data.type()), sharding_in(data.layout()),
                 sharding_in(layout), data.shards());
  return {Node::make_parameter(Type(data.type()),
                               std::make_shared<DeviceData>(data.type(),
                                                            std::move(layout),
                                                            std::move(shards))),
          0};
}

std::vector<host::Literal> read_shards(DeviceData &data,
                                       const Sharding &sharding) {
  TensorType stored = stored_type(data.type());
  std::vector<runtime::BufferRef> buffers =
      rearranged(stored, sharding_in(data.layout()), sharding, data.shards());
  std::vector<host::Literal> shards;
  for (const runtime::BufferRef &buffer : buffers)
    shards.push_back(converted(lent(shard_type(stored, sharding), buffer),
                               data.type().element));
  return shards;
}

Value value_of_rows(const TensorType &whole, int64_t first_row,
                    const host::Literal &literal, Layout layout) {
  if (!sharding_in(layout).is_tiled())
    raise<UserError>("every device needs rows that another process has");
  host::Literal stored = converted(literal, stored_type(whole).element);
  std::vector<runtime::BufferRef> shards =
      shard_rows(whole.dims, first_row, stored, sharding_in(layout));
  return {Node::make_parameter(
              Type(whole), std::make_shared<DeviceData>(
                               whole, std::move(layout), std::move(shards))),
          0};
}

Value value_of_shards(const TensorType &type, Layout layout,
                      const std::vector<host::Literal> &shards) {
  std::vector<runtime::BufferRef> buffers;
  for (size_t i = 0; i < shards.size(); ++i)
    buffers.push_back(upload_to(
        static_cast<int>(i), converted(shards[i], stored_type(type).element)));
  return {Node::make_parameter(
              Type(type), std::make_shared<DeviceData>(type, std::move(layout),
                                                       std::move(buffers))),
          0};
}

} // namespace xlac::lazy
