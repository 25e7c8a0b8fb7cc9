"""The functions of the PJRT C API 0.90 that xlac.compile uses, through ctypes.

Names and order of fields equal those of lib/pjrt/c_api*.h. ctypes releases the GIL during each
call.
"""
from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char_p, c_int, c_int64, c_size_t, c_void_p

import numpy as np

from . import _library

# The minor version of the interface, which must be equal in the package and the library. The major
# version is 0.
MINOR_VERSION = 90


class Error(RuntimeError):
    """An error of the compiler or the runtime. `code` is the name of a PJRT error code, such as
    "INVALID_ARGUMENT" or "RESOURCE_EXHAUSTED"."""

    def __init__(self, message: str, code: str = "UNKNOWN"):
        super().__init__(message)
        self.code = code


CODES = ("OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS "
         "PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE "
         "UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED").split()

# The dtype names of PJRT_Buffer_Type 1 and following. ml_dtypes defines those that NumPy lacks.
# "token" is not a dtype.
DTYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
          "bfloat16 complex64 complex128 float8_e5m2 float8_e4m3fn float8_e4m3b11fnuz "
          "float8_e5m2fnuz float8_e4m3fnuz int4 uint4 token int2 uint2 float8_e4m3 float8_e3m4 "
          "float8_e8m0fnu float4_e2m1fn").split()
IMMUTABLE_ZERO_COPY = 2


def dtype_of(buffer_type: int) -> np.dtype:
    """Returns the dtype of a PJRT_Buffer_Type. Raises Error if ml_dtypes lacks it."""
    name = DTYPES[buffer_type - 1]
    if name == "token":
        raise Error("NumPy has no arrays for tokens, which the program returns", "UNIMPLEMENTED")
    if hasattr(np, name):
        return np.dtype(name)
    import ml_dtypes
    if not hasattr(ml_dtypes, name):
        raise Error(f"arrays of {name} need a newer ml_dtypes", "UNIMPLEMENTED")
    return np.dtype(getattr(ml_dtypes, name))


def buffer_type_of(dtype: np.dtype) -> int:
    """Returns the PJRT_Buffer_Type of a dtype. Raises Error if there is none."""
    if dtype.name not in DTYPES:
        raise Error(f"arrays of {dtype} are not supported", "INVALID_ARGUMENT")
    return DTYPES.index(dtype.name) + 1


class Arguments(ctypes.Structure):
    """The first fields of each argument struct. The constructor sets `struct_size`."""
    _fields_ = [("struct_size", c_size_t), ("extension_start", c_void_p)]

    def __init__(self, **fields):
        super().__init__(**fields)
        self.struct_size = ctypes.sizeof(self)


def arguments(name: str, *fields: tuple) -> type[Arguments]:
    """Returns an argument struct with these further fields."""
    return type(name, (Arguments,), {"_fields_": list(fields)})


Version = arguments("Version", ("major", c_int), ("minor", c_int))
ErrorDestroy = arguments("ErrorDestroy", ("error", c_void_p))
ErrorMessage = arguments("ErrorMessage", ("error", c_void_p), ("message", c_void_p),
                         ("message_size", c_size_t))
ErrorGetCode = arguments("ErrorGetCode", ("error", c_void_p), ("code", c_int))
OfEvent = arguments("OfEvent", ("event", c_void_p))
ClientCreate = arguments(
    "ClientCreate", ("create_options", c_void_p), ("num_options", c_size_t),
    ("kv_get_callback", c_void_p), ("kv_get_user_arg", c_void_p), ("kv_put_callback", c_void_p),
    ("kv_put_user_arg", c_void_p), ("client", c_void_p), ("kv_try_get_callback", c_void_p),
    ("kv_try_get_user_arg", c_void_p))
ClientDevices = arguments("ClientDevices", ("client", c_void_p),
                          ("addressable_devices", POINTER(c_void_p)),
                          ("num_addressable_devices", c_size_t))
Program = arguments("Program", ("code", c_void_p), ("code_size", c_size_t), ("format", c_char_p),
                    ("format_size", c_size_t))
ClientCompile = arguments("ClientCompile", ("client", c_void_p), ("program", POINTER(Program)),
                          ("compile_options", c_void_p), ("compile_options_size", c_size_t),
                          ("executable", c_void_p))
OfExecutable = arguments("OfExecutable", ("executable", c_void_p))
GetExecutable = arguments("GetExecutable", ("loaded_executable", c_void_p),
                          ("executable", c_void_p))
ExecutableName = arguments("ExecutableName", ("executable", c_void_p),
                           ("executable_name", c_void_p), ("executable_name_size", c_size_t))
NumOutputs = arguments("NumOutputs", ("executable", c_void_p), ("num_outputs", c_size_t))
OutputElementTypes = arguments("OutputElementTypes", ("executable", c_void_p),
                               ("output_types", POINTER(c_int)), ("num_output_types", c_size_t))
OutputDimensions = arguments("OutputDimensions", ("executable", c_void_p),
                             ("num_outputs", c_size_t), ("dims", POINTER(c_int64)),
                             ("dim_sizes", POINTER(c_size_t)))
OptimizedProgram = arguments("OptimizedProgram", ("executable", c_void_p),
                             ("program", POINTER(Program)))
