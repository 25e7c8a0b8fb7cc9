"""Runs JAX programs on xlac, a tensor compiler for CPUs.

JAX finds the plugin by itself; `JAX_PLATFORMS=xlac` makes it the default backend.
"""
__version__ = "0.1.0"
