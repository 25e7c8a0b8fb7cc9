"""Files that jax.export writes, run by the command line and by xlac.compile, equal JAX.

Requires jax 0.10.2, the package, and the command line of a build: the one that XLAC names, or
that of build/release.
"""
import os
import pathlib
import subprocess
import tempfile
import unittest

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

import xlac

ROOT = pathlib.Path(__file__).resolve().parents[2]
XLAC = os.environ.get("XLAC", ROOT / "build/release/bin/xlac")


def tool(folder, *arguments):
    environment = {**os.environ, "XLAC_CACHE": "off"}
    return subprocess.run([XLAC, *map(str, arguments)], cwd=folder, env=environment, text=True,
                          capture_output=True, check=False, timeout=240)


def symbolic(*texts, constraints=()):
    """Types of f32 arguments, one scope for all symbols."""
    scope = export.SymbolicScope(constraints)
    return [jax.ShapeDtypeStruct(export.symbolic_shape(text, scope=scope), np.float32)
            for text in texts]


class Exported(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, function, *types, platforms=("cpu",), vjp_order=0):
        file = self.folder / "model.jax_export"
        exported = export.export(jax.jit(function), platforms=platforms)(*types)
        file.write_bytes(exported.serialize(vjp_order=vjp_order))
        return file

    def run_tool(self, file, arguments):
        inputs = [self.folder / f"in_{number}.npy" for number in range(len(arguments))]
        for name, argument in zip(inputs, arguments):
            np.save(name, argument)
        done = tool(self.folder, "run", file, "--inputs", *inputs, "--outputs", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [np.load(name) for name in sorted((self.folder / "out").glob("*.npy"))]

    def check(self, function, file, *arguments):
        expected = jax.tree_util.tree_leaves(jax.jit(function)(*arguments))
        found = self.run_tool(file, arguments)
        self.assertEqual(len(found), len(expected))
        for ours, theirs in zip(found, expected):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)

    def test_symbolic_sizes(self):
        def function(x, y):
            return jnp.concatenate([x @ y, jnp.ones((2, y.shape[1]))]).sum(0), x.reshape(-1)

        types = symbolic("b, k", "k, n", constraints=["b >= 2", "k <= 16"])
        file = self.write(function, *types, platforms=("tpu", "cpu"))
        random = np.random.RandomState(0)
        for b, k, n in ((2, 3, 4), (7, 16, 1)):
            self.check(function, file, random.randn(b, k).astype(np.float32),
                       random.randn(k, n).astype(np.float32))

    def test_compiled_for_shapes(self):
        file = self.write(lambda x, n: x.sum(0) * n, *symbolic("b, 3", ""))
        for rows in (2, 5):
            x = np.arange(rows * 3, dtype=np.float32).reshape(rows, 3)
            program = xlac.compile(file.read_bytes(), shapes=[x.shape, ()])
            np.testing.assert_array_equal(program(x, np.float32(2))[0], x.sum(0) * 2)
        for shapes, message in ((None, "its sizes must be given"),
                                ([(2, 4), ()], "dimension 1 must have size 3"),
                                ([(2, 3, 4), ()], "but got the sizes 2x3x4"),
                                ([(-1, 3), ()], "expected NUMBER=2x3"),
                                ([(2, 3), (), ()], "has no argument 2")):
            with self.assertRaisesRegex(xlac.Error, message):
                xlac.compile(file.read_bytes(), shapes)

    def test_sizes_outside_the_constraints(self):
        file = self.write(lambda x: x * 2, *symbolic("b, 3", constraints=["b >= 2"]))
        done = tool(self.folder, "run", file, "--inputs", "zeros", "--shape", "0=1x3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("b >= 2", done.stderr)

    def test_unused_arguments(self):
        def function(weights, key, x, n):
            return weights["w"] * x

        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        arguments = {"b": np.float32(1), "w": x}, np.uint32([1, 2]), x, np.int32(7)
        types = jax.tree_util.tree_map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), arguments)
        file = self.write(function, *types)
        expected = function(*arguments)
        found, = self.run_tool(file, jax.tree_util.tree_leaves(arguments))
        np.testing.assert_array_equal(found, expected)
        found, = xlac.compile(file.read_bytes())(*jax.tree_util.tree_leaves(arguments))
        np.testing.assert_array_equal(found, expected)

    def test_decompositions_for_several_platforms(self):
        def function(x):
            return tuple(jnp.linalg.qr(x))

        x = np.random.RandomState(0).randn(5, 4).astype(np.float32)
        self.check(function, self.write(function, x, platforms=("cuda", "cpu")), x)

    def test_gradients_in_the_file(self):
        file = self.write(jnp.sin, np.ones(4, np.float32), vjp_order=2)
        self.check(jnp.sin, file, np.linspace(0, 1, 4, dtype=np.float32))

    def test_another_platform(self):
        file = self.write(jnp.sin, np.ones(4, np.float32), platforms=("tpu",))
        done = tool(self.folder, "run", file, "--inputs", "zeros")
        self.assertEqual(done.returncode, 1)
        self.assertIn("exported for tpu, not for cpu", done.stderr)
        with self.assertRaisesRegex(xlac.Error, "exported for tpu, not for cpu"):
            xlac.compile(file.read_bytes())

    def test_text_of_the_program(self):
        file = self.write(jnp.sin, *symbolic("n"))
        done = tool(self.folder, "translate", file, "--to", "stablehlo")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("stablehlo.sine", done.stdout)


if __name__ == "__main__":
    unittest.main()
