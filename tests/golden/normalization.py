from golden import *  # noqa: F403

F = "nn.functional."


def statistics(dtype=f32, channels=3):
    return (T(channels, dtype=dtype, grad=False),
            T(channels, dtype=dtype, low=0.5, high=2.0, grad=False))


for sizes in ((4, 3), (2, 3, 5), (2, 3, 2, 4)):
    case(F + "batch_norm", T(*sizes), *statistics(), T(3), T(3, seed=1))
    case(F + "batch_norm", T(*sizes), None, None, T(3), T(3, seed=1), True)
    case(F + "batch_norm", T(*sizes), None, None, training=True, eps=0.1)
for dtype in FLOATS:
    case(F + "batch_norm", T(4, 3, dtype=dtype), None, None, T(3, dtype=dtype),
         T(3, dtype=dtype, seed=1), True)
    case(F + "layer_norm", T(2, 4, dtype=dtype), [4], T(4, dtype=dtype), T(4, dtype=dtype, seed=1))
    case(F + "rms_norm", T(2, 4, dtype=dtype), [4], T(4, dtype=dtype))
    case(F + "group_norm", T(2, 4, 3, dtype=dtype), 2, T(4, dtype=dtype), T(4, dtype=dtype, seed=1))
case(F + "batch_norm", T(1, 3), None, None, training=True, raises="ValueError")
case(F + "batch_norm", T(2, 3), *statistics(channels=4), raises="ShapeError")
case(F + "batch_norm", T(2, 3), None, None, T(2), training=True, raises="ShapeError")
case(F + "instance_norm", T(2, 3, 5))
case(F + "instance_norm", T(2, 3, 2, 3), None, None, T(3), T(3, seed=1))
case(F + "instance_norm", T(2, 3, 5), *statistics(), use_input_stats=False)
case(F + "instance_norm", T(2, 3, 1), raises="ValueError")
case(F + "layer_norm", T(2, 3, 4, transposed=True), [3, 4])
case(F + "layer_norm", T(0, 4), [4])
case(F + "layer_norm", T(2, 3, 4), [3], raises="ShapeError")
case(F + "layer_norm", T(2, 4), [4], T(3), raises="ShapeError")
case(F + "rms_norm", T(2, 3, 4), [3, 4], eps=0.1)
case(F + "rms_norm", T(2, 4), [3], raises="ShapeError")
case(F + "group_norm", T(2, 6, 2, 2), 3)
case(F + "group_norm", T(2, 6), 2, T(6), T(6, seed=1))
case(F + "group_norm", T(2, 5), 2, raises="ShapeError")
case(F + "normalize", T(2, 3))
case(F + "normalize", T(2, 3, 2), 1.0, -1)
case(F + "normalize", T(2, 3), 3.0, 0)
case(F + "normalize", T(2, 3), float("inf"))
case(F + "normalize", T(values=[[0.0, 0.0], [3.0, 4.0]], grad=False))
case(F + "normalize", T(2, 3), dim=2, raises="IndexError")
case(F + "local_response_norm", T(2, 5, 3), 3)
case(F + "local_response_norm", T(1, 4, 2, 2), 2, 0.5, 0.5, 2.0)
case(F + "local_response_norm", T(4, 2), 2, raises="ShapeError")


def weight_norm(v, g, dim=0):
    import torch
    return torch._weight_norm(v, g, dim) if dim != -1 else v * g / v.norm()


case("weight_norm", T(3, 4), T(3, 1, seed=1), reference=weight_norm)
case("weight_norm", T(3, 2, 2), T(1, 1, 2, seed=1), 2, reference=weight_norm)
