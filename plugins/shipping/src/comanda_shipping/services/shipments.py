"""Shipments: create one for an order, and update it."""

from datetime import datetime
from typing import Any, Final

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, require_found
from comanda.contracts import Caller, IdempotencyKey, IdempotentResult, Unvalidated
from comanda.contracts import Status as OrderStatus
from comanda.orders import delivery_status, update_address
from comanda.platform.db import KeyedTable, sql
from comanda.stores import require_store

from comanda_shipping import models
from comanda_shipping.fulfillment_modes import SHIP
from comanda_shipping.models import ShipmentStatus
from comanda_shipping.records import Shipment
from comanda_shipping.schemas import ShipmentBody, ShipmentChange
from comanda_shipping.services import shipment_contents, shipment_views
from comanda_shipping.services.status_transitions import (
    PREPARED_STATUSES,
    VOID_STATUSES,
    can_transition,
    get_transition_times,
)

# One shipment of an order is created at a time, and none while the order is being cancelled.
LOCK_ORDER: Final = """
    SELECT id, type, status, address FROM core_order_v1 WHERE id = $1 AND owner_id = $2 AND store_id = $3
    FOR NO KEY UPDATE
"""
SELECT_ORDER_ID: Final = """
    SELECT order_id FROM shipping_shipment WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND shipped_at IS NULL
"""
# Not with the carrier, or no more.
KEPT_STATUSES: Final = (*PREPARED_STATUSES, *VOID_STATUSES)
SHIPMENT_KEYS: Final = KeyedTable("shipping_shipment", "order_id")


async def create_shipment(
    caller: Caller, store_id: int, order_id: int, body: Unvalidated[ShipmentBody], key: IdempotencyKey
) -> IdempotentResult[Shipment]:
    """Create a shipment of an order, or return the one created earlier with the same key.

    Raises ``NotFound``; ``ValidationFailed`` for an order of another mode, a missing address, or a quantity beyond what
    is left to ship; ``Conflict`` for an order that is cancelled or fully shipped.
    """
    await require_store(caller, store_id)

    async def create() -> int:
        async with sql.transaction():
            order = await sql.require_one(LOCK_ORDER, order_id, caller.owner_id, store_id)
            shipment = await _insert_shipment(caller, store_id, order, body.validated(), key)
        return int(shipment.id)

    async def load(shipment_id: int) -> Shipment:
        return await shipment_views.get_shipment(caller, store_id, shipment_id)

    return await SHIPMENT_KEYS.create_once(caller.owner_id, order_id, key, create, load)


async def update_shipment(caller: Caller, store_id: int, shipment_id: int, change: ShipmentChange) -> Shipment:
    """Update a shipment's carrier, tracking or status. Setting the current status again has no effect.

    Raises ``NotFound``; ``Conflict`` for a status that cannot follow the current one; ``ValidationFailed`` for an order
    that may not be handed over yet.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        if change.status is not None and change.status not in KEPT_STATUSES:
            # Before the shipment, as cancelling an order locks them in this order.
            order_id = await sql.fetch_value(SELECT_ORDER_ID, shipment_id, caller.owner_id, store_id)
            if order_id is not None:
                await _check_hand_over(caller, order_id)
        owned = models.Shipment.select_for_update(no_key=True).filter(id=shipment_id, owner_id=caller.owner_id)
        found = require_found(await owned.filter(store_id=store_id).first())
        columns = _to_changed_columns(found, change)
        if columns:
            found.update_from_dict({**columns, "updated_at": clock.now()})
            await found.save(update_fields=[*columns, "updated_at"])
        return await shipment_views.get_shipment(caller, store_id, shipment_id)


async def _insert_shipment(
    caller: Caller, store_id: int, order: sql.Row, body: ShipmentBody, key: IdempotencyKey
) -> models.Shipment:
    _check_order(order, body)
    if body.status not in KEPT_STATUSES:
        await _check_hand_over(caller, order["id"])
    quantities = await shipment_contents.choose_quantities(caller.owner_id, order["id"], body.items)
    moment = clock.now()
    if not order["address"]:
        await update_address(caller.owner_id, order["id"], body.address, {"address_missing": False})
    columns: dict[str, Any] = {
        **_to_carrier_columns(body),
        **get_transition_times(ShipmentStatus(body.status), None, moment),
    }
    shipment = await models.Shipment.create(
        owner_id=caller.owner_id,
        store_id=store_id,
        order_id=order["id"],
        address=body.address or None if order["address"] else None,  # otherwise it has become the order's address
        status=body.status,
        **columns,
        idempotency_key=key.text,
        body_hash=key.body_hash,
        created_at=moment,
        updated_at=moment,
    )
    await shipment_contents.create_shipment_lines(caller.owner_id, shipment.id, quantities)
    return shipment


async def _check_hand_over(caller: Caller, order_id: int) -> None:
    await delivery_status.check_hand_over(await delivery_status.lock_delivery(caller.owner_id, order_id))


def _check_order(order: sql.Row, body: ShipmentBody) -> None:
    if order["type"] != SHIP.code:
        raise ValidationFailed(type=[f"Only orders of type {SHIP.code} can be shipped. This one is {order['type']}."])
    if order["status"] == OrderStatus.CANCELLED:
        raise Conflict(Sentence("This order is cancelled."), extras={"reason": "cancelled"})
    if not (order["address"] or body.address):
        raise ValidationFailed(address=[Sentence("An address is required because this order has none.")])


def _to_carrier_columns(body: ShipmentBody) -> dict[str, str | None]:
    names = ("carrier", "service", "tracking_number", "tracking_url")
    return {name: getattr(body, name) or None for name in names}


def _to_changed_columns(shipment: models.Shipment, change: ShipmentChange) -> dict[str, str | datetime | None]:
    """Return the columns whose values a change alters."""
    given = {name: value or None for name, value in change.model_dump(exclude={"status"}, exclude_unset=True).items()}
    columns = {name: value for name, value in given.items() if value != getattr(shipment, name)}
    old = ShipmentStatus(shipment.status)
    if change.status is None or change.status == old:
        return columns
    if not can_transition(old, change.status, shipment.shipped_at):
        raise Conflict(f"A shipment that is {old} cannot become {change.status}.", extras={"reason": "status"})
    return {**columns, "status": change.status, **get_transition_times(change.status, shipment.shipped_at, clock.now())}
