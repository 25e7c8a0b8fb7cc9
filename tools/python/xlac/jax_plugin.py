"""Registers libpjrt_xlac.so as a backend of JAX.

JAX calls initialize() in every program of the environment. It therefore does not create a client,
and only logs a warning if the library is missing. It patches private functions of JAX. If a version
of JAX lacks one of them, a warning says which feature is not available.
"""
import atexit
import dataclasses
import functools
import logging
import os
import pathlib
import re
import sys

from ._callbacks import Registered
from ._ffi import Plugin

logger = logging.getLogger(__name__)
PLATFORM = "xlac"
# The version of jax and jaxlib that the plugin is tested with.
TESTED_VERSION = "0.10.2"
# Lower than the priority of the CPU, so that only JAX_PLATFORMS selects the plugin.
PRIORITY = -1


def library_path():
    """Returns XLAC_PJRT_PLUGIN, else the path of the library in the package."""
    named = os.environ.get("XLAC_PJRT_PLUGIN")
    return pathlib.Path(named or pathlib.Path(__file__).parent / "lib/libpjrt_xlac.so")


def platform_name():
    """Returns the platform name that the plugin reports."""
    return os.environ.get("XLAC_PJRT_PLATFORM", "").lower() or PLATFORM


def lower_exported_call(rule, context, *arguments, exported, **parameters):
    """Lowers a call of an exported function. Functions that are exported for the CPU run on xlac
    too."""
    if not {PLATFORM, *context.module_context.platforms} & set(exported.platforms):
        platforms = tuple(PLATFORM if name == "cpu" else name for name in exported.platforms)
        exported = dataclasses.replace(exported, platforms=platforms)
    return rule(context, *arguments, exported=exported, **parameters)


# Primitives whose results are not unique, and the LAPACK routines that give SciPy's: the order of
# eigenvalues and the signs of vectors depend on the algorithm.
LAPACK_ROUTINES = {"eig": "geev", "schur": "gees"}


def register_lapack(plugin, routine):
    """Takes jaxlib's handlers of a LAPACK routine in place of xlac's own."""
    from jaxlib import lapack
    for name, handlers, api_version in lapack.registrations().get("cpu", ()):
        if re.fullmatch(f"lapack_[sdcz]{routine}_ffi", name) and api_version == 1:
            plugin.register_target(name, handlers, "cpu")


def lower_buffer_callback(rule, context, *arguments, **parameters):
    """Lowers a call of jax.experimental.buffer_callback as on the CPU."""
    with_callbacks, keep = as_cpu(context)
    lowered = rule(with_callbacks, *arguments, **parameters)
    keep()
    return lowered


# JAX's rules for all platforms that do not know xlac, by primitive.
ADAPTED_RULES = {"call_exported": lower_exported_call, "buffer_callback": lower_buffer_callback}


class CpuRules(dict):
    """The lowering rules of platform xlac: its own, then JAX's rules for the CPU, including rules
    that are registered later. `general` contains JAX's rules for all platforms."""

    def __init__(self, own, cpu, general, plugin):
        super().__init__(own)
        self._cpu = cpu
        self._general = general
        self._plugin = plugin

    def _is_adapted(self, primitive):
        return primitive.name in ADAPTED_RULES and primitive in self._general

    def __contains__(self, primitive):
        return (super().__contains__(primitive) or primitive in self._cpu or
                self._is_adapted(primitive))

    def __missing__(self, primitive):
        if not self._is_adapted(primitive):
            rule = self._cpu[primitive]
            if primitive.name in LAPACK_ROUTINES:
                register_lapack(self._plugin, LAPACK_ROUTINES[primitive.name])
                self[primitive] = rule
            return rule
        general = self._general[primitive]
        rule = functools.partial(ADAPTED_RULES[primitive.name], general.rule)
        self[primitive] = dataclasses.replace(general, rule=rule)
        return self[primitive]

    def get(self, primitive, default=None):
        return self[primitive] if primitive in self else default


def use_cpu_rules(mlir, plugin):
    """Makes JAX use the CPU's lowering rules on xlac. For linear algebra and sparse matrix products
    JAX has rules for single platforms only."""
    rules = getattr(mlir, "_platform_specific_lowerings", None)
    if rules is None:
        logger.warning("xlac: this version of JAX keeps its lowering rules elsewhere; eig, eigh, "
                       "schur and others are not available on xlac")
        return
    if not isinstance(rules[PLATFORM], CpuRules):
        general = getattr(mlir, "_lowerings", {})
        rules[PLATFORM] = CpuRules(rules[PLATFORM], rules["cpu"], general, plugin)


def allow_donation(mlir):
    """Adds xlac to the platforms on which JAX donates arguments."""
    platforms = getattr(mlir, "_platforms_with_donation", None)
    if platforms is None:
        logger.warning("xlac: this version of JAX decides elsewhere about donation; donated "
                       "arguments are not reused on xlac")
    elif PLATFORM not in platforms:
        platforms.append(PLATFORM)


