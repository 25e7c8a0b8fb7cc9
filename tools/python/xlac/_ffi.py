"""Registers foreign functions of jaxlib's registry with the plugin.

The structs mirror those of lib/pjrt/c_api_ffi.h and lib/pjrt/ffi_extension.h.
"""
from __future__ import annotations

import ctypes
from typing import Any, Optional

_FFI_EXTENSION = 0x786c6163  # kXlacExtensionType: "xlac" in ASCII
STAGES = ("instantiate", "prepare", "initialize", "execute")


class _Extension(ctypes.Structure):
    pass


_RESOLVER = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
_Extension._fields_ = [("struct_size", ctypes.c_size_t), ("type", ctypes.c_int),
                       ("next", ctypes.POINTER(_Extension))]


class _XlacExtension(ctypes.Structure):
    _fields_ = [("base", _Extension), ("ffi", ctypes.c_void_p),
                ("has_target", ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_char_p)),
                ("set_resolver", ctypes.CFUNCTYPE(None, _RESOLVER)),
                ("close_python", ctypes.CFUNCTYPE(None)),
                ("register_untyped",
                 ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_char_p, ctypes.c_void_p))]


class _Table(ctypes.Structure):
    """The first fields of PJRT_Api."""
    _fields_ = [("struct_size", ctypes.c_size_t),
                ("extension_start", ctypes.POINTER(_Extension))]


class _Span(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]

    @classmethod
    def of(cls, text: str) -> "_Span":
        data = text.encode()
        return cls(data, len(data))


class _Args(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p)]


class _RegisterHandler(ctypes.Structure):
    _fields_ = [("base", _Args), ("name", _Span), ("platform", _Span),
                ("handlers", ctypes.c_void_p * 4), ("traits", ctypes.c_uint32)]


class _RegisterType(ctypes.Structure):
    _fields_ = [("base", _Args), ("name", _Span), ("type_id", ctypes.c_void_p),
                ("type_info", ctypes.c_void_p)]


class _ErrorArgs(ctypes.Structure):
    _fields_ = [("base", _Args), ("error", ctypes.c_void_p), ("message", ctypes.c_char_p)]


_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


class _FfiApi(ctypes.Structure):
    """The first fields of XLA_FFI_Api."""
    _fields_ = [("base", _Args), ("version", _Args), ("version_numbers", ctypes.c_int * 2),
                ("internal_api", ctypes.c_void_p), ("create_error", _FUNCTION),
                ("get_message", _FUNCTION), ("destroy_error", _FUNCTION),
                ("register_handler", _FUNCTION), ("get_stream", _FUNCTION),
                ("register_type", _FUNCTION)]


def pointer_of(capsule: Any) -> int:
    """Returns the pointer in a PyCapsule."""
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return pointer(capsule, name(capsule))


class Plugin:
    """The functions of libpjrt_xlac.so that the PJRT C API lacks. Methods raise RuntimeError if a
    function of the library fails."""

    def __init__(self, path: str):
        get = ctypes.CDLL(path).GetPjrtApi
        get.restype = ctypes.POINTER(_Table)
        extension = get().contents.extension_start
        while extension and extension.contents.type != _FFI_EXTENSION:
            extension = extension.contents.next
        if not extension:
            raise RuntimeError(f"{path} is of another version of xlac than its Python package")
        self._own = ctypes.cast(extension, ctypes.POINTER(_XlacExtension)).contents
        self._ffi = ctypes.cast(self._own.ffi, ctypes.POINTER(_FfiApi)).contents
        self._resolver: Any = None

    def has_target(self, name: str) -> bool:
        """Returns whether programs can call the target now."""
        return self._own.has_target(name.encode())

    def set_resolver(self, resolve: Any) -> None:
        """Sets a function that is called with the name of each unknown target and may register
        it."""
        self._resolver = _RESOLVER(lambda name: resolve(name.decode()))
        self._own.set_resolver(self._resolver)

    def close_python(self) -> None:
        """Makes all later calls of Python functions fail, and waits until none is running."""
        self._own.close_python()

    def register_target(self, name: str, handlers: Any, platform: str) -> None:
        """Registers handlers for a target. `handlers` is a capsule of the execute handler, or a
        dictionary of capsules by stage. Unknown stages raise ValueError."""
        if not isinstance(handlers, dict):
            handlers = {"execute": handlers}
        unknown = set(handlers) - set(STAGES)
        if unknown:
            raise ValueError(f"the foreign function {name} has handlers of unknown stages: "
                             f"{sorted(unknown)}")
        args = _RegisterHandler(name=_Span.of(name), platform=_Span.of(platform))
        args.handlers[:] = [pointer_of(handlers[stage]) if stage in handlers else None
                            for stage in STAGES]
        self._call(self._ffi.register_handler, args)

    def register_untyped(self, name: str, function: Any) -> None:
        """Registers a function of XLA's untyped interface (api_version=0) for a target. `function`
        is a capsule. Raises RuntimeError if the target has another function."""
        if not self._own.register_untyped(name.encode(), pointer_of(function)):
            raise RuntimeError(f"the custom call target '{name}' has been registered with another "
                               "function")

    def register_type(self, name: str, registration: Any) -> None:
        """Registers a type. `registration` contains the capsule `type_id` and optionally the
        capsule `type_info`."""
        info = registration.get("type_info")
        self._call(self._ffi.register_type,
                   _RegisterType(name=_Span.of(name),
                                 type_id=pointer_of(registration["type_id"]),
                                 type_info=pointer_of(info) if info is not None else None))

    def _call(self, function: Any, args: Any) -> None:
        args.base.struct_size = ctypes.sizeof(args)
        error: Optional[int] = function(ctypes.byref(args))
        if not error:
            return
        text = _ErrorArgs(error=error)
        text.base.struct_size = ctypes.sizeof(text)
        self._ffi.get_message(ctypes.byref(text))
        message = (text.message or b"").decode(errors="replace")
        self._ffi.destroy_error(ctypes.byref(text))
        raise RuntimeError(message)
