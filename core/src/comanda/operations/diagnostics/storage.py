"""Checks of the data folder: location, permissions and free disk space."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from comanda.operations.diagnostics.results import CheckResult, report_not_checked, report_ok, report_problem
from comanda.platform.settings import Settings

MIN_FREE_BYTES = 1_000_000_000
# Anyone who can read these can act as others.
PRIVATE_FILES = ("demo.json", "secret.keys")


def check_storage(settings: Settings) -> Iterator[CheckResult]:
    """Check that the data folder can be used, its private files are private, and its disk has free space."""
    folder = settings.data.resolve()
    yield _check_permissions(folder)
    yield _check_disk(folder)
    if settings.database_url is not None:
        yield report_not_checked("disk of database", "the database is not embedded; monitor the disk of its server")


def _check_permissions(folder: Path) -> CheckResult:
    place = _find_existing_folder(folder)
    if not os.access(place, os.W_OK | os.X_OK):
        return report_problem(
            "data folder", str(folder), f"This user cannot write to {place}. Choose another folder with DATA=."
        )
    if not folder.exists():
        return report_not_checked("data folder", f"{folder} does not exist yet; it will be created")
    if not folder.is_dir():
        return report_problem("data folder", f"{folder} is a file", "Choose another folder with DATA=.")
    if folder.stat().st_mode & stat.S_IWOTH:
        return report_problem("data folder", f"{folder} is writable by every user", f"Run `chmod o-w {folder}`.")
    exposed = [name for name in PRIVATE_FILES if _is_exposed(folder / name)]
    if exposed:
        names = ", ".join(exposed)
        return report_problem(
            "data folder", f"{names} in {folder} are readable by other users", "Set their mode to 600."
        )
    return report_ok("data folder", f"{folder}, mode {stat.S_IMODE(folder.stat().st_mode):o}")


def _check_disk(folder: Path) -> CheckResult:
    free = shutil.disk_usage(_find_existing_folder(folder)).free
    found = f"{free / 1e9:.1f} GB free for {folder}"
    if free < MIN_FREE_BYTES:
        return report_problem("disk", found, "Free disk space: PostgreSQL stops when its disk is full.")
    return report_ok("disk", found)


def _is_exposed(file: Path) -> bool:
    return file.exists() and bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _find_existing_folder(folder: Path) -> Path:
    """Return the folder or its closest existing parent."""
    return next(place for place in (folder, *folder.parents) if place.exists())
