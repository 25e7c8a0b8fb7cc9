"""Registers libpjrt_xlac.so as a backend of JAX.

JAX calls initialize() in every program of the environment, so it only registers and never
fails for want of the library. Some of what it sets are private names of JAX: each is looked
for, and a warning says what does not work without it.
"""
import logging
import os
import pathlib

logger = logging.getLogger(__name__)
PLATFORM = "xlac"
# Behind the CPU, so that the plugin is used where JAX_PLATFORMS asks for it.
PRIORITY = -1


def library_path():
    """XLAC_PJRT_PLUGIN, else the library in the package."""
    named = os.environ.get("XLAC_PJRT_PLUGIN")
    return pathlib.Path(named or pathlib.Path(__file__).parent / "lib/libpjrt_xlac.so")


def platform_name():
    """What the plugin calls itself."""
    return os.environ.get("XLAC_PJRT_PLATFORM", "").lower() or PLATFORM


class CpuRules(dict):
    """Lowering rules of platform xlac: its own, then those that JAX has for the CPU, also
    those that are registered later."""

    def __init__(self, own, cpu):
        super().__init__(own)
        self._cpu = cpu

    def __contains__(self, primitive):
        return super().__contains__(primitive) or primitive in self._cpu

    def __missing__(self, primitive):
        return self._cpu[primitive]

    def get(self, primitive, default=None):
        return self[primitive] if primitive in self else default


def use_cpu_rules(mlir):
    """Linear algebra and sparse products have rules for the CPU alone."""
    rules = getattr(mlir, "_platform_specific_lowerings", None)
    if rules is None:
        logger.warning("xlac: this version of JAX keeps its lowering rules elsewhere; eig, eigh, "
                       "schur and others are not available on xlac")
        return
    if not isinstance(rules[PLATFORM], CpuRules):
        rules[PLATFORM] = CpuRules(rules[PLATFORM], rules["cpu"])


def allow_donation(mlir):
    platforms = getattr(mlir, "_platforms_with_donation", None)
    if platforms is None:
        logger.warning("xlac: this version of JAX decides elsewhere about donation; donated "
                       "arguments are not reused on xlac")
    elif PLATFORM not in platforms:
        platforms.append(PLATFORM)


def initialize():
    path = library_path()
    if not path.exists():
        logger.warning("xlac: there is no %s; set XLAC_PJRT_PLUGIN to the path of libpjrt_xlac.so",
                       path)
        return
    from jax._src import xla_bridge
    xla_bridge.register_plugin(PLATFORM, priority=PRIORITY, library_path=str(path))
    if platform_name() == PLATFORM:
        from jax._src.interpreters import mlir
        use_cpu_rules(mlir)
        allow_donation(mlir)
