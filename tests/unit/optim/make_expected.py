"""Writes expected.h: what PyTorch's optimizers and schedulers come to.

    python tests/unit/optim/make_expected.py > tests/unit/optim/expected.h

Needs torch and nothing else. PyTorch has no Lion: it is written out here as its
paper has it.
"""

import math
import warnings

import torch
from torch.optim import lr_scheduler as schedulers

warnings.simplefilter("ignore")
STARTS = ([[0.5, -1.0], [2.0, 0.25], [-0.75, 1.5]], [1.0, -2.0, 0.3])


def gradient(parameter, step, first):
    places = torch.arange(parameter.numel(), dtype=torch.float64) + first
    noise = torch.sin(1.7 * step + 0.9 * places).reshape(parameter.shape)
    return 0.5 * parameter.detach() + 0.3 * noise


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0, maximize=False):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay, maximize=maximize))

    def step(self):
        for group in self.param_groups:
            lr, (beta1, beta2) = group["lr"], group["betas"]
            for parameter in group["params"]:
                grad = -parameter.grad if group["maximize"] else parameter.grad
                state = self.state[parameter]
                mean = state.setdefault("exp_avg", torch.zeros_like(parameter))
                direction = torch.sign(beta1 * mean + (1 - beta1) * grad)
                parameter.data = parameter.data * (1 - lr * group["weight_decay"]) - lr * direction
                state["exp_avg"] = beta2 * mean + (1 - beta2) * grad


CASES = [
    ("SGD", torch.optim.SGD, dict(lr=0.1)),
    ("SGD momentum", torch.optim.SGD, dict(lr=0.1, momentum=0.9, dampening=0.3, weight_decay=0.05)),
    ("SGD nesterov", torch.optim.SGD, dict(lr=0.1, momentum=0.8, nesterov=True, maximize=True)),
    ("Adam", torch.optim.Adam, dict(lr=0.1)),
    ("Adam amsgrad", torch.optim.Adam, dict(lr=0.1, betas=(0.7, 0.9), eps=1e-3, weight_decay=0.1, amsgrad=True, maximize=True)),
    ("Adam decoupled", torch.optim.Adam, dict(lr=0.1, weight_decay=0.1, decoupled_weight_decay=True)),
    ("AdamW", torch.optim.AdamW, dict(lr=0.1)),
    ("AdamW amsgrad", torch.optim.AdamW, dict(lr=0.1, betas=(0.8, 0.95), weight_decay=0.2, amsgrad=True)),
    ("Adamax", torch.optim.Adamax, dict(lr=0.1)),
    ("Adamax decay", torch.optim.Adamax, dict(lr=0.1, betas=(0.8, 0.9), weight_decay=0.1, maximize=True)),
    ("NAdam", torch.optim.NAdam, dict(lr=0.1)),
    ("NAdam decay", torch.optim.NAdam, dict(lr=0.1, weight_decay=0.1, momentum_decay=0.1)),
    ("NAdam decoupled", torch.optim.NAdam, dict(lr=0.1, weight_decay=0.1, decoupled_weight_decay=True, maximize=True)),
    ("RAdam", torch.optim.RAdam, dict(lr=0.1)),
    ("RAdam decay", torch.optim.RAdam, dict(lr=0.1, betas=(0.8, 0.9), weight_decay=0.1, maximize=True)),
    ("RAdam decoupled", torch.optim.RAdam, dict(lr=0.1, betas=(0.8, 0.9), weight_decay=0.1, decoupled_weight_decay=True)),
    ("Adagrad", torch.optim.Adagrad, dict(lr=0.1)),
    ("Adagrad decay", torch.optim.Adagrad, dict(lr=0.1, lr_decay=0.2, weight_decay=0.1, initial_accumulator_value=0.3, maximize=True)),
    ("Adadelta", torch.optim.Adadelta, dict()),
    ("Adadelta decay", torch.optim.Adadelta, dict(lr=0.5, rho=0.8, weight_decay=0.1, maximize=True)),
    ("RMSprop", torch.optim.RMSprop, dict(lr=0.1)),
    ("RMSprop centered", torch.optim.RMSprop, dict(lr=0.1, alpha=0.9, weight_decay=0.1, momentum=0.7, centered=True, maximize=True)),
    ("Rprop", torch.optim.Rprop, dict(lr=0.1)),
    ("Rprop bounds", torch.optim.Rprop, dict(lr=0.1, etas=(0.4, 1.5), step_sizes=(0.05, 0.2), maximize=True)),
    ("Lion", Lion, dict(lr=0.1)),
    ("Lion decay", Lion, dict(lr=0.1, betas=(0.7, 0.8), weight_decay=0.1, maximize=True)),
]


