"""Responses of drivers to offers: list, accept, reject."""

from typing import Final

from comanda.basics import Conflict, Sentence, clock
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.orders import delivery_status
from comanda.platform.db import sql

from comanda_drivers.models import OfferState
from comanda_drivers.records.deliveries import Delivery, OpenOffer
from comanda_drivers.schemas.deliveries import OfferRejection
from comanda_drivers.services.accounts import drivers
from comanda_drivers.services.deliveries import deliveries, delivery_records, driver_deliveries
from comanda_drivers.services.dispatch import dispatch_queue
from comanda_drivers.services.terms.distances import build_distance_sql

FROM_OPEN_OFFERS: Final = """
    FROM drivers_offer f WHERE f.driver_id = $1 AND f.owner_id = $2 AND f.state = 'open' AND f.expires_at > $3
"""
SELECT_OPEN_OFFERS: Final = f"""
    SELECT f.id AS offer_id, f.created_at AS offered_at, f.expires_at, {delivery_records.DELIVERY_COLUMNS},
        {build_distance_sql("$4::float8", "$5::float8", "t.lat", "t.lng")} AS distance_m
    FROM (SELECT f.* {FROM_OPEN_OFFERS} ORDER BY f.id DESC LIMIT $6 OFFSET $7) f
    JOIN core_order_v1 o ON o.id = f.order_id AND o.owner_id = f.owner_id
    JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id
    LEFT JOIN drivers_terms t ON t.store_id = o.store_id AND t.owner_id = o.owner_id
    ORDER BY f.id DESC
"""
SELECT_OWN_OFFER: Final = """
    SELECT order_id, state, expires_at FROM drivers_offer WHERE id = $1 AND driver_id = $2 AND owner_id = $3
"""
REJECT_OFFER: Final = """
    UPDATE drivers_offer SET state = 'rejected', reason = $3, ended_at = $4
    WHERE id = $1 AND owner_id = $2 AND state = 'open'
"""


async def list_offers(caller: Caller, page: PageRequest) -> RecordPage[OpenOffer]:
    """List the driver's open offers, newest first."""
    driver = await drivers.get_current_driver(caller)
    scope = (driver.id, driver.owner_id, clock.now())
    rows = await sql.fetch(SELECT_OPEN_OFFERS, *scope, driver.lat, driver.lng, page.size(), page.offset())
    return page.of(
        [_to_offer(row) for row in rows], await sql.fetch_value(f"SELECT count(*) {FROM_OPEN_OFFERS}", *scope)
    )


async def accept_offer(caller: Caller, offer_id: int) -> Delivery:
    """Accept an offer and return the delivery; accepting again returns it unchanged.

    Emits ``DriverAssigned``. Raises ``NotFound`` for another driver's offer; ``Conflict`` with the ``reason``
    ``offer_expired`` if it is no longer open; otherwise as ``claim_delivery``.
    """
    order_id = (await _get_own_offer(caller, offer_id))["order_id"]
    async with sql.transaction():
        order = await delivery_status.lock_delivery(caller.owner_id, order_id)
        driver = await drivers.lock_current_driver(caller)
        # The order may have been assigned while this waited for the lock.
        offer = await _get_own_offer(caller, offer_id)
        assignee = await deliveries.get_assignee(order)
        if offer["state"] != OfferState.ACCEPTED or assignee is None or assignee.id != driver.id:
            _check_open(offer)
            await driver_deliveries.check_claimable(order, driver)
            await deliveries.assign_driver(order, driver, actor=caller.actor)
    return await delivery_records.get_delivery(caller.owner_id, order_id)


async def reject_offer(caller: Caller, offer_id: int, body: OfferRejection) -> None:
    """Reject an offer, so that the next driver is offered the order at once; idempotent.

    Raises ``NotFound`` for another driver's offer, ``Conflict`` with the ``reason`` ``offer_expired`` if it is closed.
    """
    order_id = (await _get_own_offer(caller, offer_id))["order_id"]
    async with sql.transaction():
        await delivery_status.lock_delivery(caller.owner_id, order_id)
        offer = await _get_own_offer(caller, offer_id)
        if offer["state"] != OfferState.REJECTED:
            _check_open(offer)
            await sql.execute(REJECT_OFFER, offer_id, caller.owner_id, body.reason, clock.now())
            await dispatch_queue.reschedule_dispatches(caller.owner_id, [order_id])


async def _get_own_offer(caller: Caller, offer_id: int) -> sql.Row:
    return await sql.require_one(SELECT_OWN_OFFER, offer_id, caller.subject_id, caller.owner_id)


def _check_open(offer: sql.Row) -> None:
    if offer["state"] != OfferState.OPEN or offer["expires_at"] <= clock.now():
        raise Conflict(Sentence("This offer has expired."), extras={"reason": "offer_expired"})


def _to_offer(row: sql.Row) -> OpenOffer:
    delivery = delivery_records.to_delivery(row)
    return OpenOffer(
        row["offer_id"], delivery.order_id, row["offered_at"], row["expires_at"], row["distance_m"], delivery
    )
