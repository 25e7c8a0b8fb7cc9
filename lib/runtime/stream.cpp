#include "stream.h"

#include "xlac/runtime/signal_masked_thread.h"

#include <cassert>
#include <functional>

namespace xlac::runtime {

/// The stream whose work this thread began with, and whether another thread
/// has taken over its queue.
static thread_local Stream *current_stream = nullptr;
static thread_local bool has_released_queue = false;

Stream::Stream() : conditions_(new Conditions) {}

Stream::~Stream() { delete conditions_; }

void Stream::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    conditions_->work.notify_all();
  }
  {
    std::unique_lock lock(mutex_);
    conditions_->idle.wait(lock, [&] { return unqueued_ == 0; });
  }
  if (started_)
    pthread_join(thread_, nullptr);
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
    std::unique_ptr<StreamWork> work = std::move(queue_.front().work);
    queue_.pop_front();
    assert(work && !busy_ && "one piece of work runs at a time");
    busy_ = true;
    lock.unlock();
    work->run();
    work.reset();
    if (has_released_queue) {
      end_unqueued();
      return;
    }
    lock.lock();
    busy_ = false;
    if (queue_.empty())
      conditions_->idle.notify_all();
  }
}

void Stream::end_unqueued() {
  std::lock_guard lock(mutex_);
  if (unqueued_ > 0) // a fork in the work leaves none in the child
    --unqueued_;
  conditions_->idle.notify_all();
}

namespace {

/// Work for a new thread, and what that thread calls after it.
struct UnqueuedWork {
  std::unique_ptr<StreamWork> work;
  std::function<void()> end;
};

void *run_unqueued_thread(void *argument) {
  std::unique_ptr<UnqueuedWork> unqueued(static_cast<UnqueuedWork *>(argument));
  unqueued->work->run();
  unqueued->work.reset();
  unqueued->end();
  return nullptr;
}

} // namespace

void Stream::run_unqueued(std::unique_ptr<StreamWork> work,
                          bool waits_for_others) {
  {
    std::lock_guard lock(mutex_);
    ++unqueued_;
  }
  if (waits_for_others) {
    auto unqueued = std::make_unique<UnqueuedWork>();
    unqueued->work = std::move(work);
    unqueued->end = [this] { end_unqueued(); };
    pthread_t thread;
    if (start_signal_masked_thread(thread, "xlac-unqueued", run_unqueued_thread,
                                   unqueued.get())) {
      unqueued.release();
      pthread_detach(thread);
      return;
    }
    work = std::move(unqueued->work);
  }
  work->run();
  work.reset();
  end_unqueued();
}

void Stream::release_queue() {
  Stream *stream = current_stream;
  if (!stream || has_released_queue)
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
  has_released_queue = true;
  stream->busy_ = false;
  ++stream->unqueued_;
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

void Stream::notify_after_run() {
  if (queue_.empty())
    conditions_->idle.notify_all();
  if (!queue_.empty() || stopping_)
    conditions_->work.notify_one();
}

void Stream::submit(std::unique_ptr<StreamWork> work, RunsOn runs_on) {
  std::unique_lock lock(mutex_);
  bool idle = queue_.empty() && !busy_;
  bool here = idle && runs_on == RunsOn::Caller;
  if (!here && !started_ && !start_thread()) {
    // Without a thread, the calling thread runs the work in turn.
    conditions_->idle.wait(lock, [&] { return !busy_; });
    here = true;
  }
  if (!here) {
    queue_.push_back({std::move(work), runs_on});
    if (!busy_)
      conditions_->work.notify_one();
    return;
  }
  run(std::move(work), lock);
  notify_after_run();
}

void Stream::run_queued(const std::function<bool()> &is_done) {
  if (current_stream)
    return; // threads of streams run the work of their own
  std::unique_lock lock(mutex_);
  bool has_run = false;
  while (!is_done() && !busy_ && !stopping_ && !queue_.empty() &&
         queue_.front().runs_on != RunsOn::Stream) {
    std::unique_ptr<StreamWork> work = std::move(queue_.front().work);
    queue_.pop_front();
    run(std::move(work), lock);
    has_run = true;
  }
  if (has_run)
    notify_after_run();
}

void Stream::drain() {
  if (is_own_thread())
    return;
  run_queued([] { return false; });
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
    unqueued_ = 0;
    for (Queued &queued : queue_)
      queued.work.release();
    queue_.clear();
  }
  mutex_.unlock();
}

} // namespace xlac::runtime
