"""Where JAX looks for plugins: it imports this module and calls initialize()."""
from xlac.jax_plugin import initialize

__all__ = ["initialize"]
