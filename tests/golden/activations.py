from golden import *  # noqa: F403

for dtype in FLOATS:
    case("relu", T(2, 3, dtype=dtype))
    case("softmax", T(2, 3, dtype=dtype), 1)
    case("log_softmax", T(2, 3, dtype=dtype), -1)
case("relu", T(values=[0.0, -1.0, 2.0]))
case("relu", T(3, dtype=b1), raises="DtypeError")
case("softmax", T(2, 3), 2, raises="IndexError")
case("softmax", T(2, 3, dtype=f16), 0, dtype=f32)
