"""Verification of the whole ledger: legs, balances and refunds of all owners."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comanda.platform.db import sql

from comanda_wallet.records import LedgerProblem

COUNT_ROWS: Final = """
    SELECT (SELECT count(*) FROM wallet_wallet) AS wallets, (SELECT count(*) FROM wallet_entry) AS entries,
        (SELECT count(*) FROM wallet_leg) AS legs
"""
UNBALANCED_ENTRIES: Final = """
    SELECT e.owner_id, format('Entry %s of %s has legs that sum to %s, and %s of the wallet.',
        e.id, e.amount_minor, coalesce(sum(l.amount_minor), 0),
        coalesce(sum(l.amount_minor) FILTER (WHERE l.account = 'wallet'), 0)) AS sentence
    FROM wallet_entry e LEFT JOIN wallet_leg l ON l.entry_id = e.id AND l.owner_id = e.owner_id
    GROUP BY e.owner_id, e.id, e.amount_minor
    HAVING coalesce(sum(l.amount_minor), 0) <> 0
        OR coalesce(sum(l.amount_minor) FILTER (WHERE l.account = 'wallet'), 0) <> e.amount_minor
"""
# The entries of an owner follow each other: each begins with the balance that the one before left.
BROKEN_BALANCES: Final = """
    SELECT owner_id, format('Entry %s of %s leaves %s, after %s.', id, amount_minor, balance_minor, before_minor)
        AS sentence
    FROM (SELECT e.owner_id, e.id, e.amount_minor, e.balance_minor,
              lag(e.balance_minor, 1, 0) OVER (PARTITION BY e.owner_id ORDER BY e.id) AS before_minor
          FROM wallet_entry e) e
    WHERE balance_minor <> before_minor + amount_minor
"""
WRONG_WALLETS: Final = """
    SELECT w.owner_id, format('The wallet has %s, its entries sum to %s, and its limit is %s.', w.balance_minor,
        coalesce(e.total_minor, 0), -w.credit_limit_minor) AS sentence
    FROM wallet_wallet w
    LEFT JOIN (SELECT owner_id, sum(amount_minor) AS total_minor FROM wallet_entry GROUP BY owner_id) e
        ON e.owner_id = w.owner_id
    WHERE w.balance_minor <> coalesce(e.total_minor, 0) OR w.balance_minor < -w.credit_limit_minor
"""
EXCESSIVE_REFUNDS: Final = """
    SELECT c.owner_id, format('Charge %s of %s was refunded %s.', c.id, -c.amount_minor, sum(r.amount_minor))
        AS sentence
    FROM wallet_entry c JOIN wallet_entry r ON r.charge_id = c.id AND r.owner_id = c.owner_id
    GROUP BY c.owner_id, c.id, c.amount_minor HAVING sum(r.amount_minor) > -c.amount_minor
"""
CHECKS: Final = (UNBALANCED_ENTRIES, BROKEN_BALANCES, WRONG_WALLETS, EXCESSIVE_REFUNDS)


@dataclass(frozen=True, slots=True)
class LedgerReport:
    """How much of the ledger was checked, and what does not agree."""

    wallets: int
    entries: int
    legs: int
    problems: Sequence[LedgerProblem]


async def verify_ledger() -> LedgerReport:
    """Check that legs sum to zero, balances equal their entries, and no charge is refunded more than once.

    Each check is one statement, and sees what is committed; entries written meanwhile do not disturb it.
    """
    problems = [sql.to_record(LedgerProblem, row) for check in CHECKS for row in await sql.fetch(check)]
    row = await sql.one(COUNT_ROWS)
    return LedgerReport(row["wallets"], row["entries"], row["legs"], problems)
