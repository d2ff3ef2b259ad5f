"""Themes as zip archives: read with limits, because anybody's may be sent, and written."""

import stat
import struct
import zipfile
import zlib
from base64 import b64decode
from collections.abc import Mapping
from io import BytesIO
from typing import Final

from comanda.basics import ValidationFailed

from comanda_themes.services.checks.paths import is_known
from comanda_themes.services.liquid.limits import MAX_BYTES, MAX_FILES
from comanda_themes.services.theme_files import TEXT_SUFFIXES

MEDIA_TYPE: Final = "application/zip"
# Pictures and fonts, beside the texts that the check limits.
MAX_ASSET_BYTES: Final = 5_000_000
# Compression makes neither much larger, and names take some room.
MAX_ARCHIVE_BYTES: Final = MAX_BYTES + MAX_ASSET_BYTES + 500_000
# Entries of folders and of desktop systems are skipped, but not without end.
MAX_ENTRIES: Final = 1000
DIRECTORY_ENTRY: Final = b"PK\x01\x02"
CREATED_BY_DESKTOPS: Final = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini", ".git/")
UNREADABLE: Final = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, LookupError,
)  # fmt: skip
# Archives of the same files are the same bytes.
MOMENT: Final = (2020, 1, 1, 0, 0, 0)


def read_archive(raw: bytes) -> dict[str, bytes]:
    """Return the files of an archive by their path in the theme; a single folder around all of them is left out.

    Raises ``ValidationFailed`` for what is no archive, is too large, or has entries that are no files of its own.
    """
    if len(raw) > MAX_ARCHIVE_BYTES:
        raise _refuse(f"An archive may have at most {MAX_ARCHIVE_BYTES // 1_000_000} MB.")
    # Counted before the directory is parsed, which takes seconds for a hundred thousand entries.
    if raw.count(DIRECTORY_ENTRY) > MAX_ENTRIES:
        raise _refuse(f"An archive may have at most {MAX_ENTRIES} entries.")
    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            return _strip_folder(_read_entries(archive))
    except UNREADABLE as error:
        raise _refuse("This is not a zip archive that can be read.") from error


def decode_archive(text: str) -> bytes:
    """Return an archive that was sent as Base64. Raises ``ValidationFailed``."""
    try:
        return b64decode(text.encode("ascii"), validate=True)
    except ValueError as error:
        raise ValidationFailed(archive_base64=["Must be Base64."]) from error


def write_archive(contents: Mapping[str, bytes]) -> bytes:
    """Return an archive of files."""
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(path, MOMENT)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return written.getvalue()


def check_sizes(contents: Mapping[str, bytes]) -> None:
    """Raise ``ValidationFailed`` if a theme has too many or too large files."""
    texts = sum(len(content) for path, content in contents.items() if path.endswith(TEXT_SUFFIXES))
    if not contents:
        raise _refuse("There are no files in it.")
    if len(contents) > MAX_FILES:
        raise _refuse(f"A theme may have at most {MAX_FILES} files.")
    if texts > MAX_BYTES:
        raise _refuse(f"The texts of a theme may have at most {MAX_BYTES // 1_000_000} MB.")
    if sum(map(len, contents.values())) - texts > MAX_ASSET_BYTES:
        raise _refuse(f"Pictures and fonts may have at most {MAX_ASSET_BYTES // 1_000_000} MB.")


def _read_entries(archive: zipfile.ZipFile) -> dict[str, bytes]:
    entries = archive.infolist()
    contents: dict[str, bytes] = {}
    # What an entry says of its size may be wrong, so that the limit is on what is read.
    room = MAX_BYTES + MAX_ASSET_BYTES
    for entry in entries:
        _check_entry(entry)
        if entry.is_dir() or any(part in entry.filename for part in CREATED_BY_DESKTOPS):
            continue
        if entry.filename in contents:
            raise _refuse(f"{entry.filename[:200]} is in the archive twice.")
        if len(contents) >= MAX_FILES:
            raise _refuse(f"A theme may have at most {MAX_FILES} files.")
        with archive.open(entry) as file:
            content = file.read(room + 1)
        room -= len(content)
        if room < 0:
            raise _refuse(f"The files of a theme may have at most {(MAX_BYTES + MAX_ASSET_BYTES) // 1_000_000} MB.")
        contents[entry.filename] = content
    return contents


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise _refuse(f"{name[:200]} is a link or a device and not a file.")
    if name.startswith("/") or "\\" in name or ":" in name or ".." in name.split("/") or not name.isprintable():
        raise _refuse(f"{name[:200]!a} is not a path in a theme.")
    if entry.flag_bits & 1:
        raise _refuse(f"{name[:200]} is encrypted.")


def _strip_folder(contents: dict[str, bytes]) -> dict[str, bytes]:
    folders = {path.partition("/")[0] for path in contents}
    if len(folders) != 1 or any(is_known(path) or "/" not in path for path in contents):
        return contents
    return {path.partition("/")[2]: content for path, content in contents.items()}


def _refuse(sentence: str) -> ValidationFailed:
    return ValidationFailed(archive=[sentence])
