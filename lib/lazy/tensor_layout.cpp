#include "xlac/lazy/tensor_layout.h"

#include "xlac/lazy/build.h"
#include "xlac/lazy/device_data.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/partitions.h"
#include "xlac/lazy/sharded_values.h"
#include "xlac/lazy/storage.h"
#include "xlac/lazy/tensor_impl.h"

#include <utility>

namespace xlac::lazy {

using detail::TensorImpl;
using graph::Value;

Layout requested_layout(const TensorImpl &impl) {
  return impl.steps.empty() ? impl.storage->layout() : impl.view_layout;
}

/// Moves the data of a computed tensor to the devices of `layout`.
static void distribute(TensorImpl &impl, const Layout &layout) {
  Value value = impl.value();
  std::shared_ptr<DeviceData> data = data_behind(value);
  if (!data || sharding_in(data->layout()) == *layout)
    return;
  // Data without a layout has not been on the devices of SPMD yet.
  impl.materialize_into(value,
                        has_all_partitions() && data->layout()
                            ? rearranged_value(*data, layout)
                            : distributed_value(full_literal(value), layout));
}

void request_layout(TensorImpl &impl, const Layout &layout) {
  if (impl.steps.empty()) {
    distribute(impl, layout);
    impl.storage->lay_out(layout);
    return;
  }
  // Writes the annotated view back to its base. The values do not change, so
  // autograd does not see a write.
  Value base = impl.storage->value();
  Value wish = build::sharding(impl.value(), layout->str());
  impl.storage->set(impl.placed(base, std::move(wish)));
  impl.view_layout = layout;
}

} // namespace xlac::lazy
