// One rank of a job over MPI, for the tests that start mpirun:
//
//   mpi_rank CASE HOSTS DEADLINE_MS
//
// divides the ranks into HOSTS hosts and runs the case. It prints one line,
// "rank 2: ok" or "rank 2: MESSAGE", and exits with 0 or 1.
#include "collective_cases.h"

#include "xlac/job/job.h"
#include "xlac/runtime/collective_plan.h"
#include "xlac/support/clock.h"
#include "xlac/support/library_path.h"
#include "xlac/support/settings.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <thread>

#include <dlfcn.h>
#include <unistd.h>

using namespace xlac;
using namespace xlac::job;
using namespace xlac::test;
using namespace std::chrono_literals;

namespace {

constexpr int kVictim = 1;

std::string join_text(const Topology &topology,
                      std::chrono::milliseconds deadline,
                      const std::function<std::string(Job &)> &body) {
  auto job = join_job(topology, deadline);
  if (!job)
    return job.error().message;
  std::vector<int> first_replicas;
  for (int i = 0; i < topology.processes(); ++i)
    first_replicas.push_back(i * topology.devices_per_process);
  auto begun =
      (*job)->rendezvous(topology.first_replica(), "begin", {}, first_replicas);
  std::string text = begun ? body(**job) : begun.error().message;
  (*job)->leave(text.empty() ? Status()
                             : Status(failure(FailureKind::Collective, text)));
  return text;
}

/// Whether xlac's library, and with it MPI, is among the mapped files.
bool is_mpi_loaded() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("libxlac_mpi") != std::string::npos ||
        line.find("libmpi.so") != std::string::npos)
      return true;
  return false;
}

