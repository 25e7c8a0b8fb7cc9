// CC: collectives between the processes of a spawn, and the NN rows of steps
// over several processes.
#include "jobs.h"

#include <cmath>

using namespace xlac;
using namespace xlac::features;

using Texts = std::vector<std::string>;

static Tensor number(double value, Dtype dtype = kFloat32) {
  return full({1}, value, TensorOptions(xm::xla_device()).dtype(dtype));
}

/// All-reduces one number per process.
static Texts reduced(xm::ReduceType type, std::vector<double> given,
                     Dtype dtype = kFloat32, double scale = 1,
                     xm::CollectiveOptions options = {}) {
  return in_processes(4, [&](int i) {
    Tensor x = number(given[static_cast<size_t>(i)], dtype);
    Tensor result = xm::all_reduce(type, x, scale, options);
    REQUIRE(result.dtype() == dtype);
    return text_of(result);
  });
}

FEATURE(CC_01, "CPU_NUM_DEVICES=4") {
  Texts got = in_processes(4, [](int) {
    Tensor x = ones({2, 3}, xm::xla_device());
    met::clear_all();
    Tensor y = xm::all_reduce(xm::REDUCE_SUM, x);
    REQUIRE(samples("ExecuteTime") == 0);
    REQUIRE(xm::get_stablehlo({y}).find("all_reduce") != std::string::npos);
    return text_of(y);
  });
  EXPECT_EQ(got, Texts(4, "4 4 4 4 4 4 "));
}

FEATURE(CC_01_log, "CPU_NUM_DEVICES=2", "XLAC_LOGS=collectives") {
  testing::internal::CaptureStderr();
  in_processes(2, [](int i) {
    return text_of(xm::all_reduce(xm::REDUCE_SUM, number(i)));
  });
  std::string log = testing::internal::GetCapturedStderr();
  EXPECT_CONTAINS(log, "xlac: collectives: replica 1 of 2: all_reduce of "
                       "tensor<1xf32>");
}

FEATURE(CC_02, "CPU_NUM_DEVICES=4") {
  Texts got = in_processes(4, [](int i) {
    Tensor x = number(i), y = number(10 * i);
    std::vector<Tensor> list =
        xm::all_reduce(xm::reduce_type("sum"), {x, y}, 1.0, {.groups = {}});
    REQUIRE(list[0].is_same(x) && list[1].is_same(y));
    Tensor again = xm::all_reduce(xm::REDUCE_SUM, number(i));
    REQUIRE(equal(again, x));
    return text_of(x) + text_of(y);
  });
  EXPECT_EQ(got, Texts(4, "6 60 "));
}

FEATURE(CC_03, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(reduced(xm::REDUCE_SUM, {1, 2, 3, 4}), Texts(4, "10 "));
}

FEATURE(CC_04, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(reduced(xm::REDUCE_MUL, {1, 2, 3, 4}), Texts(4, "24 "));
}

FEATURE(CC_05, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(reduced(xm::REDUCE_AND, {7, 6, 6, 7}, kInt32), Texts(4, "6 "));
  EXPECT_EQ(reduced(xm::REDUCE_AND, {1, 0, 1, 1}, kBool), Texts(4, "0 "));
}

FEATURE(CC_05_floats) {
  EXPECT_THROW(xm::all_reduce(xm::REDUCE_AND, number(1)), DtypeError);
  EXPECT_THROW(xm::all_reduce(xm::REDUCE_OR, number(1, kBFloat16)), DtypeError);
}

FEATURE(CC_06, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(reduced(xm::REDUCE_OR, {1, 2, 4, 0}, kInt64), Texts(4, "7 "));
  EXPECT_EQ(reduced(xm::REDUCE_OR, {0, 0, 1, 0}, kBool), Texts(4, "1 "));
}

FEATURE(CC_07, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(reduced(xm::REDUCE_MIN, {3, 1, 2, 4}), Texts(4, "1 "));
  EXPECT_EQ(reduced(xm::REDUCE_MIN, {3, NAN, 2, 4}), Texts(4, "nan "));
}