def number(value):
    value = float(value)
    if math.isinf(value):
        return "-kInfinity" if value < 0 else "kInfinity"
    return repr(value)


def numbers(values):
    return "{" + ", ".join(number(v) for v in values) + "}"


def flat(tensors):
    return torch.cat([t.detach().reshape(-1) for t in tensors]).tolist()


def names(words):
    return "{" + ", ".join('"%s"' % w for w in words) + "}"


# Switches between PyTorch's own implementations.
IMPLEMENTATION = {"foreach", "fused", "capturable", "differentiable"}


def write_optimizers():
    print("inline const std::vector<OptimizerCase> kOptimizers = {")
    for name, kind, options in CASES:
        params = [torch.tensor(s, dtype=torch.float64, requires_grad=True) for s in STARTS]
        optimizer = kind(params, **options)
        for step in range(10):
            for parameter, first in zip(params, (0, 6)):
                parameter.grad = gradient(parameter, step, first)
            optimizer.step()
        written = optimizer.state_dict()
        state = written["state"].get(0, {})
        keys = sorted(set(written["param_groups"][0]) - IMPLEMENTATION)
        print('    {"%s",\n     %s,\n     %s,\n     {' % (name, numbers(flat(params)), names(keys)), end="")
        entries = [(k, v) for k, v in state.items() if v is not None]
        print(",\n      ".join('{"%s", %s}' % (k, numbers(v.reshape(-1).tolist())) for k, v in entries) + "}},")
    print("};\n")


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def write_lbfgs():
    print("inline const std::vector<LbfgsCase> kLbfgs = {")
    for name, options in [
        ("plain", dict(lr=0.2, max_iter=4, history_size=3)),
        ("strong_wolfe", dict(lr=1, max_iter=5, history_size=3, line_search_fn="strong_wolfe")),
        ("whole history", dict(lr=0.5, line_search_fn="strong_wolfe", max_eval=9)),
    ]:
        a = torch.tensor([-1.2, 1.0], dtype=torch.float64, requires_grad=True)
        b = torch.tensor([[0.5], [2.0]], dtype=torch.float64, requires_grad=True)
        optimizer = torch.optim.LBFGS([a, b], **options)
        losses = []

        def closure():
            optimizer.zero_grad()
            loss = rosenbrock(torch.cat([a, b.reshape(-1)]))
            loss.backward()
            return loss

        for _ in range(4):
            losses.append(optimizer.step(closure).item())
        evaluations = optimizer.state_dict()["state"][0]["func_evals"]
        print('    {"%s", %s, %s, %d},' % (name, numbers(losses), numbers(flat([a, b])), evaluations))
    print("};\n")


def sequential(optimizer):
    return schedulers.SequentialLR(
        optimizer,
        [
            schedulers.ConstantLR(optimizer, 0.5, total_iters=2),
            schedulers.ExponentialLR(optimizer, 0.9),
            schedulers.StepLR(optimizer, 2, gamma=0.5),
            schedulers.CosineAnnealingLR(optimizer, 5),
        ],
        milestones=[3, 6, 10],
    )


def warm_start(optimizer):
    return schedulers.SequentialLR(
        optimizer,
        [
            schedulers.LinearLR(optimizer, 0.1, total_iters=3),
            schedulers.CosineAnnealingWarmRestarts(optimizer, 3, 2),
            schedulers.LambdaLR(optimizer, lambda epoch: 0.8**epoch),
            schedulers.PolynomialLR(optimizer, 4),
        ],
        milestones=[3, 8, 12],
    )


