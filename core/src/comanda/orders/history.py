"""The history of an order: each change of a status, who made it, and their note."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from pydantic import Field

from comanda.basics import clock
from comanda.basics.errors import NotFound
from comanda.contracts.orders.participants import PlacedOrder
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.platform.db import sql

EXISTS: Final = "SELECT 1 FROM core_order WHERE id = $1 AND owner_id = $2 AND store_id = $3"
COUNT_CHANGES: Final = "SELECT count(*) FROM core_order_change WHERE order_id = $1 AND owner_id = $2"
SELECT_CHANGES: Final = """
    SELECT field, from_value, to_value, actor, note, changed_at FROM core_order_change
    WHERE order_id = $1 AND owner_id = $2 AND EXISTS (
        SELECT FROM core_order WHERE id = $1 AND owner_id = $2 AND store_id = $3
    ) ORDER BY id DESC LIMIT $4 OFFSET $5
"""
# A request that is repeated after a lost answer adds no second note.
INSERT_NOTE: Final = """
    INSERT INTO core_order_change (owner_id, order_id, field, from_value, to_value, actor, note, changed_at)
    SELECT $1::bigint, $2::bigint, $3::varchar, $4::varchar, $4, $5::varchar, $6::text, $7::timestamptz
    WHERE NOT EXISTS (
        SELECT FROM (
            SELECT c.actor, c.note FROM core_order_change c
            WHERE c.order_id = $2 AND c.owner_id = $1 AND c.field = $3 ORDER BY c.id DESC LIMIT 1
        ) newest WHERE newest.actor = $5 AND newest.note = $6)
"""


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A change of an order: of its ``status``, ``delivery_status``, ``payment_status`` or charges.

    With both values the same it is only a note. ``actor`` is who made it, such as ``owner`` or ``driver:7``.
    """

    field: str
    from_value: Annotated[str | None, Field(serialization_alias="from")]
    to_value: Annotated[str | None, Field(serialization_alias="to")]
    actor: str
    note: str | None
    changed_at: datetime


async def add_note(order: PlacedOrder, field: str, value: str | None, *, actor: str, note: str | None) -> None:
    """Add a note on a field of a locked order whose value stays, unless the newest entry has this note already."""
    if note:
        await sql.execute(INSERT_NOTE, order.owner_id, order.id, field, value, actor, note, clock.now())


async def list_changes(caller: Caller, store_id: int, order_id: int, page: PageRequest) -> RecordPage[StatusChange]:
    """List an order's changes, newest first. Raises ``NotFound``."""
    if not caller.reaches(store_id):
        raise NotFound
    order = (order_id, caller.owner_id, store_id)
    rows = await sql.fetch(SELECT_CHANGES, *order, page.size(), page.offset())
    if not rows and not await sql.fetch_value(EXISTS, *order):
        raise NotFound
    total = await page.get_total(rows, lambda: sql.fetch_value(COUNT_CHANGES, order_id, caller.owner_id))
    return page.of([StatusChange(**dict(row)) for row in rows], total)
