"""Calls of Python functions from compiled programs.

The plugin imports this module when a program calls Python. It calls `find`, `call` and
`call_in_place` with the GIL held.
"""
from __future__ import annotations

import ctypes
import itertools
import traceback
import weakref
from typing import Any, Callable, Optional, Sequence

import numpy as np

# The first number of functions that are registered here. It is large, because JAX counts the
# functions of a program from zero.
FIRST = 1 << 32
_numbers = itertools.count(FIRST)
_functions: weakref.WeakValueDictionary[int, "Registered"] = weakref.WeakValueDictionary()


class Registered:
    """A function that programs refer to by `number`. It must stay alive until they are compiled;
    their executables then hold references to it."""

    def __init__(self, function: Callable[..., Sequence[Any]]):
        self.function = function
        self.number = next(_numbers)
        _functions[self.number] = self

    def __call__(self, *arguments: Any) -> Sequence[Any]:
        return self.function(*arguments)


def find(number: int) -> Registered:
    """Returns the function with that number. Raises LookupError if it does not exist."""
    found = _functions.get(number)
    if found is None:
        raise LookupError(f"the program calls the Python function {number} of another process, or "
                          "one that is gone")
    return found


# An operand or result of a call: address, StableHLO element type, sizes, and strides in bytes.
Tensor = tuple[int, str, tuple[int, ...], tuple[int, ...]]

_NAMES = {"i1": "bool", "f64": "float64", "bf16": "bfloat16", "complex<f32>": "complex64",
          "complex<f64>": "complex128"}
_PREFIXES = {"ui": "uint", "i": "int", "f8": "float8_", "f6": "float6_", "f4": "float4_",
             "f": "float"}
_types: dict[str, np.dtype] = {}


def dtype_of(element: str) -> np.dtype:
    """Returns the dtype of NumPy or ml_dtypes for a StableHLO element type."""
    known = _types.get(element)
    if known is None:
        name = _NAMES.get(element)
        if name is None:
            prefix = next(p for p in _PREFIXES if element.startswith(p))
            name = _PREFIXES[prefix] + element[len(prefix):].lower()
        if not hasattr(np, name):
            import ml_dtypes
            known = np.dtype(getattr(ml_dtypes, name))
        else:
            known = np.dtype(getattr(np, name))
        _types[element] = known
    return known


def _view(address: int, element: str, sizes: Sequence[int], strides: Sequence[int]) -> np.ndarray:
    """Returns an array that uses the memory at `address`, which must outlive it."""
    dtype = dtype_of(element)
    count = int(np.prod(sizes, dtype=np.int64))
    if count == 0:
        return np.empty(sizes, dtype)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    return np.ndarray(sizes, dtype, memory, strides=strides)


def _read(tensor: Tensor) -> np.ndarray:
    """Returns a read-only copy, because callbacks may retain their arguments."""
    copy = _view(*tensor).copy()
    copy.flags.writeable = False
    return copy


def _write(value: Any, tensor: Tensor) -> None:
    """Copies a value to a result. Raises ValueError if its dtype or shape differs."""
    place = _view(*tensor)
    array = np.asarray(value)
    if array.shape != place.shape or array.dtype != place.dtype:
        raise ValueError(f"a callback returned {array.dtype}{list(array.shape)} where the program "
                         f"takes {place.dtype}{list(place.shape)}")
    place[...] = array


def call(function: Callable[..., Sequence[Any]], operands: Sequence[Optional[Tensor]],
         results: Sequence[Optional[Tensor]]) -> str:
    """Calls `function` with copies of the operands and writes the values that it returns to the
    results. Tokens are None.

    Returns "" on success, otherwise the traceback of the exception."""
    try:
        values = function(*[None if one is None else _read(one) for one in operands])
        if len(values) != len(results):
            raise ValueError(f"a callback returned {len(values)} values, the program takes "
                             f"{len(results)}")
        for value, place in zip(values, results):
            if place is not None:
                _write(value, place)
        return ""
    except BaseException:  # the execution of the program fails with any exception
        return traceback.format_exc()


class Buffer:
    """An operand or result of a callback of `jax.experimental.buffer_callback`, with the interface
    of jaxlib's class: NumPy arrays and DLPack tensors that are made from it use its memory. It can
    be used only during the callback."""

    def __init__(self, tensor: Tensor, writeable: bool):
        self._array: Optional[np.ndarray] = _view(*tensor)
        self._array.flags.writeable = writeable

    def _open(self) -> np.ndarray:
        if self._array is None:
            raise RuntimeError("a buffer of a callback is used after the callback")
        return self._array

    def _close(self) -> None:
        self._array = None

    @property
    def shape(self) -> tuple[int, ...]:
        return self._open().shape

    @property
    def dtype(self) -> np.dtype:
        return self._open().dtype

    @property
    def ndim(self) -> int:
        return self._open().ndim

    @property
    def writeable(self) -> bool:
        return self._open().flags.writeable

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        array = self._open()
        if dtype is not None and dtype != array.dtype:
            if copy is False:
                raise ValueError(f"a buffer of {array.dtype} is not {dtype} without a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(self, **options: Any) -> Any:
        return self._open().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._open().__dlpack_device__()


class ExecutionContext:
    """The first argument of a callback of `jax.experimental.buffer_callback`."""

    @property
    def stage(self) -> Any:
        from jaxlib import _jax
        return _jax.ffi.ExecutionStage.EXECUTE

    @property
    def stream(self) -> int:
        raise RuntimeError("xlac runs on CPUs, which have no streams")


def call_in_place(function: Callable[..., Any], operands: Sequence[Optional[Tensor]],
                  results: Sequence[Optional[Tensor]]) -> str:
    """Calls `function` with an execution context, the operands, and the results, which it writes.

    Returns "" on success, otherwise the traceback of the exception."""
    buffers = ([Buffer(one, False) for one in operands if one is not None] +
               [Buffer(one, True) for one in results if one is not None])
    try:
        function(ExecutionContext(), *buffers)
        return ""
    except BaseException:  # the execution of the program fails with any exception
        return traceback.format_exc()
    finally:
        for buffer in buffers:
            buffer._close()
