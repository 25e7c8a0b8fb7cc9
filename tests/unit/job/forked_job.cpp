#include "forked_job.h"

#include "xlac/support/clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xlac::test {

std::string unique_name() {
  static int count = 0;
  return "test-" + std::to_string(getpid()) + "-" + std::to_string(++count);
}

int free_port() {
  int number = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t size = sizeof address;
  bind(number, reinterpret_cast<sockaddr *>(&address), size);
  getsockname(number, reinterpret_cast<sockaddr *>(&address), &size);
  close(number);
  return ntohs(address.sin_port);
}

namespace {

std::string run_process(const JobOptions &options, job::Topology topology,
                        const std::function<std::string(job::Job &)> &body) {
  if (options.delay)
    std::this_thread::sleep_for(options.delay(topology.process()));
  if (options.edit)
    options.edit(topology);
  auto job = job::join_job(topology, options.deadline, options.listening);
  return job ? body(**job) : job.error().message;
}

struct Child {
  pid_t pid = -1;
  int pipe = -1;
  bool ended = false, stopped = false;
};

} // namespace

std::vector<Outcome>
run_job(const JobOptions &options,
        const std::function<std::string(job::Job &job)> &body) {
  const JobShape &shape = options.shape;
  job::Topology topology;
  topology.hosts = shape.hosts;
  topology.processes_per_host = shape.processes_per_host;
  topology.devices_per_process = shape.devices_per_process;
  topology.master_address = options.master_address;
  topology.master_port = free_port();
  topology.name = unique_name();
  std::vector<Child> children(shape.processes());
  auto start = Clock::now();
  for (int i = 0; i < shape.processes(); ++i) {
    int ends[2];
    if (pipe(ends) != 0)
      ADD_FAILURE() << "no pipe";
    children[i].pid = fork();
    if (children[i].pid == 0) {
      for (const Child &other : children)
        if (other.pipe >= 0)
          close(other.pipe);
      close(ends[0]);
      topology.host = i / shape.processes_per_host;
      topology.local_process = i % shape.processes_per_host;
      std::string text = run_process(options, topology, body);
      (void)!write(ends[1], text.data(), text.size());
      _exit(0);
    }
    close(ends[1]);
    children[i].pipe = ends[0];
  }
  std::vector<Outcome> outcomes(children.size());
  for (size_t left = children.size(); left > 0;) {
    bool late = Clock::now() > start + options.patience;
    // Processes that are stopped for good are ended together with the others.
    bool all_stopped =
        left < children.size() &&
        std::all_of(
            children.begin(), children.end(),
            [](const Child &child) { return child.ended || child.stopped; });
    for (size_t i = 0; i < children.size(); ++i) {
      if (children[i].ended)
        continue;
      outcomes[i].late |= late;
      if (late || all_stopped)
        kill(children[i].pid, SIGKILL);
      int status = 0;
      if (waitpid(children[i].pid, &status, WNOHANG | WUNTRACED) == 0)
        continue;
      if (WIFSTOPPED(status)) {
        children[i].stopped = true;
        continue;
      }
      children[i].ended = true;
      --left;
      outcomes[i].seconds = milliseconds_since(start) / 1000;
      outcomes[i].signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      char buffer[4096];
      for (ssize_t got;
           (got = read(children[i].pipe, buffer, sizeof buffer)) > 0;)
        outcomes[i].text.append(buffer, got);
      close(children[i].pipe);
    }
    if (left > 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return outcomes;
}

std::string on_replicas(job::Job &job,
                        const std::function<std::string(int ordinal)> &body) {
  const job::Topology &topology = job.topology();
  std::vector<std::string> texts(topology.devices_per_process);
  std::vector<std::thread> threads;
  for (int i = 0; i < topology.devices_per_process; ++i)
    threads.emplace_back(
        [&, i] { texts[i] = body(topology.first_replica() + i); });
  for (std::thread &thread : threads)
    thread.join();
  std::string all;
  for (const std::string &text : texts)
    all += text.empty() || all.empty() ? text : "\n" + text;
  return all;
}

std::string in_run(runtime::Communicator &grid, int ordinal,
                   const std::function<Status()> &body) {
  grid.enter(ordinal);
  Status status = body();
  grid.leave(ordinal, status);
  return status ? "" : status.error().message;
}

} // namespace xlac::test
