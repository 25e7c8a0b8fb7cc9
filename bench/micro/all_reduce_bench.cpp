// All-reduces of float tensors over two processes: through shared memory of a
// host, over TCP between two hosts (simulated by loopback), by Gloo over
// loopback, and a copy of the same number of bytes for comparison. Prints
// medians of interleaved repetitions.
//
//   all_reduce_bench [ROUNDS] [--transport shm,tcp,gloo]
//   mpirun -n 4 all_reduce_bench [ROUNDS] [--transport mpi,engine,shm,tcp,gloo]
//   … [--most BYTES]
//
// Under mpirun the processes are its ranks. "mpi" is a job over MPI, with one
// host per rank, beside MPI_Allreduce; "engine" such a job with
// XLAC_COLLECTIVES=engine. Sizes are 4 bytes to BYTES, at most 256 MiB.
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

#ifdef XLAC_BENCH_MPI
#include <mpi.h>
#endif

using namespace xlac;

namespace {

int processes = 2;
std::string transports = "shm,tcp,gloo";
int64_t most = 64 << 20; ///< bytes

bool is_chosen(const std::string &transport) {
  return ("," + transports + ",").find("," + transport + ",") !=
         std::string::npos;
}

struct Contender {
  std::string name;
  std::function<void()> run;
  std::vector<double> milliseconds;
};

enum class Far { No, Tcp, Mpi, Engine };

std::shared_ptr<job::Job> join(const std::string &name, int rank, Far between) {
  job::Topology topology;
  bool far = between != Far::No;
  if (between == Far::Mpi || between == Far::Engine)
    topology.transport = job::HostTransport::Mpi;
  if (between == Far::Engine)
    topology.collectives = job::CollectiveMethod::Engine;
  (far ? topology.hosts : topology.processes_per_host) = processes;
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
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, processes);
  context->connectFullMesh(store, device);
  return context;
}

struct Engines {
  std::shared_ptr<job::Job> clock, near, far, mpi, engine; ///< null: not chosen
  std::shared_ptr<gloo::Context> gloo;
};

void sum_by_gloo(const std::shared_ptr<gloo::Context> &context, float *in,
                 float *out, int64_t count) {
  gloo::AllreduceOptions options(context);
  options.setInput(in, count);
  options.setOutput(out, count);
  options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
  options.setReduceFunction(
      [](void *sum, const void *a, const void *b, size_t elements) {
        (void)add(0, a, b, sum, static_cast<int64_t>(elements));
      });
  gloo::allreduce(options);
}

std::vector<Contender> contenders_of(const Engines &engines, int rank,
                                     float *in, float *out, int64_t count) {
  std::vector<Contender> all;
  all.push_back(
      {"copy", [=] { std::memcpy(out, in, count * sizeof *in); }, {}});
  auto add_job = [&](const char *name, const std::shared_ptr<job::Job> &job) {
    if (!job)
      return;
    auto sum = std::make_shared<Sum>(job, rank, in, out, count);
    all.push_back({name, [sum] { sum->run(); }, {}});
  };
  add_job("shared memory", engines.near);
  add_job("tcp", engines.far);
  add_job("mpi", engines.mpi);
  add_job("engine", engines.engine);
#ifdef XLAC_BENCH_MPI
  if (engines.mpi)
    all.push_back({"MPI_Allreduce",
                   [=] {
                     MPI_Allreduce(in, out, static_cast<int>(count), MPI_FLOAT,
                                   MPI_SUM, MPI_COMM_WORLD);
                   },
                   {}});
#endif
  if (engines.gloo)
    all.push_back(
        {"gloo", [=] { sum_by_gloo(engines.gloo, in, out, count); }, {}});
  return all;
}

