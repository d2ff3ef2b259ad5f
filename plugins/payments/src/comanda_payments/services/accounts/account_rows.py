"""Rows of payment accounts, and the accounts made of them. Credentials are stored encrypted."""

from collections.abc import Mapping
from typing import Final

import orjson
from comanda.contracts import (
    API_PREFIX,
    AccountCapability,
    AccountMode,
    AccountState,
    AccountStatus,
    EncryptedColumn,
    PaymentAccount,
    parse_id,
)
from comanda.platform import encryption, runtime
from comanda.platform.db import sql

CREDENTIALS_COLUMN: Final = EncryptedColumn("payments_account", "credentials")
ACCOUNT_COLUMNS: Final = """id, owner_id, store_id, provider, mode, state, reason, capabilities, external_id,
    credentials, check_at, created_at"""
SELECT_ACCOUNT: Final = f"SELECT {ACCOUNT_COLUMNS} FROM payments_account WHERE id = $1 AND owner_id = $2"


def to_account(row: sql.Row, *, with_credentials: bool = False) -> PaymentAccount:
    """Return the account of a row with ``ACCOUNT_COLUMNS``. Raises ``DecryptionFailed``."""
    return sql.to_record(
        PaymentAccount,
        row,
        mode=AccountMode(row["mode"]),
        state=AccountState(row["state"]),
        capabilities=frozenset(map(AccountCapability, row["capabilities"])),
        webhook_url=get_webhook_url(row["provider"], row["owner_id"], row["id"]),
        credentials=_decrypt_credentials(row) if with_credentials and row["credentials"] else {},
    )


def to_operator_account(provider: str, status: AccountStatus, owner_id: int, store_id: int) -> PaymentAccount:
    """Return the operator's account as one that a store of an owner uses; of that the operator keeps its fee."""
    return PaymentAccount(
        provider=provider,
        owner_id=owner_id,
        store_id=store_id,
        id=None,
        mode=status.mode,
        state=status.state,
        capabilities=status.capabilities | {AccountCapability.PLATFORM_FEE},
        webhook_url=get_webhook_url(provider),
        reason=status.reason,
        external_id=status.external_id,
    )


def encrypt_credentials(credentials: Mapping[str, str], owner_id: int, account_id: int) -> str:
    """Return credentials as they are stored."""
    if not credentials:
        return ""
    return encryption.encrypt(orjson.dumps(dict(credentials)).decode(), CREDENTIALS_COLUMN, owner_id, account_id)


def _decrypt_credentials(row: sql.Row) -> dict[str, str]:
    text = encryption.decrypt(row["credentials"], CREDENTIALS_COLUMN, row["owner_id"], row["id"])
    found: dict[str, str] = orjson.loads(text)
    return found


def get_webhook_url(provider: str, owner_id: int | None = None, account_id: int | None = None) -> str:
    """Return where a provider reports on one account, or on all those that share the operator's."""
    url = f"{runtime.settings().site_url}{API_PREFIX}/payments/webhooks/{provider}"
    return url if account_id is None else f"{url}/{owner_id}-{account_id}"


def parse_account_ref(text: object) -> tuple[int, int] | None:
    """Return the owner and the account of a text such as ``12-5``, or None."""
    parts = text.split("-") if isinstance(text, str) else []
    owner_id, account_id = (parse_id(part) for part in parts) if len(parts) == 2 else (None, None)
    return None if owner_id is None or account_id is None else (owner_id, account_id)
