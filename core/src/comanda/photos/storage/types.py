"""What a place for photos can do, and how the setting that names one is read."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import parse_qsl, urlsplit

from comanda.errors import Unavailable

FORMS: Final = "`database`, `folder:/absolute/path` or `s3://bucket/prefix?endpoint=https://host&region=name`"
S3_OPTIONS: Final = frozenset({"endpoint", "region"})


class StorageUnavailable(Unavailable):
    """The place where photos are kept does not answer, or refuses us."""

    message = "Photos cannot be reached right now. Try again shortly."


class PhotoStorage(Protocol):
    """A place for files, each an owner's, under a name that says what is in it: the same name has the same content.

    Every method raises ``StorageUnavailable`` when the place does not answer.
    """

    async def put(self, owner_id: int, name: str, content: bytes) -> None:
        """Write a file whole or not at all; one that is there is written again."""

    async def get(self, owner_id: int, name: str) -> bytes | None:
        """Return a file, or None where there is none."""

    async def delete(self, owner_id: int, names: Sequence[str]) -> None:
        """Delete files; those that are not there are passed over."""


@dataclass(frozen=True, slots=True)
class StorageAddress:
    """The setting, taken apart. ``kind`` is database, folder or s3."""

    kind: str
    folder: Path | None = None
    bucket: str = ""
    prefix: str = ""
    endpoint: str | None = None
    region: str | None = None


def parse_address(text: str) -> StorageAddress:
    """Parse the setting. Raises ``ValueError`` with a sentence for what is none of the three forms."""
    if text == "database":
        return StorageAddress("database")
    if text.startswith("folder:"):
        folder = Path(text.removeprefix("folder:"))
        if not folder.is_absolute():
            raise ValueError("A folder for photos needs an absolute path, such as folder:/var/lib/comanda/photos.")
        return StorageAddress("folder", folder=folder)
    if text.startswith("s3://"):
        return _parse_s3(text)
    raise ValueError(f"Photos are kept in {FORMS}.")


def _parse_s3(text: str) -> StorageAddress:
    parts = urlsplit(text)
    options = dict(parse_qsl(parts.query))
    if parts.username or parts.password or "@" in parts.netloc:
        raise ValueError("Keys do not stand in this address: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")
    if unknown := options.keys() - S3_OPTIONS:
        raise ValueError(f"Unknown option {min(unknown)}. Photos are kept in {FORMS}.")
    if not parts.netloc:
        raise ValueError(f"The bucket is missing. Photos are kept in {FORMS}.")
    endpoint = options.get("endpoint")
    if endpoint is not None and not endpoint.startswith(("https://", "http://")):
        raise ValueError("The endpoint must begin with https:// or http://.")
    return StorageAddress(
        "s3",
        bucket=parts.netloc,
        prefix=parts.path.strip("/"),
        endpoint=endpoint,
        region=options.get("region"),
    )
