"""The state of accounts at their providers: asked for when an owner comes back, by webhooks, and every hour."""

from datetime import timedelta
from typing import Final

import structlog
from comanda.basics import Sentence, Unavailable, clock
from comanda.contracts import AccountMode, AccountState, AccountStatus, PaymentAccount, PaymentDeclined
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_payments.events import PaymentAccountChanged
from comanda_payments.services.accounts import payouts
from comanda_payments.services.accounts.account_rows import (
    ACCOUNT_COLUMNS,
    SELECT_ACCOUNT,
    encrypt_credentials,
    to_account,
)
from comanda_payments.services.providers import disputes, provider_calls, reported_refunds
from comanda_payments.services.providers.due_checks import claim_each

log = structlog.get_logger(__name__)

CHECK_INTERVAL: Final = timedelta(hours=1)
MAX_REASON_LENGTH: Final = 500

LOCK_ACCOUNT: Final = f"{SELECT_ACCOUNT} FOR NO KEY UPDATE"
UPDATE_STATUS: Final = f"""
    UPDATE payments_account SET state = $3, mode = $4, reason = $5, capabilities = $6, external_id = $7,
        credentials = coalesce($8, credentials), check_at = $9
    WHERE id = $1 AND owner_id = $2 RETURNING {ACCOUNT_COLUMNS}
"""
SELECT_DUE_ACCOUNTS: Final = """
    SELECT id, owner_id FROM payments_account WHERE check_at <= $1 ORDER BY check_at LIMIT 20
"""
CLAIM_ACCOUNT: Final = """
    UPDATE payments_account SET check_at = $4 WHERE id = $2 AND owner_id = $3 AND check_at <= $1 RETURNING id
"""


async def check_account(owner_id: int, account_id: int) -> None:
    """Update the state, disputes, refunds and payouts of an account from its provider; a failure changes nothing."""
    row = await sql.fetch_one(SELECT_ACCOUNT, account_id, owner_id)
    if row is None or row["state"] == AccountState.REVOKED:
        return
    try:
        status = await request_status(to_account(row, with_credentials=True))
    except PaymentDeclined as refusal:
        status = AccountStatus(AccountState.RESTRICTED, AccountMode(row["mode"]), reason=str(refusal))
    except Exception as error:  # the task tries again
        log.warning("payment_account_not_checked", account_id=account_id, error=repr(error))
        return
    checked = await store_status(owner_id, account_id, status)
    if checked["state"] != AccountState.REVOKED:
        account = to_account(checked, with_credentials=True)
        await disputes.check_disputes(account)
        await reported_refunds.check_refunds(account)
        await payouts.check_payouts(account)


async def request_status(account: PaymentAccount) -> AccountStatus:
    """Return the state of an account as its provider has it.

    Raises ``PaymentDeclined`` for credentials that it does not know; ``Unavailable``.
    """
    calls = provider_calls.open_calls(account)
    if calls is None:
        raise Unavailable(Sentence("The provider of this account is not installed."))
    return await calls.check_account()


async def store_status(owner_id: int, account_id: int, status: AccountStatus) -> sql.Row:
    """Store the state of an account unless it was revoked meanwhile, and return its row.

    Emits ``PaymentAccountChanged`` if its state changes. Raises ``NotFound``.
    """
    async with sql.transaction():
        row = await sql.require_one(LOCK_ACCOUNT, account_id, owner_id)
        if row["state"] == AccountState.REVOKED:
            return row
        credentials = None if status.credentials is None else encrypt_credentials(
            status.credentials, owner_id, account_id
        )  # fmt: skip
        is_revoked = status.state is AccountState.REVOKED
        changed = await sql.one(
            UPDATE_STATUS, account_id, owner_id, status.state.value, status.mode.value,
            status.reason[:MAX_REASON_LENGTH] if status.reason else None, sorted(status.capabilities),
            status.external_id or row["external_id"], credentials,
            None if is_revoked else clock.now() + CHECK_INTERVAL,
        )  # fmt: skip
        if row["state"] != changed["state"]:
            await publish(create_event(changed), owner_id=owner_id, store_id=row["store_id"])
    return changed


def create_event(row: sql.Row) -> PaymentAccountChanged:
    """Return the event of an account's new state."""
    return PaymentAccountChanged(
        account_id=row["id"],
        restaurant_id=row["store_id"],
        provider=row["provider"],
        mode=row["mode"],
        state=row["state"],
        reason=row["reason"],
    )


async def check_due_accounts() -> None:
    """Check all accounts that are due for a check."""
    moment = clock.now()
    due = await sql.fetch(SELECT_DUE_ACCOUNTS, moment)
    async for row in claim_each(due, CLAIM_ACCOUNT, moment + CHECK_INTERVAL):
        await check_account(row["owner_id"], row["id"])
