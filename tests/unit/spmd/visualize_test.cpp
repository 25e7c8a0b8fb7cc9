// Tables of shardings.
#include "xlac/ops.h"
#include "xlac/spmd.h"

#include <gtest/gtest.h>

namespace xlac::spmd {
namespace {

TEST(Visualize, DrawsTilesAndTheirDevices) {
  EXPECT_EQ(visualize_sharding("{devices=[2,2]3,1,2,0}", {.use_color = false}),
            "┌─────────┬─────────┐\n"
            "│  CPU 3  │  CPU 1  │\n"
            "├─────────┼─────────┤\n"
            "│  CPU 2  │  CPU 0  │\n"
            "└─────────┴─────────┘\n");
}

TEST(Visualize, ListsDevicesOfOneTile) {
  EXPECT_EQ(
      visualize_sharding("{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}",
                         {.use_color = false, .scale = 3, .min_width = 5}),
      "┌─────────┐\n"
      "│         │\n"
      "│ CPU 0,1 │\n"
      "│         │\n"
      "├─────────┤\n"
      "│         │\n"
      "│ CPU 2,3 │\n"
      "│         │\n"
      "└─────────┘\n");
}

TEST(Visualize, StaysWithinItsWidth) {
  EXPECT_EQ(visualize_sharding("{devices=[4]0,1,2,3}",
                               {.use_color = false, .max_width = 25}),
            "┌─────┬─────┬─────┬─────┐\n"
            "│CPU 0│CPU 1│CPU 2│CPU 3│\n"
            "└─────┴─────┴─────┴─────┘\n");
}

TEST(Visualize, ColorsDevices) {
  std::string text = visualize_sharding("{devices=[2]0,1}");
  EXPECT_NE(text.find("\033[30;48;5;151m  CPU 0  \033[0m"), std::string::npos);
  EXPECT_NE(text.find("\033[30;48;5;152m  CPU 1  \033[0m"), std::string::npos);
}

TEST(Visualize, RefusesWhatHasNoTable) {
  EXPECT_THROW(visualize_sharding("{devices=[2,1,1]0,1}"), ValueError);
  EXPECT_THROW(visualize_sharding("2 by 2"), UserError);
  EXPECT_THROW(visualize_tensor_sharding(zeros({2, 2, 2})), ValueError);
  EXPECT_THROW(visualize_tensor_sharding(zeros({2, 2})), UserError);
}

} // namespace
} // namespace xlac::spmd
