"""Entries of the ledger: one statement changes the balance and writes the entry with all of its legs."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from comanda.basics import PaymentRequired, clock, to_decimal_string, to_number
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_wallet.events import LowBalance
from comanda_wallet.models import Account, EntryKind
from comanda_wallet.records import Entry, Wallet

MAX_REFERENCE_LENGTH: Final = 200
MAX_DESCRIPTION_LENGTH: Final = 255
ENTRY_COLUMNS: Final = "id, owner_id, kind, amount_minor, currency, balance_minor, reference, description, created_at"
# The wallet is locked before, by a statement of its own, so this one sees every earlier entry of the owner.
INSERT_ENTRY: Final = f"""
    WITH known AS (
        SELECT {ENTRY_COLUMNS} FROM wallet_entry WHERE owner_id = $1 AND kind = $2 AND reference = $4),
    changed AS (
        UPDATE wallet_wallet
        SET balance_minor = balance_minor + $3, updated_at = $8,
            is_low = coalesce(balance_minor + $3 < low_balance_minor, false)
        WHERE owner_id = $1 AND balance_minor + $3 + credit_limit_minor >= 0 AND NOT EXISTS (SELECT FROM known)
        RETURNING owner_id, balance_minor, currency),
    entry AS (
        INSERT INTO wallet_entry (owner_id, kind, amount_minor, currency, balance_minor, reference, description, actor,
            charge_id, created_at)
        SELECT owner_id, $2, $3, currency, balance_minor, $4, $5, $6, $7, $8 FROM changed
        RETURNING {ENTRY_COLUMNS}),
    legs AS (
        INSERT INTO wallet_leg (owner_id, entry_id, account, account_owner_id, amount_minor)
        SELECT entry.owner_id, entry.id, leg.account, leg.account_owner_id, leg.amount_minor
        FROM entry CROSS JOIN unnest($9::text[], $10::bigint[], $11::bigint[])
            AS leg (account, account_owner_id, amount_minor))
    SELECT {ENTRY_COLUMNS}, false AS is_repeat FROM entry
    UNION ALL SELECT {ENTRY_COLUMNS}, true FROM known
"""


@asynccontextmanager
async def join_transaction() -> AsyncIterator[None]:
    """Run the block in the open transaction, or in a new one.

    There is no savepoint: a block that fails has written nothing yet.
    """
    if sql.is_in_transaction():
        yield
        return
    async with sql.transaction():
        yield


@dataclass(frozen=True, slots=True)
class Leg:
    """What an account gains, or loses if negative. The platform's accounts have no owner."""

    account: Account
    amount_minor: int
    owner_id: int | None = None


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to write; ``legs`` are those of the accounts other than the wallet."""

    kind: EntryKind
    amount_minor: int
    reference: str
    description: str
    actor: str
    legs: Sequence[Leg]
    charge_id: int | None = None


async def write_entry(wallet: Wallet, new: NewEntry) -> Entry:
    """Write an entry to a locked wallet, or return the earlier one of the same kind and reference.

    A long description is cut. Raises ``PaymentRequired``, with nothing written, if the balance would fall below minus
    the credit limit; ``ValueError`` for a reference that is empty or too long.
    """
    if not 0 < len(new.reference) <= MAX_REFERENCE_LENGTH:
        raise ValueError(f"A reference must have 1 to {MAX_REFERENCE_LENGTH} characters.")
    legs = [leg for leg in (Leg(Account.WALLET, new.amount_minor, wallet.owner_id), *new.legs) if leg.amount_minor]
    row = await sql.fetch_one(
        INSERT_ENTRY, wallet.owner_id, new.kind, new.amount_minor, new.reference,
        new.description[:MAX_DESCRIPTION_LENGTH], new.actor, new.charge_id, clock.now(),
        [leg.account for leg in legs], [leg.owner_id for leg in legs], [leg.amount_minor for leg in legs],
    )  # fmt: skip
    if row is None:
        raise _create_payment_error(wallet, -new.amount_minor)
    entry = to_entry(row)
    if not entry.is_repeat:
        await _announce_low_balance(wallet, entry)
    return entry


def to_entry(row: sql.Row) -> Entry:
    """Return a row of entries as a record."""
    return Entry(**{**dict(row), "kind": EntryKind(row["kind"])})


async def _announce_low_balance(before: Wallet, entry: Entry) -> None:
    threshold = before.low_balance_minor
    if threshold is None or before.is_low or entry.balance_minor >= threshold:
        return
    balance, limit = (to_decimal_string(amount, entry.currency) for amount in (entry.balance_minor, threshold))
    event = LowBalance(entry_id=entry.id, balance=balance, threshold=limit, currency=entry.currency)
    await publish(event, owner_id=entry.owner_id)


def _create_payment_error(wallet: Wallet, amount_minor: int) -> PaymentRequired:
    needed, available = (
        f"{to_decimal_string(minor, wallet.currency)} {wallet.currency}"
        for minor in (amount_minor, wallet.available.minor)
    )
    return PaymentRequired(
        f"The wallet has {available} available, and {needed} are needed.",
        extras={"balance": to_number(wallet.balance_minor, wallet.currency), "currency": wallet.currency},
    )
