// All-reduces of float tensors over two processes: through shared memory of a
// host, over TCP between two hosts (simulated by loopback), by Gloo over
// loopback, and a copy of the same number of bytes for comparison. Prints
// medians of interleaved repetitions.
#include "xlac/job/job.h"
#include "xlac/support/clock.h"

#include <gloo/allreduce.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace xlac;

namespace {

constexpr int kProcesses = 2;

struct Contender {
  const char *name;
  std::function<void()> run;
  std::vector<double> milliseconds;
};

std::shared_ptr<job::Job> join(const std::string &name, int rank, bool far) {
  job::Topology topology;
  (far ? topology.hosts : topology.processes_per_host) = kProcesses;
  (far ? topology.host : topology.local_process) = rank;
  topology.master_port = 20000 + getppid() % 10000;
  topology.name = name;
  auto job = job::join_job(topology, std::chrono::seconds(30));
  if (!job) {
    std::fprintf(stderr, "all_reduce_bench: %s\n", job.error().message.c_str());
    std::exit(1);
  }
  return *job;
}

Status add(size_t, const void *left, const void *right, void *result,
           int64_t elements) {
  const auto *a = static_cast<const float *>(left);
  const auto *b = static_cast<const float *>(right);
  auto *sum = static_cast<float *>(result);
  for (int64_t i = 0; i < elements; ++i)
    sum[i] = a[i] + b[i];
  return {};
}

/// All-reduces one tensor of `count` floats in each process.
class Sum {
public:
  Sum(std::shared_ptr<job::Job> job, int rank, const float *in, float *out,
      int64_t count)
      : job_(std::move(job)), rank_(rank), in_(in), out_(out) {
    what_.kind = runtime::CollectiveKind::AllReduce;
    what_.operands.resize(1);
    what_.operands[0].dims = {count};
    what_.results = what_.operands;
  }
  void run() {
    const void *operands[] = {in_};
    void *results[] = {out_};
    auto grid = job_->grid();
    grid->enter(rank_);
    Status status = grid->run(rank_, {what_, operands, results, add, 1});
    grid->leave(rank_, status);
    if (!status) {
      std::fprintf(stderr, "all_reduce_bench: %s\n",
                   status.error().message.c_str());
      std::exit(1);
    }
  }

private:
  std::shared_ptr<job::Job> job_;
  int rank_;
  const float *in_;
  float *out_;
  runtime::Collective what_;
};

std::shared_ptr<gloo::Context> make_gloo(const std::string &folder, int rank) {
  gloo::transport::tcp::attr place;
  place.hostname = "127.0.0.1";
  auto device = gloo::transport::tcp::CreateDevice(place);
  gloo::rendezvous::FileStore store(folder);
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, kProcesses);
  context->connectFullMesh(store, device);
  return context;
}

void compare(int rank, int64_t count, int rounds, job::Job &clock,
             const std::shared_ptr<job::Job> &near,
             const std::shared_ptr<job::Job> &far,
             const std::shared_ptr<gloo::Context> &other) {
  auto bytes = static_cast<size_t>(count) * sizeof(float);
  size_t room = (bytes + 63) / 64 * 64;
  auto *in = static_cast<float *>(std::aligned_alloc(64, room));
  auto *out = static_cast<float *>(std::aligned_alloc(64, room));
  for (int64_t i = 0; i < count; ++i)
    in[i] = static_cast<float>(i % 1000 + rank);
  Sum here(near, rank, in, out, count), there(far, rank, in, out, count);
  Contender contenders[] = {
      {"copy", [&] { std::memcpy(out, in, bytes); }, {}},
      {"shared memory", [&] { here.run(); }, {}},
      {"tcp", [&] { there.run(); }, {}},
      {"gloo",
       [&] {
         gloo::AllreduceOptions options(other);
         options.setInput(in, count);
         options.setOutput(out, count);
         options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
         options.setReduceFunction(
             [](void *sum, const void *a, const void *b, size_t elements) {
               (void)add(0, a, b, sum, static_cast<int64_t>(elements));
             });
         gloo::allreduce(options);
       },
       {}},
  };
  for (int round = -1; round < rounds; ++round)
    for (Contender &each : contenders) {
      bool copies = each.name == std::string("copy");
      if (!clock.rendezvous(rank, each.name, ""))
        std::exit(1);
      auto start = Clock::now();
      // Only rank 0 copies; the other process is idle.
      if (!copies || rank == 0)
        each.run();
      double time = milliseconds_since(start);
      if (!clock.rendezvous(rank, each.name, ""))
        std::exit(1);
      if (round >= 0)
        each.milliseconds.push_back(time);
      if (!copies && out[count / 2] != 2 * in[count / 2] + 1 - 2 * rank) {
        std::fprintf(stderr, "all_reduce_bench: %s is wrong\n", each.name);
        std::exit(1);
      }
    }
  for (Contender &each : contenders) {
    std::sort(each.milliseconds.begin(), each.milliseconds.end());
    double median = each.milliseconds[each.milliseconds.size() / 2];
    if (rank == 0)
      std::printf("%10zu bytes  %-14s %9.3f ms  %6.2f GB/s\n", bytes, each.name,
                  median, static_cast<double>(bytes) / median / 1e6);
  }
  std::free(in);
  std::free(out);
}

void run_process(int rank, int rounds, const std::string &folder) {
  std::string name = "bench-" + std::to_string(getppid());
  auto clock = join(name + "-clock", rank, false);
  auto near = join(name + "-near", rank, false);
  auto far = join(name + "-far", rank, true);
  auto other = make_gloo(folder, rank);
  for (int64_t count : {1, 1024, 256 << 10, 16 << 20})
    compare(rank, count, count > 100'000 ? rounds : 20 * rounds, *clock, near,
            far, other);
}

} // namespace

int main(int argc, char **argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  std::string folder = (std::filesystem::temp_directory_path() /
                        ("all_reduce_bench-" + std::to_string(getpid())))
                           .string();
  std::filesystem::create_directory(folder);
  for (int rank = 0; rank < kProcesses; ++rank)
    if (fork() == 0) {
      run_process(rank, std::max(rounds, 1), folder);
      std::fflush(stdout);
      _exit(0);
    }
  int status = 0, worst = 0;
  while (wait(&status) > 0)
    worst = std::max(worst, WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  std::filesystem::remove_all(folder);
  return worst;
}
