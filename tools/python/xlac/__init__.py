"""xlac, a tensor compiler for CPUs.

JAX discovers the plugin; `JAX_PLATFORMS=xlac` makes it the default backend. Without JAX,
xlac.compile() compiles a StableHLO program to a function of NumPy arrays.
"""
from ._command import Setting, inspect, settings
from ._program import Error, Program, Result, compile

__version__ = "0.1.0"
__all__ = ["Error", "Program", "Result", "Setting", "compile", "inspect", "settings"]
