// Jobs of several processes: rendezvous, and the results of every collective,
// within a host and between hosts.
#include "collective_cases.h"
#include "forked_job.h"
#include "socket.h"

#include "xlac/job/placed_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <thread>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace xlac;
using namespace xlac::job;
using namespace xlac::test;
using namespace std::chrono_literals;

namespace {

using Payloads = std::vector<std::string>;

void expect_well(const std::vector<Outcome> &outcomes) {
  for (size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(outcomes[i].text, "") << "process " << i;
    EXPECT_EQ(outcomes[i].signal, 0) << "process " << i;
  }
}

class Shapes : public testing::TestWithParam<JobShape> {};

} // namespace

TEST_P(Shapes, EveryKindOverEveryType) {
  expect_well(run_job({.shape = GetParam()}, [](Job &job) {
    return on_replicas(job, [&](int ordinal) {
      return run_kinds(*job.grid(), ordinal, element_types(), 100);
    });
  }));
}

TEST_P(Shapes, ManyMessagesOfEveryKind) {
#ifdef XLAC_TEST_SANITIZED
  constexpr int64_t kElements = 100'000;
#else
  constexpr int64_t kElements = 300'000;
#endif
  expect_well(run_job({.shape = GetParam()}, [](Job &job) {
    return on_replicas(job, [&](int ordinal) {
      return run_kinds(*job.grid(), ordinal,
                       {ElementType::F32, ElementType::I8}, kElements);
    });
  }));
}

TEST_P(Shapes, Rendezvous) {
  expect_well(run_job({.shape = GetParam()}, [](Job &job) {
    return on_replicas(job, [&](int ordinal) -> std::string {
      int world = job.topology().replicas();
      Payloads expected;
      for (int round = 0; round < 20; ++round) {
        expected.clear();
        for (int i = 0; i < world; ++i)
          expected.push_back(std::to_string(i * round));
        auto all =
            job.rendezvous(ordinal, "tag", std::to_string(ordinal * round));
        if (!all)
          return all.error().message;
        if (*all != expected)
          return "other payloads";
      }
      std::vector<int> few = {world - 1, 0};
      if (ordinal != 0 && ordinal != world - 1)
        return "";
      auto two = job.rendezvous(ordinal, "few", std::to_string(ordinal), few);
      if (!two)
        return two.error().message;
      return *two == Payloads{std::to_string(world - 1), "0"}
                 ? ""
                 : "other payloads of few";
    });
  }));
}

TEST_P(Shapes, GridsOfReplicasInAnyOrder) {
  expect_well(run_job({.shape = GetParam()}, [](Job &job) {
    int world = job.topology().replicas();
    std::vector<int> all, few = {world - 1, 0};
    for (int i = 0; i < world; ++i)
      all.push_back((world - i) % world);
    return on_replicas(job, [&](int ordinal) {
      std::string text;
      for (int round = 0; round < 2; ++round)
        for (const std::vector<int> &ordinals : {all, few}) {
          auto found = std::find(ordinals.begin(), ordinals.end(), ordinal);
          if (found == ordinals.end())
            continue;
          auto grid =
              place_grid(job, {static_cast<int>(ordinals.size()), 1}, ordinals);
          text += grid ? run_kinds(**grid, found - ordinals.begin(),
                                   {ElementType::F32, ElementType::I8}, 100)
                       : grid.error().message;
        }
      return text;
    });
  }));
}

TEST(ProcessJob, AFailureStaysInItsGrid) {
  expect_well(run_job({.shape = {1, 2, 1}}, [](Job &job) -> std::string {
    int own = job.topology().first_replica();
    auto broken = place_grid(job, {2, 1}, {0, 1});
    auto whole = place_grid(job, {1, 2}, {0, 1});
    if (own == 1)
      (void)in_run(**broken, own, [] {
        return Status(failure(FailureKind::User, "out of order"));
      });
    std::string text =
        own == 1 ? "" : run_kinds(**broken, own, {ElementType::F32}, 10);
    if (own == 0 && text.find("out of order") == std::string::npos)
      return "no failure: " + text;
    return in_run(**whole, own, [&] {
      return Status(job.rendezvous(own, "after", "") ? Status()
                                                     : (*whole)->status());
    });
  }));
}

