"""Custom calls that the host partitions, through JAX: jax.experimental.custom_partitioning,
jax.debug.inspect_array_sharding and foreign functions that are partitioned along batches.

Requires jax 0.10.2 and the package, as test_package.py does. Each case runs in a new process with
eight devices, and checks that this exits normally.
"""
import textwrap
import unittest

from test_jax_plugin import Case

START = """
import functools, re
import numpy as np, jax, jax.numpy as jnp
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
place = lambda x, *spec: jax.device_put(x, NamedSharding(mesh, P(*spec)))
shardings = lambda tree: jax.tree.map(lambda x: x.sharding, tree)

def refused(call, *words):
    try:
        jax.block_until_ready(call())
    except Exception as error:
        text = str(error)
        missing = [word for word in words if word not in text]
        assert not missing, (missing, text)
    else:
        raise AssertionError(f"not refused: {words}")

# A target whose functions are written with ctypes, to return what JAX never returns.
import ctypes, os
from ctypes import POINTER, Structure, c_bool, c_char_p, c_int, c_int64, c_size_t, c_void_p
class Bytes(Structure):
    _fields_ = [("data", c_char_p), ("size", c_size_t)]
class Value(Structure):
    _fields_ = [("shape", Bytes), ("has_sharding", c_bool), ("sharding", Bytes)]
class Partition(Structure):
    _fields_ = [("version", c_int64), ("data", c_void_p), ("cleanup", c_void_p),
                ("has_error", c_bool), ("code", c_int), ("message", Bytes),
                ("num_args", c_size_t), ("args", POINTER(Value)), ("result", Value),
                ("config", Bytes), ("module", Bytes), ("arg_shardings", POINTER(Bytes)),
                ("result_sharding", Bytes)]
CALL = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Partition))
NONE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)
class Callbacks(Structure):
    _fields_ = [("version", c_int64), ("private", c_void_p), ("dtor", c_void_p),
                ("partition", CALL), ("infer", NONE), ("propagate", NONE), ("flag", c_bool)]
class Register(Structure):
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("name_size", c_size_t),
                ("callbacks", POINTER(Callbacks))]
class Extension(Structure):
    pass
Extension._fields_ = [("struct_size", c_size_t), ("type", c_int), ("next", POINTER(Extension)),
                      ("register", ctypes.CFUNCTYPE(c_void_p, POINTER(Register)))]
class Table(Structure):
    _fields_ = [("struct_size", c_size_t), ("extension", POINTER(Extension))]

def extension():
    from xlac import _library
    library = ctypes.CDLL(str(_library.plugin_path()))
    library.GetPjrtApi.restype = POINTER(Table)
    found = library.GetPjrtApi().contents.extension
    while found.contents.type != 2:
        found = found.contents.next
    return found.contents

kept = []
def register(name, function, version=0):
    callbacks = Callbacks(version=version, partition=CALL(function), infer=NONE(lambda *_: None),
                          propagate=NONE(lambda *_: None))
    kept.append(callbacks)
    args = Register(ctypes.sizeof(Register), name.encode(), len(name), ctypes.pointer(callbacks))
    return extension().register(ctypes.byref(args))

def answer(module=b"", args=(b"",), result=b"", error=None):
    arguments = (Bytes * max(len(args), 1))(*[Bytes(a, len(a)) for a in args])
    kept.append(arguments)
    def function(_, out):
        out = out.contents
        if error is not None:
            out.has_error, out.code, out.message = True, 13, Bytes(error, len(error))
            return
        out.module, out.result_sharding = Bytes(module, len(module)), Bytes(result, len(result))
        out.num_args, out.arg_shardings = len(args), arguments
    return function

def call(name, x):
    return jax.jit(lambda x: jax.ffi.ffi_call(name, x, custom_call_api_version=2,
                                              legacy_backend_config="k")(x) + 1)(x)
"""


class PartitionCase(Case):
    def passes(self, program, *arguments, **environment):
        return super().passes(START + textwrap.dedent(program), *arguments,
                              **{"XLAC_PJRT_DEVICES": "8", **environment})


