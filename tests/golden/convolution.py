from golden import *  # noqa: F403

F = "nn.functional."

for n in (1, 2, 3):
    space, kernel = (6, 5, 4)[:n], (3, 2, 2)[:n]
    conv, transposed = f"{F}conv{n}d", f"{F}conv_transpose{n}d"
    case(conv, T(2, 4, *space), T(6, 4, *kernel, seed=1), T(6))
    case(conv, T(4, *space), T(6, 2, *kernel, seed=1), None, 2, 1, 1, 2)
    case(conv, T(2, 2, *space, transposed=True), T(2, 2, *kernel), dilation=2)
    case(conv, T(0, 2, *space), T(2, 2, *kernel))
    case(transposed, T(2, 4, *space), T(4, 3, *kernel, seed=1), T(3))
    case(transposed, T(4, *space), T(4, 3, *kernel), None, 2, 1, 1, 2)
    case(transposed, T(1, 2, *space), T(2, 1, *kernel), stride=3, dilation=2, output_padding=2)
for dtype in FLOATS:
    case(F + "conv2d", T(1, 2, 5, 4, dtype=dtype), T(3, 2, 2, 3, dtype=dtype), T(3, dtype=dtype))
case(F + "conv2d", T(1, 2, 5, 6), T(4, 1, 3, 3), groups=2, stride=[2, 1], padding=[0, 2],
     dilation=[1, 2])
case(F + "conv2d", T(1, 3, 5, 5), T(4, 2, 3, 3), raises="ShapeError")
case(F + "conv2d", T(1, 2, 2, 2), T(4, 2, 3, 3), raises="ShapeError")
case(F + "conv2d", T(2, 2), T(4, 2, 3, 3), raises="ShapeError")
case(F + "conv2d", T(1, 2, 4, 4), T(4, 2, 3, 3, dtype=f64), raises="DtypeError")
case(F + "conv2d", T(1, 2, 4, 4), T(4, 2, 3, 3), T(3), raises="ShapeError")
case(F + "conv2d", T(1, 2, 4, 4), T(3, 1, 3, 3), groups=2, raises="ValueError")


def convolution_mode(input, weight, bias, stride, padding, dilation=1, groups=1):
    import torch
    run = getattr(torch.nn.functional, f"conv{weight.dim() - 2}d")
    return run(input, weight, bias, stride, padding, dilation, groups)


for mode in ("same", "valid"):
    case("convolution_mode", T(1, 2, 6), T(3, 2, 4), T(3), 1, mode, reference=convolution_mode)
    case("convolution_mode", T(1, 2, 6, 5), T(2, 1, 3, 2), None, 1, mode, 2, 2,
         reference=convolution_mode)
case("convolution_mode", T(1, 2, 6), T(3, 2, 4), None, 2, "same", raises="ValueError",
     reference=convolution_mode)

for n in (1, 2, 3):
    space = (7, 6, 5)[:n]
    pool, average = f"{F}max_pool{n}d", f"{F}avg_pool{n}d"
    for name in (pool, f"{pool}_with_indices"):
        case(name, T(2, 2, *space), 2)
        case(name, T(2, *space), 3, 2, 1, 1, True)
        case(name, T(1, 2, *space), 3, 1, 0, 2)
    case(average, T(2, 2, *space), 2)
    case(average, T(2, *space), 3, 2, 1, True)
    case(average, T(1, 2, *space), 3, 2, 1, True, False)
    if n > 1:
        case(average, T(1, 2, *space), 2, 1, divisor_override=3)
for dtype in FLOATS:
    case(F + "max_pool2d", T(1, 1, 4, 4, dtype=dtype), [2, 3], 1)
    case(F + "avg_pool2d", T(1, 1, 4, 4, dtype=dtype), [2, 3], 1)
case(F + "max_pool2d", T(1, 1, 4, 4, dtype=i64), 2)
case(F + "max_pool2d", T(values=[[[1.0, float("nan")], [2.0, 3.0]]], grad=False), 2)
case(F + "max_pool2d_with_indices", T(values=[[[2.0, 2.0], [float("nan"), 3.0]]], grad=False), 1)
case(F + "max_pool2d", T(1, 1, 4, 4), 2, 2, 2, raises="ValueError")
case(F + "max_pool2d", T(1, 1, 2, 2), 3, raises="ShapeError")
case(F + "max_pool2d", T(4, 4), 2, raises="ShapeError")
case(F + "avg_pool2d", T(1, 1, 4, 4), 2, divisor_override=0, raises="ValueError")
case(F + "max_unpool2d", T(1, 1, 2, 2), T(values=[[[[1, 3], [9, 15]]]], dtype=i64), 2)
case(F + "max_unpool2d", T(1, 2, 2), T(values=[[[0, 3], [12, 14]]], dtype=i64), 2,
     output_size=[4, 5])
# One window, which ends beyond the input.
case(F + "max_pool2d", T(1, 5, 2), 3, 2, ceil_mode=True)
case(F + "avg_pool2d", T(1, 5, 2), 3, 2, ceil_mode=True)
case(F + "avg_pool2d", T(1, 5, 3), [3, 4], 2, 1, True, False)
case(F + "max_pool2d", T(1, 5, 2), 4, 2, ceil_mode=True, raises="ShapeError")
case(F + "lp_pool2d", T(1, 5, 2, low=0.2), 2.0, 3, 2, True)
case(F + "lp_pool2d", T(1, 2, 5, 4, low=0.2), 2.0, 2)
case(F + "lp_pool2d", T(1, 5, 4, low=0.2), 3.0, [2, 3], 1)
case(F + "lp_pool2d", T(1, 3, 4), 3.0, 2, 1)
case(F + "lp_pool2d", T(1, 2, 4, values=[[[0.0, 0, 1, 2], [0, 0, -1, -2]]]), 2.0, 2)

