#include "xlac/job/reduction_cost.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace xlac;
using namespace xlac::job;

TEST(ReductionCost, IsOfLatencyAndBytes) {
  // Of 4 processes each sends a quarter to 3 others, twice. The two of a host
  // send 4 quarters to the other host.
  LinkCosts links{.near_latency = 1,
                  .near_bandwidth = 1,
                  .far_latency = 10,
                  .far_bandwidth = 2};
  EXPECT_DOUBLE_EQ(flat_sum_time({2, 2}, 4'000'000, links),
                   2 * (10 + 2000 + 1000));
  EXPECT_DOUBLE_EQ(hierarchical_sum_time({2, 2}, 4'000'000, links),
                   2 * (1 + 10 + 1000 + 2000));
  // Without bytes, a further stage takes time.
  EXPECT_LT(flat_sum_time({2, 2}, 0, links),
            hierarchical_sum_time({2, 2}, 0, links));
  // With more processes on a host, they share its link.
  EXPECT_GT(flat_sum_time({2, 16}, 4'000'000, links),
            hierarchical_sum_time({2, 16}, 4'000'000, links));
}

TEST(ReductionCost, LinksAreFourNumbers) {
  setenv("XLAC_LINKS", "1.5,2,30,0.4", 1);
  Result<LinkCosts> links = link_costs();
  ASSERT_TRUE(links);
  EXPECT_EQ(links->near_latency, 1.5);
  EXPECT_EQ(links->far_bandwidth, 0.4);
  for (const char *wrong : {"1", "1,2,3", "1,2,3,4,5", "1,0,3,4", "1,2,3,x",
                            "-1,2,3,4", "1,2,nan,4", "1,2,3,4 "}) {
    setenv("XLAC_LINKS", wrong, 1);
    Result<LinkCosts> none = link_costs();
    ASSERT_FALSE(none) << wrong;
    EXPECT_NE(none.error().message.find("wanted four numbers"),
              std::string::npos);
  }
  unsetenv("XLAC_LINKS");
  EXPECT_TRUE(link_costs());
}