class CustomPartitioning(PartitionCase):
    MATMUL = """
        seen = []
        @custom_partitioning
        def matmul(x, y):
            return x @ y

        def partition(mesh, args, result):
            seen.append((args[0].sharding.spec, args[1].sharding.spec))
            def lower(x, y):
                return jax.lax.psum(x @ y, "y")
            rows, inner = NamedSharding(mesh, P("x", "y")), NamedSharding(mesh, P("y"))
            return mesh, lower, NamedSharding(mesh, P("x")), (rows, inner)

        matmul.def_partition(
            partition, sharding_rule="i j, j k -> i k", reduction_factors=("j",),
            infer_sharding_from_operands=lambda mesh, args, result: NamedSharding(
                mesh, P(args[0].sharding.spec[0], None)),
            propagate_user_sharding=lambda mesh, result: result.sharding)
        x = np.random.default_rng(0).normal(size=(16, 12)).astype(np.float32)
        y = np.random.default_rng(1).normal(size=(12, 6)).astype(np.float32)
        f = jax.jit(lambda x, y: matmul(x * 2, y) + 1)
        with jax.set_mesh(mesh):
            got = f(place(x, "x", "y"), place(y, "y"))
            text = f.lower(place(x, "x", "y"), place(y, "y")).compile().as_text()
        np.testing.assert_allclose(got, x * 2 @ y + 1, rtol=1e-5)
        assert got.sharding.is_equivalent_to(NamedSharding(mesh, P("x")), 2), got.sharding
        assert seen and seen[0][0] == P("x", "y"), seen
        assert "all-reduce" in text and "all-gather" not in text, text
        assert "f32[4,6]" in text, text
    """

    def test_sharding_rules(self):
        self.passes(self.MATMUL)

    def test_callbacks_choose_shardings_without_shardy(self):
        self.passes(self.MATMUL, JAX_USE_SHARDY_PARTITIONER="0")

    def test_operands_and_results_are_resharded(self):
        self.passes("""
            @custom_partitioning
            def both(x, y):
                return x + y, x * y

            def partition(mesh, args, result):
                # Others than the operands have, and of another order of devices.
                one, other = NamedSharding(mesh, P(None, ("y", "x"))), NamedSharding(mesh, P("y"))
                def lower(x, y):
                    assert x.shape == (16, 1), x.shape
                    return x + y, jax.lax.all_gather(x * y, ("y", "x"), axis=1, tiled=True)
                return mesh, lower, (one, NamedSharding(mesh, P())), (one, one)

            both.def_partition(partition, sharding_rule="i j, i j -> i j, i j")
            x = np.arange(128, dtype=np.float32).reshape(16, 8)
            with jax.set_mesh(mesh):
                total, product = jax.jit(both, out_shardings=(P("x"), P(None, "y")))(
                    place(x, "x"), place(x[::-1].copy(), "y"))
            np.testing.assert_array_equal(total, x + x[::-1])
            np.testing.assert_array_equal(product, x * x[::-1])
        """)

    def test_padded_shards_loops_and_scalars(self):
        self.passes("""
            @custom_partitioning
            def scale(x, by):
                return x * by

            scale.def_partition(
                lambda mesh, args, result: (mesh, lambda x, by: x * by, args[0].sharding,
                                            shardings(args)),
                sharding_rule="i j, -> i j")
            x = np.arange(7 * 3, dtype=np.float32).reshape(7, 3)
            def f(x):
                return jax.lax.fori_loop(0, 3, lambda i, x: scale(x, jnp.float32(2)), x)
            with jax.set_mesh(mesh):
                got = jax.jit(f)(place(np.pad(x, ((0, 1), (0, 0))), "x")[:7])
            np.testing.assert_array_equal(got, x * 8)
        """)

    def test_modules_with_functions_and_random_numbers(self):
        self.passes("""
            @custom_partitioning
            def f(x):
                return jnp.sort(x)[:, :2]

            def partition(mesh, args, result):
                def lower(x):
                    noise = jax.random.uniform(jax.random.key(0), x.shape) * 0
                    cases = jax.lax.cond(x[0, 0] > -1, lambda x: jnp.sort(x), lambda x: x, x)
                    return jax.jit(lambda x: x[:, :2])(cases + noise)
                return mesh, lower, args[0].sharding, (args[0].sharding,)

            f.def_partition(partition, sharding_rule="i j -> i k", need_replication_factors=("j",))
            x = np.random.default_rng(0).permutation(64).reshape(8, 8).astype(np.float32)
            with jax.set_mesh(mesh):
                got = jax.jit(f)(place(x, "x"))
            np.testing.assert_array_equal(got, np.sort(x, axis=1)[:, :2])
        """)

    def test_callbacks_are_called_for_each_program(self):
        self.passes("""
            from jaxlib import xla_client
            calls = []
            def identity(x):
                return x
            def partition(factor, mesh, args, result):
                calls.append(factor)
                return mesh, lambda x: x * factor, args[0].sharding, (args[0].sharding,)
            x = np.arange(8, dtype=np.float32)
            with jax.set_mesh(mesh):
                for factor in (2, 3):
                    f = custom_partitioning(identity)
                    f.def_partition(functools.partial(partition, factor), sharding_rule="i -> i")
                    compiled = jax.jit(lambda x: f(x)).lower(place(x, "x")).compile()
                    np.testing.assert_array_equal(compiled(place(x, "x")), x * factor)
            assert "multiply" in compiled.as_text() and calls == [2, 3], calls
            executable = compiled.runtime_executable()
            client = jax.devices()[0].client
            again = client.deserialize_executable(
                client.serialize_executable(executable),
                xla_client.DeviceList(tuple(jax.devices())), None)
            assert "multiply" in again.hlo_modules()[0].to_string() and calls == [2, 3], calls
        """, XLAC_CACHE=None)

    def test_errors_of_callbacks(self):
        self.passes("""
            def compiled(partition, **more):
                @custom_partitioning
                def f(x):
                    return x
                f.def_partition(partition, **{"sharding_rule": "i j -> i j", **more})
                with jax.set_mesh(mesh):
                    return jax.jit(f)(place(np.ones((8, 8), np.float32), "x"))
            def fails(*_):
                raise ValueError("no partition today")
            refused(lambda: compiled(fails), "CustomSPMDPartitioning", "no partition today")
            s = NamedSharding(mesh, P("x"))
            # The shapes differ only for the compiler: JAX checks those of its own tiles.
            refused(lambda: compiled(lambda mesh, args, result: (
                mesh, lambda x: x[:1], s, (s,))), "Mismatch in result shapes")
            jax.config.update("jax_use_shardy_partitioner", False)
            refused(lambda: compiled(fails, sharding_rule=None,
                                     infer_sharding_from_operands=fails), "no partition today")
            ok = lambda mesh, args, result: (mesh, lambda x: x, s, (s,))
            refused(lambda: compiled(ok, sharding_rule=None, infer_sharding_from_operands=fails),
                    "infer shardings from those of operands", "no partition today")
            refused(lambda: compiled(ok, sharding_rule=None,
                                     infer_sharding_from_operands=lambda *_: s,
                                     propagate_user_sharding=fails),
                    "infer shardings from those of users", "no partition today")
        """)


