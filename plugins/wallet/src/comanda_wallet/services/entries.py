"""Entries of a wallet: finding, listing and summing them."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_wallet.models import EntryKind
from comanda_wallet.records import Entry
from comanda_wallet.schemas import EntryQuery
from comanda_wallet.services.ledger import ENTRY_COLUMNS, to_entry

SELECT_ENTRY: Final = f"""
    SELECT {ENTRY_COLUMNS} FROM wallet_entry WHERE owner_id = $1 AND kind = $2 AND reference = $3
"""
FILTERS: Final = """
    owner_id = $1 AND ($2::text IS NULL OR kind = $2) AND ($3::timestamptz IS NULL OR created_at >= $3)
    AND ($4::timestamptz IS NULL OR created_at < $4)
"""
SELECT_ENTRIES: Final = f"""
    SELECT {ENTRY_COLUMNS} FROM wallet_entry WHERE {FILTERS} ORDER BY id DESC LIMIT $5 OFFSET $6
"""
COUNT_ENTRIES: Final = f"SELECT count(*) FROM wallet_entry WHERE {FILTERS}"
# References are compared by their bytes, so those with a prefix are a range of the index.
SUM_CHARGES: Final = """
    SELECT coalesce(-sum(e.amount_minor) - sum(coalesce(r.refunded_minor, 0)), 0)::bigint
    FROM wallet_entry e
    LEFT JOIN LATERAL (
        SELECT sum(r.amount_minor) AS refunded_minor FROM wallet_entry r
        WHERE r.owner_id = $1 AND r.charge_id = e.id) r ON true
    WHERE e.owner_id = $1 AND e.kind IN ('usage', 'subscription') AND e.reference >= $2 AND e.reference < $3
        AND ($4::timestamptz IS NULL OR e.created_at >= $4)
"""
LAST_CHARACTER: Final = "\U0010ffff"


async def find_entry(owner_id: int, kind: EntryKind, reference: str) -> Entry | None:
    """Return the entry of a kind and a reference, or None."""
    row = await sql.fetch_one(SELECT_ENTRY, owner_id, kind, reference)
    return None if row is None else replace(to_entry(row), is_repeat=True)


async def list_entries(caller: Caller, query: EntryQuery, page: PageRequest) -> RecordPage[Entry]:
    """List the entries of the caller's wallet, newest first."""
    filters = (caller.owner_id, query.kind, query.from_, query.to)
    total = await sql.fetch_value(COUNT_ENTRIES, *filters)
    rows = await sql.fetch(SELECT_ENTRIES, *filters, page.size(), page.offset())
    return page.of([to_entry(row) for row in rows], total)


async def sum_charges(owner_id: int, reference_prefix: str, since: datetime | None = None) -> int:
    """Return what charges since then, whose references begin with a prefix, cost: less what was refunded of them."""
    end = reference_prefix + LAST_CHARACTER
    total: int = await sql.fetch_value(SUM_CHARGES, owner_id, reference_prefix, end, since)
    return total
