// LAZY and PRT: when pending work runs, and printing.
#include "feature_rows.h"

#include <atomic>
#include <chrono>
#include <sstream>
#include <thread>

using namespace xlac;
using namespace xlac::features;

FEATURE(LAZY_01) {
  Device dev = xlac::device();
  Tensor x = ones({4}, dev);
  xlac::sync(true);
  met::clear_all();
  for (int i = 0; i < 100; ++i)
    x = x + 1.0;
  x.sizes();
  x.dtype();
  x.strides();
  EXPECT_EQ(samples("ExecuteTime"), 0);
  EXPECT_GT(debug::pending_nodes(dev), 0);
  EXPECT_EQ(x.cpu().to_vector<float>(), Floats(4, 101));
  EXPECT_EQ(samples("ExecuteTime"), 1);
}

FEATURE(LAZY_02) {
  Tensor x = ones({1000000}, xlac::device());
  xlac::sync(true);
  Tensor y = ((x + 1.0) * 2.0).sin();
  std::string hash = debug::graph_hash({y});
  y.cpu();
  for (const debug::ProgramInfo &program : debug::programs())
    if (program.hash == hash) {
      EXPECT_EQ(program.kernels, 1);
      return;
    }
  FAIL() << "the program is not listed";
}

FEATURE(LAZY_03) {
  Tensor x = ones({4}, xlac::device());
  xlac::sync();
  Tensor kept = x.sin() + x.sin();
  {
    Tensor dropped = x.exp();
  }
  EXPECT_LACKS(xm::get_stablehlo(), "exponential");
  EXPECT_NEAR(kept[0].item<float>(), 2 * std::sin(1.0f), 1e-6);
}

FEATURE(LAZY_04) {
  Tensor x = ones({4}, xlac::device());
  xlac::sync(true);
  met::clear_all();
  for (int i = 0; i < 50; ++i)
    x = x * 2.0;
  xlac::sync(true);
  EXPECT_EQ(samples("ExecuteTime"), 1);
}

FEATURE(LAZY_05) {
  Device dev = xlac::device();
  Tensor a = arange(6, dtype(kFloat32)).view({2, 3}), x = a.to(dev);
  uint32_t state = 12345;
  auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 16; };
  for (int i = 0; i < 200; ++i) {
    auto apply = [choice = next() % 6, number = (next() % 7) / 8.0](Tensor &t) {
      switch (choice) {
      case 0:
        t = t + number;
        break;
      case 1:
        t[1].mul_(number);
        break;
      case 2:
        t = t.sin();
        break;
      case 3:
        t.slice(1, 0, 2).fill_(number);
        break;
      case 4:
        t += t.sum({0});
        break;
      default:
        t = t.t().flatten().view({2, 3});
      }
    };
    apply(a);
    apply(x);
    if (next() % 5 == 0)
      xlac::sync();
    ASSERT_TRUE(allclose(x.cpu(), a, 1e-4, 1e-5)) << "step " << i;
  }
}

FEATURE(LAZY_06) {
  Tensor x = ones({2}, xlac::device());
  EXPECT_EQ((x + x).str(), "tensor([2., 2.], device='xla:0')");
}

FEATURE(LAZY_07) {
  Tensor x = ones({1}, xlac::device());
  xlac::sync();
  x.add_(2.0);
  EXPECT_EQ(x.item<float>(), 3.0f);
  Tensor host = zeros({1});
  x.add_(2.0);
  host.copy_(x);
  EXPECT_EQ(host.item<float>(), 5.0f);
}

/// A program that runs for about a tenth of a second.
static Tensor long_program(const Tensor &x) {
  Tensor y = x;
  for (int i = 0; i < 8; ++i)
    y = y.mm(x) / 1024.0;
  return y;
}

FEATURE(LAZY_08) {
  Tensor x = ones({1024, 1024}, xlac::device());
  xlac::sync(true);
  Tensor compiled = long_program(x);
  xlac::sync(true);
  Tensor y = long_program(x);
  met::clear_all();
  xlac::sync();
  EXPECT_EQ(samples("ExecuteTime"), 0);
  xm::wait_device_ops();
  EXPECT_EQ(samples("ExecuteTime"), 1);
}

FEATURE(LAZY_10) {
  Device dev = xlac::device();
  Tensor x = ones({4}, dev) + 1.0;
  met::clear_all();
  xm::mark_step();
  EXPECT_EQ(debug::pending_nodes(dev), 0);
  EXPECT_EQ(counter("MarkStep"), 1);
}

FEATURE(LAZY_11) {
  Tensor parameter = ones({4}, xlac::device());
  xlac::sync();
  parameter -= 0.5 * ones({4}, xlac::device());
  xm::mark_step();
  EXPECT_EQ(parameter.to_vector<float>(), Floats(4, 0.5f));
  EXPECT_CONTAINS(xm::get_stablehlo({parameter}), "return %arg0");
}

FEATURE(LAZY_12) {
  Tensor x = ones({4}, xlac::device()) + 1.0;
  xlac::sync(true);
  EXPECT_EQ(debug::pending_nodes(xlac::device()), 0);
  xm::wait_device_ops();
}

FEATURE(LAZY_13) {
  met::clear_all();
  {
    auto scope = xlac::step();
  }
  EXPECT_EQ(counter("MarkStep"), 2);
  xlac::step([] {});
  EXPECT_EQ(counter("MarkStep"), 4);
  EXPECT_THROW(xlac::step([] { throw std::runtime_error("mine"); }),
               std::runtime_error);
  EXPECT_EQ(counter("MarkStep"), 6);
}

