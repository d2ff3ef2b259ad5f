"""The signing secret of an app's webhooks: encrypted, with the previous one for a day after a rotation."""

from datetime import datetime, timedelta
from typing import Final

from comanda.contracts import EncryptedColumn
from comanda.platform import encryption
from comanda_webhooks import api as webhooks

from comanda_marketplace.models import App

SECRET_COLUMN: Final = EncryptedColumn("marketplace_app", "webhook_secret")
OLD_SECRET_COLUMN: Final = EncryptedColumn("marketplace_app", "old_webhook_secret")
ENCRYPTED_COLUMNS: Final = (SECRET_COLUMN, OLD_SECRET_COLUMN)
OLD_SECRET_LIFETIME: Final = timedelta(hours=24)


def set_new_secret(app: App) -> str:
    """Set the first secret of a row that has an id, and return it."""
    secret = webhooks.generate_secret()
    app.webhook_secret = encryption.encrypt(secret, SECRET_COLUMN, app.owner_id, app.id)
    return secret


def rotate_secret(app: App, moment: datetime) -> str:
    """Set a new secret and keep the current one for a day; return the new one."""
    current = get_secret(app)
    app.old_webhook_secret = encryption.encrypt(current, OLD_SECRET_COLUMN, app.owner_id, app.id)
    app.old_secret_expires_at = moment + OLD_SECRET_LIFETIME
    return set_new_secret(app)


def get_secret(app: App) -> str:
    """Return the current secret. Raises ``DecryptionFailed``."""
    return encryption.decrypt(app.webhook_secret, SECRET_COLUMN, app.owner_id, app.id)


def list_old_secrets(app: App, moment: datetime) -> list[webhooks.OldSecret]:
    """Return the previous secret while it is valid."""
    expires_at = app.old_secret_expires_at
    if expires_at is None or expires_at <= moment:
        return []
    secret = encryption.decrypt(app.old_webhook_secret, OLD_SECRET_COLUMN, app.owner_id, app.id)
    return [webhooks.OldSecret(secret=secret, expires_at=expires_at.isoformat())]