TEST(ProcessJob, RefusesGridsThatCannotBe) {
  expect_well(run_job({.shape = {1, 2, 1}}, [](Job &job) -> std::string {
    for (const std::vector<int> &ordinals :
         {std::vector<int>{0}, {0, 0}, {0, 2}, {-1, 0}, {0, 1, 1}})
      if (place_grid(job, {1, 2}, ordinals))
        return "a grid of other replicas";
    return "";
  }));
}

// As a program does that tells the port and the secret by other means.
TEST(ProcessJob, ListensAtAnyPort) {
  void *memory = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto *port = new (memory) std::atomic<int>(0);
  expect_well(
      run_job({.shape = {2, 1, 1},
               .edit =
                   [&](Topology &topology) {
                     topology.secret = "told otherwise";
                     topology.master_port = 0;
                     while (topology.process() > 0 && topology.master_port == 0)
                       topology.master_port = *port;
                   },
               .listening =
                   [&](int number) {
                     *port = number;
                     return Status();
                   }},
              [](Job &job) {
                return run_kinds(*job.grid(), job.topology().first_replica(),
                                 {ElementType::F32}, 100);
              }));
  munmap(memory, sizeof *port);
}

INSTANTIATE_TEST_SUITE_P(
    Job, Shapes,
    testing::Values(JobShape{1, 2, 1}, JobShape{1, 3, 1}, JobShape{1, 4, 1},
                    JobShape{1, 8, 1}, JobShape{1, 2, 2}, JobShape{2, 1, 1},
                    JobShape{2, 2, 1}, JobShape{2, 2, 2}),
    [](const testing::TestParamInfo<JobShape> &each) {
      return std::to_string(each.param.hosts) + "Hosts" +
             std::to_string(each.param.processes_per_host) + "Processes" +
             std::to_string(each.param.devices_per_process) + "Devices";
    });

TEST(ProcessJob, KnowsItsPlace) {
  expect_well(run_job({.shape = {2, 2, 2}}, [](Job &job) -> std::string {
    const Topology &topology = job.topology();
    if (topology.replicas() != 8 || job.grid()->shape().replicas != 8 ||
        job.partitions()->shape().partitions != 8 ||
        topology.first_replica() != 2 * topology.process())
      return "another shape";
    auto all =
        job.rendezvous(topology.first_replica(), "one",
                       std::to_string(topology.host), std::vector{0, 2, 4, 6});
    if (!all)
      return all.error().message;
    return *all == Payloads{"0", "0", "1", "1"} ? "" : "another host";
  }));
}

TEST(ProcessJob, OneProcessIsAJobToo) {
  expect_well(run_job({.shape = {1, 1, 3}}, [](Job &job) {
    return on_replicas(job, [&](int ordinal) {
      return run_kinds(*job.grid(), ordinal, {ElementType::F32}, 50);
    });
  }));
}

TEST(ProcessJob, PartitionsAreAGridOfTheirOwn) {
  expect_well(run_job({.shape = {1, 2, 2}}, [](Job &job) {
    return on_replicas(job, [&](int ordinal) -> std::string {
      for (int round = 0; round < 5; ++round) {
        runtime::Collective what = make_collective(
            runtime::CollectiveKind::AllReduce, ElementType::F32, 4, 1, 64);
        std::string text = in_run(*job.grid(), ordinal, [&]() -> Status {
          std::string problem = run_collective(*job.grid(), ordinal, what);
          return problem.empty() ? Status()
                                 : failure(FailureKind::Internal, problem);
        });
        if (!text.empty())
          return text;
        what.grouping = runtime::ProcessGrouping::CrossPartition;
        what.channel = 1;
        text = in_run(*job.partitions(), ordinal, [&]() -> Status {
          std::string problem =
              run_collective(*job.partitions(), ordinal, what);
          return problem.empty() ? Status()
                                 : failure(FailureKind::Internal, problem);
        });
        if (!text.empty())
          return text;
      }
      return "";
    });
  }));
}

