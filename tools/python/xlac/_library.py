"""Where the package's native files lie."""
from __future__ import annotations

import os
import pathlib

_FOLDER = pathlib.Path(__file__).parent


def plugin_path() -> pathlib.Path:
    """libpjrt_xlac.so: what XLAC_PJRT_PLUGIN names, else the library in the package. The compiler
    library lies beside it."""
    named = os.environ.get("XLAC_PJRT_PLUGIN")
    return pathlib.Path(named) if named else _FOLDER / "lib/libpjrt_xlac.so"


def command_path() -> pathlib.Path:
    """The command `xlac`: in the package, or in the build that XLAC_PJRT_PLUGIN is of."""
    return plugin_path().parent.parent / "bin/xlac"
