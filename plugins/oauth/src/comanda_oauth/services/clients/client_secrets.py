"""Client secrets as stored: encrypted, because they also sign session tokens, with the old one after a rotation."""

import hmac
from datetime import datetime, timedelta
from typing import Final, TypedDict

import orjson
from comanda.accounts import tokens
from comanda.contracts import EncryptedColumn
from comanda.platform import encryption

from comanda_oauth.models import Client

PREFIX: Final = "secret_"
OLD_SECRET_LIFETIME: Final = timedelta(hours=24)
SECRET_COLUMN: Final = EncryptedColumn("oauth_client", "secret")
OLD_SECRETS_COLUMN: Final = EncryptedColumn("oauth_client", "old_secrets")
ENCRYPTED_COLUMNS: Final = (SECRET_COLUMN, OLD_SECRETS_COLUMN)


class OldSecret(TypedDict):
    """A rotated secret that is still valid until ``expires_at``, in ISO 8601."""

    secret: str
    expires_at: str


def generate_secret() -> str:
    """Return a new secret, of 238 random bits and only letters, digits and ``_``, which HTTP Basic leaves as it is."""
    return tokens.generate_token(PREFIX)


def set_secret(client: Client, secret: str) -> None:
    """Set the secret of a client that is stored already, because its id is part of the encryption context."""
    client.secret = encryption.encrypt(secret, SECRET_COLUMN, client.owner_id, client.id)


def get_secret(client: Client) -> str:
    """Return the current secret in clear, empty for a public client. Raises ``DecryptionFailed``."""
    if not client.secret:
        return ""
    return encryption.decrypt(client.secret, SECRET_COLUMN, client.owner_id, client.id)


def rotate_secret(client: Client, moment: datetime) -> str:
    """Replace the secret and return the new one; the old one stays valid for 24 hours."""
    secret = generate_secret()
    retired = OldSecret(secret=get_secret(client), expires_at=(moment + OLD_SECRET_LIFETIME).isoformat())
    # One old secret only: rotating twice in a day retires a leaked one for good.
    text = orjson.dumps([retired]).decode()
    client.old_secrets = encryption.encrypt(text, OLD_SECRETS_COLUMN, client.owner_id, client.id)
    set_secret(client, secret)
    return secret


def is_valid_secret(client: Client, given: str, moment: datetime) -> bool:
    """Return whether a secret is the client's current one, or an old one that has not expired."""
    known = [get_secret(client), *_list_old_secrets(client, moment)]
    # All are compared, so that the time tells nothing.
    matches = [hmac.compare_digest(one.encode(), given.encode()) for one in known if one]
    return any(matches)


def _list_old_secrets(client: Client, moment: datetime) -> list[str]:
    if not client.old_secrets:
        return []
    text = encryption.decrypt(client.old_secrets, OLD_SECRETS_COLUMN, client.owner_id, client.id)
    found: list[OldSecret] = orjson.loads(text)
    return [one["secret"] for one in found if datetime.fromisoformat(one["expires_at"]) > moment]
