#include "started_collectives.h"

#include "xlac/runtime/signal_masked_thread.h"

#include <algorithm>

namespace xlac::runtime {

void StartedCollectives::start(int32_t number, std::vector<void *> buffers,
                               bool beside) {
  // Without a thread, the collective is executed when it is started.
  if (!has_thread_ && !(beside && start_thread())) {
    int32_t status = failed_ ? failed_ : function_(number, buffers.data());
    failed_ = status;
    all_.push_back({number, std::move(buffers), true, status});
    return;
  }
  {
    std::lock_guard lock(mutex_);
    all_.push_back({number, std::move(buffers)});
  }
  started_.notify_one();
}

bool StartedCollectives::start_thread() {
  auto main = [](void *self) -> void * {
    static_cast<StartedCollectives *>(self)->work();
    return nullptr;
  };
  has_thread_ =
      start_signal_masked_thread(thread_, "xlac-collective", main, this);
  return has_thread_;
}

StartedCollectives::Started *StartedCollectives::next() {
  auto it = std::find_if(all_.begin(), all_.end(),
                         [](const Started &one) { return !one.done; });
  return it == all_.end() ? nullptr : &*it;
}

void StartedCollectives::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    started_.wait(lock, [&] { return finishing_ || next(); });
    Started *one = next();
    if (!one)
      return;
    if (failed_ == 0) {
      lock.unlock();
      int32_t status = function_(one->number, one->buffers.data());
      lock.lock();
      failed_ = status;
    }
    one->status = failed_;
    one->done = true;
    done_.notify_all();
  }
}

std::optional<int32_t> StartedCollectives::await(int32_t number) {
  std::unique_lock lock(mutex_);
  auto it = std::find_if(all_.begin(), all_.end(), [&](const Started &one) {
    return one.number == number;
  });
  if (it == all_.end())
    return std::nullopt;
  done_.wait(lock, [&] { return it->done; });
  int32_t status = it->status;
  all_.erase(it);
  return status;
}

void StartedCollectives::finish() {
  if (!has_thread_)
    return;
  {
    std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  started_.notify_one();
  pthread_join(thread_, nullptr);
  has_thread_ = false;
}

} // namespace xlac::runtime
