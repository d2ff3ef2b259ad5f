"""What owners do with shipments: make one of an order, and keep it up to date."""

from typing import Any, Final

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.contracts.order_status import Status as OrderStatus
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.stores.services import require_store

from comanda_shipping import contents, reading
from comanda_shipping.models import Shipment
from comanda_shipping.participation import MODE
from comanda_shipping.schemas import ShipmentBody, ShipmentChange
from comanda_shipping.states import ShipmentStatus, may_follow, moments

# One shipment of an order is made at a time, and none while the order is being cancelled.
LOCK_ORDER: Final = """
    SELECT id, type, status, address FROM core_order WHERE id = $1 AND owner_id = $2 AND store_id = $3
    FOR NO KEY UPDATE
"""
SET_ADDRESS: Final = """
    UPDATE core_order SET address = $3, updated_at = $4,
        attributes = coalesce(attributes, '{}') || '{"address_missing": false}'
    WHERE id = $1 AND owner_id = $2
"""


async def make_shipment(
    caller: Caller, store_id: int, order_id: int, body: Unvalidated[ShipmentBody], key: IdempotencyKey
) -> IdempotentResult:
    """Make a shipment of an order, or return the one that the same key made before.

    Raises ``NotFound``; ``ValidationFailed`` for an order of another mode, a missing address, or pieces the order does
    not have; ``Conflict`` for a cancelled order and for one that is shipped.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        order = await sql.fetch_one(LOCK_ORDER, order_id, caller.owner_id, store_id)
        if order is None:
            raise NotFound
        earlier = await _made_before(caller, order_id, key)
        if earlier is None:
            made = await _make(caller, store_id, order, body.validated(), key)
        record = await reading.shipment(caller, store_id, earlier.id if earlier else made.id)
    return IdempotentResult(record, earlier is not None, earlier is not None and earlier.body_hash != key.body_hash)


async def change_shipment(caller: Caller, store_id: int, shipment_id: int, change: ShipmentChange) -> dict[str, Any]:
    """Change who carries a shipment, its tracking or its status; the status it has changes nothing.

    Raises ``NotFound``; ``Conflict`` for a status that cannot follow the one it has.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        mine = Shipment.select_for_update(no_key=True).filter(id=shipment_id, owner_id=caller.owner_id)
        found = await mine.filter(store_id=store_id).first()
        if found is None:
            raise NotFound
        columns = _changes(found, change)
        if columns:
            found.update_from_dict({**columns, "updated_at": clock.now()})
            await found.save(update_fields=[*columns, "updated_at"])
        return await reading.shipment(caller, store_id, shipment_id)


async def _made_before(caller: Caller, order_id: int, key: IdempotencyKey) -> Shipment | None:
    if key.text is None:
        return None
    return await Shipment.get_or_none(order_id=order_id, owner_id=caller.owner_id, idempotency_key=key.text)


async def _make(caller: Caller, store_id: int, order: sql.Row, body: ShipmentBody, key: IdempotencyKey) -> Shipment:
    _check_order(order, body)
    pieces = await contents.choose(caller.owner_id, order["id"], body.items)
    moment = clock.now()
    if not order["address"]:
        await sql.execute(SET_ADDRESS, order["id"], caller.owner_id, body.address, moment)
    made = await Shipment.create(
        owner_id=caller.owner_id,
        store_id=store_id,
        order_id=order["id"],
        address=body.address or None if order["address"] else None,  # else it is the order's own by now
        **_carrier(body),
        status=body.status,
        **moments(ShipmentStatus(body.status), None, moment),
        idempotency_key=key.text,
        body_hash=key.body_hash,
        created_at=moment,
        updated_at=moment,
    )
    await contents.hold(caller.owner_id, made.id, pieces)
    return made


def _check_order(order: sql.Row, body: ShipmentBody) -> None:
    if order["type"] != MODE:
        raise ValidationFailed(type=[f"Only orders of the type {MODE} are shipped; this one is {order['type']}."])
    if order["status"] == OrderStatus.CANCELLED:
        raise Conflict("This order is cancelled.", extras={"reason": "cancelled"})
    if not (order["address"] or body.address):
        raise ValidationFailed(address=["This order has no address: tell where to ship it."])


def _carrier(body: ShipmentBody) -> dict[str, Any]:
    names = ("carrier", "service", "tracking_number", "tracking_url")
    return {name: getattr(body, name) or None for name in names}


def _changes(found: Shipment, change: ShipmentChange) -> dict[str, Any]:
    """Return the columns that a change sets to something else."""
    given = {name: value or None for name, value in change.model_dump(exclude={"status"}, exclude_unset=True).items()}
    columns = {name: value for name, value in given.items() if value != getattr(found, name)}
    old = ShipmentStatus(found.status)
    if change.status is None or change.status == old:
        return columns
    if not may_follow(old, change.status, found.shipped_at):
        raise Conflict(f"A shipment that is {old} cannot become {change.status}.", extras={"reason": "status"})
    return {**columns, "status": change.status, **moments(change.status, found.shipped_at, clock.now())}
