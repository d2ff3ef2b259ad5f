"""What drivers do with offers: see theirs, accept one, reject one."""

from typing import Any, Final

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import Conflict, NotFound
from comanda.orders import delivery_status

from comanda_drivers.places import distance_sql
from comanda_drivers.schemas.offers import OfferRejection
from comanda_drivers.services import driving, errands, moving, offers, people
from comanda_drivers.services.offers import OfferState

OPEN: Final = """
    FROM drivers_offer f WHERE f.driver_id = $1 AND f.owner_id = $2 AND f.state = 'open' AND f.expires_at > $3
"""
PAGE: Final = f"""
    SELECT f.id AS offer_id, f.created_at AS offered_at, f.expires_at, {errands.COLUMNS},
        {distance_sql("$4::float8", "$5::float8", "t.lat", "t.lng")} AS distance_m
    FROM (SELECT f.* {OPEN} ORDER BY f.id DESC LIMIT $6 OFFSET $7) f
    JOIN core_order o ON o.id = f.order_id AND o.owner_id = f.owner_id
    JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    LEFT JOIN drivers_terms t ON t.store_id = o.store_id AND t.owner_id = o.owner_id
    ORDER BY f.id DESC
"""
MINE: Final = """
    SELECT order_id, state, expires_at FROM drivers_offer WHERE id = $1 AND driver_id = $2 AND owner_id = $3
"""
REJECT: Final = """
    UPDATE drivers_offer SET state = 'rejected', reason = $3, ended_at = $4
    WHERE id = $1 AND owner_id = $2 AND state = 'open'
"""


async def page_of_offers(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the offers that the driver may accept, newest first."""
    driver = await people.myself(caller)
    scope = (driver["id"], driver["owner_id"], clock.now())
    rows = await sql.fetch(PAGE, *scope, driver["lat"], driver["lng"], page.size(), page.offset())
    return page.envelope([_record(row) for row in rows], await sql.fetch_value(f"SELECT count(*) {OPEN}", *scope))


async def accept(caller: Caller, offer_id: int) -> dict[str, Any]:
    """Take what is offered, like claiming it; an offer that was accepted is returned as the delivery that it is.

    Emits ``DriverAssigned``. Raises ``NotFound`` for another's offer; ``Conflict`` with the ``reason``
    ``offer_expired`` once it is too late, for whatever cause, else as claiming does.
    """
    order_id = (await _mine(caller, offer_id))["order_id"]
    async with sql.transaction():
        order = await delivery_status.lock_delivery(caller.owner_id, order_id)
        driver = await people.lock_myself(caller)
        # While this waited for the order, somebody else may have got it.
        offer = await _mine(caller, offer_id)
        holder = await moving.holder_of(order)
        if offer["state"] != OfferState.ACCEPTED or holder is None or holder.id != driver.id:
            _check_open(offer)
            await driving.check_free(order, driver)
            await moving.give(order, driver, actor=caller.actor)
    return await errands.errand(caller.owner_id, order_id)


async def reject(caller: Caller, offer_id: int, body: OfferRejection) -> dict[str, Any]:
    """Refuse an offer, so that the next driver is asked at once; the same again changes nothing.

    Raises ``NotFound`` for another's offer, ``Conflict`` with the ``reason`` ``offer_expired`` once it is over.
    """
    order_id = (await _mine(caller, offer_id))["order_id"]
    async with sql.transaction():
        await delivery_status.lock_delivery(caller.owner_id, order_id)
        offer = await _mine(caller, offer_id)
        if offer["state"] != OfferState.REJECTED:
            _check_open(offer)
            await sql.execute(REJECT, offer_id, caller.owner_id, body.reason, clock.now())
            await offers.go_on(caller.owner_id, [order_id])
    return {"id": offer_id, "status": OfferState.REJECTED}


async def _mine(caller: Caller, offer_id: int) -> sql.Row:
    offer = await sql.fetch_one(MINE, offer_id, caller.subject_id, caller.owner_id)
    if offer is None:
        raise NotFound
    return offer


def _check_open(offer: sql.Row) -> None:
    if offer["state"] != OfferState.OPEN or offer["expires_at"] <= clock.now():
        raise Conflict("This offer is over.", extras={"reason": "offer_expired"})


def _record(row: sql.Row) -> dict[str, Any]:
    return {
        "id": row["offer_id"],
        "order_id": row["id"],
        "created_at": row["offered_at"],
        "expires_at": row["expires_at"],
        "distance_m": row["distance_m"],
        "delivery": errands.record(row),
    }
