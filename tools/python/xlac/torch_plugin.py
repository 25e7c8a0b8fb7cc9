"""Registers xlac as a device of PyTorch/XLA; `PJRT_DEVICE=XLAC` selects it.

PyTorch/XLA discovers XlacPlugin by the entry point `xlac` of the group `torch_xla.plugins`.
"""
import os

from torch_xla.experimental import plugins

from ._library import plugin_path


class XlacPlugin(plugins.DevicePlugin):
    """The plugin for PyTorch/XLA. XLAC_PJRT_DEVICES sets the number of devices, by default 1."""

    def __init__(self):
        super().__init__()
        # PyTorch/XLA compiles HLO by default, which the plugin rejects. This selects StableHLO.
        os.environ.setdefault("XLA_STABLEHLO_COMPILE", "1")

    def library_path(self):
        return str(plugin_path())

    def physical_chip_count(self):
        """Returns 1, so that PyTorch/XLA uses one process with a thread for each device, as on its
        CPU device."""
        return 1

    def configure_single_process(self):
        os.environ["XLAC_PJRT_DEVICES"] = "1"
