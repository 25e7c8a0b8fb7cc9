"""The entry point for JAX, which imports this module and calls initialize()."""
from xlac.jax_plugin import initialize

__all__ = ["initialize"]