class CpuBackend:
    """Wraps a backend and reports the platform cpu."""
    platform = "cpu"

    def __init__(self, backend):
        self._backend = backend

    def __getattr__(self, name):
        return getattr(self._backend, name)


class Callbacks(list):
    """Replaces a module's list of host callbacks. JAX appends a function and stores its index,
    `len() - 1`, in the program. This list registers the function, and the index is its number."""

    registered = None

    def append(self, function):
        self.registered = Registered(function)

    def __len__(self):
        return self.registered.number + 1 if self.registered else 0


def as_cpu(context):
    """Returns a lowering context for the platform cpu, and a function to call after lowering: it
    keeps the host callback of the lowered operation alive."""
    module = context.module_context
    callbacks = Callbacks()
    cpu = module.replace(platforms=("cpu",), host_callbacks=callbacks,
                         backend=CpuBackend(module.get_backend()))
    return (context.replace(module_context=cpu),
            lambda: module.add_keepalive(callbacks.registered))


def allow_callbacks(callback):
    """Makes JAX lower callbacks on xlac as on the CPU. JAX rejects callbacks on unknown platforms
    and does not pass the functions to their executions."""
    emit = getattr(callback, "emit_python_callback", None)
    if emit is None:
        logger.warning("xlac: this version of JAX lowers callbacks elsewhere; pure_callback, "
                       "io_callback and jax.debug are not available on xlac")
        return
    if getattr(emit, "serves_xlac", False):
        return

    @functools.wraps(emit)
    def emit_python_callback(ctx, *args, **kwargs):
        if tuple(ctx.module_context.platforms) != (PLATFORM,):
            return emit(ctx, *args, **kwargs)
        with_callbacks, keep = as_cpu(ctx)
        emitted = emit(with_callbacks, *args, **kwargs)
        keep()
        return emitted

    emit_python_callback.serves_xlac = True
    callback.emit_python_callback = emit_python_callback
    from jax.interpreters import mlir
    mlir.emit_python_callback = emit_python_callback


class Backends(dict):
    """JAX's table of backends. A lookup of "cpu" that made JAX register the plugin, and so began
    before the patches, finds the xlac backend here."""

    def get(self, platform, default=None):
        if platform == "cpu" and platform not in self:
            platform = PLATFORM
        return super().get(platform, default)


def stand_in_for_cpu(xla_bridge):
    """Makes JAX return the xlac backend for "cpu" if there is no CPU backend, because
    pure_callback copies its operands to a CPU device."""
    find = getattr(xla_bridge, "_get_backend_uncached", None)
    if find is None:
        logger.warning("xlac: this version of JAX finds its backends elsewhere; callbacks need "
                       "JAX_PLATFORMS=xlac,cpu")
        return
    if getattr(find, "serves_xlac", False):
        return

    @functools.wraps(find)
    def find_backend(platform=None):
        if platform == "cpu":
            backends = xla_bridge.backends()
            if "cpu" not in backends and PLATFORM in backends:
                return backends[PLATFORM]
        return find(platform)

    find_backend.serves_xlac = True
    xla_bridge._get_backend_uncached = find_backend
    if getattr(xla_bridge, "_backends", None) == {}:
        xla_bridge._backends = Backends()


def register_targets(plugin, xla_client):
    """Makes foreign functions of jax.ffi available to the plugin. If a function has no handler for
    xlac, its handler for the CPU is used."""
    untyped = {}  # functions for the CPU, which jaxlib does not list

    def register(name, handlers, platform, api_version=1, traits=0):
        del traits
        if api_version == 0:
            plugin.register_untyped(name, handlers)
        elif api_version == 1:
            plugin.register_target(name, handlers, platform)
        else:
            raise NotImplementedError(f"the foreign function {name} has version {api_version} of "
                                      "XLA's custom calls, xlac takes versions 0 and 1")

    def register_for_cpu(name, handlers, platform, api_version=1, traits=0):
        if api_version == 0:
            untyped[name] = handlers
        xla_client._xla.register_custom_call_target(name, handlers, platform, api_version, traits)

    def resolve(name):
        # jaxlib does this when it creates a CPU client. Before that, the registry is empty.
        xla_client.register_custom_type_handler("cpu", xla_client._xla.register_custom_type)
        if name in untyped:
            plugin.register_untyped(name, untyped[name])
            return
        handlers = xla_client.custom_call_targets("Host").get(name)
        # Targets with this prefix require a state that only jaxlib can create.
        if handlers is not None and not name.startswith("xla_"):
            plugin.register_target(name, handlers, "cpu")

    # jaxlib does this too, without a record of the functions, when it creates a CPU client.
    xla_client.register_custom_call_handler("cpu", register_for_cpu)
    plugin.set_resolver(resolve)
    if platform_name() == PLATFORM:
        xla_client.register_custom_call_handler(PLATFORM, register)
        xla_client.register_custom_type_handler(PLATFORM, plugin.register_type)


