// Jobs over MPI in which a rank dies, stops or is late at a random moment of a
// random collective, and jobs of many ranks.
#include "mpi_runs.h"

#include <array>
#include <random>

using namespace xlac;
using namespace xlac::test;

namespace {

/// As job_mpi_rank draws them from a seed.
enum class Trouble { Dies, Stops, IsLate };

} // namespace

TEST_F(MpiJob, SixteenRanks) {
  for (const char *collectives : {"plan", "engine", "hierarchical"})
    for (int hosts : {16, 4, 2})
      expect_well(run("floats", hosts, kLong,
                      std::string("XLAC_LINKS=0,1000,1,0.001 "
                                  "XLAC_COLLECTIVES=") +
                          collectives,
                      "mpirun", 16));
}

TEST_F(MpiJob, ARankInTrouble) {
  constexpr int kRounds = 200;
  for (int seed = 0; seed < kRounds && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    auto trouble = static_cast<Trouble>(random() % 3);
    int victim = static_cast<int>(random() % kRanks);
    int hosts = seed % 2 == 0 ? 4 : 2;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Ranks result =
        run("trouble", hosts, trouble == Trouble::Stops ? kShort : kLong,
            "XLAC_TEST_SEED=" + std::to_string(seed) +
                " XLAC_LINKS=0,1000,1,0.001 XLAC_COLLECTIVES=" +
                std::array{"plan", "engine", "hierarchical"}[seed / 2 % 3]);
    if (trouble == Trouble::IsLate)
      expect_well(result);
    else
      expect_named(result,
                   trouble == Trouble::Dies ? "has died" : "does not answer",
                   victim);
  }
}