FEATURE(CC_08, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(reduced(xm::REDUCE_MAX, {3, 1, 2, 4}), Texts(4, "4 "));
  EXPECT_EQ(reduced(xm::REDUCE_MAX, {3, 1, 2, NAN}), Texts(4, "nan "));
}

FEATURE(CC_09, "CPU_NUM_DEVICES=4") {
  Texts got = in_processes(4, [](int) {
    Tensor fours = full({2, 3}, 4.0, xm::xla_device());
    return text_of(xm::all_reduce(xm::REDUCE_SUM, fours, 0.5));
  });
  EXPECT_EQ(got, Texts(4, "8 8 8 8 8 8 "));
  EXPECT_EQ(reduced(xm::REDUCE_SUM, {-1, -2, -3, -5}, kInt32, 0.5),
            Texts(4, "-5 "));
}

FEATURE(CC_10, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(reduced(xm::REDUCE_SUM, {0, 1, 2, 3}, kFloat32, 1,
                    {.groups = {{0, 1}, {2, 3}}}),
            (Texts{"1 ", "1 ", "5 ", "5 "}));
  in_processes(4, [](int) {
    for (xm::Groups wrong : {xm::Groups{{0, 1}, {2}}, xm::Groups{{0, 1, 2, 4}},
                             xm::Groups{{0, 1}, {1, 2, 3}}})
      REQUIRE(message_of<ValueError>([&] {
                xm::all_reduce(xm::REDUCE_SUM, number(1), 1.0,
                               {.groups = wrong});
              }).find("groups") != std::string::npos);
    return "";
  });
}

FEATURE(CC_11, "CPU_NUM_DEVICES=4") {
  auto bits = [](bool pinned) {
    return in_processes(4, [&](int i) {
      Tensor x = randn({5, 7}, xm::xla_device()).t() * (1.0 + i);
      return text_of(
          xm::all_reduce(xm::REDUCE_SUM, x, 1.0, {.pin_layout = pinned}));
    });
  };
  EXPECT_EQ(bits(true), bits(false));
}

FEATURE(CC_12, "CPU_NUM_DEVICES=4") {
  in_processes(4, [](int i) {
    Tensor base = full({2, 2}, i, xm::xla_device());
    Tensor row = base[0], handle = base;
    Tensor reduced = xm::all_reduce(xm::REDUCE_SUM, row);
    std::string own = std::to_string(i) + " ";
    REQUIRE(text_of(row) == own + own);
    REQUIRE(text_of(reduced) == "6 6 ");
    std::vector<Tensor> given = {row};
    REQUIRE(xm::all_reduce(xm::REDUCE_SUM, given)[0].is_same(row));
    REQUIRE(text_of(handle) == "6 6 " + own + own);
    return "";
  });
}

FEATURE(CC_13, "CPU_NUM_DEVICES=4") {
  in_processes(4, [](int i) {
    REQUIRE(text_of(xm::all_gather(number(i))) == "0 1 2 3 ");
    REQUIRE(text_of(xm::all_gather(number(i), -1)) == "0 1 2 3 ");
    Tensor pair = xm::all_gather(number(i), 0, {.groups = {{0, 2}, {1, 3}}});
    REQUIRE(text_of(pair) == (i % 2 ? "1 3 " : "0 2 "));
    Tensor wide = xm::all_gather(full({2, 1}, i, xm::xla_device()), 1);
    REQUIRE(wide.sizes() == Shape({2, 4}));
    return "";
  });
}

FEATURE(CC_14, "CPU_NUM_DEVICES=4") {
  in_processes(4, [](int i) {
    Tensor output = zeros({4}, xm::xla_device());
    REQUIRE(xm::all_gather(number(i), 0, output).is_same(output));
    REQUIRE(text_of(output) == "0 1 2 3 ");
    Tensor wrong = zeros({3}, xm::xla_device());
    REQUIRE(message_of<ShapeError>([&] {
              xm::all_gather(number(i), 0, wrong);
            }).find("output is f32[3]") != std::string::npos);
    return "";
  });
}

