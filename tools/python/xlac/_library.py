"""The paths of the package's native files."""
from __future__ import annotations

import os
import pathlib

_FOLDER = pathlib.Path(__file__).parent


def plugin_path() -> pathlib.Path:
    """Returns XLAC_PJRT_PLUGIN, else the path of libpjrt_xlac.so in the package. The compiler
    library is in the same folder."""
    named = os.environ.get("XLAC_PJRT_PLUGIN")
    return pathlib.Path(named) if named else _FOLDER / "lib/libpjrt_xlac.so"


def command_path() -> pathlib.Path:
    """Returns the path of the command `xlac`, in the package or in the build that contains
    XLAC_PJRT_PLUGIN."""
    return plugin_path().parent.parent / "bin/xlac"
