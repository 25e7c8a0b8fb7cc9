#include "child_processes.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xlac::cli {

namespace {

/// The time between SIGTERM and SIGKILL.
constexpr std::chrono::milliseconds kGrace(2000);

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP})
    sigaddset(&set, signal);
  return set;
}

void close_if_open(int &number) {
  if (number >= 0)
    close(number);
  number = -1;
}

/// In the child: executes the program, or reports why that fails.
[[noreturn]] void become(const ChildCommand &member, const int *outputs,
                         int input, pid_t parent) {
  setpgid(0, 0);
  // If this process is killed, its children are killed as well. Tied children
  // end when their input ends instead, so that they can end their own children.
  if (!member.tied)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  dup2(input, STDIN_FILENO);
  if (outputs[0] >= 0)
    dup2(outputs[0], STDOUT_FILENO);
  if (outputs[1] >= 0)
    dup2(outputs[1], STDERR_FILENO);
  for (const auto &[name, value] : member.variables)
    setenv(name.c_str(), value.c_str(), 1);
  std::vector<char *> arguments;
  for (const std::string &word : member.command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  std::fprintf(stderr, "xlac launch: cannot run %s: %s\n", arguments[0],
               std::strerror(errno));
  std::fflush(stderr);
  _exit(127);
}

} // namespace

ChildProcesses::ChildProcesses(bool tied) : tied_(tied) {
  sigset_t set = watched_signals();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  // If its output is closed, this process must still end its children.
  std::signal(SIGPIPE, SIG_IGN);
}

ChildProcesses::~ChildProcesses() { close_if_open(signals_); }

Status ChildProcesses::start(const ChildCommand &member) {
  Running running;
  running.name = member.name;
  running.prefix = member.prefix;
  int outputs[2] = {-1, -1};
  int ends[2];
  auto broken = [&] {
    return failure(FailureKind::Runtime,
                   member.name + " cannot be started: " + std::strerror(errno));
  };
  for (int which = 0; which < 2 && !member.prefix.empty(); ++which) {
    if (pipe2(ends, O_CLOEXEC) != 0)
      return broken();
    running.outputs[which] = ends[0];
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    outputs[which] = ends[1];
  }
  int input = -1;
  if (member.tied) {
    if (pipe2(ends, O_CLOEXEC) != 0)
      return broken();
    input = ends[0];
    running.input = ends[1];
    if (::write(ends[1], member.input.data(), member.input.size()) !=
        static_cast<ssize_t>(member.input.size()))
      return broken();
  } else {
    input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
  pid_t parent = getpid();
  running.pid = fork();
  if (running.pid == 0)
    become(member, outputs, input, parent);
  // Both processes call it, so that it takes effect in time.
  setpgid(running.pid, running.pid);
  for (int &output : outputs)
    close_if_open(output);
  close_if_open(input);
  if (running.pid < 0)
    return broken();
  members_.push_back(std::move(running));
  return {};
}

void ChildProcesses::kill_all(int signal) {
  for (Running &member : members_) {
    // A tied child's input ends first, so that it can end its own children.
    if (signal == SIGTERM && member.input >= 0) {
      close_if_open(member.input);
      continue;
    }
    // The process group exists as long as any of its processes.
    if (!member.ended || signal == SIGKILL)
      kill(-member.pid, signal);
  }
}

void ChildProcesses::end_all(int status) {
  if (status_ == 0)
    status_ = status;
  if (ending_)
    return;
  ending_ = true;
  kill_at_ = std::chrono::steady_clock::now() + kGrace;
  kill_all(SIGTERM);
}

void ChildProcesses::reap() {
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    auto member =
        std::find_if(members_.begin(), members_.end(),
                     [&](const Running &each) { return each.pid == pid; });
    if (member == members_.end())
      continue;
    member->ended = true;
    kill(-pid, SIGKILL); // remaining processes of its group
    int result =
        WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (result == 0 || ending_)
      continue;
    std::fprintf(stderr, "xlac launch: %s ended with %s %d%s\n",
                 member->name.c_str(),
                 WIFSIGNALED(status) ? "signal" : "status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : result,
                 members_.size() > 1 ? "; the others are ended" : "");
    end_all(result);
  }
}

void ChildProcesses::on_signal() {
  signalfd_siginfo info;
  while (read(signals_, &info, sizeof info) == sizeof info)
    if (info.ssi_signo != SIGCHLD)
      end_all(128 + static_cast<int>(info.ssi_signo));
  reap();
}

void ChildProcesses::print_line(const Running &member, int which,
                                std::string_view line) {
  std::string text = member.prefix;
  text += line;
  text += '\n';
  // Writes the line in one call, so that lines of several children do not mix.
  std::FILE *to = which == 0 ? stdout : stderr;
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

void ChildProcesses::read_output(Running &member, int which) {
  char buffer[1 << 16];
  for (;;) {
    ssize_t got = read(member.outputs[which], buffer, sizeof buffer);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return;
    if (got == 0)
      break;
    std::string &held = member.lines[which];
    held.append(buffer, got);
    size_t begin = 0;
    for (size_t end; (end = held.find('\n', begin)) != std::string::npos;
         begin = end + 1)
      print_line(member, which,
                 std::string_view(held).substr(begin, end - begin));
    held.erase(0, begin);
  }
  if (!member.lines[which].empty())
    print_line(member, which, member.lines[which]);
  member.lines[which].clear();
  close_if_open(member.outputs[which]);
}

bool ChildProcesses::is_done() const {
  return std::all_of(
      members_.begin(), members_.end(), [](const Running &member) {
        return member.ended && member.outputs[0] < 0 && member.outputs[1] < 0;
      });
}

int ChildProcesses::poll_timeout() const {
  if (!ending_)
    return -1;
  auto left = std::chrono::ceil<std::chrono::milliseconds>(
      kill_at_ - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1000));
}

int ChildProcesses::wait() {
  bool watches_input = tied_;
  while (!is_done()) {
    std::vector<pollfd> wanted = {
        {signals_, POLLIN, 0}, {watches_input ? STDIN_FILENO : -1, POLLIN, 0}};
    for (const Running &member : members_)
      for (int output : member.outputs)
        wanted.push_back({output, POLLIN, 0});
    poll(wanted.data(), wanted.size(), poll_timeout());
    if (wanted[0].revents)
      on_signal();
    char ignored[256];
    if (wanted[1].revents && read(STDIN_FILENO, ignored, sizeof ignored) <= 0) {
      watches_input = false;
      end_all(128 + SIGHUP);
    }
    for (size_t i = 0; i < members_.size(); ++i)
      for (int which = 0; which < 2; ++which)
        if (wanted[2 + 2 * i + which].revents)
          read_output(members_[i], which);
    if (ending_ && std::chrono::steady_clock::now() >= kill_at_) {
      kill_all(SIGKILL);
      kill_at_ = std::chrono::steady_clock::now() + kGrace;
    }
  }
  return status_;
}

} // namespace xlac::cli
