#include "mpi_world.h"

#include "job_text.h"

#include "xlac/support/cores.h"
#include "xlac/support/fork.h"
#include "xlac/support/library_path.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>
#include <unistd.h>

namespace xlac::job {

using namespace std::chrono_literals;

/// Time between rounds of the thread without clients.
static constexpr std::chrono::microseconds kIdleRound(2000);
static constexpr const char *kLibrary = "libxlac_mpi.so";

static Failure user_failure(const std::string &text) {
  return failure(FailureKind::User, "jobs over MPI: " + text);
}

static Result<const MpiInterface *> load_interface() {
  std::filesystem::path path;
  if (auto named = text_setting(SettingId::MpiLibrary)) {
    path = *named;
  } else {
    Result<std::filesystem::path> found = find_own_library(kLibrary);
    if (!found)
      return user_failure(found.error().message +
                          "; it is built where CMake finds MPI. "
                          "XLAC_MPI_LIBRARY names another path, and "
                          "XLAC_TRANSPORT=tcp does without MPI");
    path = *found;
  }
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return user_failure(std::string("cannot open the library: ") + dlerror());
  auto factory =
      reinterpret_cast<MpiFactory>(dlsym(library, kMpiFactorySymbol));
  const MpiInterface *api = factory ? factory() : nullptr;
  if (!api || api->version != kMpiInterface)
    return user_failure(path.string() + " belongs to another version of xlac");
  if (const char *text = api->mismatch())
    return user_failure(std::string(text) +
                        "; build the target xlac_mpi with the MPI of the "
                        "program and its launcher");
  return api;
}

static const Result<const MpiInterface *> &interface_of_library() {
  ForkSection section;
  static const Result<const MpiInterface *> api = load_interface();
  return api;
}

Status MpiWorld::check_library() {
  const Result<const MpiInterface *> &api = interface_of_library();
  return api ? Status() : api.error();
}

Result<MpiWorld *> MpiWorld::open(std::chrono::milliseconds deadline) {
  const Result<const MpiInterface *> &api = interface_of_library();
  if (!api)
    return api.error();
  // Not a guarded static: MPI may fork while it is initialized, and forks wait
  // for guards.
  static std::timed_mutex mutex;
  static MpiWorld *world = nullptr;
  static Status status;
  std::unique_lock lock(mutex, deadline);
  if (!lock)
    return failure(FailureKind::Collective,
                   "waited " + duration_text(deadline) +
                       " until MPI was initialized for another job");
  if (!world) {
    world = new MpiWorld(*api, deadline);
    status = world->start();
  }
  if (!status)
    return status.error();
  if (!world->is_ours())
    return user_failure("MPI was initialized by the parent of this process");
  return world;
}

bool MpiWorld::is_ours() const { return getpid() == owner_; }

std::string MpiWorld::error_text(int code) const {
  char text[512] = {};
  api_->error_text(code, text, sizeof text);
  return text;
}

//===- Initialization and exit --------------------------------------------===//

Status MpiWorld::start() {
  owner_ = getpid();
  if (api_->phase() == MpiPhase::Finalized)
    return user_failure("MPI was finalized before the job began, and cannot be "
                        "initialized again");
  // Signals are left to the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  on_exit(at_exit, this);
  std::unique_lock lock(state_mutex_);
  if (!changed_.wait_for(lock, deadline_, [&] { return started_; })) {
    failed_ = true;
    return failure(FailureKind::Collective,
                   "waited " + duration_text(deadline_) +
                       " until all processes have initialized MPI; every "
                       "process of the launcher must join the job");
  }
  return start_failure_.empty() ? Status() : user_failure(start_failure_);
}

void MpiWorld::run() {
  MpiPlace place;
  int code = api_->start(
      &place,
      [](void *world) { static_cast<MpiWorld *>(world)->on_finalize(); }, this);
  {
    std::lock_guard lock(state_mutex_);
    place_ = place;
    has_cores_ = available_cores() >= place.ranks_on_node;
    started_ = true;
    if (code != 0)
      start_failure_ = "MPI cannot be initialized: " + error_text(code);
    else if (place.is_shared && place.threads != MpiThreads::Multiple)
      start_failure_ =
          "the program has initialized MPI without MPI_THREAD_MULTIPLE; it "
          "must request this level, or leave the initialization to the job";
    if (!start_failure_.empty())
      failed_ = true;
    changed_.notify_all();
  }
  serve();
  if (!failed_ && !place_.is_shared && api_->phase() == MpiPhase::Active)
    (void)api_->finish();
  std::lock_guard lock(state_mutex_);
  ended_ = true;
  changed_.notify_all();
}

void MpiWorld::at_exit(int status, void *world) {
  static_cast<MpiWorld *>(world)->finish(status);
}

void MpiWorld::finish(int status) {
  if (!is_ours())
    return;
  std::unique_lock lock(state_mutex_);
  bool started = started_;
  lock.unlock();
  if (started)
    end_clients("");
  // Without the deadline, a process that never ends would block this one.
  bool has_ended = end_thread(started ? deadline_ : 0ms);
  if (has_ended && apart_ == 0)
    return;
  if (started && !has_ended)
    std::fprintf(stderr,
                 "xlac: MPI_Finalize has waited %s for the other processes\n",
                 duration_text(deadline_).c_str());
  // A thread is inside of MPI, whose destructors must not run now.
  std::fflush(nullptr);
  _exit(status == 0 ? 1 : status);
}

void MpiWorld::end_clients(const std::string &why) {
  for (MpiClient *client : clients())
    client->on_end(why);
}

bool MpiWorld::end_thread(std::chrono::milliseconds time) {
  std::unique_lock lock(state_mutex_);
  stopping_ = woken_ = true;
  changed_.notify_all();
  if (!changed_.wait_for(lock, time, [&] { return ended_; }))
    return false;
  lock.unlock();
  if (thread_.joinable())
    thread_.join();
  return true;
}

void MpiWorld::on_finalize() {
  if (!is_ours() || std::this_thread::get_id() == thread_.get_id())
    return;
  // MPI is no longer finalized by the thread.
  failed_ = true;
  end_clients("the program has finalized MPI");
  (void)end_thread(deadline_);
}

//===- The thread ---------------------------------------------------------===//

void MpiWorld::serve() {
  for (;;) {
    std::chrono::microseconds pause = work();
    deliver();
    std::unique_lock lock(state_mutex_);
    if (stopping_)
      return;
    if (!woken_ && pause > 0us)
      changed_.wait_for(lock, pause, [&] { return woken_; });
    woken_ = false;
    if (pause == 0us) {
      lock.unlock();
      std::this_thread::yield();
    }
  }
}

std::chrono::microseconds MpiWorld::work() {
  std::vector<Call *> calls;
  {
    std::lock_guard lock(state_mutex_);
    calls.swap(calls_);
  }
  std::unique_lock lock = lock_mpi();
  for (Call *call : calls) {
    call->is_usable = lock && is_usable();
    if (call->is_usable)
      call->fn();
    std::lock_guard state(state_mutex_);
    call->is_done = true;
    changed_.notify_all();
  }
  if (!lock || !start_failure_.empty())
    return kIdleRound;
  if (failure_.empty() && api_->phase() == MpiPhase::Finalized) {
    failure_ = "the program has finalized MPI";
    failed_ = true;
    for (MpiClient *client : clients_)
      client->on_failure(failure_);
  }
  std::chrono::microseconds pause = kIdleRound;
  if (!failure_.empty())
    return pause;
  for (MpiClient *client : clients_)
    pause = std::min(pause, client->progress());
  if (clients_.empty())
    (void)api_->progress();
  return pause;
}

void MpiWorld::deliver() {
  std::lock_guard delivery(delivery_);
  for (MpiClient *client : clients())
    client->deliver();
}

void MpiWorld::pause(Clock::time_point start) const {
  // The operating system may run another program for milliseconds.
  constexpr auto kKeepsCore = 200us;
  if (!has_cores_ || Clock::now() >= start + kKeepsCore)
    std::this_thread::yield();
}

void MpiWorld::wake() {
  std::lock_guard lock(state_mutex_);
  woken_ = true;
  changed_.notify_all();
}

//===- Calls of other threads ---------------------------------------------===//

std::unique_lock<std::timed_mutex> MpiWorld::lock_mpi() {
  std::unique_lock<std::timed_mutex> lock(mutex_, std::defer_lock);
  while (!lock.try_lock_for(10ms) && !is_stuck_) {
  }
  return lock;
}

std::vector<MpiClient *> MpiWorld::clients() {
  std::lock_guard lock(clients_mutex_);
  return clients_;
}

std::unique_lock<std::timed_mutex> MpiWorld::try_lock() {
  std::unique_lock<std::timed_mutex> lock(mutex_, std::defer_lock);
  if (may_call() && lock.try_lock() && !is_usable())
    lock.unlock();
  return lock;
}

Status MpiWorld::call(const std::function<void()> &fn) {
  auto unusable = [] {
    return failure(FailureKind::Runtime, "MPI has been finalized");
  };
  if (may_call()) {
    std::unique_lock lock = lock_mpi();
    if (!lock || !is_usable())
      return unusable();
    fn();
    return {};
  }
  Call call{fn};
  std::unique_lock lock(state_mutex_);
  calls_.push_back(&call);
  woken_ = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return call.is_done || ended_; });
  std::erase(calls_, &call);
  return call.is_done && call.is_usable ? Status() : unusable();
}

void MpiWorld::call_apart(std::function<void()> fn) {
  ++apart_;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([this, fn = std::move(fn)] {
    if (std::unique_lock lock = lock_mpi(); lock && is_usable())
      fn();
    --apart_;
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void MpiWorld::add(MpiClient &client) {
  std::unique_lock lock = lock_mpi();
  std::lock_guard guard(clients_mutex_);
  clients_.push_back(&client);
}

void MpiWorld::remove(MpiClient &client) {
  {
    std::unique_lock lock = lock_mpi();
    std::lock_guard guard(clients_mutex_);
    std::erase(clients_, &client);
  }
  // After this, the thread no longer uses the client.
  std::lock_guard delivery(delivery_);
}

} // namespace xlac::job
