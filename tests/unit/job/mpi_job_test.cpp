// Jobs over MPI, on one machine and on two.
#include "mpi_runs.h"

using namespace xlac;
using namespace xlac::test;

/// If a job fails while a rank is in MPI_Finalize's barrier, mpirun of Open MPI
/// 4.1 sometimes hangs after all its ranks have ended. Without the barrier, its
/// connections over TCP sometimes break at the end.
static const std::string kNoBarrier = "OMPI_MCA_async_mpi_finalize=1 ";

TEST_F(MpiJob, EveryKindBetweenHosts) {
  for (int hosts : {4, 2, 1})
    expect_well(run("kinds", hosts, kLong));
}

TEST_F(MpiJob, EveryKindOverTcpOfMpi) {
  expect_well(run("kinds", 4, kLong, "OMPI_MCA_btl=tcp,self"));
}

TEST_F(MpiJob, SeveralDevicesInEachProcess) {
  expect_well(run("devices", 4, kLong));
}

TEST_F(MpiJob, NoneAndSeveralTensors) {
  expect_well(run("empty", 4, kLong));
  expect_well(run("several", 2, kLong));
}

/// The collectives of MPI itself, which add in any order.
static const char *const kEngine = "XLAC_COLLECTIVES=engine";

TEST_F(MpiJob, EveryKindByTheCollectivesOfMpi) {
  for (int hosts : {4, 1})
    expect_well(run("kinds", hosts, kLong, kEngine));
  for (const char *name : {"devices", "empty", "large", "several"})
    expect_well(run(name, 2, kLong, kEngine));
}

/// Sums that add the operands of each host first.
static const char *const kHierarchical =
    "XLAC_COLLECTIVES=hierarchical XLAC_LINKS=0,1000,1,0.001";

TEST_F(MpiJob, EveryKindWithHierarchicalSums) {
  expect_well(run("kinds", 2, kLong, kHierarchical));
  expect_well(run("devices", 2, kLong, kHierarchical));
  expect_well(run("kinds", 2, kLong,
                  std::string(kHierarchical) + " OMPI_MCA_btl=tcp,self"));
  expect_named(run("killed", 2, kLong, kHierarchical), "has died");
  expect_named(run("stopped", 2, kShort, kHierarchical), "does not answer");
}

TEST_F(MpiJob, CollectivesOfMpiThatFail) {
  expect_named(run("killed", 4, kLong, kEngine), "has died");
  expect_named(run("stopped", 4, kShort, kEngine), "does not answer");
  expect_all(run("fails", 4, kLong, kEngine), "out of luck");
  expect_all(run("differs", 4, kLong, kEngine), "programs differ");
  expect_all(run("finalized", 4, kLong, kNoBarrier + kEngine),
             "the program has finalized MPI", kVictim);
}

TEST_F(MpiJob, AllProcessesUseTheSameCollectives) {
  expect_all(run("methods", 4, kShort),
             "XLAC_COLLECTIVES is 'engine' in process 1, but 'plan' in process "
             "0");
}

#ifdef XLAC_TEST_MPI_REPLACEMENT
/// Variables for a rank with a replaced function of MPI.
static std::string replaced(const std::string &what) {
  return "LD_PRELOAD=" XLAC_TEST_MPI_REPLACEMENT " XLAC_TEST_MPI=" + what;
}

TEST_F(MpiJob, OneThreadCallsMpiIfNoOtherMay) {
  for (int hosts : {4, 2})
    expect_well(run("kinds", hosts, kLong, replaced("funneled")));
  expect_well(run("payloads", 4, kLong, replaced("funneled")));
  Ranks plan =
      run("kinds", 4, kLong, replaced("funneled") + " XLAC_COLLECTIVES=engine");
  expect_well(plan);
  EXPECT_NE(plan.text.find("the job uses 'plan'"), std::string::npos)
      << plan.text;
  expect_all(run("fails", 4, kLong, replaced("funneled")), "out of luck");
}

