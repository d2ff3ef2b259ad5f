"""Shell commands to install and test a new plugin in the current environment."""

import os
import shlex
import shutil
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

INSTALL = "-e '.[test]'"


def list_commands(folder: Path) -> list[str]:
    """Return the shell commands to install, test and check a plugin, in order."""
    python = _format_program("python", Path(sys.executable))
    comanda = _format_program("comanda", Path(sys.executable).with_name("comanda"))
    return [
        f"cd {shlex.quote(str(folder))}",
        *_list_install_commands(python),
        f"{python} -m pytest",
        f"{comanda} plugins check .",
    ]


def list_missing(distributions: tuple[str, ...]) -> list[str]:
    """Return those of the distributions that are not installed."""
    return [name for name in distributions if not _is_installed(name)]


def find_uv() -> str | None:
    """Return the path of uv: from UV, on the PATH, or beside the environment, where a Makefile may install it."""
    found = os.environ.get("UV") or shutil.which("uv")
    beside = Path(sys.prefix).parent / ".uv" / "bin" / "uv"
    return found or (str(beside) if beside.exists() else None)


def _list_install_commands(python: str) -> list[str]:
    """Return commands that install with pip, else with uv, else with the pip bundled with Python."""
    if find_spec("pip") is not None:
        return [f"{python} -m pip install {INSTALL}"]
    if (uv := find_uv()) is not None:
        name = "uv" if uv == shutil.which("uv") else shlex.quote(uv)
        return [f"{name} pip install --python {shlex.quote(sys.executable)} {INSTALL}"]
    return [f"{python} -m ensurepip", f"{python} -m pip install {INSTALL}"]


def _format_program(name: str, path: Path) -> str:
    """Return the shortest name of a program of this environment that the PATH allows."""
    found = shutil.which(name, path=os.environ.get("PATH"))
    is_ours = found is not None and Path(found).absolute().parent == path.absolute().parent
    return name if is_ours else shlex.quote(str(path.absolute()))


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
