"""The version that tells builds apart: that of the installed wheel, or of the commit of a checkout."""

import os
import shutil
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path

GIT_SECONDS = 10


@cache
def get_build_version() -> str:
    """Return the version of core with the commit that it was built from: ``0.1.0+20261126204412.e7a946c7``.

    Without a commit, as in a build from a tree without git, it is the plain version.
    """
    installed = version("comanda-core")
    folder = Path(__file__).parents[1]
    # Wheels have the commit in their metadata; an editable installation is what the checkout has now.
    commit = read_commit(folder.parents[2]) if folder.parent.name == "src" and "+" not in installed else None
    return installed if commit is None else f"{installed}+{commit}"


def read_commit(root: Path) -> str | None:
    """Return time (UTC) and hash of a checkout's commit as a local version, or None if ``root`` is none.

    The time comes first, so that installers find a later build newer. ``.dirty`` follows if files differ from it.
    """
    if not (root / ".git").exists():
        return None
    time = _run_git(root, "log", "-1", "--format=%cd", "--date=format-local:%Y%m%d%H%M%S")
    name = _run_git(root, "describe", "--always", "--exclude=*", "--abbrev=8", "--dirty=.dirty")
    return f"{time}.{name}" if time and name else None


def _run_git(root: Path, *arguments: str) -> str | None:
    """Return what git prints, or None if it is not installed or refuses, as it does in folders of other users."""
    git = shutil.which("git")
    if git is None:
        return None
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"TZ": "UTC", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        return subprocess.run(
            [git, "-C", root, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=GIT_SECONDS,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