class HostilePartitioners(PartitionCase):
    def test_answers(self):
        self.passes("""
            x = place(np.ones((8, 8), np.float32), "x")
            assert register("twos", lambda *_: None, version=7), "version 7 is refused"
            assert register("", lambda *_: None), "a target needs a name"
            main = "func.func @main(%a: tensor<%dx8xf32>) -> tensor<%dx8xf32> {{{}}}"
            whole = (b"func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {"
                     b" return %a : tensor<8x8xf32> }")
            recursive = (b"func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {"
                         b' %0 = stablehlo.custom_call @again(%a) {api_version = 2 : i32}'
                         b" : (tensor<8x8xf32>) -> tensor<8x8xf32>"
                         b" return %0 : tensor<8x8xf32> }")
            endless = whole.replace(b"return", b"func.call @main(%a) : (tensor<8x8xf32>)"
                                    b" -> tensor<8x8xf32> return")
            rows = b"\\x08\\x03\\x1a\\x02\\x08\\x01\\x22\\x08\\0\\1\\2\\3\\4\\5\\6\\7"
            cases = {
                "good": (answer(whole), ()),
                "failing": (answer(error=b"told you"), ("told you",)),
                "silent": (answer(), ("no module",)),
                "garbage": (answer(b"ML\\xefR garbage"), ("cannot be read",)),
                "truncated": (answer(whole[:-1]), ("cannot be read",)),
                "nameless": (answer(whole.replace(b"main", b"other")), ("main",)),
                "types": (answer(whole, args=(rows,)), ("tensor<1x8xf32>", "tensor<8x8xf32>")),
                "count": (answer(whole, args=(b"", b"")), ("another number of operands",)),
                "none": (answer(whole, args=()), ("another number of operands",)),
                "bytes": (answer(whole, args=(b"\\xff\\xff",)), ("not an OpSharding",)),
                "kind": (answer(whole, args=(b"\\x08\\x63",)), ("type 99",)),
                "manual": (answer(whole, args=(b"\\x08\\x04",)), ("{manual}",)),
                "tuple": (answer(whole, args=(b"\\x08\\x02",)), ("operand 0",)),
                "devices": (answer(whole, args=(b"\\x08\\x03\\x1a\\x02\\x02\\x01\\x22\\x02\\0\\1",)),
                            ("on 8 devices",)),
                "rank": (answer(whole, args=(rows.replace(b"\\x02\\x08\\x01", b"\\x01\\x08"),)),
                         ("operand 0", "tensor<8x8xf32>")),
                "huge": (answer(whole, args=(b"\\x08\\x03\\x1a\\x0a" + b"\\xff" * 9 + b"\\1",)),
                         ("sharding",)),
                "results": (answer(whole, result=b"\\x08\\x02"), ("shardings of 0 results",)),
                "again": (answer(recursive), ("without end",)),
                "endless": (answer(endless), ("recursively",)),
            }
            for name, (function, words) in cases.items():
                assert not register(name, function)
                if words:
                    refused(lambda: call(name, x), f"@{name}" if name != "again" else "", *words)
                else:
                    np.testing.assert_array_equal(call(name, x), np.full((8, 8), 2.))
        """)


