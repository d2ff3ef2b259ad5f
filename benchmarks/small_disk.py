"""A disk of some mebibytes for a folder, which can be filled."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

# Large pieces first, then what is left of the last block.
PIECES: Final = (1 << 20, 4096)


@contextmanager
def small_disk(folder: Path, mebibytes: int) -> Iterator[None]:
    """Keep a folder and what is in it on a disk of its own while the block runs; needs the rights of root."""
    aside = folder.with_name(f"{folder.name}-aside")
    folder.rename(aside)
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", folder], check=True)
    try:
        subprocess.run(["cp", "-a", "-T", aside, folder], check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=False)
        subprocess.run(["rm", "-rf", aside], check=False)


def fill(folder: Path) -> Path:
    """Take all space that the disk of a folder has, and return the file to delete."""
    file = folder / "filler"
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT)
    try:
        for piece in PIECES:
            with suppress(OSError):
                while True:
                    os.write(descriptor, bytes(piece))
    finally:
        os.close(descriptor)
    return file
