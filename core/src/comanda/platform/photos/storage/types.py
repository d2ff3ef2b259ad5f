"""Interface of photo storage, and parsing of the setting that names one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import parse_qsl, urlsplit

from comanda.basics.errors import Unavailable

ADDRESS_FORMS: Final = "`database`, `folder:/absolute/path` or `s3://bucket/prefix?endpoint=https://host&region=name`"
S3_OPTIONS: Final = frozenset({"endpoint", "region"})


class StorageUnavailable(Unavailable):
    """The photo storage does not answer, or refuses access."""

    message = "Photos cannot be reached right now. Try again shortly."


class PhotoStorage(Protocol):
    """Storage of an owner's files. The name is derived from the content, so a name always has the same content.

    Every method raises ``StorageUnavailable`` if the storage does not answer.
    """

    async def put(self, owner_id: int, name: str, content: bytes) -> None:
        """Write a file completely or not at all; an existing one is overwritten."""

    async def get(self, owner_id: int, name: str) -> bytes | None:
        """Return a file, or None if it does not exist."""

    async def delete(self, owner_id: int, names: Sequence[str]) -> None:
        """Delete files; missing ones are ignored."""


@dataclass(frozen=True, slots=True)
class StorageAddress:
    """The parsed setting. ``kind`` is database, folder or s3."""

    kind: str
    folder: Path | None = None
    bucket: str = ""
    prefix: str = ""
    endpoint: str | None = None
    region: str | None = None


def parse_address(text: str) -> StorageAddress:
    """Parse the setting. Raises ``ValueError`` with a sentence if it has none of the three forms."""
    if text == "database":
        return StorageAddress("database")
    if text.startswith("folder:"):
        folder = Path(text.removeprefix("folder:"))
        if not folder.is_absolute():
            raise ValueError("A folder for photos needs an absolute path, such as folder:/var/lib/comanda/photos.")
        return StorageAddress("folder", folder=folder)
    if text.startswith("s3://"):
        return _parse_s3(text)
    raise ValueError(f"Photos are kept in {ADDRESS_FORMS}.")


def _parse_s3(text: str) -> StorageAddress:
    parts = urlsplit(text)
    options = dict(parse_qsl(parts.query))
    if parts.username or parts.password or "@" in parts.netloc:
        raise ValueError("Keys do not stand in this address: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")
    if unknown := options.keys() - S3_OPTIONS:
        raise ValueError(f"Unknown option {min(unknown)}. Photos are kept in {ADDRESS_FORMS}.")
    if not parts.netloc:
        raise ValueError(f"The bucket is missing. Photos are kept in {ADDRESS_FORMS}.")
    endpoint = options.get("endpoint")
    if endpoint is not None and not endpoint.startswith(("https://", "http://")):
        raise ValueError("The endpoint must begin with https:// or http://.")
    return StorageAddress(
        "s3", bucket=parts.netloc, prefix=parts.path.strip("/"), endpoint=endpoint, region=options.get("region")
    )
