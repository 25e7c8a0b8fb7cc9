#include "stream.h"

#include "signal_masked_thread.h"

#include <cassert>

namespace xlac::runtime {

static thread_local const Stream *current_stream = nullptr;

Stream::Stream() : conditions_(new Conditions) {}

Stream::~Stream() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    conditions_->work.notify_all();
  }
  if (started_)
    pthread_join(thread_, nullptr);
  delete conditions_;
}

bool Stream::is_own_thread() const { return current_stream == this; }

void *Stream::thread_main(void *stream) {
  current_stream = static_cast<Stream *>(stream);
  static_cast<Stream *>(stream)->serve();
  return nullptr;
}

/// The caller holds the mutex.
bool Stream::start_thread() {
  started_ =
      start_signal_masked_thread(thread_, "xlac-stream", thread_main, this);
  return started_;
}

void Stream::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    conditions_->work.wait(
        lock, [&] { return !busy_ && (!queue_.empty() || stopping_); });
    if (queue_.empty())
      return;
    std::unique_ptr<StreamWork> work = std::move(queue_.front());
    queue_.pop_front();
    assert(work && !busy_ && "one piece of work runs at a time");
    run(std::move(work), lock);
    if (queue_.empty())
      conditions_->idle.notify_all();
  }
}

void Stream::run(std::unique_ptr<StreamWork> work,
                 std::unique_lock<std::mutex> &lock) {
  busy_ = true;
  lock.unlock();
  work->run();
  work.reset();
  lock.lock();
  busy_ = false;
}

void Stream::submit(std::unique_ptr<StreamWork> work, bool is_short) {
  std::unique_lock lock(mutex_);
  bool idle = queue_.empty() && !busy_;
  bool here = idle && is_short;
  if (!here && !started_ && !start_thread()) {
    // Without a thread, the calling thread runs the work in turn.
    conditions_->idle.wait(lock, [&] { return !busy_; });
    here = true;
  }
  if (!here) {
    queue_.push_back(std::move(work));
    if (!busy_)
      conditions_->work.notify_one();
    return;
  }
  run(std::move(work), lock);
  if (!queue_.empty())
    conditions_->work.notify_one();
  else
    conditions_->idle.notify_all();
}

void Stream::drain() {
  if (is_own_thread())
    return;
  std::unique_lock lock(mutex_);
  conditions_->idle.wait(lock, [&] { return queue_.empty() && !busy_; });
}

bool Stream::is_idle() const {
  std::lock_guard lock(mutex_);
  return queue_.empty() && !busy_;
}

bool Stream::before_fork(Clock::time_point end) {
  std::unique_lock lock(mutex_);
  auto is_idle = [&] { return queue_.empty() && !busy_; };
  if (!is_own_thread() && !conditions_->idle.wait_until(lock, end, is_idle))
    return false;
  lock.release();
  return true;
}

void Stream::after_fork(bool in_child) {
  if (in_child) {
    conditions_ = new Conditions;
    started_ = false;
    busy_ = false;
    for (std::unique_ptr<StreamWork> &work : queue_)
      work.release();
    queue_.clear();
  }
  mutex_.unlock();
}

} // namespace xlac::runtime
