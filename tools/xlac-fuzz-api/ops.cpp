// The calls that programs are made of. Names are PyTorch's, so that
// torch_judge.py calls the same.
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
    for (auto part : {pointwise(), reductions(), movements(), writes()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Op *find_op(const std::string &name) {
  for (const Op &op : ops())
    if (name == op.name)
      return &op;
  return nullptr;
}

} // namespace xlac::fuzz_api
