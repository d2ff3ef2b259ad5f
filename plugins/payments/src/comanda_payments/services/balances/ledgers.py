"""Ledgers: a balance and an entry for each change of it, written in one statement.

A balance is the sum of its entries and never negative, also under concurrent changes.
"""

from dataclasses import dataclass

from comanda.basics import Money, clock
from comanda.contracts import NO_IDEMPOTENCY_KEY, IdempotencyKey
from comanda.platform.db import KeyedTable, sql

from comanda_payments.models import LedgerEntryKind
from comanda_payments.records.balances import LedgerEntry

# A balance is returned with its newest entries.
MAX_LISTED_ENTRIES = 100


@dataclass(frozen=True, slots=True)
class Ledger:
    """The table of one kind of balance, the table of its entries, and the column that joins them."""

    balances: str
    entries: str
    column: str

    @property
    def insert_entry_sql(self) -> str:
        """The statement that changes a balance and inserts the entry, or nothing if the balance would be negative."""
        return f"""
            WITH changed AS (
                UPDATE {self.balances} SET balance_minor = balance_minor + $3
                WHERE id = $1 AND owner_id = $2 AND balance_minor + $3 >= 0
                RETURNING balance_minor)
            INSERT INTO {self.entries}
                (owner_id, {self.column}, kind, amount_minor, balance_minor, order_id, note, actor, created_at,
                idempotency_key, body_hash)
            SELECT $2, $1, $4, $3, balance_minor, $5, $6, $7, $8, $9, $10 FROM changed
            RETURNING balance_minor
        """

    @property
    def keys(self) -> KeyedTable:
        """The entries by the keys of the requests that created them."""
        return KeyedTable(self.entries, self.column, id=self.column)

    @property
    def select_newest_sql(self) -> str:
        """The statement that selects the newest entries."""
        return f"""
            SELECT id, kind, amount_minor, balance_minor, order_id, note, created_at FROM {self.entries}
            WHERE {self.column} = $1 AND owner_id = $2 ORDER BY id DESC LIMIT {MAX_LISTED_ENTRIES}
        """


GIFT_CARD_LEDGER = Ledger("payments_gift_card", "payments_gift_card_entry", "card_id")
STORE_CREDIT_LEDGER = Ledger("payments_credit_account", "payments_credit_entry", "account_id")


async def record_entry(
    ledger: Ledger,
    owner_id: int,
    balance_id: int,
    amount_minor: int,
    kind: LedgerEntryKind,
    actor: str,
    *,
    order_id: int | None = None,
    note: str | None = None,
    key: IdempotencyKey = NO_IDEMPOTENCY_KEY,
) -> bool:
    """Add an amount, which may be negative, to a balance in the open transaction.

    Returns False, and changes nothing, if the balance is too low.
    """
    if amount_minor == 0:
        return True
    values = (balance_id, owner_id, amount_minor, kind.value, order_id, note, actor, clock.now())
    return await sql.fetch_one(ledger.insert_entry_sql, *values, key.text, key.body_hash) is not None


async def list_entries(ledger: Ledger, owner_id: int, balance_id: int, currency: str) -> list[LedgerEntry]:
    """List the newest entries of a balance, newest first."""
    rows = await sql.fetch(ledger.select_newest_sql, balance_id, owner_id)
    return [_to_entry(row, currency) for row in rows]


def _to_entry(row: sql.Row, currency: str) -> LedgerEntry:
    return LedgerEntry(
        id=row["id"],
        amount=Money(row["amount_minor"], currency),
        balance=Money(row["balance_minor"], currency),
        kind=LedgerEntryKind(row["kind"]),
        order_id=row["order_id"],
        note=row["note"],
        created_at=row["created_at"],
    )