FEATURE(LAZY_14) {
  Tensor x = ones({4}, xlac::device()) + 1.0;
  met::clear_all();
  xm::wait_device_ops();
  EXPECT_EQ(samples("ExecuteTime"), 0);
  EXPECT_GT(debug::pending_nodes(xlac::device()), 0);
  xlac::sync();
  xm::wait_device_ops({xlac::device()});
  EXPECT_EQ(samples("ExecuteTime"), 1);
}

FEATURE(LAZY_15) {
  int runs = 0;
  float seen = 0;
  Tensor x = ones({1}, xlac::device()) + 1.0;
  xm::add_step_closure(
      [&](const Tensor &t) {
        ++runs;
        seen = t.item<float>();
      },
      std::tuple(x), false);
  EXPECT_EQ(runs, 0);
  xlac::sync();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(seen, 2.0f);
  xlac::sync();
  EXPECT_EQ(runs, 1);
}

FEATURE(LAZY_16) {
  int sum = 0;
  xm::add_step_closure([&](int a, int b) { sum = a + b; }, std::tuple(2, 3));
  xlac::sync();
  EXPECT_EQ(sum, 5);
}

FEATURE(LAZY_17) {
  std::vector<int> order;
  for (int i = 1; i <= 3; ++i)
    xm::add_step_closure([&order, i] { order.push_back(i); });
  xlac::sync();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  xm::add_step_closure([] { throw std::runtime_error("mine"); });
  xm::add_step_closure([&] { order.push_back(4); });
  EXPECT_THROW(xlac::sync(), std::runtime_error);
  xlac::sync();
  EXPECT_EQ(order.size(), 3u);
}

FEATURE(LAZY_18) {
  Tensor x = ones({2}, xlac::device());
  xlac::sync(true);
  met::clear_all();
  Tensor a = (x * 3.0).sum(), b = (x * 5.0).sum();
  float seen_a = 0, seen_b = 0;
  xm::add_step_closure([&](const Tensor &t) { seen_a = t.item<float>(); },
                       std::tuple(a));
  xm::add_step_closure([&](const Tensor &t) { seen_b = t.item<float>(); },
                       std::tuple(b));
  xlac::sync();
  EXPECT_EQ(seen_a, 6);
  EXPECT_EQ(seen_b, 10);
  EXPECT_EQ(samples("ExecuteTime"), 1);
}

/// Waits until `condition` is true; returns false after ten seconds.
template <class Condition> static bool comes_true(Condition condition) {
  for (int i = 0; i < 2000 && !condition(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return condition();
}

FEATURE(LAZY_18_keeps_values) {
  Tensor x = ones({2}, xlac::device());
  std::atomic<float> seen = 0;
  xm::add_step_closure(
      [&](const Tensor &t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        seen = t[0].item<float>();
      },
      std::tuple(x), true);
  xlac::sync();
  x += 1.0;
  xlac::sync(true);
  EXPECT_TRUE(comes_true([&] { return seen != 0; }));
  EXPECT_EQ(seen, 1.0f);
}

FEATURE(LAZY_19) {
  std::atomic<bool> finished = false;
  xm::add_step_closure(
      [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        finished = true;
      },
      {}, true);
  xlac::sync();
  EXPECT_FALSE(finished);
  EXPECT_TRUE(comes_true([&] { return finished.load(); }));
  xm::add_step_closure([] { throw std::runtime_error("mine"); }, {}, true);
  xlac::sync();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_THROW(
      {
        xm::add_step_closure([] {}, {}, true);
        xlac::sync();
      },
      std::runtime_error);
}

FEATURE(PRT_01) {
  Tensor t = tensor({5}, xlac::device()) + 0;
  met::clear_all();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(t.str(), "tensor([5], device='xla:0')");
  EXPECT_EQ(samples("ExecuteTime"), 1);
}

FEATURE(PRT_02) {
  std::ostringstream text;
  text << tensor({5}, xlac::device()).device();
  EXPECT_EQ(text.str(), "xla:0");
}

FEATURE(PRT_03) {
  Tensor a = tensor({1.5, 2.5}), b = tensor({1.0, 3.0});
  Tensor x = a.to(xlac::device()) * 1.0, y = b.to(xlac::device()) * 1.0;
  int64_t before = debug::pending_nodes(xlac::device());
  std::string text = (x + y).str();
  EXPECT_EQ(debug::pending_nodes(xlac::device()), before);
  std::string wanted = (a + b).str();
  wanted.insert(wanted.size() - 1, ", device='xla:0'");
  EXPECT_EQ(text, wanted);
}

FEATURE(PRT_04) {
  Tensor a = tensor({{1.5, 2.5}, {1.0, 3.0}});
  std::string wanted = a.mm(a).str();
  wanted.insert(wanted.size() - 1, ", device='xla:0'");
  Tensor x = a.to(xlac::device());
  EXPECT_EQ(x.mm(x).str(), wanted);
}

FEATURE(PRT_06) {
  Device dev = xlac::device();
  std::tuple tensors(tensor({1.0, 2.0}, dev), tensor({5}, dev));
  std::ostringstream text;
  text << to_value(tensors);
  EXPECT_EQ(text.str(), "(tensor([1., 2.], device='xla:0'), "
                        "tensor([5], device='xla:0'))");
}
