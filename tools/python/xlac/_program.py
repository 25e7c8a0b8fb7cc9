"""Compiled programs, which are functions of arrays."""
from __future__ import annotations

import ctypes
import dataclasses
import operator
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _pjrt
from ._pjrt import Error


@dataclasses.dataclass(frozen=True)
class Result:
    """The type of one result of a program."""
    shape: tuple[int, ...]
    dtype: np.dtype


def _destroy(function: str, **fields):
    """Calls a function of the library from a finalizer. The library is never unloaded."""
    _pjrt.api().call(function, **fields)


class _Memory:
    """Exposes the memory of a buffer to NumPy. The buffer is destroyed with this object, which
    arrays over the memory keep alive. `keep` stays alive as long."""

    def __init__(self, buffer: int, result: Result, keep: list):
        self._keep = keep
        weakref.finalize(self, _destroy, "Buffer_Destroy", buffer=buffer).atexit = False
        pointer = _pjrt.api().call("Buffer_OpaqueDeviceMemoryDataPointer",
                                   buffer=buffer).device_memory_ptr
        self.__array_interface__ = {
            "version": 3, "shape": (int(np.prod(result.shape)) * result.dtype.itemsize,),
            "typestr": "|u1", "data": (pointer or 0, False)}


def _array_of(argument: Any) -> np.ndarray:
    """Returns the argument as an array of aligned elements in native byte order. Such arrays, and
    arrays that export them by DLPack, are not copied."""
    if isinstance(argument, np.ndarray) or not hasattr(argument, "__dlpack__"):
        array = np.asarray(argument)
    else:
        array = np.from_dlpack(argument)
    return np.require(array, array.dtype.newbyteorder("="), "A")


def _buffer_of(array: np.ndarray) -> int:
    """Returns a buffer that may use the array's memory, which must outlive it."""
    client, device = _pjrt.client()
    dims = (ctypes.c_int64 * array.ndim)(*array.shape)
    strides = (ctypes.c_int64 * array.ndim)(*array.strides)
    made = _pjrt.api().call(
        "Client_BufferFromHostBuffer", client=client, data=array.ctypes.data,
        type=_pjrt.buffer_type_of(array.dtype), dims=dims, num_dims=array.ndim,
        byte_strides=strides, num_byte_strides=array.ndim,
        host_buffer_semantics=_pjrt.IMMUTABLE_ZERO_COPY, device=device)
    _pjrt.api().call("Event_Destroy", event=made.done_with_host_buffer)
    return made.buffer


