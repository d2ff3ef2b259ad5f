"""Encryption keys: those in the setting ``COMANDA_SECRET_KEYS``, then those of a file in the data folder.

The first key encrypts, all keys decrypt. The file is created by the first process that needs it; one key per line.
"""

import fcntl
import os
import secrets
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from comanda.basics.startup_errors import StartupError
from comanda.platform.settings import Settings, decode_secret_key

FILE_NAME: Final = "secret.keys"
KEY_BYTES: Final = 32
ID_LENGTH: Final = 12


@dataclass(frozen=True, slots=True)
class CipherKey:
    """An encryption key; its id identifies it and reveals nothing about it."""

    id: str
    cipher: AESGCM

    @classmethod
    def from_text(cls, text: str) -> "CipherKey":
        """Create a key from its base64 text. Raises ``ValueError``."""
        raw = decode_secret_key(text)
        return cls(sha256(b"comanda encryption key id:" + raw).hexdigest()[:ID_LENGTH], AESGCM(raw))


@dataclass(frozen=True, slots=True)
class Keyring:
    """The keys of an installation, the current one first."""

    keys: tuple[CipherKey, ...]

    @property
    def current(self) -> CipherKey:
        """The key used for encryption."""
        return self.keys[0]

    @property
    def ids(self) -> list[str]:
        """The ids of all keys, the current one first."""
        return [key.id for key in self.keys]

    def get(self, key_id: str) -> CipherKey | None:
        return next((key for key in self.keys if key.id == key_id), None)


@dataclass(frozen=True, slots=True)
class _LoadedKeys:
    settings: tuple[str, ...]
    path: Path
    version: tuple[int, int, int]
    ring: Keyring


@dataclass(slots=True)
class _KeyCache:
    # Reading the keys takes longer than decrypting a value.
    loaded: _LoadedKeys | None = None


_cache = _KeyCache()


def generate_key() -> str:
    """Return a new key as text."""
    return b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def get_key_file(settings: Settings) -> Path:
    """Return the path of the key file, which may not exist."""
    return settings.data / FILE_NAME


def load_keys(settings: Settings) -> Keyring:
    """Return the keys; a changed key file is read again. Raises ``StartupError`` if there is no key."""
    given = tuple(key.get_secret_value() for key in settings.secret_keys)
    path = get_key_file(settings)
    version = _get_file_version(path)
    known = _cache.loaded
    if known is not None and (known.settings, known.path) == (given, path) and version in (known.version, None):
        return known.ring
    ring = require_keys(settings)
    _cache.loaded = _LoadedKeys(given, path, version or (0, 0, 0), ring)
    return ring


def find_keys(settings: Settings) -> Keyring | None:
    """Return the keys of the setting and of the key file, or None if there are none. Raises ``StartupError``."""
    texts = [key.get_secret_value() for key in settings.secret_keys] + read_key_file(get_key_file(settings))
    unique = {key.id: key for key in map(CipherKey.from_text, texts)}
    return Keyring(tuple(unique.values())) if unique else None


def require_keys(settings: Settings) -> Keyring:
    """Return the keys as ``find_keys``. Raises ``StartupError`` if there is no key."""
    ring = find_keys(settings)
    if ring is None:
        raise StartupError(f"There is no encryption key: set COMANDA_SECRET_KEYS, or restore {get_key_file(settings)}.")
    return ring


def read_key_file(path: Path) -> list[str]:
    """Return the keys of a key file, none if it is missing. Raises ``StartupError`` if it cannot be read."""
    try:
        lines = [line.strip() for line in path.read_text(encoding="ascii").splitlines()]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise StartupError(f"The key file {path} cannot be read: {getattr(error, 'strerror', 'not text')}.") from error
    texts = [line for line in lines if line and not line.startswith("#")]
    try:
        [CipherKey.from_text(text) for text in texts]
    except ValueError as error:
        raise StartupError(f"The key file {path} is damaged: each line must be 32 bytes in base64.") from error
    return texts


def add_key_to_file(path: Path, *, only_if_empty: bool = False) -> None:
    """Add a new key as the first of the key file, which is created if missing. Raises ``StartupError``.

    ``only_if_empty`` keeps a key that another process has added meanwhile.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _lock_folder(path.parent):
            texts = read_key_file(path)
            if not (texts and only_if_empty):
                _replace_file(path, [generate_key(), *texts])
    except OSError as error:
        raise StartupError(
            f"The key file {path} cannot be written: {error.strerror}. Set COMANDA_SECRET_KEYS, or choose another data "
            "folder with DATA=."
        ) from error


def _get_file_version(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Lock the folder against other writers of the key file while the block runs."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _replace_file(path: Path, texts: Sequence[str]) -> None:
    """Write a temporary file and rename it, so that an interruption leaves no partial file."""
    draft = path.with_name(f"{path.name}.new")
    with suppress(FileNotFoundError):
        draft.unlink()
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write("# Encryption keys of Comanda, the current one first. Keep a copy separate from database backups.\n")
        file.write("".join(f"{text}\n" for text in texts))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
