"""Data folders of installations in tests: in memory where that is possible, and copied once migrated."""

import atexit
import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

from comanda.devkit.testing.forked_processes import get_run_id
from comanda.devkit.testing.processes import Installation

# A file system in memory, and how much of it has to be free before data folders are put there.
MEMORY: Final = Path("/dev/shm")  # noqa: S108 - only for folders with names of their own
MIN_FREE_BYTES: Final = 4 << 30


def create_data_folder() -> Path:
    """Create an empty folder that the account of an embedded PostgreSQL can access, even if tests run as root.

    It lies in memory where that is possible. What a test leaves of it is deleted at the end.
    """
    folder = Path(tempfile.mkdtemp(prefix="comanda-", dir=choose_place()))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def choose_place() -> Path:
    """Return the folder for databases: one in memory, as a disk makes each start of PostgreSQL wait."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > MIN_FREE_BYTES:
        return MEMORY
    return Path(tempfile.gettempdir())


def create_migrated_data_folder() -> Path:
    """Create a data folder with a database of all installed plugins that has no data yet.

    The database is created once for all pytest workers and copied from then on, which takes a fraction of the time.
    """
    data = create_data_folder()
    # With owners and modes: the cluster belongs to an account of its own if tests run as root.
    subprocess.run(["/bin/cp", "-a", f"{_create_template()}/.", data], check=True)
    return data


@cache
def _create_template() -> Path:
    """Return the folder that migrated data folders are copied from; the last pytest worker to end deletes it."""
    home = choose_place() / f"comanda-template-{get_run_id()}"
    with _lock_template(home):
        users = os.open(home.with_suffix(".users"), os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(users, fcntl.LOCK_SH)
        if not (home / "data").exists():
            shutil.rmtree(home, ignore_errors=True)
            (home / "new").mkdir(mode=0o755, parents=True)
            migrated = Installation(home / "new", {}).run("migrate")
            assert migrated.returncode == 0, migrated.stdout + migrated.stderr
            (home / "new").rename(home / "data")

    def end_use() -> None:
        with _lock_template(home):
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return  # Other workers still use it.
            shutil.rmtree(home, ignore_errors=True)
            home.with_suffix(".users").unlink()
            home.with_suffix(".lock").unlink()

    atexit.register(end_use)
    return home / "data"


@contextmanager
def _lock_template(home: Path) -> Iterator[None]:
    """Lock a template against creation and deletion by other workers while the block runs."""
    path = home.with_suffix(".lock")
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(file, fcntl.LOCK_EX)
        # Another worker may have ended, and deleted the file that this one was waiting for.
        with suppress(FileNotFoundError):
            if path.stat().st_ino == os.fstat(file).st_ino:
                break
        os.close(file)
    try:
        yield
    finally:
        os.close(file)
