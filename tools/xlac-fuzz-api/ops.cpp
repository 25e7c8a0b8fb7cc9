// The calls that programs consist of. Names are those of PyTorch, so that
// torch_judge.py makes the same calls.
#include "program.h"

namespace xlac::fuzz_api {

namespace {

using A = Arguments;

Tensor read_once(const Tensor &written) {
  (void)written;
  return {};
}

/// Bodies of checkpoints, by number.
Tensor body(int64_t which, const Tensor &x) {
  switch (which) {
  case 0:
    return x.sin() * x;
  case 1:
    return x * rand_like(x);
  case 2:
    return dropout(x.tanh(), 0.5);
  default:
    return (x * x).cos();
  }
}

thread_local bool inline_bodies = false;

Tensor checkpointed(const A &a) {
  int64_t which = a.whole(0);
  if (inline_bodies)
    return body(which, a.t[0]);
  return autograd::checkpoint(
      [which](const std::vector<Tensor> &inputs) {
        return body(which, inputs[0]);
      },
      {a.t[0]});
}

//===- Bodies that capture a tensor ---------------------------------------===//

/// `x` by way of its bits, which no gradient passes.
Tensor through_bits(const Tensor &x) {
  switch (x.dtype()) {
  case kFloat64:
    return x.view(kInt64).view(kFloat64);
  case kFloat32:
    return x.view(kInt32).view(kFloat32);
  default:
    return x;
  }
}

/// A product whose gradient only its backward knows.
struct Product : autograd::Function<Product> {
  static Tensor forward(autograd::FunctionCtx &ctx, Tensor x, Tensor w) {
    ctx.save_for_backward({x, w});
    return through_bits(x * w);
  }
  static std::vector<Tensor> backward(autograd::FunctionCtx &ctx,
                                      std::vector<Tensor> grads) {
    const std::vector<Tensor> &saved = ctx.saved_tensors();
    return {grads[0] * xlac::conj(saved[1]), grads[0] * xlac::conj(saved[0])};
  }
};

Tensor product(const Tensor &x, const Tensor &w) {
  std::vector<Tensor> both = broadcast_tensors({x, w});
  Dtype dtype = (x.detach() * w.detach()).dtype();
  return Product::apply(both[0].to(dtype), both[1].to(dtype));
}

/// Bodies of branches, loops and checkpoints; `x` is the argument and `w` is
/// captured.
Tensor captured_body(int64_t which, const Tensor &x, const Tensor &w) {
  switch (which) {
  case 0:
    return x * w;
  case 1:
    return x * w.detach() + w;
  case 2: {
    Tensor shown;
    {
      NoGradGuard guard;
      shown = w.view(w.sizes());
    }
    return x * shown + w;
  }
  case 3:
    return x.detach() * w + x;
  case 4: {
    Tensor made = x * w;
    made.mul_(w.data());
    return made;
  }
  case 5:
    return autograd::checkpoint(
        [w](const std::vector<Tensor> &in) { return in[0] * w; }, {x});
  case 6:
    return product(x, w);
  default: {
    Tensor made = x * w.clone().detach(), shown;
    {
      NoGradGuard guard;
      shown = x.view(x.sizes());
    }
    return made + shown;
  }
  }
}
constexpr int64_t kCapturedBodies = 8;

using List = std::vector<Tensor>;

/// Returns another value of the same type.
Tensor opposite(const Tensor &x) {
  return x.dtype() == kBool ? x.logical_not() : -x;
}

Tensor branch(const A &a) {
  Tensor decides = full({}, a.n[1], TensorOptions(a.t[0].device()));
  auto other = [&](const List &in) {
    return List{opposite(captured_body(a.whole(0), in[0], a.t[1]))};
  };
  auto one = [&](const List &in) {
    return List{captured_body(a.whole(0), in[0], a.t[1])};
  };
  return cond(decides > 0, one, other, {a.t[0]})[0];
}

Tensor loop(const A &a) {
  return fori_loop(1, 3,
                   [&](const Tensor &, const List &in) {
                     return List{captured_body(a.whole(0), in[0], a.t[1])};
                   },
                   {a.t[0]})[0];
}

Tensor open_loop(const A &a) {
  Tensor start = full({}, 0, TensorOptions(a.t[0].device()).dtype(kInt64));
  return while_loop([](const List &in) { return in[0] < 2; },
                    [&](const List &in) {
                      return List{in[0] + 1,
                                  captured_body(a.whole(0), in[1], a.t[1])};
                    },
                    {start, a.t[0]})[1];
}

Tensor scanned(const A &a) {
  ScanStep made = scan(
      [&](const List &carried, const List &row) {
        Tensor next = captured_body(a.whole(0), carried[0], a.t[1]) + row[0];
        return ScanStep{{next}, {next * row[0].detach()}};
      },
      {a.t[0].select(0, 0)}, {a.t[0]});
  return a.n[1] != 0 ? made.first[0] : made.second[0];
}

/// Bodies of checkpoint_of_two: the numbers after the common ones are its own.
Tensor checkpoint_body(int64_t which, const Tensor &x, const Tensor &w) {
  switch (which - kCapturedBodies) {
  case 0:
    return autograd::checkpoint(
               [](const List &in) { return in[0] * rand_like(in[0]); }, {x}) *
           w;
  case 1: {
    NoGradGuard guard;
    return x.view(x.sizes());
  }
  case 2:
    return cond(
        full({}, 1, TensorOptions(x.device())) > 0,
        [&](const List &in) { return List{in[0] * w}; },
        [&](const List &in) { return List{opposite(in[0] * w)}; }, {x})[0];
  default:
    return captured_body(which, x, w);
  }
}
constexpr int64_t kCheckpointBodies = kCapturedBodies + 3;

Tensor checkpoint_of_two(const A &a) {
  int64_t which = a.whole(0);
  Tensor w = a.t[1];
  if (inline_bodies)
    return checkpoint_body(which, a.t[0], w);
  return autograd::checkpoint(
      [which, w](const List &in) { return checkpoint_body(which, in[0], w); },
      {a.t[0]});
}

#define XLAC_ONE(name)                                                         \
  {#name, Draw::One, [](const A &a) { return xlac::name(a.t[0]); },                                       \
   false, false,     true}
#define XLAC_ONE_WHOLE(name)                                                   \
  {#name, Draw::One, [](const A &a) { return xlac::name(a.t[0]); }}
#define XLAC_TWO(name)                                                         \
  {#name, Draw::Two, [](const A &a) { return xlac::name(a.t[0], a.t[1]); },                                       \
   false, false,     true}
#define XLAC_TWO_WHOLE(name)                                                   \
  {#name, Draw::Two, [](const A &a) { return xlac::name(a.t[0], a.t[1]); }}
#define XLAC_DIM_KEEP(name)                                                    \
  {#name, Draw::DimKeep,                                                       \
   [](const A &a) { return xlac::name(a.t[0], a.whole(0), a.n[1] != 0); }}
#define XLAC_DIM_KEEP_FIRST(name)                                              \
  {#name, Draw::DimKeep, [](const A &a) {                                      \
     return std::get<0>(xlac::name(a.t[0], a.whole(0), a.n[1] != 0));          \
   }}
#define XLAC_WRITE_ONE(name)                                                   \
  {#name,                                                                      \
   Draw::One,                                                                  \
   [](const A &a) {                                                            \
     Tensor t = a.t[0];                                                        \
     return read_once(t.name());                                               \
   },                                                                          \
   true,                                                                       \
   false,                                                                      \
   true}
#define XLAC_WRITE_TWO(name)                                                   \
  {#name, Draw::Two,                                                           \
   [](const A &a) {                                                            \
     Tensor t = a.t[0];                                                        \
     return read_once(t.name(a.t[1]));                                         \
   },                                                                          \
   true}
#define XLAC_WRITE_NUMBER(name)                                                \
  {#name, Draw::Number,                                                        \
   [](const A &a) {                                                            \
     Tensor t = a.t[0];                                                        \
     return read_once(t.name(a.n[0]));                                         \
   },                                                                          \
   true}

std::vector<Op> pointwise() {
  return {
      XLAC_ONE(sin),
      XLAC_ONE(cos),
      XLAC_ONE(tanh),
      XLAC_ONE(exp),
      XLAC_ONE(sigmoid),
      XLAC_ONE(sqrt),
      XLAC_ONE(log1p),
      XLAC_ONE(erf),
      XLAC_ONE(reciprocal),
      XLAC_ONE(rsqrt),
      XLAC_ONE(hardswish),
      XLAC_ONE(hardsigmoid),
      XLAC_ONE(elu),
      XLAC_ONE(selu),
      XLAC_ONE(celu),
      XLAC_ONE(leaky_relu),
      XLAC_ONE(softplus),
      XLAC_ONE(logsigmoid),
      XLAC_ONE(hardshrink),
      XLAC_ONE(softshrink),
      XLAC_ONE(hardtanh),
      XLAC_ONE(frac),
      XLAC_ONE(silu),
      XLAC_ONE(softsign),
      XLAC_ONE(gelu),
      XLAC_ONE_WHOLE(abs),
      XLAC_ONE_WHOLE(neg),
      XLAC_ONE_WHOLE(relu),
      XLAC_ONE_WHOLE(relu6),
      XLAC_ONE_WHOLE(square),
      XLAC_ONE_WHOLE(sign),
      XLAC_ONE_WHOLE(round),
      XLAC_ONE_WHOLE(floor),
      XLAC_ONE_WHOLE(trunc),
      XLAC_ONE_WHOLE(isnan),
      XLAC_ONE_WHOLE(logical_not),
      XLAC_TWO_WHOLE(add),
      XLAC_TWO_WHOLE(sub),
      XLAC_TWO_WHOLE(mul),
      XLAC_TWO_WHOLE(maximum),
      XLAC_TWO_WHOLE(minimum),
      XLAC_TWO_WHOLE(fmax),
      XLAC_TWO_WHOLE(fmin),
      XLAC_TWO_WHOLE(eq),
      XLAC_TWO_WHOLE(lt),
      XLAC_TWO_WHOLE(remainder),
      XLAC_TWO_WHOLE(fmod),
      XLAC_TWO_WHOLE(clamp_min),
      XLAC_TWO_WHOLE(clamp_max),
      XLAC_TWO(div),
      XLAC_TWO(atan2),
      XLAC_TWO(hypot),
      XLAC_TWO(logaddexp),
      XLAC_TWO(xlogy),
      XLAC_TWO(mse_loss),
      XLAC_TWO(l1_loss),
      XLAC_TWO(smooth_l1_loss),
      XLAC_TWO(huber_loss),
      {"where", Draw::Three,
       [](const A &a) { return xlac::where(a.t[0] > 0, a.t[1], a.t[2]); }},
      {"clamp_tensors", Draw::Three,
       [](const A &a) { return xlac::clamp(a.t[0], a.t[1], a.t[2]); }},
      {"addcmul", Draw::Three,
       [](const A &a) { return xlac::addcmul(a.t[0], a.t[1], a.t[2]); }},
      {"lerp", Draw::Three,
       [](const A &a) { return xlac::lerp(a.t[0], a.t[1], a.t[2]); }, false,
       false, true},
      {"add_number", Draw::Number, [](const A &a) { return a.t[0] + a.n[0]; }},
      {"mul_number", Draw::Number, [](const A &a) { return a.t[0] * a.n[0]; }},
      {"pow_number", Draw::Number,
       [](const A &a) { return xlac::pow(a.t[0], a.n[0]); }, false, false,
       true},
      {"clamp", Draw::Bounds,
       [](const A &a) { return xlac::clamp(a.t[0], a.n[0], a.n[1]); }},
      {"threshold", Draw::Bounds,
       [](const A &a) { return xlac::threshold(a.t[0], a.n[0], a.n[1]); }},
      {"bce_of_clamped", Draw::Two,
       [](const A &a) {
         return binary_cross_entropy(xlac::clamp(a.t[0], 0.0, 1.0),
                                     xlac::clamp(a.t[1], 0.0, 1.0), {}, "sum");
       },
       false, false, true},
  };
}

std::vector<Op> reductions() {
  return {
      XLAC_DIM_KEEP(sum),
      XLAC_DIM_KEEP(amax),
      XLAC_DIM_KEEP(amin),
      XLAC_DIM_KEEP(prod),
      XLAC_DIM_KEEP(mean),
      XLAC_DIM_KEEP(logsumexp),
      XLAC_DIM_KEEP(argmax),
      XLAC_DIM_KEEP_FIRST(max),
      XLAC_DIM_KEEP_FIRST(min),
      XLAC_DIM_KEEP_FIRST(median),
      {"max_all", Draw::One, [](const A &a) { return xlac::max(a.t[0]); }},
      {"min_all", Draw::One, [](const A &a) { return xlac::min(a.t[0]); }},
      {"sum_all", Draw::One, [](const A &a) { return xlac::sum(a.t[0]); }},
      {"prod_all", Draw::One, [](const A &a) { return xlac::prod(a.t[0]); }},
      {"var", Draw::DimKeep,
       [](const A &a) {
         return xlac::var(a.t[0], {a.whole(0)}, 0, a.n[1] != 0);
       },
       false, false, true},
      {"std", Draw::DimKeep,
       [](const A &a) {
         return xlac::std(a.t[0], {a.whole(0)}, 0, a.n[1] != 0);
       },
       false, false, true},
      {"norm", Draw::DimNumber,
       [](const A &a) { return xlac::norm(a.t[0], a.n[1], {a.whole(0)}); },
       false, false, true},
      {"cumsum", Draw::Dim,
       [](const A &a) { return xlac::cumsum(a.t[0], a.whole(0)); }},
      {"cumprod", Draw::Dim,
       [](const A &a) { return xlac::cumprod(a.t[0], a.whole(0)); }},
      {"cummax", Draw::Dim,
       [](const A &a) {
         return std::get<0>(xlac::cummax(a.t[0], a.whole(0)));
       }},
      {"logcumsumexp", Draw::Dim,
       [](const A &a) { return xlac::logcumsumexp(a.t[0], a.whole(0)); }, false,
       false, true},
      {"softmax", Draw::Dim,
       [](const A &a) { return xlac::softmax(a.t[0], a.whole(0)); }, false,
       false, true},
      {"log_softmax", Draw::Dim,
       [](const A &a) { return xlac::log_softmax(a.t[0], a.whole(0)); }, false,
       false, true},
      {"sort_stable", Draw::Dim,
       [](const A &a) {
         return std::get<0>(xlac::sort(a.t[0], a.whole(0), false, true));
       }},
      {"matmul", Draw::Special,
       [](const A &a) { return xlac::matmul(a.t[0], a.t[1]); }},
      {"cdist", Draw::Special,
       [](const A &a) { return xlac::cdist(a.t[0], a.t[1], a.n[0]); }, false,
       false, true},
  };
}

std::vector<Op> movements() {
  return {
      {"transpose", Draw::Special,
       [](const A &a) { return a.t[0].transpose(a.whole(0), a.whole(1)); }},
      {"select", Draw::Special,
       [](const A &a) { return a.t[0].select(a.whole(0), a.whole(1)); }},
      {"narrow", Draw::Special,
       [](const A &a) {
         return a.t[0].narrow(a.whole(0), a.whole(1), a.whole(2));
       }},
      {"slice_step", Draw::Special,
       [](const A &a) {
         return a.t[0].slice(a.whole(0), a.whole(1), {}, a.whole(2));
       }},
      {"unsqueeze", Draw::Special,
       [](const A &a) { return a.t[0].unsqueeze(a.whole(0)); }},
      {"squeeze", Draw::One, [](const A &a) { return a.t[0].squeeze(); }},
      {"reshape_flat", Draw::One,
       [](const A &a) { return a.t[0].reshape({-1}); }},
      {"diagonal", Draw::Special,
       [](const A &a) { return a.t[0].diagonal(0, a.whole(0), a.whole(1)); }},
      {"unfold", Draw::Special,
       [](const A &a) {
         return a.t[0].unfold(a.whole(0), a.whole(1), a.whole(2));
       }},
      {"expand_front", Draw::One,
       [](const A &a) {
         Shape sizes = a.t[0].sizes();
         sizes.insert(sizes.begin(), 2);
         return a.t[0].expand(sizes);
       }},
      {"flip", Draw::Dim,
       [](const A &a) { return xlac::flip(a.t[0], {a.whole(0)}); }},
      {"roll", Draw::Dim,
       [](const A &a) { return xlac::roll(a.t[0], {1}, {a.whole(0)}); }},
      {"tril", Draw::Special, [](const A &a) { return xlac::tril(a.t[0]); }},
      {"cat", Draw::Special,
       [](const A &a) { return xlac::cat({a.t[0], a.t[1]}, a.whole(0)); }},
      {"stack", Draw::Special,
       [](const A &a) { return xlac::stack({a.t[0], a.t[1]}, a.whole(0)); }},
      {"index_rows", Draw::Special,
       [](const A &a) {
         return a.t[0].index({xlac::tensor({0, -1, 0}, a.t[0].device())});
       }},
      {"index_positive", Draw::One,
       [](const A &a) { return a.t[0].index({a.t[0].detach() > 0}); }},
      {"clone", Draw::One, [](const A &a) { return a.t[0].clone(); }},
      {"detach", Draw::One, [](const A &a) { return a.t[0].detach(); }, false,
       true},
      {"data", Draw::One, [](const A &a) { return a.t[0].data(); }, false,
       true},
      {"clone_detach", Draw::One,
       [](const A &a) { return a.t[0].clone().detach(); }, false, true},
      {"checkpoint", Draw::Special, checkpointed, false, false, true, true},
      {"to_f32", Draw::One, [](const A &a) { return a.t[0].to(kFloat32); },
       false, false, true},
  };
}

std::vector<Op> complex_parts() {
  return {
      XLAC_ONE_WHOLE(conj),
      {"view_as_real", Draw::One,
       [](const A &a) { return view_as_real(a.t[0]); }},
      {"real", Draw::One, [](const A &a) { return xlac::real(a.t[0]); }},
      {"imag", Draw::One, [](const A &a) { return xlac::imag(a.t[0]); }},
  };
}

std::vector<Op> bodies() {
  auto body = [](const char *name, Tensor (*call)(const A &),
                 bool random = false) {
    return Op{name, Draw::Special, call, false, false, false, random, true};
  };
  return {
      body("cond", branch),
      body("fori_loop", loop),
      body("while_loop", open_loop),
      body("scan", scanned),
      body("checkpoint_of_two", checkpoint_of_two, true),
  };
}

std::vector<Op> writes() {
  return {
      XLAC_WRITE_TWO(add_),
      XLAC_WRITE_TWO(sub_),
      XLAC_WRITE_TWO(mul_),
      XLAC_WRITE_TWO(copy_),
      XLAC_WRITE_NUMBER(fill_),
      XLAC_WRITE_ONE(sin_),
      XLAC_WRITE_ONE(exp_),
      XLAC_WRITE_ONE(sigmoid_),
      XLAC_WRITE_ONE(tanh_),
      XLAC_WRITE_ONE(sqrt_),
      {"div_", Draw::Two,
       [](const A &a) {
         Tensor t = a.t[0];
         return read_once(t.div_(a.t[1]));
       },
       true, false, true},
      {"pow_", Draw::Number,
       [](const A &a) {
         Tensor t = a.t[0];
         return read_once(t.pow_(a.n[0]));
       },
       true, false, true},
      {"mul_number_", Draw::Number,
       [](const A &a) {
         Tensor t = a.t[0];
         return read_once(t.mul_(a.n[0]));
       },
       true},
      {"relu_", Draw::One,
       [](const A &a) {
         Tensor t = a.t[0];
         return read_once(t.relu_());
       },
       true},
      {"clamp_", Draw::Bounds,
       [](const A &a) {
         Tensor t = a.t[0];
         return read_once(t.clamp_(a.n[0], a.n[1]));
       },
       true},
      {"masked_fill_", Draw::Number,
       [](const A &a) {
         Tensor t = a.t[0];
         return read_once(t.masked_fill_(t.detach() > 0, a.n[0]));
       },
       true},
      {"windows_", Draw::Special,
       [](const A &a) {
         Tensor t = a.t[0];
         Tensor windows = t.unfold(0, 2, 1);
         windows.select(0, 0).mul_(2);
         windows.select(0, -1).add_(windows.select(0, 0).clone());
         return Tensor();
       },
       true},
      {"window_copy_", Draw::Two,
       [](const A &a) {
         Tensor t = a.t[0];
         t.unfold(0, 2, 1).select(0, -1).copy_(a.t[1]);
         return Tensor();
       },
       true},
      {"shift_add_", Draw::Special,
       [](const A &a) {
         Tensor t = a.t[0];
         t.slice(0, 0, -1).add_(t.slice(0, 1).clone());
         return Tensor();
       },
       true},
  };
}

} // namespace

void set_inline_checkpoints(bool on) { inline_bodies = on; }

const std::vector<Op> &ops() {
  static const std::vector<Op> all = [] {
    std::vector<Op> list;
    for (auto part : {pointwise(), reductions(), movements(), complex_parts(),
                      bodies(), writes()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

int64_t body_count(const std::string &name) {
  return name == "checkpoint_of_two" ? kCheckpointBodies : kCapturedBodies;
}

const Op *find_op(const std::string &name) {
  for (const Op &op : ops())
    if (name == op.name)
      return &op;
  return nullptr;
}

} // namespace xlac::fuzz_api