BufferFromHostBuffer = arguments(
    "BufferFromHostBuffer", ("client", c_void_p), ("data", c_void_p), ("type", c_int),
    ("dims", POINTER(c_int64)), ("num_dims", c_size_t), ("byte_strides", POINTER(c_int64)),
    ("num_byte_strides", c_size_t), ("host_buffer_semantics", c_int), ("device", c_void_p),
    ("memory", c_void_p), ("device_layout", c_void_p), ("done_with_host_buffer", c_void_p),
    ("buffer", c_void_p))
OfBuffer = arguments("OfBuffer", ("buffer", c_void_p))
ReadyEvent = arguments("ReadyEvent", ("buffer", c_void_p), ("event", c_void_p))
DataPointer = arguments("DataPointer", ("buffer", c_void_p), ("device_memory_ptr", c_void_p))
ExecuteOptions = arguments(
    "ExecuteOptions", ("send_callbacks", c_void_p), ("recv_callbacks", c_void_p),
    ("num_send_ops", c_size_t), ("num_recv_ops", c_size_t), ("launch_id", c_int),
    ("non_donatable_input_indices", POINTER(c_int64)),
    ("num_non_donatable_input_indices", c_size_t), ("context", c_void_p),
    ("call_location", c_char_p), ("num_tasks", c_size_t), ("task_ids", c_void_p),
    ("incarnation_ids", c_void_p))
Execute = arguments(
    "Execute", ("executable", c_void_p), ("options", POINTER(ExecuteOptions)),
    ("argument_lists", POINTER(POINTER(c_void_p))), ("num_devices", c_size_t),
    ("num_args", c_size_t), ("output_lists", POINTER(POINTER(c_void_p))),
    ("device_complete_events", c_void_p), ("execute_device", c_void_p))

# The functions that this package calls: index in the table, and argument struct.
FUNCTIONS = {
    "Error_Destroy": (0, ErrorDestroy), "Error_Message": (1, ErrorMessage),
    "Error_GetCode": (2, ErrorGetCode), "Event_Destroy": (5, OfEvent),
    "Event_Await": (8, OfEvent), "Client_Create": (10, ClientCreate),
    "Client_AddressableDevices": (16, ClientDevices), "Client_Compile": (20, ClientCompile),
    "Client_BufferFromHostBuffer": (22, BufferFromHostBuffer),
    "Executable_Destroy": (40, OfExecutable), "Executable_Name": (41, ExecutableName),
    "Executable_NumOutputs": (44, NumOutputs),
    "Executable_OptimizedProgram": (48, OptimizedProgram),
    "LoadedExecutable_Destroy": (50, OfExecutable),
    "LoadedExecutable_GetExecutable": (51, GetExecutable),
    "LoadedExecutable_Execute": (55, Execute), "Buffer_Destroy": (58, OfBuffer),
    "Buffer_ReadyEvent": (72, ReadyEvent),
    "Buffer_OpaqueDeviceMemoryDataPointer": (76, DataPointer),
    "Executable_OutputElementTypes": (90, OutputElementTypes),
    "Executable_OutputDimensions": (91, OutputDimensions),
}


class Api:
    """The functions of the library's table. `call(name, field=value, …)` returns the argument
    struct, which contains the results. It raises Error if the function fails."""

    def __init__(self, path: str):
        library = ctypes.CDLL(path)
        library.GetPjrtApi.restype = c_void_p
        table = library.GetPjrtApi()
        version = Version.from_address(table + 2 * ctypes.sizeof(c_size_t))
        if (version.major, version.minor) != (0, MINOR_VERSION):
            raise Error(f"{path} has PJRT API {version.major}.{version.minor}; this package needs "
                        f"0.{MINOR_VERSION}", "FAILED_PRECONDITION")
        first = 2 * ctypes.sizeof(c_size_t) + ctypes.sizeof(Version)
        self._functions = {}
        for name, (place, kind) in FUNCTIONS.items():
            slot = c_void_p.from_address(table + first + place * ctypes.sizeof(c_void_p))
            prototype = ctypes.CFUNCTYPE(c_void_p, POINTER(kind))
            self._functions[name] = prototype(slot.value), kind

    def call(self, name: str, **fields) -> Arguments:
        function, kind = self._functions[name]
        given = kind(**fields)
        error = function(ctypes.byref(given))
        if error:
            self._raise(error)
        return given

    def _raise(self, error: int):
        try:
            message = self._get("Error_Message", error)
            code = self._get("Error_GetCode", error).code
            text = ctypes.string_at(message.message, message.message_size)
        finally:
            self._get("Error_Destroy", error)
        raise Error(text.decode(errors="replace"), CODES[code] if code < len(CODES) else "UNKNOWN")

    def _get(self, name: str, error: int) -> Arguments:
        """Calls a function of errors and returns its argument struct. These functions do not
        fail."""
        function, kind = self._functions[name]
        given = kind(error=error)
        function(ctypes.byref(given))
        return given


_api: Api | None = None
_client: tuple[int, int] | None = None


def api() -> Api:
    """Returns the library's functions. Loads the library at the first call."""
    global _api
    if _api is None:
        _api = Api(str(_library.plugin_path()))
    return _api


def client() -> tuple[int, int]:
    """Returns the client of this process and its first device. The first call creates the client,
    which lives as long as the process."""
    global _client
    if _client is None:
        made = api().call("Client_Create").client
        devices = api().call("Client_AddressableDevices", client=made)
        _client = made, devices.addressable_devices[0]
    return _client
