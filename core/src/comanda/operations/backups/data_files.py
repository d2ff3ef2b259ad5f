"""The files of the data folder that belong to a backup."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import ZipFile

from comanda.operations.backups.errors import BackupError
from comanda.platform import data_folder

# Files, and folders with their contents. Missing ones are skipped.
BACKED_UP = (
    "secret.keys",  # needed to decrypt values in the database
    "demo.json",  # the tokens of the demo, of which the database has only hashes
    "photos",  # photos stored in a folder
)
PREFIX = "data/"


def list_files(data: Path) -> list[PurePosixPath]:
    """Return the files of a data folder to back up, relative to it."""
    found: list[PurePosixPath] = []
    for name in BACKED_UP:
        place = data / name
        paths = sorted(place.rglob("*")) if place.is_dir() else [place]
        found += [PurePosixPath(path.relative_to(data)) for path in paths if path.is_file() and not path.is_symlink()]
    return found


def list_members(archive: ZipFile) -> list[PurePosixPath]:
    """Return the data files in an archive. Raises ``BackupError`` for a path that no backup contains."""
    names = [name.removeprefix(PREFIX) for name in archive.namelist() if name.startswith(PREFIX)]
    for name in names:
        parts = PurePosixPath(name).parts
        if not parts or parts[0] not in BACKED_UP or ".." in parts or PurePosixPath(name).is_absolute():
            raise BackupError(
                f"The backup contains {name}, which does not belong in a data folder; nothing was restored."
            )
    return [PurePosixPath(name) for name in names]


def find_conflicts(archive: ZipFile, data: Path) -> list[str]:
    """Return the files of an archive that exist in the data folder with different content."""
    return [
        str(path)
        for path in list_members(archive)
        if (data / path).exists() and _has_other_content(archive, data, path)
    ]


def stage_files(archive: ZipFile, data: Path) -> list[tuple[Path, Path]]:
    """Write the files of an archive under temporary names; return pairs for ``move_into_place``."""
    staged: list[tuple[Path, Path]] = []
    data_folder.create_folder(data)
    for path in list_members(archive):
        target = data / path
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(f".{target.name}.restoring")
        opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "wb") as stream, archive.open(f"{PREFIX}{path}") as source:
            shutil.copyfileobj(source, stream)
            os.fsync(stream.fileno())
        if os.geteuid() == 0:  # the owner of the folder runs the servers
            os.chown(draft, data.stat().st_uid, data.stat().st_gid)
        staged.append((draft, target))
    return staged


def move_into_place(staged: list[tuple[Path, Path]]) -> None:
    """Move staged files to their final names."""
    for draft, target in staged:
        draft.replace(target)


def discard_files(staged: list[tuple[Path, Path]]) -> None:
    """Delete staged files."""
    for draft, _ in staged:
        draft.unlink(missing_ok=True)


def _has_other_content(archive: ZipFile, data: Path, path: PurePosixPath) -> bool:
    with archive.open(f"{PREFIX}{path}") as theirs, (data / path).open("rb") as ours:
        return any(one != other for one, other in zip(_read_blocks(theirs), _read_blocks(ours), strict=False)) or (
            archive.getinfo(f"{PREFIX}{path}").file_size != (data / path).stat().st_size
        )


def _read_blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(65536):
        yield block