TEST(ProcessJob, SendsAndReceives) {
  for (JobShape shape : {JobShape{1, 2, 2}, JobShape{2, 2, 1}})
    expect_well(run_job({.shape = shape}, [](Job &job) {
      return on_replicas(job, [&](int ordinal) {
        // A ring of sends that are larger than any socket buffer.
        constexpr int64_t kCount = 1 << 20;
        runtime::Collective send;
        send.kind = runtime::CollectiveKind::Send;
        send.channel = 3;
        send.groups = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
        send.operands = {{.element = ElementType::I32,
                          .dims = {kCount},
                          .bounds = {},
                          .quantization = {}}};
        runtime::Collective receive = send;
        receive.kind = runtime::CollectiveKind::Recv;
        receive.results = std::exchange(receive.operands, {});
        return in_run(*job.grid(), ordinal, [&]() -> Status {
          std::vector<int32_t> values(kCount);
          for (int round = 0; round < 3; ++round) {
            for (int64_t i = 0; i < kCount; ++i)
              values[i] = static_cast<int32_t>(i * 31 + ordinal + round);
            const void *operands[] = {values.data()};
            void *results[] = {values.data()};
            XLAC_RETURN_IF_ERROR(
                job.grid()->run(ordinal, {send, operands, {}, {}}));
            XLAC_RETURN_IF_ERROR(
                job.grid()->run(ordinal, {receive, {}, results, {}}));
            for (int64_t i = 0; i < kCount; ++i)
              if (values[i] != i * 31 + (ordinal + 3) % 4 + round)
                return failure(FailureKind::Internal,
                               "received something else");
          }
          return {};
        });
      });
    }));
}

