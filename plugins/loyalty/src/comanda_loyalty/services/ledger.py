"""The ledger of points: one statement changes the balance of an account and writes the entry with both of its legs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from comanda.basics import clock
from comanda.contracts import NO_IDEMPOTENCY_KEY, IdempotencyKey
from comanda.platform.db import KeyedTable, sql
from comanda.platform.events import publish

from comanda_loyalty.events import LoyaltyChanged
from comanda_loyalty.models import LedgerAccount, LoyaltyEntryKind
from comanda_loyalty.records import LoyaltyEntry

# An account is returned with its newest entries.
MAX_LISTED_ENTRIES: Final = 100
COUNTER_ACCOUNTS: Final = {
    LoyaltyEntryKind.EARN: LedgerAccount.EARNED,
    LoyaltyEntryKind.REVOKE: LedgerAccount.EARNED,
    LoyaltyEntryKind.REDEEM: LedgerAccount.REDEEMED,
    LoyaltyEntryKind.RESTORE: LedgerAccount.REDEEMED,
    LoyaltyEntryKind.EXPIRE: LedgerAccount.EXPIRED,
    LoyaltyEntryKind.ADJUST: LedgerAccount.ADJUSTED,
}
ENTRY_KEYS: Final = KeyedTable("loyalty_entry", "account_id", id="account_id")
INSERT_ACCOUNT: Final = """
    INSERT INTO loyalty_account (owner_id, store_id, customer_id, created_at)
    VALUES ($1, $2, $3, $4) ON CONFLICT (store_id, owner_id, customer_id) DO NOTHING
"""
SELECT_ACCOUNT: Final = """
    SELECT id, owner_id, store_id, customer_id, balance FROM loyalty_account
    WHERE store_id = $1 AND owner_id = $2 AND customer_id = $3
"""
LOCK_ACCOUNT: Final = """
    SELECT id, owner_id, store_id, customer_id, balance FROM loyalty_account
    WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE
"""
INSERT_ENTRY: Final = f"""
    WITH changed AS (
        UPDATE loyalty_account SET balance = balance + $3 WHERE id = $1 AND owner_id = $2 RETURNING balance),
    entry AS (
        INSERT INTO loyalty_entry (owner_id, account_id, kind, points, balance, reference, order_id, note, actor,
            earned_at, created_at, idempotency_key, body_hash)
        SELECT $2, $1, $4, $3, balance, $6, $7, $8, $9, $10, $11, $12, $13 FROM changed
        RETURNING id, balance),
    legs AS (
        INSERT INTO loyalty_leg (owner_id, entry_id, account, points)
        SELECT $2, entry.id, leg.account, leg.points FROM entry
        CROSS JOIN (VALUES ('{LedgerAccount.CUSTOMER}', $3::bigint), ($5, -$3::bigint)) AS leg (account, points))
    SELECT id, balance FROM entry
"""
COUNT_ENTRIES_OF_ORDER: Final = """
    SELECT count(*) FROM loyalty_entry WHERE account_id = $1 AND owner_id = $2 AND order_id = $3
"""
SELECT_NEWEST: Final = f"""
    SELECT id, kind, points, balance, order_id, note, created_at FROM loyalty_entry
    WHERE account_id = $1 AND owner_id = $2 ORDER BY id DESC LIMIT {MAX_LISTED_ENTRIES}
"""


@dataclass(frozen=True, slots=True)
class Account:
    """The account of a customer, with its balance when it was read or locked."""

    id: int
    owner_id: int
    store_id: int
    customer_id: int
    balance: int


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to write. ``earned_at`` is when the points that it adds or revokes were earned, if they expire."""

    kind: LoyaltyEntryKind
    points: int
    actor: str
    reference: str | None = None
    order_id: int | None = None
    note: str | None = None
    earned_at: datetime | None = None
    key: IdempotencyKey = NO_IDEMPOTENCY_KEY


async def find_account(owner_id: int, store_id: int, customer_id: int) -> Account | None:
    """Return the account of a customer, or None before their first entry."""
    row = await sql.fetch_one(SELECT_ACCOUNT, store_id, owner_id, customer_id)
    return None if row is None else Account(*row)


async def open_account(owner_id: int, store_id: int, customer_id: int) -> Account:
    """Return the account of a customer, and create it first if there is none."""
    await sql.execute(INSERT_ACCOUNT, owner_id, store_id, customer_id, clock.now())
    return Account(*await sql.one(SELECT_ACCOUNT, store_id, owner_id, customer_id))


async def lock_account(owner_id: int, account_id: int) -> Account:
    """Lock an account until the open transaction ends; what is read of its entries after that holds."""
    return Account(*await sql.one(LOCK_ACCOUNT, account_id, owner_id))


async def write_entry(account: Account, new: NewEntry) -> None:
    """Write an entry of a locked account. Emits ``LoyaltyChanged``."""
    row = await sql.one(
        INSERT_ENTRY, account.id, account.owner_id, new.points, new.kind.value, COUNTER_ACCOUNTS[new.kind].value,
        new.reference, new.order_id, new.note, new.actor, new.earned_at, clock.now(), new.key.text, new.key.body_hash,
    )  # fmt: skip
    event = LoyaltyChanged(
        entry_id=row["id"],
        restaurant_id=account.store_id,
        customer_id=account.customer_id,
        kind=new.kind.value,
        points=new.points,
        points_after=row["balance"],
        order_id=new.order_id,
    )
    await publish(event, owner_id=account.owner_id, store_id=account.store_id)


async def get_order_reference(account: Account, order_id: int) -> str:
    """Return the reference of the next entry of an order: two that were written at once would have the same."""
    count = await sql.fetch_value(COUNT_ENTRIES_OF_ORDER, account.id, account.owner_id, order_id)
    return f"order:{order_id}:{count + 1}"


async def list_entries(account: Account) -> list[LoyaltyEntry]:
    """List the newest entries of an account, newest first."""
    rows = await sql.fetch(SELECT_NEWEST, account.id, account.owner_id)
    return [LoyaltyEntry(**{**dict(row), "kind": LoyaltyEntryKind(row["kind"])}) for row in rows]
