// The formula and the printed options of each activation.
#include "xlac/nn/activations.h"

#include "in_place.h"
#include "repr.h"

#include "xlac/support/raise.h"

#include <fmt/format.h>

namespace xlac::nn {

/// Defines a module's two functions: forward returns `value` of `x`, and
/// extra_repr returns `shown` of options `o`.
#define XLAC_ACTIVATION(Name, value, shown)                                    \
  Tensor Name##Impl::forward(const Tensor &x) {                                \
    [[maybe_unused]] const Options &o = options;                               \
    return value;                                                              \
  }                                                                            \
  std::string Name##Impl::extra_repr() const {                                 \
    [[maybe_unused]] const Options &o = options;                               \
    return shown;                                                              \
  }
/// As above, for a module that may write to its input.
#define XLAC_ACTIVATION_IN_PLACE(Name, function, value, shown)                 \
  XLAC_ACTIVATION(Name,                                                        \
                  applied(function "_", o.inplace, x,                          \
                          [&](const Tensor &x) { return value; }),             \
                  shown)

static std::string in_place_option(bool inplace) {
  return inplace ? "inplace=True" : "";
}
static std::string in_place_after(bool inplace) {
  return inplace ? ", inplace=True" : "";
}

XLAC_ACTIVATION(Sigmoid, sigmoid(x), "")
XLAC_ACTIVATION(LogSigmoid, logsigmoid(x), "")
XLAC_ACTIVATION(Tanh, tanh(x), "")
XLAC_ACTIVATION(Tanhshrink, tanhshrink(x), "")
XLAC_ACTIVATION(Softsign, softsign(x), "")

XLAC_ACTIVATION_IN_PLACE(ReLU, "relu", relu(x), in_place_option(o.inplace))
XLAC_ACTIVATION_IN_PLACE(ReLU6, "relu6", relu6(x), in_place_option(o.inplace))
XLAC_ACTIVATION_IN_PLACE(SELU, "selu", selu(x), in_place_option(o.inplace))
XLAC_ACTIVATION_IN_PLACE(SiLU, "silu", silu(x), in_place_option(o.inplace))
XLAC_ACTIVATION_IN_PLACE(Mish, "mish", mish(x), in_place_option(o.inplace))
// PyTorch does not print `inplace` for these.
XLAC_ACTIVATION_IN_PLACE(Hardsigmoid, "hardsigmoid", hardsigmoid(x), "")
XLAC_ACTIVATION_IN_PLACE(Hardswish, "hardswish", hardswish(x), "")

XLAC_ACTIVATION_IN_PLACE(LeakyReLU, "leaky_relu",
                         leaky_relu(x, o.negative_slope),
                         "negative_slope=" + repr_of(o.negative_slope) +
                             in_place_after(o.inplace))
XLAC_ACTIVATION_IN_PLACE(RReLU, "rrelu",
                         rrelu(x, o.lower, o.upper, is_training()),
                         fmt::format("lower={}, upper={}{}", repr_of(o.lower),
                                     repr_of(o.upper),
                                     in_place_after(o.inplace)))
XLAC_ACTIVATION_IN_PLACE(ELU, "elu", elu(x, o.alpha),
                         "alpha=" + repr_of(o.alpha) +
                             in_place_after(o.inplace))
XLAC_ACTIVATION_IN_PLACE(CELU, "celu", celu(x, o.alpha),
                         "alpha=" + repr_of(o.alpha) +
                             in_place_after(o.inplace))
XLAC_ACTIVATION_IN_PLACE(Hardtanh, "hardtanh",
                         hardtanh(x, o.min_val, o.max_val),
                         fmt::format("min_val={}, max_val={}{}",
                                     repr_of(o.min_val), repr_of(o.max_val),
                                     in_place_after(o.inplace)))
XLAC_ACTIVATION_IN_PLACE(Threshold, "threshold",
                         threshold(x, o.threshold, o.value),
                         fmt::format("threshold={}, value={}{}",
                                     repr_of(o.threshold), repr_of(o.value),
                                     in_place_after(o.inplace)))

XLAC_ACTIVATION(GELU, gelu(x, o.approximate),
                "approximate='" + o.approximate + "'")
XLAC_ACTIVATION(Softplus, softplus(x, o.beta, o.threshold),
                fmt::format("beta={}, threshold={}", repr_of(o.beta),
                            repr_of(o.threshold)))
XLAC_ACTIVATION(Softshrink, softshrink(x, o.lambd), repr_of(o.lambd))
XLAC_ACTIVATION(Hardshrink, hardshrink(x, o.lambd), repr_of(o.lambd))
XLAC_ACTIVATION(PReLU, prelu(x, weight),
                fmt::format("num_parameters={}", o.num_parameters))
XLAC_ACTIVATION(GLU, glu(x, o.dim), fmt::format("dim={}", o.dim))

/// Returns PyTorch's default dimension if none is given.
static int64_t softmax_dim(const SoftmaxOptions &o, const Tensor &x) {
  bool first = x.dim() == 0 || x.dim() == 1 || x.dim() == 3;
  return o.dim.value_or(first ? 0 : 1);
}

XLAC_ACTIVATION(Softmax, softmax(x, softmax_dim(o, x)), "dim=" + repr_of(o.dim))
XLAC_ACTIVATION(LogSoftmax, log_softmax(x, softmax_dim(o, x)),
                "dim=" + repr_of(o.dim))
XLAC_ACTIVATION(Softmin, softmin(x, softmax_dim(o, x)), "dim=" + repr_of(o.dim))

HardtanhImpl::HardtanhImpl(Options given) : options(given) {
  if (!(options.min_val.to<double>() < options.max_val.to<double>()))
    raise<ValueError>(
        fmt::format("Hardtanh: min_val must be less than max_val, got {} and "
                    "{}",
                    repr_of(options.min_val), repr_of(options.max_val)));
}

PReLUImpl::PReLUImpl(Options given) : options(given) {
  weight = register_parameter("weight",
                              full({options.num_parameters}, options.init));
}

} // namespace xlac::nn