FEATURE(CC_15, "CPU_NUM_DEVICES=4") {
  Texts got = in_processes(4, [](int i) {
    Tensor x = full({16}, i, xm::xla_device());
    REQUIRE(message_of<ValueError>([&] {
              xm::all_to_all(x, 0, 0, 2);
            }).find("2 replicas each") != std::string::npos);
    return text_of(xm::all_to_all(x, 0, 0, 4));
  });
  EXPECT_EQ(got, Texts(4, "0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3 "));
}

/// One step of a weight whose gradient is the ordinal + 1.
static std::string stepped(int i, xm::Groups groups) {
  Tensor weight = zeros({2}, xm::xla_device()).requires_grad_();
  Tensor unused = ones({3}, xm::xla_device()).requires_grad_();
  optim::SGD sgd({weight, unused}, {.lr = 1.0});
  (weight * (1.0 + i)).sum().backward();
  xm::optimizer_step(sgd, {.groups = std::move(groups)});
  xm::mark_step();
  REQUIRE(!unused.grad().defined());
  REQUIRE(text_of(weight.grad()) == text_of(-weight.detach()));
  return text_of(weight.grad());
}

FEATURE(CC_16, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(in_processes(4, [](int i) { return stepped(i, {}); }),
            Texts(4, "2.5 2.5 "));
}

FEATURE(CC_17, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(in_processes(4, [](int i) { return stepped(i, {{0, 1}, {2, 3}}); }),
            (Texts{"0.75 0.75 ", "0.75 0.75 ", "1.75 1.75 ", "1.75 1.75 "}));
}

static std::string text_of(const std::vector<Bytes> &payloads) {
  std::string text;
  for (const Bytes &payload : payloads)
    text += std::string(payload.begin(), payload.end()) + " ";
  return text;
}

FEATURE(CC_18, "CPU_NUM_DEVICES=4") {
  in_processes(4, [](int i) {
    std::string own = "ORD=" + std::to_string(i);
    Tensor pending = number(i) + 1.0;
    REQUIRE(text_of(xm::rendezvous("all", own)) == "ORD=0 ORD=1 ORD=2 ORD=3 ");
    REQUIRE(debug::pending_nodes(xm::xla_device()) == 0);
    bool low = i < 2;
    std::vector<int64_t> half =
        low ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{2, 3};
    REQUIRE(text_of(xm::rendezvous(low ? "low" : "high", own, half)) ==
            (low ? "ORD=0 ORD=1 " : "ORD=2 ORD=3 "));
    return "";
  });
}

FEATURE(CC_19, "CPU_NUM_DEVICES=4") {
  in_processes(4, [](int) {
    REQUIRE(xm::rendezvous("first").size() == 4);
    return "";
  });
}

FEATURE(CC_20, "CPU_NUM_DEVICES=4") {
  in_processes(4, [](int i) {
    auto sum = [](const std::vector<double> &values) {
      double total = 0;
      for (double value : values)
        total += value;
      return total;
    };
    REQUIRE(xm::mesh_reduce("n", 1.25, sum) == 5.0);
    Tensor total =
        xm::mesh_reduce("t", number(i), [](const std::vector<Tensor> &each) {
          REQUIRE(each.size() == 4 && each[3].is_cpu());
          return cat(each).sum();
        });
    REQUIRE(total.item<double>() == 6);
    using Nested = std::pair<std::string, std::vector<Tensor>>;
    Nested own{std::to_string(i), {number(i), ones({2})}};
    std::string names =
        xm::mesh_reduce("nested", own, [](const std::vector<Nested> &each) {
          std::string text;
          for (const Nested &one : each)
            text += one.first + text_of(one.second[0]);
          return text;
        });
    REQUIRE(names == "00 11 22 33 ");
    return "";
  });
}

