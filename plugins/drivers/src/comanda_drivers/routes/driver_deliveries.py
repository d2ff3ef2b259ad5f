"""Deliveries, for the calling driver."""

from comanda.contracts import ANY_SCOPE, Caller, PageRequest, RecordPage, Routes

from comanda_drivers.records.deliveries import AvailableDelivery, Delivery
from comanda_drivers.schemas.deliveries import DriverDeliveryQuery, ProgressBody
from comanda_drivers.services.deliveries import driver_deliveries

routes = Routes("Driver", callers=("driver",))


@routes.get("/driver/deliveries", scope=ANY_SCOPE, cors=True)
async def list_deliveries(caller: Caller, query: DriverDeliveryQuery, page: PageRequest) -> RecordPage[Delivery]:
    """List your deliveries, newest first, 30 per page; ``active=1`` hides delivered and failed ones."""
    return await driver_deliveries.list_assigned(caller, page, active=query.active)


@routes.get("/driver/available", scope=ANY_SCOPE, cors=True)
async def list_available(caller: Caller, page: PageRequest) -> RecordPage[AvailableDelivery]:
    """List unassigned deliveries, nearest first, then oldest, 20 per page."""
    return await driver_deliveries.list_available(caller, page)


@routes.post("/driver/deliveries/{orderId}/claim", scope=ANY_SCOPE, cors=True, status=200)
async def claim_delivery(caller: Caller, order_id: int) -> Delivery:
    """Claim an unassigned delivery; 409 with the ``reason`` ``already_claimed`` if another driver has it."""
    return await driver_deliveries.claim_delivery(caller, order_id)


@routes.put("/driver/deliveries/{orderId}/status", scope=ANY_SCOPE, cors=True)
async def update_status(caller: Caller, order_id: int, body: ProgressBody) -> Delivery:
    """Update the status: ``picked_up``, ``out_for_delivery``, then ``delivered`` or ``failed``; forwards only.

    With ``delivered``, ``cash_collected`` is the cash collected; it defaults to the amount due.
    """
    return await driver_deliveries.update_status(caller, order_id, body)
