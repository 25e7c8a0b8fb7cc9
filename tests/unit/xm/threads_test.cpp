// Sixteen threads that trace, compile and run in parallel. They only read
// shared tensors, as the rules for threads require.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <exception>
#include <thread>

namespace xlac {
namespace {

constexpr int kThreads = 16;
const bool kManyDevices = setenv("CPU_NUM_DEVICES", "16", 1) == 0;

using Floats = std::vector<float>;

/// Runs body(0) … body(15) concurrently, each in a thread. The first exception
/// is a failure.
template <class Body> void side_by_side(Body body) {
  std::barrier start(kThreads);
  std::vector<std::exception_ptr> thrown(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        try {
          body(i);
        } catch (...) {
          thrown[i] = std::current_exception();
        }
      });
  }
  for (const std::exception_ptr &each : thrown)
    if (each)
      std::rethrow_exception(each);
}

/// Has a different size in each thread, so that the threads have different
/// programs.
Tensor own_input(int i) {
  return arange((4.0 + i) * 8).reshape({4 + i, 8}) / (20.0 + i);
}

void expect_close(const Tensor &actual, const Tensor &expected) {
  EXPECT_TRUE(
      allclose(actual.detach().cpu(), expected.detach().cpu(), 1e-4, 1e-4))
      << actual << "\n"
      << expected;
}

TEST(Threads, AskForValuesOnOneDevice) {
  Tensor weight = arange(64.0).reshape({8, 8}) / 64.0;
  Tensor shared = weight.to("xla:0");
  auto compute = [](const Tensor &x, const Tensor &w, int i) {
    Tensor y = x.mm(w).sin() * (i + 1.5);
    y.slice(0, 0, 2).mul_(2.0);
    y[1] += w[0];
    return y;
  };
  side_by_side([&](int i) {
    Tensor x = own_input(i), expected = compute(x, weight, i);
    for (int round = 0; round < 3; ++round)
      expect_close(compute(x.to("xla:0"), shared, i), expected);
  });
  EXPECT_EQ(shared.to_vector<float>(), weight.to_vector<float>());
}

TEST(Threads, AskForOnePendingTensor) {
  Tensor base = arange(12.0, Device("xla:0"));
  for (int round = 0; round < 3; ++round) {
    Tensor shared = (base * 3.0).reshape({3, 4}).t();
    Tensor row = shared[1];
    side_by_side([&](int i) {
      Tensor own = i % 2 ? row + double(i) : shared.sum({1}) + double(i);
      EXPECT_EQ(own.to_vector<float>(),
                i % 2 ? (Floats{3.0f + i, 15.0f + i, 27.0f + i})
                      : (Floats{36.0f + i, 45.0f + i, 54.0f + i, 63.0f + i}));
      if (i % 4 == 0)
        EXPECT_EQ(row.to_vector<float>(), (Floats{3, 15, 27}));
      EXPECT_EQ(shared.sizes(), (Shape{4, 3}));
    });
  }
}

TEST(Threads, ReadTheParametersOfOneModule) {
  manual_seed(7);
  nn::Linear first(8, 6), second(6, 2);
  nn::Linear xla_first = first.clone(Device("xla:0")),
             xla_second = second.clone(Device("xla:0"));
  auto forward = [](const nn::Linear &a, const nn::Linear &b, const Tensor &x) {
    Tensor y = b(relu(a(x)));
    return (y * y).sum();
  };
  side_by_side([&](int i) {
    Tensor x = own_input(i).requires_grad_();
    Tensor on_xla = own_input(i).to("xla:0").requires_grad_();
    Tensor expected = forward(first, second, x);
    for (int round = 0; round < 2; ++round) {
      if (i % 4 == 3) {
        NoGradGuard guard;
        Tensor loss = forward(xla_first, xla_second, on_xla);
        EXPECT_FALSE(loss.requires_grad());
        expect_close(loss, expected);
        continue;
      }
      EXPECT_TRUE(is_grad_enabled());
      Tensor loss = forward(xla_first, xla_second, on_xla);
      expect_close(autograd::grad({loss}, {on_xla})[0],
                   autograd::grad({expected}, {x}, {}, true)[0]);
      expect_close(loss, expected);
    }
  });
  EXPECT_FALSE(xla_first->weight.grad().defined());
}

