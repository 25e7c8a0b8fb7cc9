// Bodies of branches, loops and scans that capture tensors. Their gradients are
// those of the same calls outside of a body.
#include "xlac/autograd.h"
#include "xlac/control_flow.h"
#include "xlac/lazy.h"
#include "xlac/ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace xlac {
namespace {

using List = std::vector<Tensor>;
using Numbers = std::vector<double>;

class Bodies : public testing::TestWithParam<const char *> {
protected:
  Device device() const { return Device(GetParam()); }
  Tensor numbers(const Numbers &values) const {
    return tensor(values, TensorOptions(kFloat64).device(device()));
  }
  Tensor leaf(const Numbers &values) const {
    return numbers(values).requires_grad_();
  }
};

Numbers read(const Tensor &t) {
  return t.defined() ? t.detach().cpu().to_vector<double>() : Numbers{};
}

/// A way in which a body derives a constant from a tensor.
struct Way {
  const char *name;
  std::function<Tensor(const Tensor &)> detach;
};

template <class F> Tensor unfollowed(const F &function) {
  NoGradGuard guard;
  return function();
}

const std::vector<Way> &ways() {
  static const std::vector<Way> list{
      {"detach", [](auto &x) { return x.detach(); }},
      {"data", [](auto &x) { return x.data(); }},
      {"clone, detach", [](auto &x) { return x.clone().detach(); }},
      {"view", [](auto &x) { return unfollowed([&] { return x.view({2}); }); }},
      {"slice", [](auto &x) { return unfollowed([&] { return x.slice(0); }); }},
      {"product", [](auto &x) { return unfollowed([&] { return x * 1.0; }); }},
  };
  return list;
}

/// One step of all kinds of loops: w is captured, c is carried.
Tensor advanced(const Tensor &c, const Tensor &w, const Way &way) {
  // The constant is used before the tensor that it was detached from.
  Tensor first = way.detach(c) * w;
  return first + c * w * way.detach(w) + way.detach(c * w);
}

/// The construct that runs a body of `rounds` steps.
struct Form {
  const char *name;
  int rounds;
  std::function<Tensor(const Tensor &, const std::function<Tensor(Tensor)> &)>
      run;
};

const std::vector<Form> &forms() {
  static const std::vector<Form> list{
      {"cond, true", 1,
       [](const Tensor &c, auto &step) {
         return cond(
             full({}, 1, c.device()) > 0,
             [&](const List &in) { return List{step(in[0])}; },
             [](const List &in) { return List{in[0] * 3.0}; }, {c})[0];
       }},
      {"cond, false", 1,
       [](const Tensor &c, auto &step) {
         return cond(
             full({}, -1, c.device()) > 0,
             [](const List &in) { return List{in[0] * 3.0}; },
             [&](const List &in) { return List{step(in[0])}; }, {c})[0];
       }},
      {"cond without operands", 1,
       [](const Tensor &c, auto &step) {
         return cond(
             full({}, 1, c.device()) > 0,
             [&](const List &) { return List{step(c)}; },
             [&](const List &) { return List{c * 3.0}; })[0];
       }},
      {"while_loop", 3,
       [](const Tensor &c, auto &step) {
         return while_loop(
             [](const List &in) { return in[0] < 3; },
             [&](const List &in) { return List{in[0] + 1, step(in[1])}; },
             {full({}, 0, c.device()), c})[1];
       }},
      {"fori_loop", 3,
       [](const Tensor &c, auto &step) {
         return fori_loop(
             2, 5,
             [&](const Tensor &, const List &in) { return List{step(in[0])}; },
             {c})[0];
       }},
      {"scan", 3,
       [](const Tensor &c, auto &step) {
         return scan(
                    [&](const List &carried, const List &row) {
                      return ScanStep{{step(carried[0]) + row[0]}, {}};
                    },
                    {c},
                    {zeros({3, 2}, TensorOptions(kFloat64).device(c.device()))})
             .first[0];
       }},
      {"fori_loop in a scan", 3,
       [](const Tensor &c, auto &step) {
         return scan(
                    [&](const List &carried, const List &row) {
                      Tensor next = fori_loop(
                          0, 1,
                          [&](const Tensor &, const List &in) {
                            return List{step(in[0])};
                          },
                          carried)[0];
                      return ScanStep{{next + row[0]}, {}};
                    },
                    {c},
                    {zeros({3, 2}, TensorOptions(kFloat64).device(c.device()))})
             .first[0];
       }},
      {"cond in a cond", 1,
       [](const Tensor &c, auto &step) {
         Tensor yes = full({}, 1, c.device()) > 0;
         auto other = [](const List &in) { return List{in[0] * 3.0}; };
         return cond(yes,
                     [&](const List &in) {
                       return cond(
                           yes,
                           [&](const List &in) { return List{step(in[0])}; },
                           other, in);
                     },
                     other, {c})[0];
       }},
      {"scan under a checkpoint", 3,
       [](const Tensor &c, auto &step) {
         return autograd::checkpoint(
             [step](const List &in) {
               return scan(
                          [&](const List &carried, const List &row) {
                            return ScanStep{{step(carried[0]) + row[0]}, {}};
                          },
                          {in[0]},
                          {zeros({3, 2}, TensorOptions(kFloat64).device(
                                             in[0].device()))})
                   .first[0];
             },
             {c});
       }},
  };
  return list;
}

/// The operand that a loop carries or a branch takes: without gradient, with
/// gradient, or the same tensor that the body captures.
enum class Carried { Constant, Other, Same };

TEST_P(Bodies, FollowWhatTheyUseFromOutside) {
  Numbers weights{0.75, -1.25};
  for (const Form &form : forms())
    for (const Way &way : ways())
      for (Carried carries : {Carried::Constant, Carried::Other, Carried::Same})
        for (int synced : {0, 1, 2}) {
          // All combinations for two ways; the others once.
          if (&way > &ways()[1] &&
              (carries == Carried::Constant || synced != 1))
            continue;
          SCOPED_TRACE(std::string(form.name) + ", " + way.name + ", carried " +
                       std::to_string(int(carries)) + ", synced " +
                       std::to_string(synced));
          auto run = [&](bool by_hand) {
            Tensor leaf_w = leaf({0.5, -1.5});
            Tensor leaf_c =
                numbers({1.25, 0.5}).requires_grad_(carries == Carried::Other);
            Tensor w = leaf_w * 2.0;
            Tensor c = carries == Carried::Same ? w : leaf_c * 1.0;
            if (synced == 1)
              sync();
            auto step = [&](Tensor carried) {
              return advanced(carried, w, way);
            };
            Tensor made = c;
            if (by_hand)
              for (int i = 0; i < form.rounds; ++i)
                made = step(made);
            else
              made = form.run(c, step);
            EXPECT_TRUE(made.requires_grad());
            Tensor loss = (made * numbers(weights)).sum() + (w * c).sum();
            if (synced == 2)
              sync();
            loss.backward();
            return List{made, leaf_w.grad(), leaf_c.grad()};
          };
          List got = run(false), wanted = run(true);
          for (size_t i = 0; i < wanted.size(); ++i) {
            Numbers a = read(got[i]), b = read(wanted[i]);
            ASSERT_EQ(a.size(), b.size()) << i;
            for (size_t k = 0; k < a.size(); ++k)
              EXPECT_NEAR(a[k], b[k], 1e-9) << i << " " << k;
          }
        }
}

/// Values that a region computes from captured tensors only, here the broadcast
/// number, are placed outside of it. In eager mode bodies are traced as well.
TEST_P(Bodies, FollowNumbersThatTheySpread) {
  for (const Form &form : forms())
    for (bool eager : {false, true})
      for (bool checkpointed : {false, true}) {
        SCOPED_TRACE(std::string(form.name) + (eager ? ", eager" : "") +
                     (checkpointed ? ", checkpointed" : ""));
        auto run = [&](bool by_hand) {
          experimental::EagerModeGuard guard(eager);
          Tensor w = leaf({0.5}), c = numbers({1.25, 0.5});
          Tensor number = w.sum();
          auto step = [&](Tensor carried) {
            auto one = [&, number](const List &in) {
              return advanced(in[0], number, ways()[0]);
            };
            return checkpointed ? autograd::checkpoint(one, {carried})
                                : one({carried});
          };
          Tensor made = c;
          if (by_hand)
            for (int i = 0; i < form.rounds; ++i)
              made = step(made);
          else
            made = form.run(c, step);
          EXPECT_TRUE(made.requires_grad());
          made.sum().backward();
          return w.grad();
        };
        EXPECT_TRUE(allclose(run(false), run(true), 1e-9, 1e-9));
      }
}

/// Two tensors with one value; one is an operand, or both are captured.
TEST_P(Bodies, KeepTensorsOfOneValueApart) {
  for (bool pending : {false, true}) {
    Tensor x = leaf({0.5, -1.5});
    Tensor y = pending ? x * 2.0 : x;
    Tensor other = y.detach().requires_grad_();
    Tensor made = cond(
        full({}, 1, device()) > 0,
        [&](const List &in) { return List{in[0] * y * y + other * other * y}; },
        [](const List &in) { return List{in[0]}; }, {y.detach()})[0];
    List grads = autograd::grad({made.sum()}, {y, other});
    // y' = 2 d y + o² = 3 y² and o' = 2 o y = 2 y² where all have the same
    // value.
    EXPECT_EQ(read(grads[0]), read(3.0 * y * y));
    EXPECT_EQ(read(grads[1]), read(2.0 * y * y));
  }
}

TEST_P(Bodies, DifferentiateTwice) {
  for (const Form &form : forms()) {
    SCOPED_TRACE(form.name);
    auto second = [&](bool by_hand) {
      Tensor w = leaf({0.5, -1.5}), c = leaf({1.25, 0.5});
      auto step = [&](Tensor carried) {
        return advanced(carried, w, ways()[0]).sin();
      };
      Tensor made = c;
      if (by_hand)
        for (int i = 0; i < form.rounds; ++i)
          made = step(made);
      else
        made = form.run(c, step);
      List first = autograd::grad({made.sum()}, {w, c}, {}, true, true);
      return autograd::grad({(first[0] * first[1]).sum()}, {w, c});
    };
    List got = second(false), wanted = second(true);
    for (size_t i = 0; i < 2; ++i)
      EXPECT_TRUE(allclose(got[i], wanted[i], 1e-9, 1e-9)) << i;
  }
}

TEST_P(Bodies, SayWhichResultsGradientsFollow) {
  Tensor w = leaf({0.5, -1.5}), c = numbers({1, 2});
  List made = cond(
      full({}, 1, device()) > 0,
      [&](const List &in) { return List{in[0] * w, in[0] * w.detach()}; },
      [](const List &in) { return List{in[0], in[0]}; }, {c});
  EXPECT_TRUE(made[0].requires_grad());
  EXPECT_FALSE(made[1].requires_grad());
  made[1].requires_grad_();
  EXPECT_TRUE(made[1].is_leaf());
  (made[0] * made[1]).sum().backward();
  EXPECT_EQ(read(w.grad()), read(c * made[1]));
  EXPECT_EQ(read(made[1].grad()), read(c * w));
}

/// A loop's results require a gradient if its carried or captured tensors do.
TEST_P(Bodies, FollowWhatLoopsCarry) {
  for (bool carries : {false, true}) {
    Tensor w = leaf({0.5, -1.5}), x = numbers({1, 2}).requires_grad_(carries);
    Tensor constant = numbers({3, 4});
    List made = fori_loop(0, 3,
                          [&](const Tensor &, const List &in) {
                            // From iteration 2 on, the second depends on the
                            // first.
                            return List{in[0] * w.detach(), in[0] + in[1],
                                        in[2] * 2.0, in[3] * w};
                          },
                          {x, constant, constant, constant});
    std::vector<bool> wanted{carries, carries, false, true};
    for (size_t i = 0; i < made.size(); ++i)
      EXPECT_EQ(made[i].requires_grad(), wanted[i]) << i;
    ScanStep scanned = scan(
        [&](const List &in, const List &row) {
          return ScanStep{{in[0] * w.detach()},
                          {in[0], row[0] * 2.0, row[0] * w}};
        },
        {x}, {numbers({1, 2, 3, 4}).reshape({2, 2})});
    EXPECT_EQ(scanned.first[0].requires_grad(), carries);
    EXPECT_EQ(scanned.second[0].requires_grad(), carries);
    EXPECT_FALSE(scanned.second[1].requires_grad());
    EXPECT_TRUE(scanned.second[2].requires_grad());
  }
}

/// A body's operand is written to later: the gradient uses the old value, or it
/// is an error where steps are recorded one by one.
TEST_P(Bodies, DifferentiateWhatTheyTook) {
  for (const Form &form : forms()) {
    std::string name = form.name;
    // A checkpoint reads captured tensors again.
    if (name.find("checkpoint") != std::string::npos)
      continue;
    SCOPED_TRACE(name);
    Tensor w = leaf({0.5, -1.5}), factor = numbers({2, 3});
    Tensor made =
        form.run(w * 1.0, [&](const Tensor &c) { return c * factor; });
    factor.mul_(5.0);
    // A loop of unknown trip count runs step by step. Values that a branch
    // computes only from captured tensors are recorded outside of it.
    bool is_traced = device().type == kXLA && name != "while_loop" &&
                     name != "fori_loop" && name != "cond without operands";
    auto gradient = [&] { return autograd::grad({made.sum()}, {w})[0]; };
    double rounds = form.rounds;
    if (is_traced)
      EXPECT_EQ(read(gradient()),
                (Numbers{std::pow(2.0, rounds), std::pow(3.0, rounds)}));
    else
      EXPECT_THROW(gradient(), UserError);
  }
}

/// The predicate of a branch may be overwritten later.
TEST_P(Bodies, ForgetWhatDecided) {
  Tensor w = leaf({0.5, -1.5}), flag = full({}, 1, device()) > 0;
  Tensor made = cond(
      flag, [](const List &in) { return List{in[0] * 2.0}; },
      [](const List &in) { return in; }, {w})[0];
  flag.logical_not_();
  made.sum().backward();
  EXPECT_EQ(read(w.grad()), (Numbers{2, 2}));
}

/// Gradients end at a leaf that a body makes, as on the cpu.
TEST_P(Bodies, EndAtLeavesThatTheyMake) {
  for (const Form &form : forms()) {
    SCOPED_TRACE(form.name);
    auto run = [&](bool by_hand) {
      Tensor w = leaf({0.5, -1.5}), c = leaf({1.25, 0.5});
      auto step = [&](Tensor carried) {
        Tensor inner = carried.detach().requires_grad_();
        Tensor outer = w.detach().requires_grad_();
        return carried * inner + w * outer * inner;
      };
      Tensor made = c;
      if (by_hand)
        for (int i = 0; i < form.rounds; ++i)
          made = step(made);
      else
        made = form.run(c, step);
      return autograd::grad({made.sum()}, {w, c});
    };
    List got = run(false), wanted = run(true);
    for (size_t i = 0; i < wanted.size(); ++i)
      EXPECT_TRUE(allclose(got[i], wanted[i], 1e-9, 1e-9)) << i;
  }
}

struct Doubled : autograd::Function<Doubled> {
  static Tensor forward(autograd::FunctionCtx &ctx, Tensor x) {
    Tensor y = x.sin() * x;
    ctx.save_for_backward({x, y});
    return y;
  }
  static List backward(autograd::FunctionCtx &ctx, List grads) {
    List saved = ctx.saved_tensors();
    return {grads[0] * (saved[0] + saved[1])};
  }
};

/// The gradient of a function with one of its own is never that of its
/// operations.
TEST_P(Bodies, DoNotLookIntoFunctions) {
  for (const Form &form : forms())
    for (bool of_carried : {false, true}) {
      SCOPED_TRACE(std::string(form.name) + (of_carried ? ", of carried" : ""));
      Tensor w = leaf({0.5, -1.5}), c = numbers({1.25, 0.5});
      auto step = [&](Tensor carried) {
        return carried * 0.5 + Doubled::apply(of_carried ? carried * w : w * 2);
      };
      Tensor by_hand = c;
      for (int i = 0; i < form.rounds; ++i)
        by_hand = step(by_hand);
      Tensor made = form.run(c, step);
      EXPECT_TRUE(allclose(made, by_hand, 1e-9, 1e-9));
      Tensor wanted = autograd::grad({by_hand.sum()}, {w})[0];
      EXPECT_TRUE(
          allclose(autograd::grad({made.sum()}, {w})[0], wanted, 1e-9, 1e-9));
      NoGradGuard guard;
      EXPECT_TRUE(allclose(form.run(c, step), by_hand, 1e-9, 1e-9));
    }
}

/// Two outputs with a gradient, which uses both of theirs at once, one output
/// without, an intermediate value, an output, and a detached input.
struct Mixed : autograd::Function<Mixed> {
  static List forward(autograd::FunctionCtx &ctx, Tensor x, Tensor y,
                      double factor) {
    Tensor product = x * y, inner = product.sin();
    List outputs{inner * factor, product.exp(), x > 0, x * 7.0};
    ctx.mark_non_differentiable({outputs[3]});
    ctx.save_for_backward({x, y, inner, outputs[1]});
    return outputs;
  }
  static List backward(autograd::FunctionCtx &ctx, List grads) {
    List saved = ctx.saved_tensors();
    Tensor both = grads[0] * saved[3] - grads[1] * 3.0;
    return {both * saved[0] + grads[1] * saved[2] * saved[3],
            ctx.needs_input_grad(1) ? saved[0].detach() * both * saved[1]
                                    : Tensor()};
  }
};

/// Derivatives with respect to what a body carries and what it uses from
/// outside, also directly; the second ones where they take little time.
TEST_P(Bodies, CallTheBackwardOfFunctions) {
  for (const Form &form : forms())
    for (bool direct : {false, true}) {
      SCOPED_TRACE(std::string(form.name) + (direct ? ", direct" : ""));
      Tensor w = leaf({0.5, -1.5}), v = leaf({0.75, 0.25});
      Tensor c = leaf({0.3, 0.2}), constant = numbers({0.5, 0.125});
      auto step = [&](Tensor carried) {
        List made = direct ? Mixed::apply(w, v, 0.5)
                           : Mixed::apply(carried * w, v * 0.5, 0.5);
        List third = Mixed::apply(carried, constant, 0.25);
        return carried * 0.5 + made[0] * made[1] * 0.1 + made[3] * 0.01 +
               third[1] * 0.125;
      };
      auto by_hand = [&](const Tensor &first) {
        Tensor now = first;
        for (int i = 0; i < form.rounds; ++i)
          now = step(now);
        return now;
      };
      std::string_view name = form.name;
      bool twice = !direct && (name == "cond, true" || name == "scan" ||
                               (name == "fori_loop" && device().type == kCPU));
      auto derivatives = [&](const Tensor &made) {
        List first = autograd::grad({made.sum()}, {w, v, c}, {}, twice, twice);
        if (!twice)
          return first;
        Tensor total = zeros({}, TensorOptions(kFloat64).device(device()));
        for (const Tensor &each : first)
          total = total + (each * each).sum();
        List second =
            autograd::grad({total}, {w, v, c}, {}, false, false, true);
        first.insert(first.end(), second.begin(), second.end());
        return first;
      };
      List wanted = derivatives(by_hand(c));
      List got = derivatives(form.run(c, step));
      for (size_t i = 0; i < wanted.size(); ++i) {
        ASSERT_EQ(got[i].defined(), wanted[i].defined()) << i;
        if (wanted[i].defined())
          EXPECT_TRUE(allclose(got[i], wanted[i], 1e-9, 1e-9))
              << i << ": " << got[i] << " wanted " << wanted[i];
      }
    }
}

struct Refusing : autograd::Function<Refusing> {
  static Tensor forward(autograd::FunctionCtx &, Tensor x) { return x * 2.0; }
  static List backward(autograd::FunctionCtx &, List) {
    throw std::domain_error("there is no gradient");
  }
};

struct Miscounting : autograd::Function<Miscounting> {
  static Tensor forward(autograd::FunctionCtx &, Tensor x) { return x * 2.0; }
  static List backward(autograd::FunctionCtx &, List grads) {
    return {grads[0], grads[0]};
  }
};

/// What backward throws arrives where a gradient is asked for.
TEST_P(Bodies, KeepTheErrorsOfBackward) {
  for (const Form &form : forms()) {
    SCOPED_TRACE(form.name);
    Tensor c = leaf({1.25, 0.5});
    Tensor made = form.run(c, [](Tensor x) { return Refusing::apply(x); });
    EXPECT_TRUE(allclose(made, c * std::pow(2.0, form.rounds)));
    EXPECT_THROW(autograd::grad({made.sum()}, {c}), std::domain_error);
    made = form.run(c, [](Tensor x) { return Miscounting::apply(x); });
    EXPECT_THROW(autograd::grad({made.sum()}, {c}), UserError);
  }
}

/// Gradients taken inside of a body are those of the tape.
TEST_P(Bodies, TakeGradientsOfFunctionsWithin) {
  Tensor c = leaf({1.25, 0.5});
  Tensor made = cond(
      full({}, 1, device()) > 0,
      [&](const List &in) {
        Tensor inner = in[0].detach().requires_grad_();
        return autograd::grad({Doubled::apply(inner).sum()}, {inner});
      },
      [](const List &in) { return List{in[0]}; }, {c})[0];
  Tensor x = c.detach();
  EXPECT_TRUE(allclose(made, x + x.sin() * x, 1e-9, 1e-9));
}

INSTANTIATE_TEST_SUITE_P(Devices, Bodies, testing::Values("cpu", "xla:0"),
                         [](const auto &info) {
                           return std::string(info.param).substr(0, 3);
                         });

} // namespace
} // namespace xlac
