"""Small JAX programs on four devices, for features that JAX's own tests cover.

Runs the package on PYTHONPATH with the library that XLAC_PJRT_PLUGIN names, or an installed
wheel. Requires jax 0.10.2.
"""
import os
import unittest

os.environ.update(JAX_PLATFORMS="xlac", XLAC_PJRT_DEVICES="4")

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax import export
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
from xlac import _callbacks


def explicit_mesh(sizes, names):
    return jax.make_mesh(sizes, names, axis_types=(AxisType.Explicit,) * len(names))


def automatic_mesh(sizes, names):
    return jax.make_mesh(sizes, names, axis_types=(AxisType.Auto,) * len(names))


class Exported(unittest.TestCase):
    def call(self, platforms):
        function = export.export(jax.jit(lambda x: x * 2 + 1), platforms=platforms)
        return jax.jit(function(np.float32(0)).call)(np.float32(3))

    def test_for_the_cpu(self):
        self.assertEqual(self.call(["cpu"]), 7)

    def test_for_several_platforms(self):
        self.assertEqual(self.call(["tpu", "cpu"]), 7)

    def test_for_another_platform(self):
        with self.assertRaisesRegex(ValueError, "was exported for platforms"):
            self.call(["tpu"])


class SpectralDecompositions(unittest.TestCase):
    """Eigenvalues in SciPy's order, vectors with SciPy's signs: both call LAPACK."""

    def matrices(self):
        random = np.random.RandomState(0)
        for size in (1, 2, 5, 24):
            real = random.randn(size, size).astype(np.float32)
            yield real
            yield (real + 1j * random.randn(size, size)).astype(np.complex64)

    def test_eigenvectors(self):
        for matrix in self.matrices():
            for ours, theirs in zip(jnp.linalg.eig(matrix), scipy.linalg.eig(matrix)):
                np.testing.assert_allclose(ours, theirs, atol=2e-3)

    def test_schur_form(self):
        for matrix in self.matrices():
            for output in ("real", "complex"):
                for ours, theirs in zip(jax.scipy.linalg.schur(matrix, output),
                                        scipy.linalg.schur(matrix, output)):
                    np.testing.assert_allclose(ours, theirs, atol=2e-3)

    def test_batches(self):
        matrices = np.random.RandomState(1).randn(2, 3, 4, 4).astype(np.float32)
        np.testing.assert_allclose(jnp.linalg.eigvals(matrices), np.linalg.eigvals(matrices),
                                   atol=1e-3)


class Callbacks(unittest.TestCase):
    def test_names_of_types(self):
        names = {"i1": "bool", "i4": "int4", "i64": "int64", "ui2": "uint2", "ui16": "uint16",
                 "f16": "float16", "f32": "float32", "f64": "float64", "bf16": "bfloat16",
                 "f4E2M1FN": "float4_e2m1fn", "f6E2M3FN": "float6_e2m3fn",
                 "f6E3M2FN": "float6_e3m2fn", "f8E4M3": "float8_e4m3",
                 "f8E5M2FNUZ": "float8_e5m2fnuz", "f8E8M0FNU": "float8_e8m0fnu",
                 "complex<f32>": "complex64", "complex<f64>": "complex128"}
        for element, name in names.items():
            with self.subTest(element):
                self.assertEqual(_callbacks.dtype_of(element).name, name)

    def test_operands_of_64_bits(self):
        # Callbacks run on threads of their own, which do not see the context enable_x64.
        jax.config.update("jax_enable_x64", True)
        self.addCleanup(jax.config.update, "jax_enable_x64", False)
        for dtype in (np.float64, np.int64, np.complex128):
            x = jnp.asarray([1, 2, 3], dtype)
            y = jax.jit(lambda x: jax.pure_callback(lambda v: v * 2, x, x))(x)
            np.testing.assert_array_equal(y, np.asarray([2, 4, 6], dtype))


class Tokens(unittest.TestCase):
    def test_argument(self):
        token = jax.lax.create_token(1)
        value, _ = jax.jit(lambda x, token: (x + 1, token))(np.float32(2), token)
        self.assertEqual(value, 3)


