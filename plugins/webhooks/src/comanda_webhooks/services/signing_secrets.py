"""Signing secrets as stored: encrypted, the current one and the old ones after a rotation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypedDict

import orjson
from comanda.contracts import EncryptedColumn
from comanda.platform import encryption

SECRET_COLUMN: Final = EncryptedColumn("webhooks_endpoint", "secret")
OLD_SECRETS_COLUMN: Final = EncryptedColumn("webhooks_endpoint", "old_secrets")
ENCRYPTED_COLUMNS: Final = (SECRET_COLUMN, OLD_SECRETS_COLUMN)


class OldSecret(TypedDict):
    """A rotated secret that is still valid until ``expires_at``, in ISO 8601."""

    secret: str
    expires_at: str


@dataclass(frozen=True, slots=True)
class SigningSecrets:
    """The secrets of an endpoint as its receiver knows them; old ones expire."""

    current: str = field(repr=False)
    old: Sequence[OldSecret] = field(repr=False)

    def get_valid(self, moment: datetime) -> tuple[str, ...]:
        """Return the secrets that are valid at ``moment``, the current one first."""
        return (
            self.current,
            *(one["secret"] for one in self.old if datetime.fromisoformat(one["expires_at"]) > moment),
        )


def encrypt_secret(secret: str, owner_id: int, endpoint_id: int) -> str:
    """Return a secret encrypted for storage."""
    return encryption.encrypt(secret, SECRET_COLUMN, owner_id, endpoint_id)


def encrypt_old_secrets(secrets: Sequence[OldSecret], owner_id: int, endpoint_id: int) -> str:
    """Return old secrets encrypted for storage."""
    return (
        encryption.encrypt(orjson.dumps(secrets).decode(), OLD_SECRETS_COLUMN, owner_id, endpoint_id) if secrets else ""
    )


def decrypt_secret(stored: str, owner_id: int, endpoint_id: int) -> str:
    """Return an endpoint's current secret. Raises ``DecryptionFailed``."""
    return encryption.decrypt(stored, SECRET_COLUMN, owner_id, endpoint_id)


def decrypt_old_secrets(stored: str, owner_id: int, endpoint_id: int) -> list[OldSecret]:
    """Return an endpoint's old secrets, newest first. Raises ``DecryptionFailed``."""
    if not stored:
        return []
    found: list[OldSecret] = orjson.loads(encryption.decrypt(stored, OLD_SECRETS_COLUMN, owner_id, endpoint_id))
    return found


def decrypt_signing_secrets(secret: str, old_secrets: str, owner_id: int, endpoint_id: int) -> SigningSecrets:
    """Return an endpoint's secrets. Raises ``DecryptionFailed``."""
    return SigningSecrets(
        decrypt_secret(secret, owner_id, endpoint_id), decrypt_old_secrets(old_secrets, owner_id, endpoint_id)
    )
