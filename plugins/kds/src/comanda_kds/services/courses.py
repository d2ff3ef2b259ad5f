"""Courses of an order: the later ones are held until somebody fires them."""

from typing import Final

from comanda.basics import Conflict, NotFound, clock
from comanda.contracts import Caller, Status
from comanda.orders import status
from comanda.platform.db import sql
from comanda.platform.tasks import notifier

from comanda_kds.records import FiredCourse
from comanda_kds.services import order_lines

CLOSED: Final = frozenset({Status.COMPLETED, Status.CANCELLED})
SELECT_COURSE: Final = f"""
    SELECT l.course FROM core_order_v1 o {order_lines.JOIN_STORES_WITH_KITCHEN.format("$4")} {order_lines.JOIN_LINES}
    WHERE o.id = $1 AND o.owner_id = $2 AND l.course = $3 LIMIT 1
"""
INSERT_COURSE: Final = """
    INSERT INTO kds_course (owner_id, store_id, order_id, course, fired_at, fired_by) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (order_id, owner_id, course) DO NOTHING
"""
SELECT_FIRED_AT: Final = "SELECT fired_at FROM kds_course WHERE owner_id = $1 AND order_id = $2 AND course = $3"


async def fire_course(caller: Caller, order_id: int, course: int) -> FiredCourse:
    """Let the kitchen make a course of an order; a course that was fired before stays as it is.

    Raises ``NotFound`` for an order of another store or a course that it does not have, ``Conflict`` for an order that
    is completed or cancelled.
    """
    async with sql.transaction():
        order = await status.lock_order(caller.owner_id, order_id, caller.known_store_id)
        kitchens = order_lines.list_kitchen_store_types()
        if await sql.fetch_value(SELECT_COURSE, order.id, order.owner_id, course, kitchens) is None:
            raise NotFound("The order has no such course.")
        if order.status in CLOSED:
            raise Conflict(f"The order is {order.status}.", extras={"reason": "order_closed"})
        ids = (order.owner_id, order.store_id, order.id)
        await sql.execute(INSERT_COURSE, *ids, course, clock.now(), caller.actor)
        fired_at = await sql.fetch_value(SELECT_FIRED_AT, order.owner_id, order.id, course)
        notifier.announce_change(order.store_id)
    return FiredCourse(order.id, course, fired_at)