class Unreduced(unittest.TestCase):
    def setUp(self):
        self.mesh = explicit_mesh((2, 2), ("x", "y"))
        context = jax.set_mesh(self.mesh)
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        self.left = np.arange(32.0, dtype=np.float32).reshape(8, 4)
        self.right = np.arange(24.0, dtype=np.float32).reshape(4, 6)

    def product(self):
        left = jax.device_put(self.left, P("x", "y"))
        right = jax.device_put(self.right, P("y", None))
        return jax.jit(lambda a, b: jnp.einsum("ij,jk->ik", a, b,
                                               out_sharding=P("x", unreduced={"y"})))(left, right)

    def test_each_device_has_its_summand(self):
        for shard in self.product().addressable_shards:
            row, column = divmod(shard.device.id, 2)
            expected = (self.left[row * 4:row * 4 + 4, column * 2:column * 2 + 2] @
                        self.right[column * 2:column * 2 + 2])
            np.testing.assert_array_equal(shard.data, expected)

    def test_summed_by_the_next_program(self):
        for spec in (P("x", None), P("x", "y"), P(None, None)):
            whole = jax.reshard(self.product(), spec)
            np.testing.assert_array_equal(whole, self.left @ self.right)

    def test_linear_ops_keep_summands(self):
        twice = jax.jit(lambda a: a + a)(self.product())
        self.assertEqual(twice.sharding.spec.unreduced, {"y"})
        np.testing.assert_array_equal(jax.reshard(twice, P("x", None)),
                                      2 * (self.left @ self.right))

    def test_of_a_whole_value(self):
        value = jax.reshard(jnp.arange(4.0), P(unreduced={"x", "y"}))
        self.assertEqual([float(np.asarray(shard.data).sum())
                          for shard in value.addressable_shards],
                         [6, 0, 0, 0])


class PartlyManual(unittest.TestCase):
    def test_one_axis_is_for_the_compiler(self):
        mesh = automatic_mesh((2, 2), ("x", "y"))
        value = np.arange(64.0, dtype=np.float32).reshape(8, 8)

        def body(part):
            self.assertEqual(part.shape, (4, 8))
            return jax.lax.psum(jnp.sin(part), "x")

        run = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("x"), out_specs=P(),
                                    axis_names={"x"}))
        placed = jax.device_put(value, NamedSharding(mesh, P("x", "y")))
        np.testing.assert_allclose(run(placed), np.sin(value[:4]) + np.sin(value[4:]), rtol=1e-5)

    def test_nested(self):
        mesh = automatic_mesh((2, 2), ("x", "y"))
        value = np.arange(64.0, dtype=np.float32).reshape(8, 8)

        def inner(part):
            self.assertEqual(part.shape, (4, 4))
            return part * jax.lax.axis_index("y")

        def outer(part):
            return jax.shard_map(inner, in_specs=P(None, "y"), out_specs=P(None, "y"),
                                 axis_names={"y"})(part)

        run = jax.jit(jax.shard_map(outer, mesh=mesh, in_specs=P("x"), out_specs=P("x"),
                                    axis_names={"x"}))
        np.testing.assert_array_equal(run(value), value * (np.arange(8) // 4))


class Donation(unittest.TestCase):
    def test_of_an_argument_that_no_result_takes(self):
        expected = np.arange(16.0, dtype=np.float32).reshape(8, 2)
        mesh = automatic_mesh((2, 2), ("x", "y"))
        other = jax.sharding.Mesh(mesh.devices.swapaxes(0, 1), ("u", "v"))
        value = jax.device_put(expected, NamedSharding(mesh, P("y")))
        moved = jax.device_put(value, NamedSharding(other, P("v")), donate=True)
        self.assertTrue(value.is_deleted())
        np.testing.assert_array_equal(moved, expected)


class MemoryKinds(unittest.TestCase):
    def test_of_results(self):
        for kind in ("device", "pinned_host", "unpinned_host"):
            sharding = jax.sharding.SingleDeviceSharding(jax.devices()[1], memory_kind=kind)
            result = jax.jit(lambda x: x + 1, out_shardings=sharding)(np.arange(3))
            self.assertEqual(result.sharding.memory_kind, kind)
            self.assertEqual(result.addressable_shards[0].data.sharding.memory_kind, kind)
            np.testing.assert_array_equal(result, [1, 2, 3])


class MemoryAnalysis(unittest.TestCase):
    def test_all_memory_is_of_the_device(self):
        analysis = jax.jit(lambda x: x + 1).lower(np.zeros(4, np.float32)).compile().memory_analysis()
        self.assertEqual(analysis.argument_size_in_bytes, 16)
        self.assertEqual(analysis.output_size_in_bytes, 16)
        for kind in ("generated_code", "argument", "output", "alias", "temp"):
            self.assertEqual(getattr(analysis, f"host_{kind}_size_in_bytes"), 0)


if __name__ == "__main__":
    unittest.main()