TEST(Threads, WalkBackThroughOneGraph) {
  for (const char *device : {"cpu", "xla:0"}) {
    Tensor x = full({5}, 2.0, Device(device)).requires_grad_();
    Tensor y = (x * x * x).sum();
    side_by_side([&](int i) {
      Tensor weight = full({}, i + 1.0, Device(device));
      Tensor grad = autograd::grad({y}, {x}, {weight}, true)[0];
      EXPECT_EQ(grad.to_vector<float>(), Floats(5, 12.0f * (i + 1)));
    });
    EXPECT_FALSE(x.grad().defined());
  }
}

TEST(Threads, AddToOneGradient) {
  for (const char *device : {"cpu", "xla:0"}) {
    Tensor x = ones({4}, Device(device)).requires_grad_();
    Tensor shared = x * 2.0;
    side_by_side([&](int i) {
      (x * double(i)).sum().backward();
      (shared * double(i)).sum().backward({}, true);
    });
    // 0 + … + 15 is 120.
    EXPECT_EQ(x.grad().to_vector<float>(), Floats(4, 120.0f + 240.0f));
  }
}

/// Returns the losses of a separate model trained on `device` with random
/// numbers of that device.
Floats train(int i, Device device) {
  xlac::device(device.index);
  manual_seed(100 + i, device);
  nn::Linear model = nn::Linear(8, 3).to(device);
  nn::init::constant_(model->weight, 0.05 * (i + 1));
  nn::init::constant_(model->bias, 0.01);
  optim::SGD optimizer(model->parameters(), {.lr = 0.01, .momentum = 0.9});
  Floats losses;
  for (int step = 0; step < 4; ++step) {
    Tensor x = randn({4 + i, 8}, device);
    optimizer.zero_grad();
    Tensor loss = (model(x) - x.slice(1, 0, 3)).square().mean();
    loss.backward();
    xm::optimizer_step(optimizer);
    xm::add_step_closure(
        [&](const Tensor &l) { losses.push_back(l.item<float>()); },
        std::tuple(loss));
    xm::mark_step();
  }
  return losses;
}

TEST(Threads, TrainOnADeviceEach) {
  std::vector<Floats> expected, losses(kThreads);
  for (int i = 0; i < kThreads; ++i)
    expected.push_back(train(i, Device(kXLA, i)));
  xlac::device(0);
  side_by_side([&](int i) {
    losses[i] = train(i, Device(kXLA, i));
    EXPECT_EQ(xlac::device().index, i);
  });
  EXPECT_EQ(xlac::device().index, 0);
  for (int i = 0; i < kThreads; ++i) {
    ASSERT_EQ(losses[i].size(), 4u);
    EXPECT_EQ(losses[i], expected[i]) << i;
  }
}

TEST(Threads, SyncOneDevice) {
  std::atomic<int> ran = 0;
  side_by_side([&](int i) {
    Tensor sum = zeros({3 + i}, "xla:0"), view = sum.slice(0, 0, 2);
    std::thread::id self = std::this_thread::get_id();
    for (int step = 0; step < 6; ++step) {
      sum += double(i);
      view -= 1.0;
      xm::add_step_closure([&, self] {
        EXPECT_EQ(std::this_thread::get_id(), self);
        ++ran;
      });
      xlac::sync(step % 3 == 0);
    }
    Floats expected(3 + i, 6.0f * i);
    expected[0] = expected[1] = 6.0f * i - 6;
    EXPECT_EQ(sum.to_vector<float>(), expected);
  });
  EXPECT_EQ(ran, 6 * kThreads);
}

TEST(Threads, LookAndPrintWhileOthersRun) {
  Tensor shared = ones({2, 2}, "xla:0");
  side_by_side([&](int i) {
    experimental::EagerModeGuard guard(i % 4 == 1);
    Tensor own = shared * (2.0 + i);
    switch (i % 4) {
    case 0:
      EXPECT_NE(own.str().find("device='xla:0'"), std::string::npos);
      break;
    case 1:
      EXPECT_EQ(own[0][0].item<float>(), 2.0f + i);
      break;
    case 2:
      EXPECT_NE(met::metrics_report().find("Counter: "), std::string::npos);
      EXPECT_GE(debug::pending_nodes("xla:0"), 1);
      break;
    default:
      EXPECT_NE(xm::get_stablehlo({own}).find("stablehlo.multiply"),
                std::string::npos);
      EXPECT_GE(xm::get_memory_info(Device("xla:0")).bytes_used, 0);
    }
    expect_close(own, full({2, 2}, 2.0 + i));
  });
}

} // namespace
} // namespace xlac
