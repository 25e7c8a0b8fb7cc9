#include "step_closures.h"

#include "xlac/lazy/devices.h"
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/storage.h"
#include "xlac/support/settings.h"
#include "xlac/tensor/access.h"
#include "xlac/tensor/process_state.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <thread>

namespace xlac {

using namespace frontend;
using detail::StepClosure;

namespace {

struct Queued {
  std::vector<StepClosure> closures, asynchronous;
};
thread_local std::map<int, Queued> queued;

/// The background thread for the asynchronous closures of the process. It ends
/// with the process, after it has run the queued closures.
class Background {
public:
  static Background &process() {
    static Background instance;
    return instance;
  }

  ~Background() {
    {
      std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable())
      thread_.join();
  }

  /// Throws, once, the exception that a closure has thrown.
  void rethrow() {
    std::unique_lock lock(mutex_);
    if (std::exception_ptr thrown = std::exchange(thrown_, nullptr)) {
      lock.unlock();
      std::rethrow_exception(thrown);
    }
  }

  /// Blocks while XLA_MAX_ASYNC_QUEUE closures are queued.
  void add(int device, std::function<void()> closure) {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable())
      thread_ = std::thread([this] { work(); });
    changed_.wait(lock, [this] { return waiting_.size() < most_waiting(); });
    waiting_.push_back({device, lazy::replication(), std::move(closure)});
    changed_.notify_all();
  }

  void finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.empty() && !is_busy_; });
    lock.unlock();
    rethrow();
  }

private:
  static size_t most_waiting() {
    static const size_t limit = static_cast<size_t>(std::max<int64_t>(
        1, integer_setting(SettingId::MaxAsyncQueue).value_or(100)));
    return limit;
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
      if (waiting_.empty())
        return;
      Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      is_busy_ = true;
      changed_.notify_all();
      lock.unlock();
      std::exception_ptr thrown;
      try {
        lazy::set_current_device(next.device);
        lazy::set_replication(std::move(next.replication));
        next.closure();
        next.closure = nullptr;
      } catch (...) {
        thrown = std::current_exception();
      }
      lazy::set_replication({});
      lock.lock();
      is_busy_ = false;
      changed_.notify_all();
      if (thrown && !thrown_)
        thrown_ = thrown;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  /// A closure, and the device and replication of the thread that queued it.
  struct Waiting {
    int device;
    lazy::Replication replication;
    std::function<void()> closure;
  };
  std::deque<Waiting> waiting_;
  std::exception_ptr thrown_;
  bool ends_ = false, is_busy_ = false;
  std::thread thread_;
};

} // namespace

namespace detail {

void add_step_closure(StepClosure closure, bool run_async) {
  XLAC_CALL("add_step_closure");
  if (run_async)
    Background::process().rethrow();
  Queued &here = queued[lazy::resolve(Device(kXLA)).index];
  (run_async ? here.asynchronous : here.closures).push_back(std::move(closure));
}

Tensor snapshot(const Tensor &tensor) {
  TensorImpl &impl = impl_of(tensor);
  Value value = impl.value();
  if (impl.device().type == kCPU)
    value = lazy::host_value(lazy::evaluate_on_host({value})[0]);
  return TensorAccess::wrap(std::make_shared<TensorImpl>(
      lazy::Storage::make(impl.device(), std::move(value)), impl.dtype,
      impl.sizes));
}

} // namespace detail

namespace frontend {

void finish_step_closures() { Background::process().finish(); }

StepClosureQueue::StepClosureQueue(int device) : device_(device) {
  auto found = queued.find(device);
  if (found == queued.end())
    return;
  closures_ = std::move(found->second.closures);
  asynchronous_ = std::move(found->second.asynchronous);
  queued.erase(found);
  for (std::vector<StepClosure> *list : {&closures_, &asynchronous_})
    for (StepClosure &closure : *list)
      closure.hold();
}

void StepClosureQueue::run() {
  for (StepClosure &closure : closures_)
    closure.run();
  if (asynchronous_.empty())
    return;
  Background::process().rethrow();
  for (StepClosure &closure : asynchronous_)
    Background::process().add(device_, std::move(closure.run));
}

} // namespace frontend
} // namespace xlac
