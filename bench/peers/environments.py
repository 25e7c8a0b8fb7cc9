"""The Python environments that peers need, made where they are missing."""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def imports(python, module):
    try:
        return subprocess.run([python, "-c", f"import {module}"], capture_output=True,
                              timeout=300).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def environment(name, module, requirements, notes):
    """The interpreter of build/venv-NAME, or of what $XLAC_<NAME>_PYTHON says; None,
    and a line in `notes`, where `module` cannot be had."""
    named = os.environ.get(f"XLAC_{name.upper()}_PYTHON")
    if named:
        if imports(named, module):
            return named
        notes.append(f"peers of {module}: {named} has none")
        return None
    folder = ROOT / "build" / f"venv-{name}"
    python = folder / "bin/python"
    if not python.exists():
        subprocess.run(["python3", "-m", "venv", folder], check=False)
    if not imports(python, module):
        print(f"Installing {' '.join(map(str, requirements))} into {folder}", flush=True)
        subprocess.run([folder / "bin/pip", "install", "-q", *requirements], check=False)
    if imports(python, module):
        return str(python)
    notes.append(f"peers of {module}: it cannot be installed here")
    return None


def plugin(library=ROOT / "build/release/lib/libpjrt_xlac.so"):
    """What makes JAX run on xlac."""
    return {"JAX_PLATFORMS": "xlac", "PYTHONPATH": str(ROOT / "tools/python"),
            "XLAC_PJRT_PLUGIN": str(library)}
