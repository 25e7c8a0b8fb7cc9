#include "stream.h"

#include "xlac/runtime/signal_masked_thread.h"

#include <cassert>
#include <functional>

namespace xlac::runtime {

/// The stream whose work this thread began with, and whether another thread
/// has taken over its queue.
static thread_local Stream *current_stream = nullptr;
static thread_local bool gave_queue_away = false;

Stream::Stream() : conditions_(new Conditions) {}

Stream::~Stream() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    conditions_->work.notify_all();
  }
  {
    std::unique_lock lock(mutex_);
    conditions_->idle.wait(lock, [&] { return beside_ == 0; });
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
    busy_ = true;
    lock.unlock();
    work->run();
    work.reset();
    if (gave_queue_away) {
      end_beside();
      return;
    }
    lock.lock();
    busy_ = false;
    if (queue_.empty())
      conditions_->idle.notify_all();
  }
}

void Stream::end_beside() {
  std::lock_guard lock(mutex_);
  if (beside_ > 0) // a fork in the work leaves none in the child
    --beside_;
  conditions_->idle.notify_all();
}

namespace {

/// What a thread of its own takes along.
struct BesideWork {
  std::unique_ptr<StreamWork> work;
  std::function<void()> end;
};

void *run_beside_thread(void *argument) {
  std::unique_ptr<BesideWork> beside(static_cast<BesideWork *>(argument));
  beside->work->run();
  beside->work.reset();
  beside->end();
  return nullptr;
}

} // namespace

void Stream::run_beside(std::unique_ptr<StreamWork> work,
                        bool waits_for_others) {
  {
    std::lock_guard lock(mutex_);
    ++beside_;
  }
  if (waits_for_others) {
    auto beside = std::make_unique<BesideWork>();
    beside->work = std::move(work);
    beside->end = [this] { end_beside(); };
    pthread_t thread;
    if (start_signal_masked_thread(thread, "xlac-beside", run_beside_thread,
                                   beside.get())) {
      beside.release();
      pthread_detach(thread);
      return;
    }
    work = std::move(beside->work);
  }
  work->run();
  work.reset();
  end_beside();
}

void Stream::let_queue_go_on() {
  Stream *stream = current_stream;
  if (!stream || gave_queue_away)
    return;
  std::lock_guard lock(stream->mutex_);
  pthread_t self = stream->thread_;
  if (!stream->queue_.empty() && !stream->start_thread()) {
    // Without another thread the queue waits for this one.
    stream->thread_ = self;
    stream->started_ = true;
    return;
  }
  stream->started_ = stream->thread_ != self;
  gave_queue_away = true;
  stream->busy_ = false;
  ++stream->beside_;
  pthread_detach(self);
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
  conditions_->idle.wait(lock, [&] { return is_idle_locked(); });
}

bool Stream::is_idle() const {
  std::lock_guard lock(mutex_);
  return is_idle_locked();
}

bool Stream::before_fork(Clock::time_point end) {
  std::unique_lock lock(mutex_);
  auto is_idle = [&] { return is_idle_locked(); };
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
    beside_ = 0;
    for (std::unique_ptr<StreamWork> &work : queue_)
      work.release();
    queue_.clear();
  }
  mutex_.unlock();
}

} // namespace xlac::runtime