TEST(ProcessJob, DynamicRoots) {
  for (JobShape shape : {JobShape{1, 3, 1}, JobShape{2, 1, 2}})
    expect_well(run_job({.shape = shape}, [](Job &job) {
      return on_replicas(job, [&](int ordinal) {
        runtime::Collective what = make_collective(
            runtime::CollectiveKind::Broadcast, ElementType::F32,
            job.topology().replicas(), 0, 40'000);
        what.dynamic_root = true;
        what.operands.push_back({.element = ElementType::I32,
                                 .dims = {1},
                                 .bounds = {},
                                 .quantization = {}});
        return in_run(*job.grid(), ordinal, [&]() -> Status {
          int64_t count = *what.results[0].element_count();
          for (int32_t root = 0; root < job.topology().replicas(); ++root) {
            std::vector<float> in(count, float(ordinal)), out(count);
            const void *operands[] = {in.data(), &root};
            void *results[] = {out.data()};
            XLAC_RETURN_IF_ERROR(
                job.grid()->run(ordinal, {what, operands, results, {}}));
            if (out != std::vector<float>(count, float(root)))
              return failure(FailureKind::Internal, "another root");
          }
          return {};
        });
      });
    }));
}

TEST(ProcessJob, ManyResultsOfOneCollective) {
  for (JobShape shape :
       {JobShape{1, 3, 1}, JobShape{1, 2, 2}, JobShape{2, 2, 1}})
    expect_well(run_job({.shape = shape}, [](Job &job) {
      return on_replicas(job, [&](int ordinal) {
        // Small sends that share messages, and some larger ones in between.
        constexpr int64_t kCount = 90;
        auto size = [](int64_t i) {
          return i % 40 == 7 ? 50'000 : i * i + i % 3;
        };
        int world = job.topology().replicas();
        runtime::Collective what = make_collective(
            runtime::CollectiveKind::AllReduce, ElementType::F64, world, 1, 64);
        what.operands.resize(kCount, what.operands[0]);
        std::vector<std::vector<double>> in(kCount);
        std::vector<const void *> operands;
        std::vector<std::shared_ptr<std::byte>> out;
        std::vector<void *> results;
        for (int64_t i = 0; i < kCount; ++i) {
          what.operands[i].dims = {size(i)};
          in[i].assign(size(i), (ordinal + 1) * 1e3 / double(i + 3));
          operands.push_back(in[i].data());
          out.emplace_back(static_cast<std::byte *>(std::aligned_alloc(
                               64, (size(i) * sizeof(double) / 64 + 1) * 64)),
                           [](std::byte *data) { std::free(data); });
          results.push_back(out[i].get());
        }
        what.results = what.operands;
        return in_run(*job.grid(), ordinal, [&]() -> Status {
          XLAC_RETURN_IF_ERROR(job.grid()->run(
              ordinal, {what, operands, results,
                        [&](size_t, const void *left, const void *right,
                            void *result, int64_t elements) {
                          return add_elements(ElementType::F64, left, right,
                                              result, elements);
                        }}));
          for (int64_t i = 0; i < kCount; ++i) {
            double sum = world * 1e3 / double(i + 3);
            for (int64_t other = world - 1; other > 0; --other)
              sum += double(other) * 1e3 / double(i + 3);
            const auto *got = static_cast<const double *>(results[i]);
            for (int64_t j = 0; j < size(i); ++j)
              if (std::abs(got[j] - sum) > 1e-12 * sum)
                return failure(FailureKind::Internal,
                               "result " + std::to_string(i) + " is wrong");
          }
          return {};
        });
      });
    }));
}

TEST(ProcessJob, AnyOrderOfStart) {
  for (JobShape shape : {JobShape{1, 3, 1}, JobShape{2, 2, 1}})
    for (bool first_is_last : {true, false}) {
      int last = first_is_last ? 0 : shape.processes() - 1;
      expect_well(run_job(
          {.shape = shape,
           .delay = [=](int process) { return process == last ? 400ms : 0ms; }},
          [](Job &job) {
            int ordinal = job.topology().first_replica();
            auto all = job.rendezvous(ordinal, "there", "");
            return all ? "" : all.error().message;
          }));
    }
}

TEST(ProcessJob, HostsWithAddressesOfTheirOwn) {
  expect_well(run_job(
      {.shape = {2, 1, 2}, .master_address = "127.0.0.2"}, [](Job &job) {
        return on_replicas(job, [&](int ordinal) {
          return run_kinds(*job.grid(), ordinal, {ElementType::F64}, 1000);
        });
      }));
}

namespace {

/// Two network namespaces with a link between them; empty if this user may not
/// create them. They are removed with the object.
class Wire {
public:
  Wire() {
    std::string own = std::to_string(getpid());
    for (int i = 0; i < 2; ++i) {
      names_[i] = "xlac" + own + "h" + std::to_string(i);
      is_there_ = is_there_ && run("ip netns add " + names_[i]);
    }
    is_there_ = is_there_ && run("ip link add v0 netns " + names_[0] +
                                 " type veth peer name v0 netns " + names_[1]);
    for (int i = 0; i < 2; ++i) {
      std::string in = "ip -n " + names_[i];
      is_there_ = is_there_ &&
                  run(in + " addr add 10.77.0." + std::to_string(i + 1) +
                      "/24 dev v0") &&
                  run(in + " link set v0 up") && run(in + " link set lo up");
    }
  }
  ~Wire() {
    for (const std::string &name : names_)
      run("ip netns del " + name);
  }
  bool is_there() const { return is_there_; }
  /// Moves this process to a host.
  void enter(int host) const {
    int file = open(("/run/netns/" + names_[host]).c_str(), O_RDONLY);
    if (file < 0 || setns(file, CLONE_NEWNET) != 0)
      _exit(1);
    close(file);
  }
  /// Removes the link of a host.
  void cut(int host) const { run("ip -n " + names_[host] + " link del v0"); }

private:
  static bool run(const std::string &command) {
    return std::system((command + " 2>/dev/null").c_str()) == 0;
  }
  std::string names_[2];
  bool is_there_ = true;
};

} // namespace

namespace {

/// Connects to the process that listens on the port, after it has started.
Descriptor call_on(int port) {
  auto socket = connect_tcp("127.0.0.1", port, Clock::now() + 20s);
  return socket ? std::move(*socket) : Descriptor();
}

/// A handshake without its proof.
std::vector<std::byte> plain_hello() {
  std::vector<std::byte> bytes(120);
  std::memcpy(bytes.data(), "xlacjob\3", 8);
  int32_t fields[] = {1, 1, 2, 1, 1};
  std::memcpy(bytes.data() + 24, fields, sizeof fields);
  return bytes;
}

} // namespace

/// Peers that do not know the secret are rejected without delaying the job.
TEST(ProcessJob, StrangersAreNotHeard) {
  setenv("XLAC_JOB_SECRET", "between us", 1);
  int port = 0;
  std::string heard = "nothing was asked";
  std::vector<Descriptor> silent;
  auto outcomes = run_job(
      {.shape = {2, 1, 1},
       .delay = [](int process) { return process * 1000ms; },
       .edit =
           [&](Topology &topology) {
             port = topology.master_port;
             if (topology.host == 0)
               return;
             // Before process 1 connects: many connections that send nothing,
             // one that sends part of a handshake, and one that sends all of it
             // without the proof.
             for (int i = 0; i < 200; ++i)
               silent.push_back(call_on(port));
             auto end = Clock::now() + 20s;
             std::vector<std::byte> hello = plain_hello();
             (void)write_all(silent[0], std::span(hello).first(3), end);
             Descriptor liar = call_on(port);
             (void)write_all(liar, hello, end);
             std::byte answer{};
             Status status = read_all(liar, {&answer, 1}, end);
             heard = status ? "an answer" : status.error().message;
           }},
      [&](Job &job) {
        if (job.topology().host == 1 && heard != "it closed the connection")
          return "the stranger heard: " + heard;
        return run_kinds(*job.grid(), job.topology().first_replica(),
                         {ElementType::F32}, 100);
      });
  unsetenv("XLAC_JOB_SECRET");
  expect_well(outcomes);
}

TEST(ProcessJob, OtherSecretsAreStrangers) {
  auto outcomes = run_job({.shape = {2, 1, 1},
                           .deadline = 2s,
                           .edit =
                               [](Topology &topology) {
                                 setenv("XLAC_JOB_SECRET",
                                        topology.host ? "one" : "another", 1);
                               }},
                          [](Job &) { return "joined"; });
  EXPECT_NE(outcomes[0].text.find("waited 2 s for process 1"),
            std::string::npos)
      << outcomes[0].text;
  EXPECT_NE(outcomes[1].text.find("it closed the connection"),
            std::string::npos)
      << outcomes[1].text;
}

TEST(ProcessJob, HostsNeedASecret) {
  Wire wire;
  if (!wire.is_there())
    GTEST_SKIP() << "no network namespaces here";
  auto outcomes =
      run_job({.shape = {2, 1, 1},
               .deadline = 2s,
               .edit = [&](Topology &topology) { wire.enter(topology.host); },
               .master_address = "10.77.0.1"},
              [](Job &) { return "joined"; });
  EXPECT_NE(outcomes[0].text.find("needs XLAC_JOB_SECRET"), std::string::npos)
      << outcomes[0].text;
}

TEST(ProcessJob, HostsInNetworkNamespaces) {
  Wire wire;
  if (!wire.is_there())
    GTEST_SKIP() << "no network namespaces here";
  expect_well(run_job({.shape = {2, 2, 1},
                       .edit =
                           [&](Topology &topology) {
                             setenv("XLAC_JOB_SECRET", "of the wire", 1);
                             wire.enter(topology.host);
                           },
                       .master_address = "10.77.0.1"},
                      [](Job &job) {
                        return run_kinds(*job.grid(),
                                         job.topology().first_replica(),
                                         {ElementType::F32}, 100'000);
                      }));
}

/// The connection is not closed in this case, so only the deadline detects the
/// failure. The deadline is also the time to join the job. It leaves room for a
/// lost SYN, because Linux sends that again after 1 s.
TEST(ProcessJob, AWireThatIsCut) {
  Wire wire;
  if (!wire.is_there())
    GTEST_SKIP() << "no network namespaces here";
  auto outcomes =
      run_job({.shape = {2, 1, 1},
               .deadline = 4s,
               .edit =
                   [&](Topology &topology) {
                     setenv("XLAC_JOB_SECRET", "of the wire", 1);
                     wire.enter(topology.host);
                   },
               .master_address = "10.77.0.1"},
              [&](Job &job) {
                int ordinal = job.topology().first_replica();
                std::string text;
                for (int round = 0; round < 1000 && text.empty(); ++round) {
                  if (ordinal == 0 && round == 5)
                    wire.cut(0);
                  text =
                      run_kinds(*job.grid(), ordinal, {ElementType::F32}, 100);
                }
                return text;
              });
  for (const Outcome &outcome : outcomes) {
    EXPECT_NE(outcome.text.find("waited 4 s"), std::string::npos)
        << outcome.text;
    EXPECT_NE(outcome.text.find("does not answer"), std::string::npos)
        << outcome.text;
    EXPECT_LT(outcome.seconds, 30);
  }
}

TEST(ProcessJob, TopologiesThatCannotBe) {
  Topology topology;
  topology.name = unique_name();
  topology.local_process = 1;
  auto refused = join_job(topology, 1s);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().failure_kind, FailureKind::User);
  topology.local_process = 0;
  topology.hosts = 2;
  topology.master_port = 70'000;
  EXPECT_EQ(join_job(topology, 1s).error().failure_kind, FailureKind::User);
}

TEST(ProcessJob, WhoDoesNotComeIsNamed) {
  for (JobShape shape : {JobShape{1, 3, 1}, JobShape{3, 1, 1}}) {
    auto outcomes =
        run_job({.shape = shape,
                 .deadline = 1s,
                 .delay = [](int process) { return process == 2 ? 3s : 0s; }},
                [](Job &) { return ""; });
    for (int i : {0, 1}) {
      EXPECT_NE(outcomes[i].text.find("waited 1 s for process 2"),
                std::string::npos)
          << outcomes[i].text;
      EXPECT_LT(outcomes[i].seconds, 30);
    }
    EXPECT_NE(outcomes[2].text.find("for process 0"), std::string::npos)
        << outcomes[2].text;
  }
}

TEST(ProcessJob, OtherTopologiesAreToldApart) {
  auto outcomes = run_job({.shape = {1, 2, 1},
                           .edit =
                               [](Topology &topology) {
                                 if (topology.local_process == 1)
                                   topology.devices_per_process = 2;
                               }},
                          [](Job &) { return ""; });
  for (const Outcome &outcome : outcomes)
    EXPECT_EQ(outcome.text,
              "process 1 is of a job of 1 hosts of 2 processes with 2 devices, "
              "but process 0 of one of 1 hosts of 2 processes with 1 devices");
}

TEST(ProcessJob, TheSameProcessTwice) {
  auto outcomes = run_job({.shape = {3, 1, 1},
                           .edit =
                               [](Topology &topology) {
                                 if (topology.host == 2)
                                   topology.host = 1;
                               }},
                          [](Job &) { return ""; });
  EXPECT_NE(outcomes[0].text.find("process 1 of host 1 is there twice"),
            std::string::npos)
      << outcomes[0].text;
  EXPECT_NE(outcomes[1].text, "");
  EXPECT_NE(outcomes[2].text, "");
}

TEST(ProcessJob, NothingIsLeftOnDisk) {
  auto files = [] {
    std::set<std::string> found;
    std::error_code none;
    for (const char *folder : {"/dev/shm", "/run/shm"})
      for (const auto &entry :
           std::filesystem::directory_iterator(folder, none))
        found.insert(entry.path());
    return found;
  };
  // Other tests may have files there for some time. A file that a job leaves is
  // there in each attempt.
  std::set<std::string> before = files();
  std::vector<Outcome> outcomes;
  for (int attempt = 0; attempt < 5; ++attempt) {
    outcomes = run_job({.shape = {1, 2, 1}}, [&](Job &job) -> std::string {
      std::string text = run_kinds(*job.grid(), job.topology().first_replica(),
                                   {ElementType::F32}, 1000);
      return text.empty() && !std::ranges::includes(before, files())
                 ? "shared memory has a file"
                 : text;
    });
    bool isChanged = std::ranges::any_of(outcomes, [](const Outcome &each) {
      return each.text == "shared memory has a file";
    });
    if (!isChanged)
      break;
    std::this_thread::sleep_for(1s);
  }
  expect_well(outcomes);
}