class InspectSharding(PartitionCase):
    def test_shardings(self):
        self.passes("""
            seen = []
            def f(x):
                y = jnp.sin(x) * 2
                jax.debug.inspect_array_sharding(y, callback=seen.append)
                jax.debug.inspect_array_sharding(y.sum(0), callback=seen.append)
                jax.debug.inspect_array_sharding(jnp.ones(3), callback=seen.append)
                return y
            x = place(np.ones((8, 4), np.float32), "x", "y")
            with jax.set_mesh(mesh):
                compiled = jax.jit(f).lower(x).compile()
                compiled(x)
                compiled.as_text()
            assert [s.spec for s in seen] == [P("x", "y"), P("y"), P()], seen
        """)

    def test_manual_code(self):
        self.passes("""
            seen = []
            @functools.partial(jax.shard_map, mesh=mesh, in_specs=P("x", "y"),
                               out_specs=P("x", "y"))
            def f(x):
                jax.debug.inspect_array_sharding(x, callback=lambda s: seen.append(s.spec))
                def body(x, _):
                    jax.debug.inspect_array_sharding(x, callback=lambda s: seen.append(s.spec))
                    return x * 2, None
                return jax.lax.scan(body, x, None, length=3)[0]
            got = jax.jit(f)(place(np.ones((8, 4), np.float32), "x", "y"))
            np.testing.assert_array_equal(got, np.full((8, 4), 8.))
            assert seen == [P(), P()], seen
        """)

    def test_compilation_for_a_topology(self):
        self.passes("""
            # JAX holds Python's lock meanwhile, so a callback would wait for ever.
            from jax.experimental import topologies
            topology = topologies.get_topology_desc("", "xlac", num_devices=8)
            mesh = topologies.make_mesh(topology, (8,), ("x",))
            seen = []
            def f(x):
                jax.debug.inspect_array_sharding(x * 2, callback=lambda s: seen.append(s.spec))
                return x
            x = jax.ShapeDtypeStruct((8, 8), np.float32, sharding=NamedSharding(mesh, P("x")))
            refused(jax.jit(f).lower(x).compile, "InspectSharding", "for a topology")
            assert seen == [], seen
        """)

    def test_errors(self):
        self.passes("""
            def fails(sharding):
                raise ValueError("do not look")
            def f(x):
                jax.debug.inspect_array_sharding(x, callback=fails)
                return x
            x = place(np.ones((8, 4), np.float32), "x")
            refused(lambda: jax.jit(f)(x), "InspectSharding", "do not look")
            # Programs of other processes: their addresses mean nothing here.
            for config, word in (("", "0 bytes"), ("1234", "4 bytes"), ("\\0" * 16, "process"),
                                 ("\\1" * 16, "process")):
                refused(lambda: jax.jit(lambda x: jax.ffi.ffi_call(
                    "InspectSharding", x, custom_call_api_version=1,
                    legacy_backend_config=config)(x))(x), "InspectSharding", word)
        """)


class Batches(PartitionCase):
    def test_linear_algebra(self):
        self.passes("""
            x = np.random.default_rng(0).normal(size=(8, 5, 5)).astype(np.float32)
            for f in (jnp.linalg.qr, jnp.linalg.eigh, jnp.linalg.svd,
                      jax.scipy.linalg.lu_factor):
                compiled = jax.jit(f).lower(place(x, "x")).compile()
                assert "all-gather" not in compiled.as_text(), f
                for got, wanted in zip(compiled(place(x, "x")), f(x)):
                    np.testing.assert_allclose(got, wanted, atol=1e-4)
            # Four devices do not divide six matrices, which are gathered.
            rows = NamedSharding(mesh, P("x"))
            half = jax.jit(lambda x: jnp.linalg.qr(
                jax.lax.with_sharding_constraint(x[:6], rows))[1],
                out_shardings=NamedSharding(mesh, P()))
            np.testing.assert_allclose(half(place(x, "x")), jnp.linalg.qr(x[:6])[1], atol=1e-4)
        """)


if __name__ == "__main__":
    unittest.main()
