"""Runs PyTorch/XLA programs on xlac: `PJRT_DEVICE=XLAC`.

PyTorch/XLA finds XlacPlugin by the entry point `xlac` of the group `torch_xla.plugins`.
"""
import os

from torch_xla.experimental import plugins

from ._library import plugin_path


class XlacPlugin(plugins.DevicePlugin):
    """The devices of this process; XLAC_PJRT_DEVICES says how many, by default 1."""

    def __init__(self):
        super().__init__()
        # Programs come as StableHLO; HLO, which PyTorch/XLA sends otherwise, is refused.
        os.environ.setdefault("XLA_STABLEHLO_COMPILE", "1")

    def library_path(self):
        return str(plugin_path())

    def physical_chip_count(self):
        """One process has all devices of the host, a thread each, as on PyTorch/XLA's CPU."""
        return 1

    def configure_single_process(self):
        os.environ["XLAC_PJRT_DEVICES"] = "1"
