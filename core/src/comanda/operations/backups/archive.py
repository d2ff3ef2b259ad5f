"""Backup files: a zip archive with a manifest, a PostgreSQL dump and files of the data folder."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from zipfile import ZIP_STORED, BadZipFile, ZipFile

from comanda.basics.build_version import get_build_version
from comanda.operations.backups.errors import BackupError

FORMAT = 1
MANIFEST = "manifest.json"
DUMP = "database.dump"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of a backup. ``migrations`` are the applied migrations by app."""

    format: int
    comanda: str
    created_at: str
    postgres_major: int
    schema: str
    migrations: Mapping[str, list[str]]

    def to_json(self) -> str:
        """Return the manifest as the JSON in the archive."""
        return json.dumps(asdict(self), indent=2)


@contextmanager
def write_archive(target: Path) -> Iterator[ZipFile]:
    """Yield an archive to fill, renamed to ``target`` once it is complete and on disk; deleted on errors.

    Only its owner can read it. Raises ``BackupError`` if the file exists.
    """
    if target.exists():
        raise BackupError(f"{target} already exists; choose another name.")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    opened = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(opened, "w+b") as stream:
            # Not compressed, because the dump and photos already are.
            with ZipFile(stream, "w", ZIP_STORED) as archive:
                yield archive
            stream.flush()
            os.fsync(stream.fileno())
        draft.rename(target)
        _sync_folder(target.parent)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise BackupError(f"{error.filename or target} cannot be written or read: {error.strerror}.") from error
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


@contextmanager
def read_archive(source: Path) -> Iterator[tuple[ZipFile, Manifest]]:
    """Yield an archive and its manifest after verifying all checksums. Raises ``BackupError`` if it is invalid."""
    try:
        with ZipFile(source) as archive:
            damaged = archive.testzip()
            if damaged is not None:
                raise BackupError(f"{source} is damaged: {damaged} does not match its checksum.")
            yield archive, _read_manifest(source, archive)
    except BadZipFile as error:
        raise BackupError(f"{source} is not a backup of Comanda, or is incomplete.") from error


def _read_manifest(source: Path, archive: ZipFile) -> Manifest:
    try:
        found = json.loads(archive.read(MANIFEST))
        archive.getinfo(DUMP)
        format_ = int(found["format"])
        if format_ <= FORMAT:
            return Manifest(**found)
    except (KeyError, TypeError, ValueError) as error:
        raise BackupError(f"{source} is not a backup of Comanda.") from error
    raise BackupError(
        f"{source} was written by a newer Comanda ({found.get('comanda')}), and {get_build_version()} is installed; "
        "install the version of the backup."
    )


def _sync_folder(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
