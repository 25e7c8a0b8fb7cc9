"""Use and misuse of the plugin through JAX: caches, numbers of devices, memory and errors.

Requires jax 0.10.2 and the package, as test_package.py does. Each case runs in a new process, and
checks that this exits normally.
"""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

from xlac import _library


def run(program, *arguments, **environment):
    """Runs a Python program and returns its output, errors and exit status."""
    settings = {"JAX_PLATFORMS": "xlac", "XLAC_CACHE": "off", **environment}
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], text=True,
        env={name: value for name, value in {**os.environ, **settings}.items()
             if value is not None},
        capture_output=True, check=False, timeout=240)


class Case(unittest.TestCase):
    def passes(self, program, *arguments, **environment):
        done = run(textwrap.dedent(program) + "\nprint('passed')\n", *arguments, **environment)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1:]), (0, ["passed"]),
                         done.stdout[-2000:] + done.stderr[-4000:])
        return done


class CompilationCache(Case):
    PROGRAM = """
        import sys, jax, jax.numpy as jnp
        from jax._src import monitoring
        events = []
        monitoring.register_event_listener(lambda name, **_: events.append(name))
        jax.config.update("jax_compilation_cache_dir", sys.argv[1])
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        x = jnp.arange(8.)
        assert float(jax.jit(lambda x: (jnp.sin(x) @ x * 3).sum())(x)) != 0
        hits = events.count("/jax/compilation_cache/cache_hits")
        misses = events.count("/jax/compilation_cache/cache_misses")
        assert (hits > 0) == (sys.argv[2] == "hit"), (hits, misses)
        assert (misses > 0) == (sys.argv[2] == "miss"), (hits, misses)
    """

    def test_executables_are_found_again(self):
        with tempfile.TemporaryDirectory() as folder:
            self.passes(self.PROGRAM, folder, "miss")
            self.passes(self.PROGRAM, folder, "hit")

    def test_damaged_entries_are_compiled_anew(self):
        with tempfile.TemporaryDirectory() as folder:
            self.passes(self.PROGRAM, folder, "miss")
            for name in os.listdir(folder):
                if name.endswith("-cache"):
                    with open(os.path.join(folder, name), "r+b") as file:
                        file.truncate(os.path.getsize(file.name) // 2)
            self.passes("""
                import sys, warnings, jax, jax.numpy as jnp
                jax.config.update("jax_compilation_cache_dir", sys.argv[1])
                warnings.simplefilter("ignore")
                assert float(jax.jit(lambda x: (jnp.sin(x) @ x * 3).sum())(jnp.arange(8.))) != 0
            """, folder)

    def test_serialized_executables(self):
        self.passes("""
            import jax, jax.numpy as jnp, numpy as np
            from jax.experimental import serialize_executable
            weights = np.random.default_rng(0).normal(size=(64, 64)).astype(np.float32)
            compiled = jax.jit(lambda x: jnp.tanh(x @ weights)).lower(jnp.ones((8, 64))).compile()
            first = serialize_executable.serialize(compiled)
            again = serialize_executable.deserialize_and_load(
                *first, execution_devices=jax.devices()[:1])
            x = jnp.ones((8, 64))
            np.testing.assert_array_equal(again(x), compiled(x))
            assert serialize_executable.serialize(again)[0] == first[0]
        """)

    def test_topologies(self):
        self.passes("""
            import jax, jax.numpy as jnp
            from jax.experimental import topologies
            from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
            topology = topologies.get_topology_desc("", "xlac", num_devices=4)
            assert len(topology.devices) == 4
            mesh = topologies.make_mesh(topology, (4,), ("x",))
            rows = NamedSharding(mesh, P("x"))
            x = jax.ShapeDtypeStruct((8, 8), jnp.float32, sharding=rows)
            compiled = jax.jit(lambda x: x @ x.T).lower(x).compile()
            assert "all-gather" in compiled.as_text() or "all-reduce" in compiled.as_text()
        """)


class Devices(Case):
    COUNT = "import sys, jax; assert len(jax.devices()) == int(sys.argv[1]), jax.devices()"

    def test_numbers(self):
        self.passes(self.COUNT, "1", XLAC_PJRT_DEVICES=None)
        self.passes(self.COUNT, "3", XLAC_PJRT_DEVICES="3", JAX_NUM_CPU_DEVICES="5")
        self.passes(self.COUNT, "5", XLAC_PJRT_DEVICES=None, JAX_NUM_CPU_DEVICES="5")
        self.passes(self.COUNT, "6", XLAC_PJRT_DEVICES=None,
                    XLA_FLAGS="--xla_force_host_platform_device_count=6")
        done = run(self.COUNT, "1", XLAC_PJRT_DEVICES=None, JAX_NUM_CPU_DEVICES="5000")
        self.assertIn("num_devices is 5000", done.stderr)

    def test_clients_come_and_go(self):
        self.passes("""
            import jax, jax.extend, jax.numpy as jnp, numpy as np
            for count in (2, 5, 1, 8):
                jax.clear_caches()
                jax.extend.backend.clear_backends()
                jax.config.update("jax_num_cpu_devices", count)
                assert len(jax.devices()) == count, jax.devices()
                mesh = jax.make_mesh((count,), ("x",))
                x = jax.device_put(np.ones((count, 4)), jax.sharding.NamedSharding(
                    mesh, jax.sharding.PartitionSpec("x")))
                assert float(jax.jit(jnp.sum)(x)) == 4 * count
        """, XLAC_PJRT_DEVICES=None)


class Memory(Case):
    def test_large_arrays_are_not_copied(self):
        self.passes("""
            import jax, numpy as np
            host = np.ones((64, 1 << 18), np.float32)
            device = jax.device_put(host)
            assert device.unsafe_buffer_pointer() == host.ctypes.data
            result = jax.jit(lambda x: x + 1)(device)
            back = np.asarray(result)
            assert back.ctypes.data == result.unsafe_buffer_pointer()
            assert not back.flags.writeable
            del result, device, host
            np.testing.assert_array_equal(back, 2)
        """)


class BufferCallbacks(Case):
    PROGRAM = """
        import sys, jax, jax.numpy as jnp, numpy as np
        from jax.experimental.buffer_callback import buffer_callback
    """

    def test_results_are_written_in_place(self):
        self.passes(self.PROGRAM + """
        kept = []
        def divide(ctx, out, x, *, by):
            assert "EXECUTE" in str(ctx.stage)
            quotient, rest = out
            assert quotient.writeable and not x.writeable and not by.writeable
            assert x.shape == (2, 3) and x.ndim == 2 and x.dtype == np.float32
            x = np.from_dlpack(x)
            np.asarray(quotient)[...] = x // np.asarray(by)
            np.asarray(rest)[...] = (x % np.asarray(by)).astype(rest.dtype)
            kept.append(quotient)
        shape = jax.ShapeDtypeStruct((2, 3), jnp.float32)
        call = buffer_callback(divide, (shape, shape.update(dtype=jnp.bfloat16)))
        x = jnp.arange(6.).reshape(2, 3)
        for run in (call, jax.jit(call)):
            quotient, rest = run(x, by=jnp.float32(4))
            np.testing.assert_array_equal(quotient, np.asarray(x) // 4)
            assert rest.dtype == jnp.bfloat16
            np.testing.assert_array_equal(rest.astype(jnp.float32), np.asarray(x) % 4)
        try:
            np.asarray(kept[0])
        except RuntimeError as error:
            assert "after the callback" in str(error)
        else:
            raise AssertionError("a buffer outlives its callback")
        """)

    def test_aliased_results_begin_with_their_operand(self):
        self.passes(self.PROGRAM + """
        def increment(ctx, out, x):
            values = np.asarray(out)
            np.testing.assert_array_equal(values, np.asarray(x))
            values += 1
        shape = jax.ShapeDtypeStruct((4,), jnp.int32)
        call = buffer_callback(increment, shape, input_output_aliases={0: 0})
        x = jnp.arange(4, dtype=jnp.int32)
        np.testing.assert_array_equal(jax.jit(lambda x: call(x * 2))(x), [1, 3, 5, 7])
        np.testing.assert_array_equal(x, [0, 1, 2, 3])
        """)

    def test_failures_and_batches(self):
        self.passes(self.PROGRAM + """
        def fail(ctx, out, x):
            raise KeyError("no such thing")
        scalar = jax.ShapeDtypeStruct((), jnp.float32)
        try:
            jax.jit(buffer_callback(fail, scalar))(1.).block_until_ready()
        except jax.errors.JaxRuntimeError as error:
            assert "no such thing" in str(error)
        else:
            raise AssertionError("the callback's failure is lost")
        def double(ctx, out, x):
            np.asarray(out)[...] = np.asarray(x) * 2
        call = buffer_callback(double, scalar, vmap_method="sequential")
        np.testing.assert_array_equal(jax.vmap(call)(jnp.arange(3.)), [0, 2, 4])
        """)

    def test_on_the_platform_cpu(self):
        self.passes(self.PROGRAM + """
        def double(ctx, out, x):
            np.asarray(out)[...] = np.asarray(x) * 2
        assert "xlac" in jax.devices()[0].client.platform_version
        call = buffer_callback(double, jax.ShapeDtypeStruct((3,), jnp.float32))
        np.testing.assert_array_equal(jax.jit(call)(jnp.arange(3.)), [0, 2, 4])
        """, XLAC_PJRT_PLATFORM="cpu")


class UntypedCalls(Case):
    START = """
        import ctypes, numpy as np, jax, jax.numpy as jnp
        from ctypes import POINTER, c_char_p, c_float, c_size_t, c_void_p
        FLOATS = POINTER(c_float)
        kept = []
        def register(name, function, *types, platform="xlac"):
            kept.append(ctypes.CFUNCTYPE(None, *types)(function))
            jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(kept[-1]), platform, api_version=0)
        def call(name, result, *operands, version=1, **more):
            return jax.jit(lambda *x: jax.ffi.ffi_call(
                name, result, custom_call_api_version=version, **more)(*x))(*operands)
        x = jnp.arange(4.)
        like = jax.ShapeDtypeStruct((4,), np.float32)
    """

    def test_versions_of_calls(self):
        self.passes(self.START + """
        def add(out, operands):
            for i in range(4):
                out[i] = operands[0][i] + operands[1][i]
        register("add", add, FLOATS, POINTER(FLOATS))
        np.testing.assert_array_equal(call("add", like, x, x) + 1, x + x + 1)
        register("of_cpu", add, FLOATS, POINTER(FLOATS), platform="cpu")
        np.testing.assert_array_equal(call("of_cpu", like, x, x), x + x)

        def two(out, operands):
            for i in range(4):
                out[0][i], out[1][i] = -operands[0][i], 2 * operands[0][i]
        register("two", two, POINTER(FLOATS), POINTER(FLOATS))
        got = call("two", (like, like), x)
        np.testing.assert_array_equal(got[0], -x)
        np.testing.assert_array_equal(got[1], 2 * x)

        seen = []
        def text(out, operands, config, size, status):
            seen.append(ctypes.string_at(config, size))
            out[0] = 7
        register("text", text, FLOATS, POINTER(FLOATS), c_void_p, c_size_t, c_void_p)
        assert call("text", like, x, version=3, legacy_backend_config="a text")[0] == 7
        assert seen == [b"a text"], seen
        """)

    def test_errors(self):
        self.passes(self.START + """
        class Status(ctypes.Structure):  # std::optional<std::string> with a short text
            _fields_ = [("data", c_void_p), ("size", c_size_t), ("text", ctypes.c_char * 16),
                        ("is_set", ctypes.c_bool)]
        def fails(out, operands, status):
            status.contents.data = ctypes.addressof(status.contents) + 16
            status.contents.size, status.contents.text = 8, b"told you"
            status.contents.is_set = True
        register("fails", fails, FLOATS, POINTER(FLOATS), POINTER(Status))
        try:
            call("fails", like, x, version=2).block_until_ready()
        except Exception as error:
            assert "@fails" in str(error) and "told you" in str(error), error
        else:
            raise AssertionError("not refused")
        try:
            register("fails", lambda *_: None, c_void_p)
        except RuntimeError as error:
            assert "another function" in str(error), error
        else:
            raise AssertionError("not refused")
        """)

    def test_unsuitable_calls_fail_when_they_run(self):
        self.passes(self.START + """
        f = jax.jit(lambda x: jax.ffi.ffi_call("lapack_sgetrf_ffi", like)(x))
        compiled = f.lower(x).compile()
        assert "lapack_sgetrf_ffi" in compiled.as_text()
        try:
            compiled(x).block_until_ready()
        except Exception as error:
            assert "takes 1 operands and gives 3 results" in str(error), error
        else:
            raise AssertionError("not refused")
        """)


class DLPack(Case):
    IMPORT = """
        import numpy as np, jax.numpy as jnp
        x = np.arange(4, dtype=np.float32)
        y = jnp.from_dlpack(x)
        np.testing.assert_array_equal(y, x)
        """

    def test_import_as_the_first_call(self):
        for platform in ("xlac", "cpu"):
            self.passes(self.IMPORT, XLAC_PJRT_PLATFORM=platform)

    def test_export(self):
        self.passes(self.IMPORT + """
        np.testing.assert_array_equal(np.from_dlpack(y * 2), x * 2)
        """, XLAC_PJRT_PLATFORM="cpu")


class PackedWeights(Case):
    PROGRAM = """
        import jax, jax.numpy as jnp, numpy as np
        numbers = np.random.default_rng(1)
        draw = lambda *shape: numbers.normal(size=shape).astype("f")
        # The operand of the first product is not an activation, so u is not packed.
        f = jax.jit(lambda x, u, w, v: jnp.tanh(jnp.tanh(x @ u / 16) @ w / 16) @ v)
        x, u, w, v = (jnp.asarray(draw(n, 256)) for n in (64, 256, 256, 256))
        def check(w):
            y = np.tanh(np.float64(x) @ np.float64(u) / 16)
            y = np.tanh(y @ np.float64(w) / 16) @ np.float64(v)
            np.testing.assert_allclose(f(x, u, w, v), y, atol=1e-3)
        """

    def test_other_weights_are_noticed(self):
        self.passes(self.PROGRAM + """
        size = f.lower(x, u, w, v).compile().memory_analysis().temp_size_in_bytes
        assert size >= w.nbytes + v.nbytes, size
        step = jax.jit(lambda w: w * 0.5 + 0.1, donate_argnums=0)
        for i in range(4):
            check(w)
            check(w)
            # Takes the memory of the weights.
            w = step(w) if i % 2 else jnp.asarray(draw(256, 256))
        """)

    def test_writes_to_viewed_memory_are_noticed(self):
        for platform in ("xlac", "cpu"):
            self.passes(self.PROGRAM + """
        raw = np.zeros(256 * 256 + 16, "f")
        begin = -raw.ctypes.data % 64 // 4
        host = raw[begin:begin + 256 * 256].reshape(256, 256)
        host[:] = draw(256, 256)
        view = jnp.from_dlpack(host)
        is_view = view.unsafe_buffer_pointer() == host.ctypes.data
        for i in range(3):
            check(host.copy() if is_view else view)
            np.testing.assert_array_equal(f(x, u, view, v), f(x, u, jnp.array(view), v))
            host[:] = draw(256, 256)
        """, XLAC_PJRT_PLATFORM=platform)


class Layouts(Case):
    def test_requested_layouts(self):
        self.passes("""
        import ctypes, jax, jax.numpy as jnp, numpy as np
        from jax.experimental.layout import Format, Layout
        one = jax.sharding.SingleDeviceSharding(jax.devices()[0])
        columns = Format(Layout(major_to_minor=(1, 0)), one)
        data = np.arange(12, dtype=np.float32).reshape(3, 4)
        x = jax.device_put(data, columns)
        assert x.format.layout.major_to_minor == (1, 0)
        # The memory is column-major.
        assert np.asarray(x).strides == (4, 12)
        memory = ctypes.string_at(x.unsafe_buffer_pointer(), data.nbytes)
        assert memory == data.T.tobytes()
        np.testing.assert_array_equal(x, data)
        f = jax.jit(lambda x: (x.T * 2, x + 1))
        for value, expected in zip(f(x), (data.T * 2, data + 1)):
            np.testing.assert_array_equal(value, expected)
        auto = jax.jit(lambda x: x.T, out_shardings=Format(Layout.AUTO)).lower(data).compile()
        assert auto.output_formats.layout.major_to_minor == (1, 0)
        np.testing.assert_array_equal(auto(data), data.T)
        donated = jax.jit(lambda x: x + 1, donate_argnums=0, out_shardings=columns)(x)
        assert x.is_deleted() and donated.format.layout.major_to_minor == (1, 0)
        np.testing.assert_array_equal(donated, data + 1)
        """)


class Misuse(Case):
    def test_other_versions(self):
        program = """
            import jax, jaxlib
            jax.__version__ = "0.4.1"
            print(jax.jit(lambda x: x + 1)(1.))
        """
        self.assertIn("jax 0.4.1 with jaxlib 0.10.2 is not tested", self.passes(program).stderr)
        self.assertNotIn("not tested", self.passes(program, JAX_PLATFORMS="cpu").stderr)

    def test_private_names_that_moved(self):
        done = self.passes("""
            import jax
            from jax._src import compilation_cache
            from jax._src.interpreters import mlir
            is_cache_used, platforms = compilation_cache.is_cache_used, mlir._platforms_with_donation
            del compilation_cache.is_cache_used, mlir._platforms_with_donation
            import jax_plugins.xlac
            jax.devices
            from jax._src import xla_bridge
            xla_bridge._discover_and_register_pjrt_plugins()
            compilation_cache.is_cache_used = is_cache_used
            mlir._platforms_with_donation = platforms
            assert float(jax.jit(lambda x: x + 1)(1.)) == 2
        """)
        self.assertIn("decides elsewhere about its compilation cache", done.stderr)
        self.assertIn("decides elsewhere about donation", done.stderr)

    def test_a_second_registration(self):
        self.passes("""
            import jax
            assert jax.devices()[0].platform == "xlac"
            assert abs(jax.numpy.linalg.eigh(jax.numpy.eye(2))[0][0] - 1) < 1e-6
        """, PJRT_NAMES_AND_LIBRARY_PATHS=f"xlac:{_library.plugin_path()}")

    def test_another_name(self):
        self.passes("""
            import jax
            assert jax.devices()[0].platform == "xlac"
            assert float(jax.jit(lambda x: x + 1)(1.)) == 2
        """, JAX_PLATFORMS="other", PJRT_NAMES_AND_LIBRARY_PATHS=f"other:{_library.plugin_path()}")

    def test_other_platforms(self):
        self.passes("""
            import jax
            for name in ("gpu", "cuda", "tpu", "nonsense"):
                try:
                    jax.devices(name)
                except RuntimeError:
                    continue
                raise SystemExit(name)
        """)

    def test_out_of_memory(self):
        self.passes("""
            import jax, jax.numpy as jnp
            for size in (1 << 46, 1 << 58, (1 << 62) - 1):
                try:
                    jax.block_until_ready(jax.jit(lambda: jnp.ones(size, jnp.int8))())
                except (jax.errors.JaxRuntimeError, ValueError, OverflowError) as error:
                    continue
                raise SystemExit(size)
            assert jnp.ones(4).sum() == 4
        """)

    def test_strides(self):
        self.passes("""
            import jax, jax.numpy as jnp, numpy as np
            a = np.arange(120, dtype=np.float32).reshape(4, 5, 6)
            for view in (a[::-1], a[:, ::-2], a[..., ::3], a.T, a[1:3, 2], a[::-1, ::-1, ::-1],
                         np.broadcast_to(a[0, 0], (7, 6)), a[:0], np.asfortranarray(a)):
                np.testing.assert_array_equal(np.asarray(jax.device_put(view)), view)
                np.testing.assert_array_equal(np.asarray(jax.jit(jnp.negative)(view)), -view)
        """)

    def test_deleted_and_donated_buffers(self):
        self.passes("""
            import jax, jax.numpy as jnp, numpy as np
            add = jax.jit(lambda a, b: a + b, donate_argnums=0)
            def refused(call):
                try:
                    call()
                except (RuntimeError, ValueError) as error:
                    assert "delete" in str(error) or "donate" in str(error), error
                    return
                raise SystemExit("a buffer that is gone was used")
            a, b = jnp.ones(8), jnp.ones(8)
            c = add(a, b)
            b.delete()
            for gone in (a, b):
                refused(lambda: gone + 1)
                refused(lambda: np.asarray(gone))
                refused(lambda: add(gone, c))
                refused(lambda: jax.device_put(gone, jax.devices()[0]).block_until_ready())
                gone.delete()
            refused(lambda: add(c, c))
            np.testing.assert_array_equal(c, 2)
        """)

    def test_fork(self):
        """JAX warns about forks, but programs run in the child process."""
        self.passes("""
            import os, sys, warnings, jax, jax.numpy as jnp
            warnings.simplefilter("ignore")
            f = jax.jit(lambda x: jnp.tanh(x @ x).sum())
            x = jnp.full((64, 64), .01)
            expected = float(f(x))
            child = os.fork()
            if child == 0:
                os._exit(0 if float(f(x)) == expected else 1)
            assert os.waitpid(child, 0)[1] == 0
            assert float(f(x)) == expected
        """)

    def test_exit_with_work_in_flight(self):
        self.passes("""
            import jax, jax.numpy as jnp
            f = jax.jit(lambda x: jnp.tanh(x @ x))
            x = jnp.full((512, 512), .001)
            for _ in range(100):
                x = f(x)
        """)


if __name__ == "__main__":
    unittest.main()
