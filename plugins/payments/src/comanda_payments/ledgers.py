"""Ledgers: a balance in a row that is locked while it changes, and an entry for each change, in one statement.

The balance is the sum of the entries, and never below zero: no two spenders can both take the last of it.
"""

from dataclasses import dataclass
from typing import Any

from comanda import clock, money
from comanda.contracts.idempotency import NO_IDEMPOTENCY_KEY, IdempotencyKey
from comanda.db import sql

from comanda_payments.models import EntryKind

# The newest entries that a balance is shown with.
SHOWN_ENTRIES = 100


@dataclass(frozen=True, slots=True)
class Ledger:
    """One kind of balance: the table of balances, that of their entries, and the column that joins them."""

    balances: str
    entries: str
    column: str

    @property
    def move(self) -> str:
        """The statement that changes a balance and writes the entry, or touches nothing where it would go below."""
        return f"""
            WITH moved AS (
                UPDATE {self.balances} SET balance_minor = balance_minor + $3
                WHERE id = $1 AND owner_id = $2 AND balance_minor + $3 >= 0
                RETURNING balance_minor)
            INSERT INTO {self.entries}
                (owner_id, {self.column}, kind, amount_minor, balance_minor, order_id, note, actor, created_at,
                idempotency_key, body_hash)
            SELECT $2, $1, $4, $3, balance_minor, $5, $6, $7, $8, $9, $10 FROM moved
            RETURNING balance_minor
        """

    @property
    def lock(self) -> str:
        """The statement that lets a balance be changed by nobody else until the open transaction ends."""
        return f"SELECT id FROM {self.balances} WHERE id = $1 AND owner_id = $2 FOR UPDATE"

    @property
    def of_key(self) -> str:
        """The statement that finds the entry of a key."""
        return f"""
            SELECT body_hash FROM {self.entries} WHERE {self.column} = $1 AND owner_id = $2 AND idempotency_key = $3
        """

    @property
    def newest(self) -> str:
        """The statement that reads the newest entries."""
        return f"""
            SELECT id, kind, amount_minor, balance_minor, order_id, note, created_at FROM {self.entries}
            WHERE {self.column} = $1 AND owner_id = $2 ORDER BY id DESC LIMIT {SHOWN_ENTRIES}
        """


CARDS = Ledger("payments_gift_card", "payments_gift_card_entry", "card_id")
CREDIT = Ledger("payments_credit_account", "payments_credit_entry", "account_id")


async def move(
    ledger: Ledger,
    owner_id: int,
    balance_id: int,
    amount_minor: int,
    kind: EntryKind,
    actor: str,
    *,
    order_id: int | None = None,
    note: str | None = None,
    key: IdempotencyKey = NO_IDEMPOTENCY_KEY,
) -> bool:
    """Add to a balance, or take a negative amount from it, in the open transaction.

    The answer is False, and nothing has changed, where the balance is too low.
    """
    if amount_minor == 0:
        return True
    values = (balance_id, owner_id, amount_minor, kind.value, order_id, note, actor, clock.now())
    return await sql.fetch_one(ledger.move, *values, key.text, key.body_hash) is not None


async def earlier(ledger: Ledger, owner_id: int, balance_id: int, key: IdempotencyKey) -> sql.Row | None:
    """Lock a balance, and return the entry that an earlier request of this key made, with its ``body_hash``."""
    await sql.execute(ledger.lock, balance_id, owner_id)
    return await sql.fetch_one(ledger.of_key, balance_id, owner_id, key.text) if key.text else None


async def entries(ledger: Ledger, owner_id: int, balance_id: int, currency: str) -> list[dict[str, Any]]:
    """List the newest entries of a balance, newest first."""
    return [
        {
            "id": row["id"],
            "amount": money.to_number(row["amount_minor"], currency),
            "balance": money.to_number(row["balance_minor"], currency),
            "kind": row["kind"],
            "order_id": row["order_id"],
            "note": row["note"],
            "created_at": row["created_at"],
        }
        for row in await sql.fetch(ledger.newest, balance_id, owner_id)
    ]
