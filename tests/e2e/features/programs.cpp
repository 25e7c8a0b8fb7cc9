// HLO.
#include "feature_rows.h"

#include <algorithm>

using namespace xlac;
using namespace xlac::features;

static size_t count_of(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++count;
  return count;
}

FEATURE(HLO_01) {
  Device dev = xlac::device();
  Tensor x = tensor({1.0, 2.0}, dev), y = tensor({3.0, 4.0}, dev);
  met::clear_all();
  Tensor z = x + y;
  std::string text = xm::get_stablehlo({z});
  EXPECT_EQ(samples("ExecuteTime"), 0);
  EXPECT_EQ(count_of(text, "stablehlo.add"), 1u);
  EXPECT_CONTAINS(text, "@main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>)");
  auto program = stablehlo::Program::parse(text);
  auto results = stablehlo::build(program).run({x, y});
  EXPECT_EQ(results[0].to_vector<float>(), z.to_vector<float>());
}

FEATURE(HLO_02, "") {
  Device dev = xlac::device();
  auto empty = stablehlo::Program::parse(xm::get_stablehlo());
  EXPECT_TRUE(empty.inputs().empty());
  EXPECT_TRUE(empty.outputs().empty());
  nn::Linear model = nn::Linear(3, 2).to(dev);
  optim::SGD optimizer(model->parameters(), {.lr = 0.1});
  Tensor x = ones({4, 3}, dev);
  xlac::sync();
  model(x).sum().backward();
  optimizer.step();
  optimizer.zero_grad();
  auto outputs = stablehlo::Program::parse(xm::get_stablehlo()).outputs();
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0].shape, (Shape{2, 3}));
  EXPECT_EQ(outputs[1].shape, (Shape{2}));
}

FEATURE(HLO_03, "") {
  Tensor x = tensor({1.0, 2.0}, xlac::device());
  Tensor y = (x + 1.0) * 2.0;
  EXPECT_EQ(stablehlo::Program::parse(xm::get_stablehlo()).outputs().size(),
            1u);
}

FEATURE(HLO_04) {
  Tensor x = tensor({1.0, 2.0}, xlac::device()), y = x * x + 0.5;
  Bytes bytes = xm::get_stablehlo_bytecode({y});
  std::string bytecode(bytes.begin(), bytes.end());
  EXPECT_TRUE(bytecode.starts_with("ML\xefR"));
  EXPECT_EQ(stablehlo::Program::parse(bytecode).text(), xm::get_stablehlo({y}));
}

FEATURE(HLO_05, "XLA_HLO_DEBUG=1") {
  Tensor x = tensor({1.0, 2.0}, xlac::device());
  Tensor y = x + x;
  int line = __LINE__ - 1;
  EXPECT_CONTAINS(xm::get_stablehlo({y}),
                  "programs.cpp\":" + std::to_string(line) + ":");
}

FEATURE(HLO_05_off, "XLA_HLO_DEBUG=0") {
  Tensor x = tensor({1.0, 2.0}, xlac::device());
  EXPECT_LACKS(xm::get_stablehlo({x + x}), "loc(");
}
