"""What the lists of calls beside this file are written with."""
import math
import random

import torch


class Dtype:
    """A dtype as an argument, and of T."""

    def __init__(self, name, torch_dtype):
        self.name, self.torch = name, torch_dtype

    def __repr__(self):
        return self.name


b1 = Dtype("b1", torch.bool)
i8, i16, i32, i64 = (Dtype(f"i{n}", getattr(torch, f"int{n}")) for n in (8, 16, 32, 64))
u8, u16, u32, u64 = (Dtype(f"u{n}", getattr(torch, f"uint{n}")) for n in (8, 16, 32, 64))
f16, f32, f64 = (Dtype(f"f{n}", getattr(torch, f"float{n}")) for n in (16, 32, 64))
bf16 = Dtype("bf16", torch.bfloat16)
c64, c128 = Dtype("c64", torch.complex64), Dtype("c128", torch.complex128)
DTYPES = {d.torch: d for d in (b1, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, c64, c128)}
FLOATS, INTEGERS = (f16, bf16, f32, f64), (i8, i16, i32, i64, u8)
EACH_CATEGORY = (b1, i64, f32, c64)


class T:
    """An operand of deterministic values between low and high, or of `values`.

    layout "t" is a transposed view, "s" every second column of a wider tensor.
    """

    def __init__(self, *shape, dtype=f32, low=-2.0, high=2.0, seed=0, values=None,
                 transposed=False, sliced=False, grad=True):
        self.dtype, self.grad = dtype, grad
        self.layout = "t" if transposed else "s" if sliced else "c"
        if values is None:
            values = self._draw(shape, dtype, low, high, seed)
            self.tensor = torch.tensor(values, dtype=dtype.torch).reshape(shape)
        else:
            self.tensor = torch.tensor(values, dtype=dtype.torch)

    @staticmethod
    def _draw(shape, dtype, low, high, seed):
        count = math.prod(shape)
        stream = random.Random(f"{shape} {dtype} {low} {high} {seed}")
        if dtype is b1:
            return [stream.random() < 0.5 for _ in range(count)]
        if dtype.name[0] in "iu":
            least = max(0, math.ceil(low)) if dtype.name[0] == "u" else math.ceil(low)
            return [stream.randint(least, math.floor(high)) for _ in range(count)]
        # Multiples of 1/64 off the quarters, each at most once where there are
        # enough: few digits, no ties, and no values where functions have kinks.
        steps = [n for n in range(math.ceil(low * 64), math.floor(high * 64) + 1) if n % 16]

        def numbers():
            drawn = stream.sample(steps, min(count, len(steps)))
            return [n / 64 for n in drawn + stream.choices(steps, k=count - len(drawn))]

        if dtype.name[0] == "c":
            return [complex(x, y) for x, y in zip(numbers(), numbers())]
        return numbers()


CASES = []


def case(name, *args, raises=None, reference=None, devices=None, tolerance=None,
         gradient=True, **kwargs):
    """One call, by PyTorch's name ("linalg.inv", "fill_").

    raises: the class of exception that xlac throws where PyTorch throws as well.
    reference: the function that gives the expected results, where PyTorch has
      none of the name or another signature.
    devices: "cpu" or "xla" to run on one only.
    tolerance: relative to the largest result, instead of the dtype's.
    gradient: False leaves out gradients; "differences" takes them from
      differences of PyTorch's results, where its gradient is not the derivative.
    """
    CASES.append(dict(name=name, args=args, kwargs=kwargs, raises=raises, reference=reference,
                      devices=devices, tolerance=tolerance, gradient=gradient))
