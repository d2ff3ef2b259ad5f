"""Checks of the data folder: its place, its permissions, and room on its disk."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from comanda.diagnostics.results import CheckResult, report_not_checked, report_ok, report_problem
from comanda.settings import Settings

MIN_FREE_BYTES = 1_000_000_000
# Who can read these can act as others, and no program of ours makes them readable.
PRIVATE_FILES = ("demo.json", "secret.keys")


def check_storage(settings: Settings) -> Iterator[CheckResult]:
    """Report a data folder that cannot be used, files in it that others can read, and a disk that is almost full."""
    folder = settings.data.resolve()
    yield _check_permissions(folder)
    yield _check_disk(folder)
    if settings.database_url is not None:
        yield report_not_checked("disk of database", "PostgreSQL is not the embedded one; watch its disk where it runs")


def _check_permissions(folder: Path) -> CheckResult:
    place = _find_existing_folder(folder)
    if not os.access(place, os.W_OK | os.X_OK):
        return report_problem(
            "data folder", str(folder), f"This user may not write to {place}. Choose another folder with DATA=."
        )
    if not folder.exists():
        return report_not_checked("data folder", f"{folder} does not exist yet; this user may create it")
    if not folder.is_dir():
        return report_problem("data folder", f"{folder} is a file", "Choose another folder with DATA=.")
    if folder.stat().st_mode & stat.S_IWOTH:
        return report_problem("data folder", f"{folder} can be changed by every user", f"Run `chmod o-w {folder}`.")
    exposed = [name for name in PRIVATE_FILES if _is_exposed(folder / name)]
    if exposed:
        names = ", ".join(exposed)
        return report_problem(
            "data folder", f"{names} in {folder} can be read by other users", "Give them the mode 600."
        )
    return report_ok("data folder", f"{folder}, mode {stat.S_IMODE(folder.stat().st_mode):o}")


def _check_disk(folder: Path) -> CheckResult:
    free = shutil.disk_usage(_find_existing_folder(folder)).free
    found = f"{free / 1e9:.1f} GB free for {folder}"
    if free < MIN_FREE_BYTES:
        return report_problem("disk", found, "Make room: PostgreSQL stops when its disk is full.")
    return report_ok("disk", found)


def _is_exposed(file: Path) -> bool:
    return file.exists() and bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _find_existing_folder(folder: Path) -> Path:
    """Return the folder, or the nearest above it that exists."""
    return next(place for place in (folder, *folder.parents) if place.exists())