void compare(int rank, int64_t count, int rounds, const Engines &engines) {
  auto bytes = static_cast<size_t>(count) * sizeof(float);
  size_t room = (bytes + 63) / 64 * 64;
  auto *in = static_cast<float *>(std::aligned_alloc(64, room));
  auto *out = static_cast<float *>(std::aligned_alloc(64, room));
  for (int64_t i = 0; i < count; ++i)
    in[i] = static_cast<float>(i % 1000 + rank);
  job::Job &clock = *engines.clock;
  std::vector<Contender> contenders =
      contenders_of(engines, rank, in, out, count);
  float wanted =
      static_cast<float>(processes) * in[count / 2] +
      static_cast<float>(processes * (processes - 1) / 2 - processes * rank);
  for (int round = -1; round < rounds; ++round)
    for (Contender &each : contenders) {
      bool copies = each.name == "copy";
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
      if (!copies && out[count / 2] != wanted) {
        std::fprintf(stderr, "all_reduce_bench: %s is wrong\n",
                     each.name.c_str());
        std::exit(1);
      }
    }
  for (Contender &each : contenders) {
    std::sort(each.milliseconds.begin(), each.milliseconds.end());
    double median = each.milliseconds[each.milliseconds.size() / 2];
    if (rank == 0)
      std::printf("%10zu bytes  %-14s %9.3f ms  %6.2f GB/s\n", bytes,
                  each.name.c_str(), median,
                  static_cast<double>(bytes) / median / 1e6);
  }
  std::free(in);
  std::free(out);
}

void run_process(int rank, int rounds) {
  std::string name = "bench-" + std::to_string(getppid());
  std::string folder =
      std::filesystem::temp_directory_path() / ("all_reduce_" + name);
  std::error_code ignored;
  std::filesystem::create_directory(folder, ignored);
  Engines engines;
  if (is_chosen("mpi"))
    engines.mpi = join(name, rank, Far::Mpi);
  if (is_chosen("engine"))
    engines.engine = join(name, rank, Far::Engine);
  engines.clock = join(name + "-clock", rank, Far::No);
  if (is_chosen("shm"))
    engines.near = join(name + "-near", rank, Far::No);
  if (is_chosen("tcp"))
    engines.far = join(name + "-far", rank, Far::Tcp);
  if (is_chosen("gloo"))
    engines.gloo = make_gloo(folder, rank);
  for (int64_t bytes : {4, 1 << 10, 16 << 10, 256 << 10, 1 << 20, 4 << 20,
                        16 << 20, 64 << 20, 256 << 20})
    if (bytes <= most)
      compare(rank, bytes / 4, bytes > 400'000 ? rounds : 10 * rounds, engines);
  (void)engines.clock->rendezvous(rank, "end", "");
  std::filesystem::remove_all(folder, ignored); // other ranks do too
}

/// A number that mpirun sets.
int number_of(const char *name, const char *other, int otherwise) {
  const char *text = std::getenv(name);
  text = text ? text : std::getenv(other);
  return text ? std::atoi(text) : otherwise;
}

} // namespace

int main(int argc, char **argv) {
  int rounds = 15;
  int rank = number_of("OMPI_COMM_WORLD_RANK", "PMI_RANK", -1);
  if (rank >= 0)
    transports = "mpi,engine," + transports;
  for (int i = 1; i < argc; ++i)
    if (argv[i] == std::string("--transport") && i + 1 < argc)
      transports = argv[++i];
    else if (argv[i] == std::string("--most") && i + 1 < argc)
      most = std::atoll(argv[++i]);
    else
      rounds = std::atoi(argv[i]);
  rounds = std::max(rounds, 1);
  if (rank >= 0) {
    processes = number_of("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 1);
    run_process(rank, rounds);
    return 0;
  }
  for (int i = 0; i < processes; ++i)
    if (fork() == 0) {
      run_process(i, rounds);
      std::fflush(stdout);
      _exit(0);
    }
  int status = 0, worst = 0;
  while (wait(&status) > 0)
    worst = std::max(worst, WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  return worst;
}
