from golden import *  # noqa: F403

for name in ("add", "sub", "mul", "div", "maximum", "minimum", "eq", "lt"):
    case(name, T(2, 3), T(3))
    case(name, T(2, 3, transposed=True), T(2, 1, dtype=f64))
    case(name, T(0, 3), T(3))
    case(name, T(2, 3), T(4), raises="ShapeError")
for dtype in (*INTEGERS, *FLOATS):
    case("add", T(2, 2, dtype=dtype, low=0, high=9), T(2, dtype=dtype, low=0, high=9, seed=1))
    case("div", T(2, 2, dtype=dtype, low=0, high=9), T(2, dtype=dtype, low=1, high=9, seed=1))
case("add", T(2, 3), T(2, 3, seed=1), alpha=2)
case("add", T(2, 3), 2.5)
case("add", T(2, 3, dtype=i64), 2.5, alpha=2)
case("mul", T(2, 3, dtype=c64), T(3, dtype=c64))
case("sub", T(2, dtype=b1), T(2, dtype=b1), raises="DtypeError")
for name in ("abs", "neg", "exp", "sin", "cos", "tanh", "sigmoid"):
    case(name, T(2, 3))
    case(name, T(3, 4, sliced=True, dtype=f64))
    case(name, T(0))
    case(name, T(5, dtype=i32))
for name in ("log", "sqrt", "rsqrt"):
    case(name, T(2, 3, low=0.1, high=4))
    case(name, T(values=[0.0, 1.0, float("inf"), float("nan"), -1.0], grad=False))
case("abs", T(values=[0.0, -0.0, 1.0]))
case("where", T(2, 3, dtype=b1), T(2, 3), T(3, seed=1))
case("allclose", T(3), T(3))
case("allclose", T(3), T(3, seed=1))
