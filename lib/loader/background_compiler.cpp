#include "xlac/loader/background_compiler.h"

#include "xlac/runtime/signal_masked_thread.h"

#include <cassert>
#include <cstdlib>
#include <utility>

namespace xlac {

/// Programs that have so many families are rare, and forgetting a family costs
/// one compilation.
static constexpr size_t kMostFamilies = 4096;

BackgroundCompiler &BackgroundCompiler::process() {
  // Outlives static destructors.
  static auto *instance = new BackgroundCompiler;
  return *instance;
}

BackgroundCompiler::BackgroundCompiler() : ForkStep(ForkRank::Outer) {
  enlist();
}

BackgroundCompiler::Family
BackgroundCompiler::enter(const std::string &family) {
  std::unique_lock lock(mutex_);
  std::erase_if(queue_, [&](const Entry &entry) {
    return entry.is_awaited && entry.family == family;
  });
  changed_.wait(lock, [&] { return running_ != family; });
  auto found = families_.find(family);
  return found == families_.end() ? Family::New : found->second.state;
}

void BackgroundCompiler::note(const std::string &family, ArgumentSizes sizes) {
  std::lock_guard lock(mutex_);
  if (families_.size() >= kMostFamilies)
    families_.clear();
  families_.try_emplace(family, Visit{Family::Known, std::move(sizes)});
}

ArgumentSizes BackgroundCompiler::first_sizes(const std::string &family) {
  std::lock_guard lock(mutex_);
  auto found = families_.find(family);
  return found == families_.end() ? ArgumentSizes() : found->second.first_sizes;
}

void BackgroundCompiler::add(const std::string &family, Work work,
                             bool is_awaited) {
  std::lock_guard lock(mutex_);
  if (is_stopped_ || !start())
    return;
  families_[family].state = Family::Visited;
  queue_.push_back({family, std::move(work), is_awaited});
}

bool BackgroundCompiler::add_specialization(const std::string &family,
                                            int64_t most, Work work) {
  std::lock_guard lock(mutex_);
  Visit &visit = families_[family];
  if (visit.specializations >= most || is_stopped_ || !start())
    return false;
  ++visit.specializations;
  queue_.push_back({family, std::move(work), /*is_awaited=*/false});
  return true;
}

/// Starts the thread unless it is working. Returns false if it cannot be
/// created.
bool BackgroundCompiler::start() {
  if (thread_works_ || is_held_)
    return true;
  // Registered after the compiler's library has been loaded, so that it is
  // called before the library's static variables are destroyed.
  [[maybe_unused]] static const int registered =
      std::atexit([] { process().stop(); });
  if (std::exchange(has_thread_, false))
    pthread_join(thread_, nullptr);
  thread_works_ = has_thread_ =
      runtime::start_signal_masked_thread(thread_, "xlac-compile", run, this);
  return has_thread_;
}

void *BackgroundCompiler::run(void *self) {
  static_cast<BackgroundCompiler *>(self)->work();
  return nullptr;
}

void BackgroundCompiler::work() {
  std::unique_lock lock(mutex_);
  while (!queue_.empty() && !is_held_ && !is_stopped_) {
    Entry entry = std::move(queue_.front());
    queue_.pop_front();
    if (entry.is_awaited)
      running_ = std::move(entry.family); // a copy could need memory
    is_cancelled_ = false;
    lock.unlock();
    try {
      entry.work(is_cancelled_);
    } catch (...) {
      // Without memory, programs keep the code for their own sizes.
    }
    entry.work = nullptr;
    lock.lock();
    running_.clear();
    changed_.notify_all();
  }
  thread_works_ = false;
  changed_.notify_all();
}

void BackgroundCompiler::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !thread_works_; });
}

void BackgroundCompiler::stop() {
  std::unique_lock lock(mutex_);
  is_stopped_ = true;
  is_cancelled_ = true;
  queue_.clear();
  bool has_thread = std::exchange(has_thread_, false);
  lock.unlock();
  if (has_thread)
    pthread_join(thread_, nullptr);
}

//===- Forks --------------------------------------------------------------===//

bool BackgroundCompiler::try_hold(Clock::time_point end) {
  std::unique_lock lock(mutex_);
  is_held_ = true; // also if this attempt fails: the fork tries again
  is_cancelled_ = true;
  if (!changed_.wait_until(lock, end, [&] { return !thread_works_; }))
    return false;
  (void)lock.release();
  return true;
}

void BackgroundCompiler::release(bool in_child) {
  is_held_ = false;
  if (in_child) {
    has_thread_ = false;
    queue_.clear();
  } else if (!queue_.empty()) {
    (void)start();
  }
  mutex_.unlock();
}

} // namespace xlac
