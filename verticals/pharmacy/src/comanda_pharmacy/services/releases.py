"""Orders that wait for a pharmacist, and what pharmacists decide about them."""

from typing import Final

import orjson
from comanda.basics import Conflict, Sentence, ValidationFailed, clock, require_found
from comanda.contracts import Caller, PageRequest, PlacedOrder, RecordPage, Status
from comanda.orders import status
from comanda.orders.amendments import CheckPlace, open_checks
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_pharmacy.models import ReleaseStatus
from comanda_pharmacy.records import Release, ReleaseLine
from comanda_pharmacy.schemas import ReleaseBody
from comanda_pharmacy.services.pharmacies import require_pharmacist

SELECT_RELEASES: Final = """
    SELECT r.order_id, o.number, o.type, o.status AS order_status, o.customer_name, r.status, r.requested_at,
        r.decided_at, r.decided_by, r.note, (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'line_id', l.id, 'name', l.name, 'variation', l.variation ->> 'name', 'quantity', l.quantity,
                'is_prescription_only', coalesce((i.attributes ->> 'is_prescription_only')::boolean, false)
            ) ORDER BY l.position), '[]'::jsonb)
            FROM core_order_line_v1 l
            LEFT JOIN core_menu_item_v1 i ON i.id = l.item_id AND i.owner_id = l.owner_id
            WHERE l.order_id = r.order_id AND l.owner_id = r.owner_id)::text AS items
    FROM pharmacy_release r JOIN core_order_v1 o ON o.id = r.order_id AND o.owner_id = r.owner_id
    WHERE r.store_id = $1 AND r.owner_id = $2
"""
SELECT_WAITING: Final = f"{SELECT_RELEASES} AND r.status = $3 ORDER BY r.order_id LIMIT $4 OFFSET $5"
SELECT_OTHERS: Final = f"{SELECT_RELEASES} AND r.status = $3 ORDER BY r.order_id DESC LIMIT $4 OFFSET $5"
SELECT_ONE: Final = f"{SELECT_RELEASES} AND r.order_id = $3"
COUNT_RELEASES: Final = "SELECT count(*) FROM pharmacy_release WHERE store_id = $1 AND owner_id = $2 AND status = $3"
SELECT_STATUS: Final = "SELECT status FROM pharmacy_release WHERE order_id = $1 AND owner_id = $2"
DECIDE: Final = """
    UPDATE pharmacy_release SET status = $3, decided_at = $4, decided_by = $5, note = $6
    WHERE order_id = $1 AND owner_id = $2
"""


async def list_releases(caller: Caller, store_id: int, chosen: ReleaseStatus, page: PageRequest) -> RecordPage[Release]:
    """List the orders with a status of their release, 20 per page; those that wait longest come first."""
    await require_store(caller, store_id)
    place = (store_id, caller.owner_id, chosen)
    statement = SELECT_WAITING if chosen is ReleaseStatus.WAITING else SELECT_OTHERS
    rows = await sql.fetch(statement, *place, page.size(), page.offset())
    return page.of([_to_release(row) for row in rows], await sql.fetch_value(COUNT_RELEASES, *place))


async def get_release(caller: Caller, store_id: int, order_id: int) -> Release:
    """Return what was decided about an order. Raises ``NotFound`` for one that needs no release."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_ONE, store_id, caller.owner_id, order_id)
    return _to_release(row)


async def decide(caller: Caller, store_id: int, order_id: int, body: ReleaseBody) -> Release:
    """Release an order, refuse it, which cancels it, or refuse a line, which is taken off. Repeats change nothing.

    Raises ``NotFound``; ``Forbidden`` for a member of staff who is no pharmacist; ``ValidationFailed`` for a refusal
    without a note; ``Conflict`` for an order that is closed, or paid if a line is refused.
    """
    await require_store(caller, store_id)
    await require_pharmacist(caller, store_id)
    if body.status is ReleaseStatus.REFUSED and not body.note:
        raise ValidationFailed(note=[Sentence("Say why you refuse it.")])
    if body.line_id is not None:
        await _refuse_line(caller, store_id, order_id, body)
    else:
        await _decide_order(caller, store_id, order_id, body)
    return await get_release(caller, store_id, order_id)


async def _decide_order(caller: Caller, store_id: int, order_id: int, body: ReleaseBody) -> None:
    async with sql.transaction():
        order = await status.lock_order(caller.owner_id, order_id, store_id)
        known = await _get_status(order)
        if known is body.status:
            return
        if not order.status.is_open:
            raise Conflict(Sentence("This order is closed."), extras={"reason": "closed"})
        await sql.execute(DECIDE, order.id, order.owner_id, body.status, clock.now(), caller.actor, body.note or None)
        if body.status is ReleaseStatus.REFUSED:
            await status.change_status(order, Status.CANCELLED, actor=caller.actor, note=body.note)


async def _refuse_line(caller: Caller, store_id: int, order_id: int, body: ReleaseBody) -> None:
    if body.status is not ReleaseStatus.REFUSED:
        raise ValidationFailed(line_id=[Sentence("A single line can only be refused.")])
    await get_release(caller, store_id, order_id)
    place = CheckPlace(caller, store_id, order_id)
    await open_checks.void_line(place, body.line_id or 0, None, body.note or "")


async def _get_status(order: PlacedOrder) -> ReleaseStatus:
    found = require_found(await sql.fetch_value(SELECT_STATUS, order.id, order.owner_id))
    return ReleaseStatus(found)


def _to_release(row: sql.Row) -> Release:
    known = dict(row)
    known["items"] = [ReleaseLine(**line) for line in orjson.loads(row["items"])]
    known["status"], known["order_status"] = ReleaseStatus(row["status"]), Status(row["order_status"])
    return Release(**known)
