"""What was closed, for other plugins: closings with their sums, for those that book them."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

import orjson
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_closings.services.figures import Section, Sums

# The sections that money is in; the others say how the same sales are divided.
SECTIONS: Final = (Section.FIGURE, Section.TAX, Section.ALLOWANCE, Section.TENDER, Section.REFUND, Section.PREPAID)
# There is at most one closing a day.
SELECT_CLOSED: Final = """
    SELECT c.id, c.number, c.first_day, c.last_day, c.currency, c.closed_at,
        (SELECT jsonb_agg(each) FROM jsonb_array_elements(c.totals -> 'sums') AS each
            WHERE each ->> 0 = ANY($5::text[])) AS sums
    FROM closings_closing c
    WHERE c.store_id = $1 AND c.owner_id = $2 AND c.last_day BETWEEN $3 AND $4 ORDER BY c.number
"""
SELECT_CLOSED_TO: Final = "SELECT closed_to FROM closings_store WHERE store_id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class ClosedDays:
    """A closing: its days, and its sums by section and code."""

    id: int
    number: int
    first: date
    last: date
    currency: str
    closed_at: datetime
    sums: Sums


async def list_closed_days(caller: Caller, store_id: int, first: date, last: date) -> list[ClosedDays]:
    """List the closings of a store whose last day is one of these, oldest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    rows = await sql.fetch(SELECT_CLOSED, store_id, caller.owner_id, first, last, list(SECTIONS))
    return [
        ClosedDays(
            id=row["id"],
            number=row["number"],
            first=row["first_day"],
            last=row["last_day"],
            currency=row["currency"],
            closed_at=row["closed_at"],
            sums=Sums.from_json(orjson.loads(row["sums"] or "[]")),
        )
        for row in rows
    ]


async def get_closed_to(caller: Caller, store_id: int) -> date | None:
    """Return the last day of a store that is closed. Raises ``NotFound``."""
    await require_store(caller, store_id)
    day: date | None = await sql.fetch_value(SELECT_CLOSED_TO, store_id, caller.owner_id)
    return day