FEATURE(CC_20_alone) {
  EXPECT_EQ(xm::mesh_reduce("n", 1.25,
                            [](const std::vector<double> &values) {
                              return values.size();
                            }),
            1u);
}

FEATURE(CC_22, "CPU_NUM_DEVICES=4") {
  TemporaryFolder folder;
  std::string path = folder.path() + "/printed";
  xmp::spawn([&](int i) {
    std::ofstream file(path, std::ios::app);
    xm::master_print(xm::PrintTo{.fd = &file, .flush = true}, "from", i);
  });
  std::ostringstream printed;
  printed << std::ifstream(path).rdbuf();
  EXPECT_EQ(printed.str(), "from 0\n");
}

FEATURE(CC_23) {
  Tensor x = number(3);
  EXPECT_EQ(text_of(xm::all_reduce(xm::REDUCE_SUM, x)), "3 ");
  std::vector<Tensor> list =
      xm::all_reduce(xm::REDUCE_SUM, std::vector<Tensor>{x});
  EXPECT_TRUE(list[0].is_same(x));
  EXPECT_EQ(text_of(xm::all_gather(x)), "3 ");
  EXPECT_EQ(text_of(xm::all_to_all(x, 0, 0, 1)), "3 ");
  EXPECT_EQ(text_of(xm::reduce_scatter(xm::REDUCE_SUM, x, 1.0, 0, 1)), "3 ");
  EXPECT_EQ(text_of(xm::collective_permute(x, {{0, 0}})), "3 ");
  xm::collective_broadcast({x});
  nn::Linear linear = nn::Linear(2, 2).to(xm::xla_device());
  xm::broadcast_master_param(linear);
  EXPECT_EQ(text_of(x), "3 ");
  EXPECT_EQ(text_of(xm::rendezvous("tag", "own")), "own ");
}

//===- Steps over several processes ---------------------------------------===//

/// One training loop for any number of devices.
static std::string loop(int first, int count) {
  manual_seed(7);
  nn::Linear net = nn::Linear(3, 2).to(xm::xla_device());
  optim::SGD sgd(net->parameters(), {.lr = 0.1});
  Tensor data = arange(24, dtype(kFloat32)).view({8, 3}) / 8.0;
  Tensor own = data.narrow(0, first, count).to(xm::xla_device());
  for (int step = 0; step < 3; ++step) {
    sgd.zero_grad();
    net(own).pow(2).mean().backward();
    xm::optimizer_step(sgd, {.barrier = true});
  }
  return text_of(net->weight.detach());
}

static Floats numbers_in(const std::string &text) {
  std::istringstream in(text);
  return {std::istream_iterator<float>(in), {}};
}

/// Checks both rows: the loop in four processes and in one.
static void expect_same_training() {
  Texts replicas = in_processes(4, [](int i) { return loop(2 * i, 2); });
  Floats alone = numbers_in(loop(0, 8));
  for (const std::string &each : replicas) {
    EXPECT_EQ(each, replicas[0]);
    Floats got = numbers_in(each);
    ASSERT_EQ(got.size(), alone.size());
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_NEAR(got[i], alone[i], 1e-4);
  }
}

FEATURE(NN_20, "CPU_NUM_DEVICES=4") { expect_same_training(); }

FEATURE(NN_20_alone) {
  Tensor a = ones({2}, xm::xla_device()).requires_grad_();
  Tensor b = ones({2}, xm::xla_device()).requires_grad_();
  optim::SGD first({a}, {.lr = 0.5}), second({b}, {.lr = 0.5});
  (a * 3.0).sum().backward();
  (b * 3.0).sum().backward();
  xm::optimizer_step(first);
  second.step();
  EXPECT_TRUE(equal(a.detach(), b.detach()));
}

FEATURE(NN_24, "CPU_NUM_DEVICES=4") { expect_same_training(); }
