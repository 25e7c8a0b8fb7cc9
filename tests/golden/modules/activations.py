"""Activations and dropout."""
from torch import nn

from cases import Input, case

for name in ("ReLU", "ReLU6", "SELU", "SiLU", "Mish", "Hardsigmoid", "Hardswish", "LeakyReLU",
             "ELU", "CELU", "GELU", "Sigmoid", "LogSigmoid", "Tanh", "Softplus", "Softsign",
             "Softshrink", "Hardshrink", "Tanhshrink", "Hardtanh", "PReLU"):
    case(name, getattr(nn, name)(), Input(3, 7))
case("RReLU", nn.RReLU(), Input(3, 7), train=False)
case("Threshold", nn.Threshold(0.1, 20), Input(3, 7))
case("GLU", nn.GLU(), Input(3, 6))
case("GLU of columns", nn.GLU(0), Input(4, 3))
case("Softmax", nn.Softmax(dim=1), Input(2, 5))
case("Softmax without a dimension", nn.Softmax(), Input(2, 3, 2))
case("LogSoftmax", nn.LogSoftmax(dim=-1), Input(2, 5))
case("Softmin", nn.Softmin(dim=0), Input(3, 2))

case("ReLU in place", nn.Sequential(nn.Linear(2, 3), nn.ReLU(inplace=True)), Input(2, 2))
case("Hardswish in place", nn.Sequential(nn.Linear(2, 3), nn.Hardswish(inplace=True)), Input(2, 2))
case("LeakyReLU of a whole slope", nn.LeakyReLU(1), Input(5))
case("ELU in place", nn.Sequential(nn.Linear(2, 3), nn.ELU(0.5, inplace=True)), Input(2, 2))
case("CELU of 2", nn.CELU(2.0), Input(7))
case("GELU by tanh", nn.GELU(approximate="tanh"), Input(7))
case("Softplus of 2", nn.Softplus(beta=2, threshold=5), Input(7))
case("Softshrink of 1", nn.Softshrink(1), Input(7))
case("Hardtanh from 0", nn.Hardtanh(0, 2.5), Input(7))
case("PReLU of channels", nn.PReLU(3, init=0.1), Input(2, 3, 2))
case("RReLU of other slopes", nn.RReLU(0.1, 0.25), Input(7), train=False)

for name, shape in (("Dropout", (2, 3)), ("Dropout1d", (2, 2, 3)), ("Dropout2d", (1, 2, 2, 2)),
                    ("Dropout3d", (1, 2, 1, 2, 2)), ("AlphaDropout", (2, 3)),
                    ("FeatureAlphaDropout", (2, 3))):
    case(name, getattr(nn, name)(), Input(*shape), train=False)
case("Dropout of nothing", nn.Dropout(0.0), Input(2, 3))
case("Softmin without a dimension", nn.Softmin(), Input(4))
case("LogSoftmax without a dimension", nn.LogSoftmax(), Input(2, 3))
case("Threshold in place", nn.Sequential(nn.Linear(2, 3), nn.Threshold(0.5, -1.0, True)),
     Input(2, 2))
case("RReLU in place", nn.Sequential(nn.Linear(2, 3), nn.RReLU(inplace=True)), Input(2, 2),
     train=False)
case("Mish in place", nn.Sequential(nn.Linear(2, 3), nn.Mish(inplace=True)), Input(2, 2))
case("Hardtanh in place", nn.Sequential(nn.Linear(2, 3), nn.Hardtanh(-0.5, 1, True)), Input(2, 2))
