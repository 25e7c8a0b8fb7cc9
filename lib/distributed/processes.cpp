#include "processes.h"

#include "xlac/support/logging.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xlac::distributed {

using Milliseconds = std::chrono::milliseconds;

//===- Fork ---------------------------------------------------------------===//

Fork fork_process(const std::function<int(int reports)> &body) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    raise<RuntimeError>(std::string("no pipe: ") + std::strerror(errno));
  // Flushes buffers first, so that only this process writes their contents.
  std::cout.flush();
  std::fflush(nullptr);
  pid_t parent = getpid(), pid = fork();
  if (pid < 0) {
    int problem = errno;
    close(ends[0]);
    close(ends[1]);
    raise<RuntimeError>(std::string("no process: ") + std::strerror(problem));
  }
  if (pid == 0) {
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have died before prctl.
    int status = getppid() == parent ? body(ends[1]) : 1;
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    // _exit, since the parent's exit handlers must not run in this process.
    _exit(status);
  }
  close(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {pid, ends[0]};
}

//===- Reports ------------------------------------------------------------===//

/// Writes "<ordinal> <0 or 1> <message>" and a zero byte.
void write_report(int to, const ReplicaFailure &report) {
  // A longer message might block, since a pipe holds 64 KiB without a reader.
  constexpr size_t kMost = 16 << 10;
  std::string text = std::to_string(report.ordinal) +
                     (report.is_consequence ? " 1 " : " 0 ") +
                     report.message.substr(0, kMost) + '\0';
  for (size_t done = 0; done < text.size();) {
    ssize_t wrote = write(to, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR)
      return;
    done += static_cast<size_t>(std::max<ssize_t>(wrote, 0));
  }
}

/// Returns the first report of a process that is not a consequence, or else the
/// first one.
static std::optional<ReplicaFailure> parse_reports(const std::string &text) {
  std::optional<ReplicaFailure> best;
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\0', begin), text.size());
    std::string one = text.substr(begin, end - begin);
    size_t blank = one.find(' ');
    if (blank == std::string::npos || one.size() < blank + 3)
      continue;
    ReplicaFailure report{std::atoi(one.c_str()), one.substr(blank + 3),
                          one[blank + 1] == '1'};
    if (!best || (best->is_consequence && !report.is_consequence))
      best = std::move(report);
  }
  return best;
}

//===- Monitoring ---------------------------------------------------------===//

using Children = ProcessContext::Children;

Children::~Children() {
  if (getpid() == parent_)
    for (Child &child : children_)
      close(child.reports);
}

void Children::add(Fork fork, int ordinal) {
  std::lock_guard lock(mutex_);
  children_.push_back({fork.pid, fork.reports, ordinal, {}});
}

std::vector<int> Children::pids() const {
  std::lock_guard lock(mutex_);
  std::vector<int> list;
  for (const Child &child : children_)
    list.push_back(child.pid);
  return list;
}

void Children::read_reports(Child &child) {
  char bytes[4096];
  for (ssize_t got; (got = read(child.reports, bytes, sizeof bytes)) > 0;)
    child.said.append(bytes, static_cast<size_t>(got));
}

/// Updates the states of processes that have ended.
void Children::look() {
  for (Child &child : children_) {
    if (child.is_ended)
      continue;
    pid_t ended = waitpid(child.pid, &child.status, WNOHANG);
    read_reports(child);
    // ECHILD: another caller's wait may have reaped it.
    child.is_ended = ended == child.pid || (ended < 0 && errno == ECHILD);
  }
}

bool Children::are_running() {
  if (getpid() != parent_)
    return false;
  std::lock_guard lock(mutex_);
  look();
  return std::any_of(children_.begin(), children_.end(),
                     [](const Child &child) { return !child.is_ended; });
}

bool Children::has_failed(const Child &child) const {
  return child.is_ended && !child.is_killed && child.status != 0;
}

/// Terminates running processes; kills those that do not end in time.
void Children::end_locked() {
  constexpr Milliseconds kPatience(1000), kPause(5);
  auto all_ended = [&] {
    look();
    return std::all_of(children_.begin(), children_.end(),
                       [](const Child &child) { return child.is_ended; });
  };
  for (int signal : {SIGTERM, SIGKILL}) {
    if (all_ended())
      return;
    for (Child &child : children_)
      if (!child.is_ended) {
        child.is_killed = true;
        kill(child.pid, signal);
      }
    for (auto waited = Milliseconds(0);
         !all_ended() && (waited < kPatience || signal == SIGKILL);
         waited += kPause)
      poll(nullptr, 0, static_cast<int>(kPause.count()));
  }
}

void Children::end_all() {
  std::lock_guard lock(mutex_);
  end_locked();
}

static std::string end_text(int status) {
  if (WIFSIGNALED(status))
    return "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  return "exited with status " + std::to_string(WEXITSTATUS(status));
}

/// Throws the failure that is not a consequence of another process's failure.
void Children::raise_failure() const {
  const Child *cause = nullptr;
  std::optional<ReplicaFailure> said;
  for (const Child &child : children_) {
    if (!has_failed(child) && child.said.empty())
      continue;
    std::optional<ReplicaFailure> report = parse_reports(child.said);
    if (cause &&
        !(said && said->is_consequence && !(report && report->is_consequence)))
      continue;
    cause = &child;
    said = std::move(report);
  }
  int ordinal = said ? said->ordinal : cause->ordinal;
  throw ProcessRaisedError(
      ordinal,
      "spawn(): process " + std::to_string(ordinal) + " " +
          (said ? "failed: " + said->message : end_text(cause->status)));
}

bool Children::join(std::optional<double> timeout) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  constexpr Milliseconds kFirstPause(1), kLongestPause(20);
  Milliseconds pause = kFirstPause;
  while (true) {
    {
      std::lock_guard lock(mutex_);
      look();
      if (std::any_of(children_.begin(), children_.end(),
                      [&](const Child &child) { return has_failed(child); })) {
        end_locked();
        raise_failure();
      }
      if (std::all_of(children_.begin(), children_.end(),
                      [](const Child &child) { return child.is_ended; }))
        return true;
    }
    std::chrono::duration<double> passed = Clock::now() - start;
    if (timeout && passed.count() >= *timeout)
      return false;
    poll(nullptr, 0, static_cast<int>(pause.count()));
    pause = std::min(2 * pause, kLongestPause);
  }
}

void Children::finish() {
  if (getpid() != parent_)
    return;
  if (daemon_) {
    end_all();
    return;
  }
  try {
    join({});
  } catch (const Error &error) {
    log_error(error.what());
  }
}

//===- ProcessContext -----------------------------------------------------===//

bool ProcessContext::join(std::optional<double> timeout) {
  return children_->join(timeout);
}

std::vector<int> ProcessContext::pids() const { return children_->pids(); }

} // namespace xlac::distributed