SCHEDULES = [
    ("StepLR", lambda o: schedulers.StepLR(o, 3, 0.5)),
    ("MultiStepLR", lambda o: schedulers.MultiStepLR(o, [2, 5, 5, 9], 0.3)),
    ("ConstantLR", lambda o: schedulers.ConstantLR(o, 0.25, 4)),
    ("LinearLR", lambda o: schedulers.LinearLR(o, 0.2, 0.7, 6)),
    ("ExponentialLR", lambda o: schedulers.ExponentialLR(o, 0.85)),
    ("PolynomialLR", lambda o: schedulers.PolynomialLR(o, 7, 1.5)),
    ("CosineAnnealingLR", lambda o: schedulers.CosineAnnealingLR(o, 5, 0.01)),
    ("CosineAnnealingWarmRestarts", lambda o: schedulers.CosineAnnealingWarmRestarts(o, 3, 2, 0.02)),
    ("LambdaLR", lambda o: schedulers.LambdaLR(o, [lambda e: 0.9**e, lambda e: 1 / (1 + e)])),
    ("OneCycleLR", lambda o: schedulers.OneCycleLR(o, [1.0, 2.0], total_steps=16)),
    ("OneCycleLR linear", lambda o: schedulers.OneCycleLR(o, 1.0, epochs=4, steps_per_epoch=4, anneal_strategy="linear", three_phase=True, pct_start=0.4, base_momentum=0.7, max_momentum=0.9, div_factor=10, final_div_factor=100)),
    ("SequentialLR", sequential),
    ("SequentialLR warm", warm_start),
    ("ReduceLROnPlateau", lambda o: schedulers.ReduceLROnPlateau(o, factor=0.5, patience=1, cooldown=1, min_lr=[0.03, 0.01])),
    ("ReduceLROnPlateau max", lambda o: schedulers.ReduceLROnPlateau(o, "max", patience=0, threshold=0.1, threshold_mode="abs", factor=0.8)),
]
METRICS = [1.0, 0.9, 0.95, 0.91, 0.92, 0.8, 0.85, 0.9, 0.9, 0.7, 0.71, 0.72, 0.73, 0.74, 0.75]


def write_schedulers():
    print("inline const std::vector<double> kMetrics = %s;" % numbers(METRICS))
    print("inline const std::vector<ScheduleCase> kSchedules = {")
    for name, make in SCHEDULES:
        groups = [
            {"params": [torch.zeros(1, requires_grad=True)], "lr": 0.1},
            {"params": [torch.zeros(1, requires_grad=True)], "lr": 0.5},
        ]
        optimizer = torch.optim.SGD(groups, lr=1.0, momentum=0.5)
        scheduler = make(optimizer)
        first, second, momenta = [], [], []

        def note():
            rates = scheduler.get_last_lr()
            assert rates == [g["lr"] for g in optimizer.param_groups]
            first.append(rates[0])
            second.append(rates[1])
            momenta.append(optimizer.param_groups[0]["momentum"])

        note()
        for metric in METRICS:
            scheduler.step(*([metric] if name.startswith("Reduce") else []))
            note()
        keys = sorted(set(scheduler.state_dict()) - {"_is_initial", "_get_lr_called_within_step"})
        print('    {"%s",\n     %s,\n     %s,\n     %s,\n     %s},' % (name, numbers(first), numbers(second), numbers(momenta), names(keys)))
    print("};\n")


print(
    """// Written by make_expected.py with PyTorch %s.
// clang-format off
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace xlac::optim::expected {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// After ten steps: both parameters in a row, the options that a group of the
/// state dict has, and what is kept for the first parameter.
struct OptimizerCase {
  std::string name;
  std::vector<double> parameters;
  std::vector<std::string> option_keys;
  std::vector<std::pair<std::string, std::vector<double>>> state;
};
/// Losses that four steps return, parameters and evaluations after them.
struct LbfgsCase {
  std::string name;
  std::vector<double> losses, parameters;
  int evaluations;
};
/// Rates of two groups, and the first one's momentum, from the start on.
struct ScheduleCase {
  std::string name;
  std::vector<double> first, second, momenta;
  std::vector<std::string> state_keys;
};
"""
    % torch.__version__.split("+")[0]
)
write_optimizers()
write_lbfgs()
write_schedulers()
print("} // namespace xlac::optim::expected")
