// Traced models stored in a folder together with their weights.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace xlac::stablehlo {
namespace {

using Tensors = std::vector<Tensor>;

TEST(GraphModule, RunsWithItsWeights) {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("xlac_graph_module_test_" + std::to_string(getpid()));
  StateDict weights;
  weights["scale"] = tensor({2.0, 3.0}, xlac::device());
  Tensor shift = tensor({0.5, 0.25}, xlac::device());
  Program program = trace(
      [&](const Tensors &in) {
        return Tensors{in[0] * weights["scale"] + shift};
      },
      {zeros({4, 2})});
  save_as_stablehlo(program, weights, folder / "model");
  Value saved = load(folder / "model" / "weights.pt").at("weights");
  EXPECT_TRUE(equal(saved.at("scale").to<Tensor>(), tensor({2.0, 3.0})));
  EXPECT_EQ(saved.size(), 2u);
  EXPECT_TRUE(equal(saved.at("captured_1").to<Tensor>(), tensor({0.5, 0.25})));

  GraphModule module = GraphModule::load(folder / "model");
  Tensor y = module({ones({4, 2})})[0];
  EXPECT_EQ(y[3].to_vector<float>(), (std::vector<float>{2.5, 3.25}));
  EXPECT_THROW(module({ones({2, 2})}), ShapeError);
  EXPECT_THROW(module({}), ValueError);

  EXPECT_THROW(save_as_stablehlo(Program::parse(program.text()), weights,
                                 folder / "other"),
               UserError);
  EXPECT_THROW(GraphModule::load(folder / "none"), RuntimeError);
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace xlac::stablehlo