TEST_F(MpiJob, AnotherMpiIsTold) {
  expect_all(run("kinds", 4, kShort, replaced("other")),
             "libxlac_mpi.so is built for ");
}
#endif

TEST_F(MpiJob, PayloadsOfAllSizes) { expect_well(run("payloads", 4, kLong)); }

/// Receives are posted for each of a few peers only.
TEST_F(MpiJob, ManyRanks) {
  Ranks many = run("few_payloads", 36, kLong, "", "mpirun", 36);
  EXPECT_EQ(many.code, 0) << many.text;
}

TEST_F(MpiJob, TwoJobsLoadMpiAtTheFirst) {
  expect_well(run("twice", 2, kLong));
}

TEST_F(MpiJob, ProcessesMayExitWithoutLeaving) {
  expect_well(run("exit", 4, kLong));
}

TEST_F(MpiJob, ProgramsMayUseMpiThemselves) {
  expect_well(run("beside", 4, kLong));
  expect_all(run("beside_single", 4, kShort),
             "the program has initialized MPI without MPI_THREAD_MULTIPLE");
}

TEST_F(MpiJob, MpiThatCannotBeUsed) {
  expect_all(run("finalized_first", 4, kShort),
             "MPI was finalized before the job began");
  expect_all(
      run("kinds", 4, kShort, "XLAC_MPI_LIBRARY=/nowhere/libxlac_mpi.so"),
      "jobs over MPI: cannot open the library: /nowhere");
  expect_all(run("missing", 4, kShort),
             "the job has 8 processes, but MPI 4 ranks");
}

TEST_F(MpiJob, OtherTopologiesAreToldApart) {
  expect_all(run("different", 4, kShort),
             "process 1 is of a job of 4 hosts of 1 processes with 2 devices, "
             "but process 0 of one of 4 hosts of 1 processes with 1 devices");
}

TEST_F(MpiJob, WaitsForAllToInitializeMpi) {
  expect_all(run("never", 2, kShort),
             "waited 2 s until all processes have initialized MPI", kVictim);
}

TEST_F(MpiJob, AProcessThatDies) {
  for (int hosts : {4, 2})
    expect_named(run("killed", hosts, kLong), "has died");
}

TEST_F(MpiJob, AProcessThatStops) {
  for (int hosts : {4, 2})
    expect_named(run("stopped", hosts, kShort), "does not answer");
}

TEST_F(MpiJob, AProcessThatFails) {
  expect_all(run("fails", 4, kLong), "out of luck");
}

TEST_F(MpiJob, AnotherProgram) {
  expect_all(run("differs", 4, kLong), "programs differ");
}

TEST_F(MpiJob, MpiIsFinalizedTooEarly) {
  expect_all(run("finalized", 4, kLong, kNoBarrier),
             "the program has finalized MPI", kVictim);
}

TEST_F(TwoMachines, EveryKind) {
  expect_well(run("kinds", 2, kLong, "", launcher_));
  expect_well(run("exit", 2, kLong, "", launcher_));
  expect_well(run("kinds", 2, kLong, "", launcher_ + " -x " + kEngine));
}

TEST_F(TwoMachines, ASlowLinkThatLosesPackets) {
  if (!call("tc -n " + machines() +
            "-1 qdisc add dev xlv1 root netem delay 2ms loss 1%"))
    GTEST_SKIP() << "no netem in this kernel: slow links are not tested";
  expect_well(run("payloads", 2, kLong, "", launcher_));
}

TEST_F(TwoMachines, RanksOfAHostMustBeOnOneMachine) {
  expect_all(run("kinds", 1, kShort, "", launcher_),
             "processes 0 and 2 are on different machines");
}

/// The other process of its machine tells those of the other machine.
TEST_F(TwoMachines, ADeathIsToldToTheOtherMachine) {
  expect_named(run("killed", 2, kLong, "", launcher_), "has died");
}

TEST_F(TwoMachines, AProcessThatStops) {
  expect_named(run("stopped", 2, kShort, "", launcher_), "does not answer");
}
