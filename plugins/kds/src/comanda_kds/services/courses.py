"""Courses of an order: the later ones are held until somebody fires them, or until a time that was set for it."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, clock
from comanda.contracts import Caller, ClaimedRow, LeasedQueue, PlacedOrder, QueueTable, QueueWork, Status
from comanda.orders import status
from comanda.platform.db import sql
from comanda.platform.tasks import notifier

from comanda_kds.models import ItemState
from comanda_kds.records import CourseFiring, OpenCourse
from comanda_kds.schemas import FireBody
from comanda_kds.services import order_lines
from comanda_kds.store_settings import KitchenWorkflow

MAX_AHEAD: Final = timedelta(days=1)
MAX_LISTED: Final = 500
CLOSED: Final = frozenset({Status.COMPLETED, Status.CANCELLED})
# Who fires a course for which nobody set a time.
AUTOMATIC: Final = "kds"

SELECT_COURSE: Final = f"""
    SELECT l.course FROM core_order_v1 o {order_lines.JOIN_STORES_WITH_KITCHEN.format("$4")} {order_lines.JOIN_LINES}
    WHERE o.id = $1 AND o.owner_id = $2 AND l.course = $3 LIMIT 1
"""
# What was fired stays as it is.
SET_TIME: Final = """
    INSERT INTO kds_course (owner_id, store_id, order_id, course, fire_at, fired_at, fired_by, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (order_id, owner_id, course) DO UPDATE SET fire_at = excluded.fire_at, fired_at = excluded.fired_at,
        fired_by = excluded.fired_by, leased_until = NULL, attempts = 0 WHERE kds_course.fired_at IS NULL
"""
SELECT_TIMES: Final = """
    SELECT fire_at, fired_at FROM kds_course WHERE owner_id = $1 AND order_id = $2 AND course = $3
"""
DELETE_TIME: Final = """
    DELETE FROM kds_course WHERE owner_id = $1 AND order_id = $2 AND course = $3 AND fired_at IS NULL
"""
DELETE_AUTOMATIC_TIME: Final = f"{DELETE_TIME} AND fired_by = '{AUTOMATIC}'"
FIRE_DUE: Final = """
    UPDATE kds_course SET fired_at = $4, fire_at = NULL
    WHERE owner_id = $1 AND order_id = $2 AND course = $3 AND fire_at <= $4
"""
INSERT_AUTOMATIC_TIME: Final = f"""
    INSERT INTO kds_course (owner_id, store_id, order_id, course, fire_at, fired_by, created_at)
    VALUES ($1, $2, $3, $4, $5, '{AUTOMATIC}', $6) ON CONFLICT (order_id, owner_id, course) DO NOTHING
"""
# The first held course, and whether all before it is made.
SELECT_NEXT: Final = f"""
    WITH made AS (
        SELECT coalesce(l.course, 1) AS course, {order_lines.ITEM_STATE} AS state, {order_lines.IS_HELD} AS is_held
        FROM core_order_v1 o {order_lines.JOIN_LINES} {order_lines.JOIN_ROUTES} {order_lines.JOIN_COURSES}
        WHERE o.id = $1 AND o.owner_id = $2 AND NOT {order_lines.IS_EXEMPT}),
    next AS (SELECT min(course) AS course FROM made WHERE is_held)
    SELECT next.course, NOT EXISTS (
        SELECT FROM made WHERE made.course < next.course
            AND made.state IN ('{ItemState.QUEUED}', '{ItemState.PREPARING}')) AS is_due
    FROM next WHERE next.course IS NOT NULL
"""
SELECT_COURSES: Final = f"""
    SELECT o.id AS order_id, greatest(1, max(l.course) FILTER (WHERE NOT h.is_held)) AS course,
        array_remove(array_agg(DISTINCT l.course) FILTER (WHERE h.is_held), NULL) AS held
    FROM core_order_v1 o {order_lines.JOIN_STORES_WITH_KITCHEN.format("$3")} {order_lines.JOIN_LINES}
    {order_lines.JOIN_ROUTES} {order_lines.JOIN_COURSES}
    CROSS JOIN LATERAL (SELECT {order_lines.IS_HELD} AND NOT {order_lines.IS_EXEMPT} AS is_held) h
    WHERE o.store_id = $2 AND o.owner_id = $1 AND o.status IN ('new', 'preparing', 'ready', 'delivered')
        AND l.course IS NOT NULL
    GROUP BY o.id ORDER BY o.id DESC LIMIT {MAX_LISTED}
"""


async def list_courses(caller: Caller) -> list[OpenCourse]:
    """List the course of each order in work that has courses, and those that are held, of the newest orders."""
    kitchens = order_lines.list_kitchen_store_types()
    rows = await sql.fetch(SELECT_COURSES, caller.owner_id, caller.known_store_id, kitchens)
    return [OpenCourse(row["order_id"], row["course"], sorted(row["held"] or [])) for row in rows]


async def fire_course(caller: Caller, order_id: int, course: int, body: FireBody) -> CourseFiring:
    """Fire a course of an order, now or at a time; a course that was fired before stays as it is.

    Raises ``NotFound`` for an order of another store or a course that it does not have, ``Conflict`` for an order that
    is completed or cancelled, ``ValidationFailed`` for a time that is too far away.
    """
    now = clock.now()
    at = body.get_time(now)
    if at > now + MAX_AHEAD:
        raise ValidationFailed(at=[Sentence("A course can be fired at most one day from now.")])
    async with sql.transaction():
        order = await _lock_order(caller, order_id, course)
        times = (at, None) if at > now else (None, now)
        ids = (order.owner_id, order.store_id, order.id)
        await sql.execute(SET_TIME, *ids, course, *times, caller.actor, now)
        row = await sql.one(SELECT_TIMES, order.owner_id, order.id, course)
        notifier.announce_change(order.store_id)
    return CourseFiring(order.id, course, row["fire_at"], row["fired_at"])


async def hold_course(caller: Caller, order_id: int, course: int) -> CourseFiring:
    """Take back the time at which a course is fired: it is held until somebody fires it.

    Raises the errors of ``fire_course``, and ``Conflict`` if the course was fired.
    """
    async with sql.transaction():
        order = await _lock_order(caller, order_id, course)
        await sql.execute(DELETE_TIME, order.owner_id, order.id, course)
        if await sql.fetch_one(SELECT_TIMES, order.owner_id, order.id, course):
            raise Conflict(Sentence("The course was fired already."), extras={"reason": "course_fired"})
        notifier.announce_change(order.store_id)
    return CourseFiring(order.id, course, None, None)


async def schedule_next_course(order: PlacedOrder, workflow: KitchenWorkflow) -> None:
    """Set when a locked order's next course is fired once all before it is made, and take that back if it is not.

    A time that somebody set stays. Does nothing in a store that fires its courses by hand.
    """
    if workflow.next_course_minutes is None:
        return
    row = await sql.fetch_one(SELECT_NEXT, order.id, order.owner_id)
    if row is None:
        return
    now = clock.now()
    if row["is_due"]:
        fire_at = now + timedelta(minutes=workflow.next_course_minutes)
        ids = (order.owner_id, order.store_id, order.id)
        await sql.execute(INSERT_AUTOMATIC_TIME, *ids, row["course"], fire_at, now)
    else:
        await sql.execute(DELETE_AUTOMATIC_TIME, order.owner_id, order.id, row["course"])


async def fire_due_course(owner_id: int, order_id: int, course: int) -> None:
    """Fire a course whose time has come, unless somebody was faster; a closed order has nothing left to fire."""
    async with sql.transaction():
        order = await status.lock_order(owner_id, order_id)
        if order.status in CLOSED:
            await sql.execute(DELETE_TIME, owner_id, order_id, course)
        else:
            await sql.execute(FIRE_DUE, owner_id, order_id, course, clock.now())
        notifier.announce_change(order.store_id)


async def _lock_order(caller: Caller, order_id: int, course: int) -> PlacedOrder:
    order = await status.lock_order(caller.owner_id, order_id, caller.known_store_id)
    kitchens = order_lines.list_kitchen_store_types()
    if await sql.fetch_value(SELECT_COURSE, order.id, order.owner_id, course, kitchens) is None:
        raise NotFound(Sentence("The order has no such course."))
    if order.status in CLOSED:
        raise Conflict(f"The order is {order.status}.", extras={"reason": "order_closed"})
    return order


async def _process(rows: Sequence[ClaimedRow]) -> None:
    for row in rows:
        await fire_due_course(row.owner_id, row.values["order_id"], row.values["course"])


# Firing ends a row's wait in its own transaction, so that afterwards only the lease is left to end.
QUEUE: Final = LeasedQueue(
    "kds_courses",
    QueueTable(
        "kds_course",
        columns=("order_id", "course"),
        due="fire_at",
        share_by="owner_id",
        done="leased_until = NULL, attempts = 0",
    ),
    QueueWork(_process),
)