for n in (1, 2, 3):
    space = (7, 6, 5)[:n]
    name = f"{F}adaptive_avg_pool{n}d"
    case(name, T(2, 2, *space), (3, 2, 4)[:n])
    case(name, T(2, *space), 1)
    case(name, T(1, 2, *space), (7, 3, 5)[:n])
for n in (1, 2):
    space = (7, 5)[:n]
    name = f"{F}adaptive_max_pool{n}d"
    case(name, T(2, 2, *space), (3, 4)[:n])
    case(name + "_with_indices", T(2, *space), (3, 4)[:n])
case(F + "adaptive_avg_pool2d", T(1, 1, 4, 4, dtype=bf16), 3)
case(F + "adaptive_avg_pool2d", T(4, 4), 2, raises="ShapeError")
case(F + "adaptive_max_pool2d_with_indices", T(values=[[[1.0, 1.0], [float("nan"), 2.0]]],
                                               grad=False), 1)

for mode, sizes in (("linear", (5,)), ("bilinear", (4, 5)), ("bicubic", (4, 5)),
                    ("trilinear", (3, 4, 2))):
    for corners in (False, True):
        case(F + "interpolate", T(1, 2, *sizes), [7, 3, 5][:len(sizes)], mode=mode,
             align_corners=corners)
    case(F + "interpolate", T(1, 2, *sizes), scale_factor=[1.7] * len(sizes), mode=mode)
    case(F + "interpolate", T(1, 2, *sizes), scale_factor=[0.6] * len(sizes), mode=mode,
         recompute_scale_factor=True)
for mode in ("nearest", "nearest-exact", "area"):
    case(F + "interpolate", T(1, 2, 5), 7, mode=mode)
    case(F + "interpolate", T(1, 2, 5, 4), [3, 9], mode=mode)
    case(F + "interpolate", T(1, 1, 3, 4, 2), scale_factor=[2.0, 0.5, 1.5], mode=mode)
case(F + "interpolate", T(1, 1, 3, 3, dtype=bf16), 5, mode="bilinear")
for mode in ("bilinear", "bicubic"):
    for size in ([3, 9], [1, 2], [8, 3]):
        for align in (False, True):
            case(F + "interpolate", T(1, 2, 7, 5), size, mode=mode, align_corners=align,
                 antialias=True)
    case(F + "interpolate", T(1, 1, 5, 6), scale_factor=[0.6, 1.4], mode=mode, antialias=True)
case(F + "interpolate", T(1, 1, 3, 3), 2, mode="nearest", antialias=True, raises="ValueError")
case(F + "interpolate", T(1, 1, 3), raises="ValueError")
case(F + "interpolate", T(1, 1, 3), 5, mode="nearest", align_corners=True, raises="ValueError")
case(F + "interpolate", T(1, 1, 3), 5, mode="bilinear", raises="UnsupportedError")
case(F + "interpolate", T(1, 1, 3), 5, mode="quadratic", raises="UnsupportedError")


def im2col(input, kernel_size, dilation=1, padding=0, stride=1):
    import torch
    return torch.nn.functional.unfold(input, kernel_size, dilation, padding, stride)


def col2im(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    import torch
    return torch.nn.functional.fold(input, output_size, kernel_size, dilation, padding, stride)


case("im2col", T(2, 2, 4, 5), [2, 3], reference=im2col)
case("im2col", T(2, 5, 6), 2, 2, 1, [2, 1], reference=im2col)
case("im2col", T(1, 1, 2, 2), 3, reference=im2col, raises="ShapeError")
case("col2im", T(2, 12, 9), [4, 5], [2, 3], reference=col2im)
case("col2im", T(4, 15), [5, 5], 2, 2, 1, [2, 1], reference=col2im)
case("col2im", T(1, 4, 5), [3, 3], 2, reference=col2im, raises="ShapeError")

for padding in ("zeros", "border", "reflection"):
    for corners in (False, True):
        for mode in ("bilinear", "nearest", "bicubic"):
            case(F + "grid_sample", T(2, 2, 3, 4), T(2, 2, 3, 2, low=-1.5, high=1.5), mode,
                 padding, corners)
        case(F + "grid_sample", T(1, 2, 2, 3, 4), T(1, 2, 1, 3, 3, low=-1.5, high=1.5), "bilinear",
             padding, corners)
case(F + "grid_sample", T(1, 2, 3, 4), T(2, 2, 3, 2), align_corners=False, raises="ShapeError")
case(F + "grid_sample", T(1, 2, 3, 4), T(1, 2, 3, 2), "linear", align_corners=False,
     raises="ValueError")
for corners in (False, True):
    case(F + "affine_grid", T(2, 2, 3), [2, 1, 3, 4], corners)
    case(F + "affine_grid", T(1, 3, 4), [1, 2, 2, 3, 1], corners)
case(F + "affine_grid", T(2, 2, 2), [2, 1, 3, 4], False, raises="ShapeError")