/// Every kind over every type, and large ones.
std::string run_all_kinds(Job &job) {
  int ordinal = job.topology().first_replica();
  std::string text = run_kinds(*job.grid(), ordinal, element_types(), 100);
  if (text.empty())
    text = run_kinds(*job.grid(), ordinal, {ElementType::F32, ElementType::I8},
                     300'000);
  return text;
}

/// All devices of this process run a function, one thread for each.
std::string on_each_device(Job &job,
                           const std::function<std::string(int)> &body) {
  int count = job.topology().devices_per_process;
  std::vector<std::string> texts(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back(
        [&, i] { texts[i] = body(job.topology().first_replica() + i); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &text : texts)
    if (!text.empty())
      return text;
  return "";
}

std::string join_with_devices(Topology topology,
                              std::chrono::milliseconds deadline) {
  topology.devices_per_process = 2;
  return join_text(topology, deadline, [](Job &job) {
    return on_each_device(job, [&](int ordinal) {
      return run_kinds(*job.grid(), ordinal,
                       {ElementType::F32, ElementType::BF16, ElementType::I1,
                        ElementType::Complex128},
                       20'000);
    });
  });
}

std::string run_without_elements(Job &job) {
  return run_kinds(*job.grid(), job.topology().first_replica(),
                   {ElementType::F32}, 0);
}

/// Every kind over tensors that are larger than the chunks of an engine.
std::string run_large(Job &job) {
  int ordinal = job.topology().first_replica();
  auto grid = job.grid();
  std::string text;
  grid->enter(ordinal);
  for (runtime::CollectiveKind kind : group_kinds())
    if (text.empty())
      text = run_collective(*grid, ordinal,
                            make_collective(kind, ElementType::F32,
                                            job.topology().replicas(), 0,
                                            1'200'000));
  grid->leave(ordinal, text.empty()
                           ? Status()
                           : Status(failure(FailureKind::Internal, text)));
  return text;
}

/// One sum of several tensors of different types.
std::string sum_several(Job &job) {
  int ordinal = job.topology().first_replica(),
      world = job.topology().replicas();
  const std::vector<std::pair<ElementType, int64_t>> tensors = {
      {ElementType::F32, 5},
      {ElementType::I64, 700'000},
      {ElementType::I8, 0},
      {ElementType::F32, 300'000}};
  runtime::Collective what;
  std::vector<std::vector<double>> memory; // aligned for all types
  std::vector<const void *> operands;
  std::vector<void *> results;
  for (auto [type, count] : tensors) {
    TensorType tensor;
    tensor.element = type;
    tensor.dims = {count};
    what.operands.push_back(tensor);
    std::vector<double> &in = memory.emplace_back(count + 8);
    for (int64_t i = 0; i < count; ++i)
      if (type == ElementType::F32)
        reinterpret_cast<float *>(in.data())[i] = float(i % 100 + ordinal);
      else if (type == ElementType::I64)
        reinterpret_cast<int64_t *>(in.data())[i] = i % 100 + ordinal;
  }
  what.results = what.operands;
  for (size_t i = 0; i < tensors.size(); ++i)
    operands.push_back(memory[i].data());
  std::vector<std::vector<double>> sums = memory;
  for (std::vector<double> &each : sums)
    results.push_back(each.data());
  auto grid = job.grid();
  grid->enter(ordinal);
  Status status = grid->run(
      ordinal, {what, operands, results,
                [&](size_t number, const void *left, const void *right,
                    void *result, int64_t elements) {
                  return add_elements(tensors[number].first, left, right,
                                      result, elements);
                }});
  grid->leave(ordinal, status);
  if (!status)
    return status.error().message;
  for (size_t t = 0; t < tensors.size(); ++t)
    for (int64_t i = 0; i < tensors[t].second; ++i) {
      int64_t wanted = i % 100 * world + int64_t(world) * (world - 1) / 2;
      int64_t got = tensors[t].first == ElementType::F32
                        ? int64_t(reinterpret_cast<float *>(sums[t].data())[i])
                        : reinterpret_cast<int64_t *>(sums[t].data())[i];
      if (got != wanted)
        return "tensor " + std::to_string(t) + " is wrong at " +
               std::to_string(i);
    }
  return "";
}

/// Payloads of these sizes between all ranks.
std::string exchange_payloads(Job &job, const std::vector<size_t> &sizes) {
  int world = job.topology().replicas(), own = job.topology().process();
  for (size_t size : sizes) {
    std::string payload(size, char('a' + own));
    auto all = job.rendezvous(own, "sizes", payload);
    if (!all)
      return all.error().message;
    for (int i = 0; i < world; ++i)
      if ((*all)[i] != std::string(size, char('a' + i)))
        return "another payload from " + std::to_string(i);
  }
  return "";
}

/// Collectives of one kind until one fails.
std::string run_rounds(Job &job, int rounds,
                       const std::function<std::string(int round)> &before) {
  int ordinal = job.topology().first_replica();
  auto grid = job.grid();
  for (int round = 0; round < rounds; ++round) {
    if (std::string text = before(round); !text.empty())
      return text;
    std::string text = run_kinds(*grid, ordinal, {ElementType::F32}, 100'000);
    if (!text.empty())
      return text;
  }
  return "";
}

std::string victim_does(Job &job, const std::function<std::string()> &what) {
  bool is_victim = job.topology().process() == kVictim;
  return run_rounds(job, 1000, [&](int round) {
    return is_victim && round == 2 ? what() : std::string();
  });
}

/// A random rank dies, stops or is late at a random moment of a collective. The
/// torture test draws the first two numbers too.
std::string meet_trouble(Job &job) {
  constexpr int kRounds = 60;
  const char *seed = std::getenv("XLAC_TEST_SEED");
  std::mt19937 random(seed ? std::atoi(seed) : 0);
  int trouble = static_cast<int>(random() % 3);
  int victim = static_cast<int>(random() % job.topology().processes());
  runtime::CollectiveKind kind = group_kinds()[random() % group_kinds().size()];
  int64_t elements = std::array{10, 5'000, 300'000}[random() % 3];
  std::chrono::milliseconds moment(random() % 200);
  std::atomic<bool> is_late = false;
  std::thread other;
  if (job.topology().process() == victim)
    other = std::thread([&] {
      std::this_thread::sleep_for(moment);
      if (trouble == 2)
        is_late = true;
      else
        kill(getpid(), trouble == 0 ? SIGKILL : SIGSTOP);
    });
  int ordinal = job.topology().first_replica();
  int world = job.topology().replicas();
  // The sum makes those wait that only send.
  const runtime::Collective all[] = {
      make_collective(kind, ElementType::F32, world, 0, elements),
      make_collective(runtime::CollectiveKind::AllReduce, ElementType::F32,
                      world, 0, 10)};
  auto grid = job.grid();
  std::string text;
  for (int round = 0; text.empty() && (trouble != 2 || round < kRounds);
       ++round) {
    if (is_late.exchange(false))
      std::this_thread::sleep_for(500ms);
    grid->enter(ordinal);
    for (const runtime::Collective &what : all)
      if (text.empty())
        text = run_collective(*grid, ordinal, what);
    grid->leave(ordinal, text.empty()
                             ? Status()
                             : Status(failure(FailureKind::Collective, text)));
  }
  if (other.joinable())
    other.join();
  return text;
}

/// A function of the MPI that libxlac_mpi.so is linked with.
void *function_of_mpi(const char *name) {
  auto path = find_own_library("libxlac_mpi.so");
  void *library = path ? dlopen(path->c_str(), RTLD_NOW) : nullptr;
  return library ? dlsym(library, name) : nullptr;
}

using Case = std::function<std::string(Topology, std::chrono::milliseconds)>;

Case in_job(const std::function<std::string(Job &)> &body) {
  return [body](Topology topology, std::chrono::milliseconds deadline) {
    return join_text(topology, deadline, body);
  };
}

std::string start_mpi(int level) {
  auto start = reinterpret_cast<int (*)(int *, char ***, int, int *)>(
      function_of_mpi("MPI_Init_thread"));
  int granted = 0;
  if (!start || start(nullptr, nullptr, level, &granted) != 0)
    return "cannot initialize MPI";
  return "";
}

std::string finish_mpi() {
  auto finish = reinterpret_cast<int (*)()>(function_of_mpi("MPI_Finalize"));
  return finish && finish() == 0 ? "" : "cannot finalize MPI";
}

/// The library's name for the highest level; the lowest is 0.
constexpr int kMultiple = 3;

/// A program that uses MPI itself, at this level.
Case beside_mpi(int level) {
  return [level](Topology topology, std::chrono::milliseconds deadline) {
    std::string text = start_mpi(level);
    if (text.empty())
      text = join_text(topology, deadline, run_all_kinds);
    return text.empty() ? finish_mpi() : text;
  };
}

std::string finalize_first(Topology topology,
                           std::chrono::milliseconds deadline) {
  std::string text = start_mpi(kMultiple);
  if (text.empty())
    text = finish_mpi();
  return text.empty() ? join_text(topology, deadline, run_all_kinds) : text;
}

std::string join_twice(Topology topology, std::chrono::milliseconds deadline) {
  if (is_mpi_loaded())
    return "MPI is loaded before the job";
  for (int i = 0; i < 2; ++i)
    if (std::string text = join_text(topology, deadline, run_all_kinds);
        !text.empty())
      return text;
  return is_mpi_loaded() ? "" : "MPI is not loaded";
}

/// Leaves the job to the end of the process.
std::string exit_in_job(Topology topology, std::chrono::milliseconds deadline) {
  static std::shared_ptr<Job> kept;
  auto job = join_job(topology, deadline);
  if (!job)
    return job.error().message;
  kept = *job;
  return run_all_kinds(*kept);
}

std::string join_differently(Topology topology,
                             std::chrono::milliseconds deadline) {
  if (topology.process() == kVictim)
    topology.devices_per_process = 2;
  return join_text(topology, deadline, run_all_kinds);
}

std::string use_other_collectives(Topology topology,
                                  std::chrono::milliseconds deadline) {
  if (topology.process() == kVictim)
    topology.collectives = CollectiveMethod::Engine;
  return join_text(topology, deadline, run_all_kinds);
}

std::string miss_a_rank(Topology topology, std::chrono::milliseconds deadline) {
  topology.hosts *= 2;
  return join_text(topology, deadline, run_all_kinds);
}

/// One rank never joins, but initializes MPI: the others wait for it.
std::string never_join(Topology topology, std::chrono::milliseconds deadline) {
  if (topology.process() != kVictim)
    return join_text(topology, deadline, run_all_kinds);
  std::this_thread::sleep_for(deadline + 10s);
  return "did not join";
}

const std::map<std::string, Case> &cases() {
  static const std::map<std::string, Case> all = {
      {"kinds", in_job(run_all_kinds)},
      {"devices", join_with_devices},
      {"floats", in_job([](Job &job) {
         return run_kinds(*job.grid(), job.topology().first_replica(),
                          {ElementType::F32}, 20'000);
       })},
      {"empty", in_job(run_without_elements)},
      {"large", in_job(run_large)},
      {"several", in_job(sum_several)},
      {"methods", use_other_collectives},
      {"payloads", in_job([](Job &job) {
         return exchange_payloads(job, {0, 1, 3900, 4100, 16'300, 16'500,
                                        262'000, 262'200, 3'000'000});
       })},
      {"few_payloads", in_job([](Job &job) {
         return exchange_payloads(job, {1, 4100, 70'000});
       })},
      {"trouble", in_job(meet_trouble)},
      {"twice", join_twice},
      {"exit", exit_in_job},
      {"beside", beside_mpi(kMultiple)},
      {"beside_single", beside_mpi(0)},
      {"finalized_first", finalize_first},
      {"different", join_differently},
      {"missing", miss_a_rank},
      {"never", never_join},
      {"killed", in_job([](Job &job) {
         return victim_does(job, []() -> std::string {
           raise(SIGKILL);
           return "";
         });
       })},
      {"stopped", in_job([](Job &job) {
         return victim_does(job, []() -> std::string {
           raise(SIGSTOP);
           return "";
         });
       })},
      {"fails", in_job([](Job &job) {
         return victim_does(job, [] { return "out of luck"; });
       })},
      {"finalized", in_job([](Job &job) {
         return victim_does(job, [] { return finish_mpi(); });
       })},
      {"differs", in_job([](Job &job) {
         return victim_does(job, [&] {
           return run_collective(
               *job.grid(), kVictim,
               make_collective(runtime::CollectiveKind::AllToAll,
                               ElementType::F64, job.topology().replicas(), 0,
                               1000));
         });
       })},
  };
  return all;
}

/// A number of the launcher; any of its kinds.
int number_of(std::initializer_list<const char *> names, int otherwise) {
  for (const char *name : names)
    if (const char *text = std::getenv(name))
      return std::atoi(text);
  return otherwise;
}

} // namespace

int main(int count, char **words) {
  auto found = count == 4 ? cases().find(words[1]) : cases().end();
  if (found == cases().end()) {
    std::fprintf(stderr, "usage: mpi_rank CASE HOSTS DEADLINE_MS\n");
    return 2;
  }
  int rank = number_of({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}, 0);
  int size = number_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1);
  Topology topology;
  topology.transport = HostTransport::Mpi;
  topology.hosts = std::atoi(words[2]);
  topology.processes_per_host = size / topology.hosts;
  topology.host = rank / topology.processes_per_host;
  topology.local_process = rank % topology.processes_per_host;
  auto method = text_setting(SettingId::JobCollectives);
  if (method == "engine")
    topology.collectives = CollectiveMethod::Engine;
  if (method == "hierarchical")
    topology.collectives = CollectiveMethod::Hierarchical;
  if (topology.collectives != CollectiveMethod::Plan)
    accept_any_order();
  std::string text =
      found->second(topology, std::chrono::milliseconds(std::atoi(words[3])));
  std::string line = "rank " + std::to_string(rank) + ": " +
                     (text.empty() ? "ok" : text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
  return text.empty() ? 0 : 1;
}
