// Training under mpirun: this test starts itself as four ranks. The losses have
// the same bits on every transport and for every division into hosts.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>

using namespace xlac;

namespace {

/// The bits of a loss in each of some steps of data-parallel training.
std::string train(int ordinal) {
  manual_seed(7);
  nn::Linear hidden(16, 64), last(64, 1);
  hidden->to(xm::xla_device());
  last->to(xm::xla_device());
  std::vector<Tensor> parameters = hidden->parameters();
  for (const Tensor &parameter : last->parameters())
    parameters.push_back(parameter);
  optim::SGD optimizer(parameters, {.lr = 0.05});
  manual_seed(100 + ordinal);
  Tensor x = randn({32, 16}, xm::xla_device());
  Tensor y = x.sum({1}, true).sin();
  std::string bits;
  for (int step = 0; step < 4; ++step) {
    optimizer.zero_grad();
    Tensor loss = (last(hidden(x).relu()) - y).square().mean();
    loss.backward();
    xm::optimizer_step(optimizer);
    Tensor all = xm::all_reduce(xm::REDUCE_SUM, loss.detach());
    bits += " " + std::to_string(all.reshape({1}).view(kInt32).item<int>());
  }
  return bits;
}

/// The bits of the losses of a network over a mesh of all devices: the batch is
/// sharded over ranks, the hidden features over the devices of each rank.
std::string train_sharded() {
  xr::use_spmd();
  int64_t devices = xr::global_runtime_device_count();
  std::vector<int64_t> ids(devices);
  std::iota(ids.begin(), ids.end(), 0);
  xs::Mesh mesh(ids, {devices / 2, 2}, {"data", "model"});
  manual_seed(7);
  Tensor first = (randn({16, 64}) * 0.1).to(xm::xla_device());
  Tensor last = (randn({64, 1}) * 0.1).to(xm::xla_device());
  Tensor x = randn({64, 16}).to(xm::xla_device());
  Tensor y = x.sum({1}, true).sin();
  xs::mark_sharding(first, mesh, {None, "model"});
  xs::mark_sharding(x, mesh, {"data", None});
  std::string bits;
  for (int step = 0; step < 4; ++step) {
    Tensor a = first.detach().requires_grad_(true);
    Tensor b = last.detach().requires_grad_(true);
    Tensor loss = (x.mm(a).relu().mm(b) - y).square().mean();
    loss.backward();
    first = a.detach() - a.grad() * 0.05;
    last = b.detach() - b.grad() * 0.05;
    bits += " " +
            std::to_string(loss.detach().reshape({1}).view(kInt32).item<int>());
  }
  return bits;
}

struct Output {
  int code = -1;
  std::string text, losses;
};

/// Runs a member below as four ranks.
Output run_ranks(const std::string &variables,
                 const std::string &member = "Trains",
                 const std::string &launcher = "mpirun -n 4") {
  std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::string command =
      "env XLAC_TEST_MPI_MEMBER=1 OMPI_ALLOW_RUN_AS_ROOT=1 "
      "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 " +
      variables + " timeout 300 " + launcher + " " + self +
      " --gtest_filter=MpiMember." + member + " 2>&1";
  Output output;
  FILE *pipe = popen(command.c_str(), "r");
  char line[4096];
  while (pipe && std::fgets(line, sizeof line, pipe)) {
    std::string text = line;
    output.text += text;
    if (text.starts_with("losses "))
      output.losses = text;
  }
  int status = pipe ? pclose(pipe) : -1;
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

} // namespace

/// The losses that a line "losses of 4: BITS …" has the bits of.
static std::vector<float> losses_of(const std::string &line) {
  std::vector<float> losses;
  std::istringstream words(
      line.substr(std::min(line.find(':') + 1, line.size())));
  for (int32_t bits; words >> bits;)
    losses.push_back(std::bit_cast<float>(bits));
  return losses;
}

static void expect_close(const Output &got, const Output &wanted) {
  std::vector<float> losses = losses_of(got.losses),
                     others = losses_of(wanted.losses);
  ASSERT_EQ(losses.size(), 4u) << got.text;
  ASSERT_EQ(others.size(), 4u) << wanted.text;
  for (size_t i = 0; i < losses.size(); ++i)
    EXPECT_NEAR(losses[i], others[i], 1e-6 * std::abs(others[i])) << i;
}

TEST(MpiMember, Trains) {
  if (!std::getenv("XLAC_TEST_MPI_MEMBER"))
    GTEST_SKIP() << "a rank of MpiLaunch";
  xlac::launch([](int ordinal) {
    std::string bits = train(ordinal);
    if (ordinal == 0)
      std::printf("losses of %d:%s\n", xr::world_size(), bits.c_str());
    std::fflush(stdout);
  });
}

TEST(MpiMember, TrainsSharded) {
  if (!std::getenv("XLAC_TEST_MPI_MEMBER"))
    GTEST_SKIP() << "a rank of MpiLaunch";
  std::string bits = train_sharded();
  const char *rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (!rank || rank == std::string("0"))
    std::printf("losses of %d:%s\n", xr::global_runtime_device_count(),
                bits.c_str());
  std::fflush(stdout);
}

/// A mesh of ranks and of their devices.
TEST(MpiLaunch, ShardedTrainingHasTheSameBits) {
  if (std::system("mpirun --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "there is no mpirun here: jobs over MPI are not tested";
  Output one = run_ranks("CPU_NUM_DEVICES=8", "TrainsSharded", "");
  EXPECT_EQ(one.code, 0) << one.text;
  EXPECT_TRUE(one.losses.starts_with("losses of 8:")) << one.text;
  for (std::string variables : {"", "XLAC_NUM_HOSTS=4", "XLAC_NUM_HOSTS=2"}) {
    Output ranks = run_ranks("CPU_NUM_DEVICES=2 " + variables, "TrainsSharded");
    EXPECT_EQ(ranks.code, 0) << variables << "\n" << ranks.text;
    EXPECT_EQ(ranks.losses, one.losses) << variables << "\n" << ranks.text;
  }
  Output engine =
      run_ranks("CPU_NUM_DEVICES=2 XLAC_COLLECTIVES=engine", "TrainsSharded");
  EXPECT_EQ(engine.code, 0) << engine.text;
  expect_close(engine, one);
}

TEST(MpiLaunch, LossesHaveTheSameBitsOnEveryTransport) {
  if (std::system("mpirun --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "there is no mpirun here: jobs over MPI are not tested";
  Output near = run_ranks("");
  EXPECT_EQ(near.code, 0) << near.text;
  EXPECT_TRUE(near.losses.starts_with("losses of 4:")) << near.text;
  for (std::string variables :
       {"XLAC_NUM_HOSTS=4", "XLAC_NUM_HOSTS=2", "XLAC_TRANSPORT=mpi",
        "XLAC_NUM_HOSTS=2 XLAC_TRANSPORT=tcp MASTER_PORT=13521"}) {
    Output other = run_ranks(variables);
    EXPECT_EQ(other.code, 0) << variables << "\n" << other.text;
    EXPECT_EQ(other.losses, near.losses) << variables;
  }
}

/// MPI's own collectives add in any order.
TEST(MpiLaunch, LossesAreCloseWithTheCollectivesOfMpi) {
  if (std::system("mpirun --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "there is no mpirun here: jobs over MPI are not tested";
  Output plan = run_ranks(""), engine = run_ranks("XLAC_COLLECTIVES=engine");
  EXPECT_EQ(engine.code, 0) << engine.text;
  expect_close(engine, plan);
  Output tcp = run_ranks("XLAC_COLLECTIVES=engine XLAC_TRANSPORT=tcp");
  EXPECT_NE(tcp.code, 0);
  EXPECT_NE(tcp.text.find("XLAC_COLLECTIVES is 'engine', which needs MPI"),
            std::string::npos)
      << tcp.text;
}

TEST(MpiLaunch, RanksThatDoNotFillTheHosts) {
  if (std::system("mpirun --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "there is no mpirun here: jobs over MPI are not tested";
  Output output = run_ranks("XLAC_NUM_HOSTS=3");
  EXPECT_NE(output.code, 0);
  EXPECT_NE(output.text.find("contradict each other"), std::string::npos)
      << output.text;
}
