#include "xlac/tensor/process_state.h"

#include "xlac/lazy/devices.h"
#include "xlac/lazy/disk_cache.h"
#include "xlac/lazy/random.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/session.h"
#include "xlac/support/metrics.h"
#include "xlac/tensor.h"
#include "xlac/tensor/recorder.h"

namespace xlac::frontend {

void reset_process_state() {
  metrics::reset_counters();
  metrics::reset_metrics();
  lazy::reset_rng_states();
  lazy::reset_disk_cache();
  lazy::reset_device_settings();
  lazy::set_eager_mode(false);
  lazy::set_thread_eager_mode({});
  lazy::set_replication({});
  set_default_dtype(kFloat32);
  set_default_device(Device(kCPU));
  set_printoptions({});
  set_recording(true);
}

} // namespace xlac::frontend