def close_at_exit(plugin):
    """Registers an exit handler that waits until no program calls Python, because the interpreter
    must not exit during such a call."""
    def close():
        try:
            from jax._src import dispatch
            dispatch.runtime_tokens.block_until_ready()
        except Exception as error:  # the failure of a program whose results were not read
            logger.debug("xlac: %s", error)
        plugin.close_python()

    atexit.register(close)


def use_compilation_cache(cache):
    """Enables JAX's persistent compilation cache for xlac: JAX uses it only on a fixed list of
    platforms, which includes cpu."""
    is_used = getattr(cache, "is_cache_used", None)
    if is_used is None:
        logger.warning("xlac: this version of JAX decides elsewhere about its compilation cache; "
                       "jax_compilation_cache_dir has no effect on xlac, XLAC_CACHE_DIR has")
    elif not hasattr(is_used, "before_xlac"):
        def is_cache_used(backend):
            return is_used(CpuBackend(backend) if backend.platform == PLATFORM else backend)
        is_cache_used.before_xlac = is_used
        cache.is_cache_used = is_cache_used


def device_count():
    """Returns the number of CPU devices that JAX's configuration or XLA_FLAGS requests. Returns
    None if they request none, or if XLAC_PJRT_DEVICES is set, which the plugin reads."""
    if os.environ.get("XLAC_PJRT_DEVICES"):
        return None
    import jax
    count = getattr(jax.config, "jax_num_cpu_devices", -1)
    if count > 0:
        return count
    flag = re.search(r"--xla_force_host_platform_device_count=(\d+)",
                     os.environ.get("XLA_FLAGS", ""))
    return int(flag[1]) if flag else None


def client_options():
    """Returns the options for PJRT_Client_Create. JAX calls it when it creates a client."""
    from jax._src import distributed
    options = {}
    count = device_count()
    if count is not None:
        options["num_devices"] = count
    state = getattr(distributed, "global_state", None)
    # All processes can reach this address. The first process listens there for the others.
    address = getattr(state, "coordinator_address", None)
    if address:
        options["coordinator_address"] = address
    return options


def check_versions():
    """Logs that the versions of jax and jaxlib are not tested: a warning if JAX_PLATFORMS contains
    xlac, otherwise a debug message."""
    import jax
    import jaxlib
    versions = getattr(jax, "__version__", "?"), getattr(jaxlib, "__version__", "?")
    if versions == (TESTED_VERSION, TESTED_VERSION):
        return
    asked_for = PLATFORM in (getattr(jax.config, "jax_platforms", None) or "").split(",")
    logger.log(logging.WARNING if asked_for else logging.DEBUG,
               "xlac: jax %s with jaxlib %s is not tested; pip install jax==%s jaxlib==%s",
               *versions, TESTED_VERSION, TESTED_VERSION)


def is_named_in_environment():
    """Whether PJRT_NAMES_AND_LIBRARY_PATHS contains xlac. JAX then registers it, and rejects
    another plugin of that name."""
    return any(re.split("[:;]", plugin)[0] == PLATFORM for plugin in
               os.environ.get("PJRT_NAMES_AND_LIBRARY_PATHS", "").split(","))


def name_device_of_tests():
    """Sets the flag by which JAX's own tests select expected results to JAX_TEST_DUT, unless it is
    set already."""
    wanted = os.environ.get("JAX_TEST_DUT")
    tests = sys.modules.get("jax._src.test_util")
    flag = getattr(tests, "_TEST_DUT", None)
    if wanted and flag is not None and not flag.value:
        import jax
        jax.config.update("jax_test_dut", wanted)


def initialize():
    """Registers the plugin with JAX and patches JAX for the platform xlac."""
    check_versions()
    path = library_path()
    if not path.exists():
        logger.warning("xlac: there is no %s; set XLAC_PJRT_PLUGIN to the path of libpjrt_xlac.so",
                       path)
        return
    from jax._src import xla_bridge
    if not is_named_in_environment():
        xla_bridge.register_plugin(PLATFORM, priority=PRIORITY, library_path=str(path),
                                   options=client_options)
    from jaxlib import xla_client
    plugin = Plugin(str(path))
    register_targets(plugin, xla_client)
    close_at_exit(plugin)
    if platform_name() == PLATFORM:
        from jax._src import callback, compilation_cache
        from jax._src.interpreters import mlir
        use_compilation_cache(compilation_cache)
        use_cpu_rules(mlir, plugin)
        allow_donation(mlir)
        name_device_of_tests()
        allow_callbacks(callback)
    stand_in_for_cpu(xla_bridge)