class Program:
    """A compiled program, callable with NumPy arrays, scalars, or arrays that support DLPack.

    A call takes one array for each argument of the program, with its dtype and shape, and returns
    a tuple of NumPy arrays. The program does not write to arguments. It reads aligned row-major
    ones without a copy, unless elements have fewer than 8 bits. A call waits for the results
    without the GIL. Several threads may call a program at the same time. A call raises Error if the
    arguments do not match the program, or if the execution fails.
    """

    def __init__(self, handle: int):
        api = _pjrt.api()
        self._handle = handle
        weakref.finalize(self, _destroy, "LoadedExecutable_Destroy",
                         executable=handle).atexit = False
        self._executable = api.call("LoadedExecutable_GetExecutable",
                                    loaded_executable=handle).executable
        weakref.finalize(self, _destroy, "Executable_Destroy",
                         executable=self._executable).atexit = False
        named = api.call("Executable_Name", executable=self._executable)
        #: The name of the module.
        self.name: str = ctypes.string_at(named.executable_name,
                                          named.executable_name_size).decode()
        #: The types of the results.
        self.results: tuple[Result, ...] = self._results()

    def _results(self) -> tuple[Result, ...]:
        api = _pjrt.api()
        types = api.call("Executable_OutputElementTypes", executable=self._executable)
        sizes = api.call("Executable_OutputDimensions", executable=self._executable)
        results, at = [], 0
        for i in range(types.num_output_types):
            rank = sizes.dim_sizes[i]
            results.append(Result(tuple(sizes.dims[at:at + rank]),
                                  _pjrt.dtype_of(types.output_types[i])))
            at += rank
        return tuple(results)

    def __call__(self, *arguments: Any) -> tuple[np.ndarray, ...]:
        api = _pjrt.api()
        arrays = [_array_of(argument) for argument in arguments]
        buffers: list[int] = []
        try:
            for array in arrays:
                buffers.append(_buffer_of(array))
            outputs = self._execute(buffers)
        finally:
            for buffer in buffers:
                api.call("Buffer_Destroy", buffer=buffer)
        return self._wait(outputs, arrays)

    def _execute(self, buffers: list[int]) -> list[int]:
        """Runs the program, without donation, and returns its results, which may be pending."""
        none = (ctypes.c_int64 * len(buffers))(*range(len(buffers)))
        options = _pjrt.ExecuteOptions(non_donatable_input_indices=none,
                                       num_non_donatable_input_indices=len(buffers))
        given = (ctypes.c_void_p * len(buffers))(*buffers)
        made = (ctypes.c_void_p * len(self.results))()
        pointer = ctypes.POINTER(ctypes.c_void_p)
        _pjrt.api().call(
            "LoadedExecutable_Execute", executable=self._handle, options=ctypes.pointer(options),
            argument_lists=(pointer * 1)(ctypes.cast(given, pointer)), num_devices=1,
            num_args=len(buffers), output_lists=(pointer * 1)(ctypes.cast(made, pointer)))
        return list(made)

    def _wait(self, outputs: list[int], arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Waits for the results and returns them. They keep `arrays` alive, because a result may
        use the memory of an argument."""
        api = _pjrt.api()
        memories = []
        try:
            while outputs:
                event = api.call("Buffer_ReadyEvent", buffer=outputs[0]).event
                try:
                    api.call("Event_Await", event=event)
                finally:
                    api.call("Event_Destroy", event=event)
                memories.append(_Memory(outputs.pop(0), self.results[len(memories)], arrays))
        finally:
            for buffer in outputs:
                api.call("Buffer_Destroy", buffer=buffer)
        return tuple(np.asarray(memory).view(result.dtype).reshape(result.shape)
                     for memory, result in zip(memories, self.results))

    def text(self) -> str:
        """Returns the simplified program as StableHLO text. Raises Error."""
        api = _pjrt.api()
        wanted = _pjrt.Program()
        fields = {"executable": self._executable, "program": ctypes.pointer(wanted)}
        api.call("Executable_OptimizedProgram", **fields)
        buffer = ctypes.create_string_buffer(wanted.code_size)
        wanted.code = ctypes.addressof(buffer)
        api.call("Executable_OptimizedProgram", **fields)
        return buffer.raw[:wanted.code_size].decode()

    def __repr__(self) -> str:
        results = ", ".join(f"{r.dtype.name}{list(r.shape)}" for r in self.results)
        return f"<xlac.Program {self.name} -> ({results})>"


def _varint(number: int) -> bytes:
    """Protobuf's form of a number."""
    encoded = bytearray()
    while number > 0x7f:
        encoded.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes(encoded + bytes([number]))


def _field(number: int, content: bytes) -> bytes:
    """Protobuf's form of a field that is a string or a message."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _options(shapes: Sequence[Sequence[int]] | None) -> bytes:
    """Returns a serialized CompileOptionsProto with the sizes of the arguments."""
    if shapes is None:
        return b""
    sizes = ",".join(f"{number}={'x'.join(str(operator.index(size)) for size in shape)}"
                     for number, shape in enumerate(shapes))
    override = _field(1, b"xlac_argument_sizes") + _field(2, _field(1, sizes.encode()))
    return _field(7, override)


def compile(program: str | bytes, shapes: Sequence[Sequence[int]] | None = None) -> Program:
    """Compiles a StableHLO module for this machine, or loads it from the disk cache.

    `program` is MLIR text, or the bytes of a portable artifact, of MLIR bytecode, or of what
    jax.export's `Exported.serialize()` returns. Calls run its function `main`. `shapes` has one
    shape for each argument; a program with dimensions of unknown size needs it, and is compiled for
    these shapes. Raises Error with the source location if the program is invalid or does not fit
    the shapes, and TypeError for other types of `program`.
    """
    if not isinstance(program, (str, bytes)):
        raise TypeError(f"xlac.compile takes str or bytes, not {type(program).__name__}")
    code = program.encode() if isinstance(program, str) else program
    client, _ = _pjrt.client()
    held = ctypes.create_string_buffer(code, len(code) + 1)
    wanted = _pjrt.Program(code=ctypes.addressof(held), code_size=len(code), format=b"mlir",
                           format_size=4)
    options = ctypes.create_string_buffer(_options(shapes))
    return Program(_pjrt.api().call(
        "Client_Compile", client=client, program=ctypes.pointer(wanted),
        compile_options=ctypes.addressof(options),
        compile_options_size=len(options) - 1).executable)


__all__ = ["Error", "Program", "Result", "compile"]
