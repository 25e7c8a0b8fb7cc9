#include "xlac/distributed/data_parallel.h"
#include "xlac/job/job.h"
#include "xlac/lazy.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/pending_collectives.h"
#include "xlac/lazy/replication.h"
#include "xlac/tensor/access.h"

#include <exception>
#include <mutex>
#include <thread>

namespace xlac::distributed::detail {

void throw_other_attribute(const std::string &name) {
  XLAC_CALL("getattr_or");
  raise<TypeError>("attribute '" + name + "' is of another type");
}

std::vector<Device>
checked_replicas(std::optional<std::vector<Device>> device_ids) {
  XLAC_CALL("DataParallel");
  if (!device_ids)
    return xlac::devices();
  if (device_ids->empty())
    return {Device(kCPU)};
  std::vector<Device> devices;
  for (Device device : *device_ids) {
    if (device.type != kXLA)
      raise<DeviceError>("wanted xla devices, got " + device.str());
    devices.push_back(lazy::resolve(device));
    for (size_t i = 0; i + 1 < devices.size(); ++i)
      if (devices[i] == devices.back())
        raise<ValueError>(device.str() + " is there twice");
  }
  return devices;
}

namespace {

/// The shared state of one call of a DataParallel.
class Replicas {
public:
  Replicas(const std::vector<Device> &devices,
           const std::function<void(std::exception_ptr)> &fail)
      : devices_(devices), fail_(fail) {
    if (devices.size() > 1)
      job_ = unwrap(job::make_local_job(static_cast<int>(devices.size()),
                                        lazy::collective_deadline()));
  }

  void run(size_t place, const std::function<void(size_t)> &work) {
    try {
      int device = devices_[place].index;
      lazy::set_current_device(device);
      lazy::Replication own;
      own.job = job_;
      own.devices = devices_;
      own.ordinal = static_cast<int>(place);
      own.world = static_cast<int>(devices_.size());
      lazy::set_replication(std::move(own));
      work(place);
      // Runs the loop's pending graph here, since this thread is a replica. The
      // execution may still fail.
      lazy::run_pending(device);
      lazy::wait_for(device);
    } catch (const CollectiveError &error) {
      note(std::current_exception(), error.what(), true);
    } catch (const std::exception &error) {
      note(std::current_exception(), failed_text(place, error.what()), false);
    } catch (...) {
      note(std::current_exception(), failed_text(place, "unknown"), false);
    }
  }

  /// Called when a thread could not be started.
  void give_up() {
    note(std::current_exception(), "a replica has no thread", false);
  }

  /// Called after all threads are joined.
  void finish() {
    if (!first_)
      return;
    // Later calls must not see failures that the loops did not observe, nor
    // collectives that other replicas do not reach.
    for (Device device : devices_) {
      try {
        lazy::wait_for(device.index);
      } catch (const Error &) {
      }
      lazy::abandon_collectives(device.index,
                                {FailureKind::Collective, first_text_});
    }
    std::rethrow_exception(first_);
  }

private:
  static std::string failed_text(size_t place, const char *what) {
    return "replica " + std::to_string(place) + " failed: " + what;
  }

  /// A CollectiveError is a consequence of another replica's failure, which may
  /// be recorded later.
  void note(std::exception_ptr failure, const std::string &what,
            bool is_consequence) {
    bool is_reported = true;
    {
      std::lock_guard lock(mutex_);
      if (!first_ || (first_is_consequence_ && !is_consequence)) {
        is_reported = static_cast<bool>(first_);
        first_ = std::move(failure);
        first_text_ = what;
        first_is_consequence_ = is_consequence;
      }
    }
    if (is_reported)
      return;
    if (job_)
      job_->leave(xlac::failure(FailureKind::Collective, what));
    fail_(std::make_exception_ptr(CollectiveError(what)));
  }

  const std::vector<Device> &devices_;
  const std::function<void(std::exception_ptr)> &fail_;
  std::shared_ptr<job::Job> job_; ///< null for one device
  std::mutex mutex_;
  std::exception_ptr first_;
  std::string first_text_;
  bool first_is_consequence_ = false;
};

} // namespace

void run_replicas(const std::vector<Device> &devices,
                  const std::function<void(size_t)> &work,
                  const std::function<void(std::exception_ptr)> &fail) {
  XLAC_CALL("DataParallel");
  Replicas replicas(devices, fail);
  std::vector<std::thread> threads;
  try {
    for (size_t i = 0; i < devices.size(); ++i)
      threads.emplace_back([&, i] { replicas.run(i, work); });
  } catch (...) {
    replicas.give_up();
  }
  for (std::thread &thread : threads)
    thread.join();
  replicas.finish();
}

} // namespace xlac::distributed::detail
