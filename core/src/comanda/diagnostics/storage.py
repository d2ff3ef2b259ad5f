"""Checks of the data folder: its place, its permissions, and room on its disk."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from comanda.diagnostics.findings import Finding, not_checked, ok, problem
from comanda.settings import Settings

MIN_FREE_BYTES = 1_000_000_000
# Who can read these can act as others, and no program of ours makes them readable.
PRIVATE_FILES = ("demo.json", "secret.keys")


def check_storage(settings: Settings) -> Iterator[Finding]:
    """Report a data folder that cannot be used, files in it that others can read, and a disk that is almost full."""
    folder = settings.data.resolve()
    yield _permissions(folder)
    yield _disk(folder)
    if settings.database_url is not None:
        yield not_checked("disk of database", "PostgreSQL is not the embedded one; watch its disk where it runs")


def _permissions(folder: Path) -> Finding:
    place = _nearest(folder)
    if not os.access(place, os.W_OK | os.X_OK):
        return problem(
            "data folder", str(folder), f"This user may not write to {place}. Choose another folder with DATA=."
        )
    if not folder.exists():
        return not_checked("data folder", f"{folder} does not exist yet; this user may create it")
    if not folder.is_dir():
        return problem("data folder", f"{folder} is a file", "Choose another folder with DATA=.")
    if folder.stat().st_mode & stat.S_IWOTH:
        return problem("data folder", f"{folder} can be changed by every user", f"Run `chmod o-w {folder}`.")
    exposed = [name for name in PRIVATE_FILES if _is_exposed(folder / name)]
    if exposed:
        names = ", ".join(exposed)
        return problem("data folder", f"{names} in {folder} can be read by other users", "Give them the mode 600.")
    return ok("data folder", f"{folder}, mode {stat.S_IMODE(folder.stat().st_mode):o}")


def _disk(folder: Path) -> Finding:
    free = shutil.disk_usage(_nearest(folder)).free
    found = f"{free / 1e9:.1f} GB free for {folder}"
    if free < MIN_FREE_BYTES:
        return problem("disk", found, "Make room: PostgreSQL stops when its disk is full.")
    return ok("disk", found)


def _is_exposed(file: Path) -> bool:
    return file.exists() and bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _nearest(folder: Path) -> Path:
    """Return the folder, or the nearest above it that exists."""
    return next(place for place in (folder, *folder.parents) if place.exists())
