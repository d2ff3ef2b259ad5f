"""Wallets: reading, opening, locking, and their limits."""

from typing import Final

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, to_decimal_string, to_minor
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_wallet.records import Wallet
from comanda_wallet.schemas import WalletChange
from comanda_wallet.services.ledger import join_transaction
from comanda_wallet.settings import get_currency

COLUMNS: Final = "owner_id, currency, balance_minor, credit_limit_minor, low_balance_minor, is_low"
SELECT_WALLET: Final = f"SELECT {COLUMNS} FROM wallet_wallet WHERE owner_id = $1"
LOCK_WALLET: Final = f"SELECT {COLUMNS} FROM wallet_wallet WHERE owner_id = $1 FOR NO KEY UPDATE"
INSERT_WALLET: Final = """
    INSERT INTO wallet_wallet (owner_id, currency, created_at, updated_at) VALUES ($1, $2, $3, $3)
    ON CONFLICT (owner_id) DO NOTHING
"""
UPDATE_CREDIT_LIMIT: Final = f"""
    UPDATE wallet_wallet SET credit_limit_minor = $2, updated_at = $3
    WHERE owner_id = $1 AND balance_minor + $2 >= 0 RETURNING {COLUMNS}
"""
UPDATE_THRESHOLD: Final = f"""
    UPDATE wallet_wallet
    SET low_balance_minor = $2::bigint, is_low = coalesce(balance_minor < $2::bigint, false), updated_at = $3
    WHERE owner_id = $1 RETURNING {COLUMNS}
"""


async def get_wallet(owner_id: int) -> Wallet:
    """Return an owner's wallet, an empty one if nothing was ever booked."""
    row = await sql.fetch_one(SELECT_WALLET, owner_id)
    return Wallet(owner_id, get_currency()) if row is None else sql.to_record(Wallet, row)


async def lock_wallet(owner_id: int) -> Wallet:
    """Lock an owner's wallet until the transaction ends, opening it first if needed, and return it.

    Raises ``Conflict`` if it was opened in another currency than the one that amounts are in now.
    """
    row = await sql.fetch_one(LOCK_WALLET, owner_id)
    if row is None:
        await sql.execute(INSERT_WALLET, owner_id, get_currency(), clock.now())
        row = await sql.one(LOCK_WALLET, owner_id)
    wallet = sql.to_record(Wallet, row)
    if wallet.currency != get_currency():
        raise Conflict(f"This wallet is in {wallet.currency}, and amounts are in {get_currency()}.")
    return wallet


async def set_credit_limit(owner_id: int, limit_minor: int) -> Wallet:
    """Set how far below zero charges may take the balance.

    Raises ``ValidationFailed`` for a negative limit; ``Conflict`` if the wallet owes more than it.
    """
    if limit_minor < 0:
        raise ValidationFailed(credit_limit=[Sentence("Must be 0 or more.")])
    async with join_transaction():
        wallet = await lock_wallet(owner_id)
        row = await sql.fetch_one(UPDATE_CREDIT_LIMIT, owner_id, limit_minor, clock.now())
        if row is None:
            owed = to_decimal_string(-wallet.balance_minor, wallet.currency)
            raise Conflict(f"The wallet owes {owed} {wallet.currency}, and its credit limit cannot be lower.")
    return sql.to_record(Wallet, row)


async def set_threshold(owner_id: int, threshold_minor: int | None) -> Wallet:
    """Set the balance below which the owner receives a message, None for no message.

    A balance that is below it already counts as announced: the owner who sets the threshold sees it.
    """
    async with join_transaction():
        await lock_wallet(owner_id)
        return sql.to_record(Wallet, await sql.one(UPDATE_THRESHOLD, owner_id, threshold_minor, clock.now()))


async def update_wallet(caller: Caller, change: WalletChange) -> Wallet:
    """Update the caller's wallet. Raises ``ValidationFailed`` for an amount finer than the currency."""
    if "low_balance" not in change.model_fields_set:
        return await get_wallet(caller.owner_id)
    if change.low_balance is None:
        return await set_threshold(caller.owner_id, None)
    try:
        threshold_minor = to_minor(change.low_balance, get_currency())
    except ValueError as error:
        raise ValidationFailed(low_balance=[str(error)]) from error
    return await set_threshold(caller.owner_id, threshold_minor)
