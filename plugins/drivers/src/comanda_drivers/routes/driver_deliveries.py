"""Deliveries, for the calling driver."""

from comanda.contracts import ANY_SCOPE, Caller, PageRequest, RecordPage, Routes

from comanda_drivers.records.deliveries import AvailableDelivery, Delivery, OpenOffer
from comanda_drivers.schemas.deliveries import DriverDeliveryQuery, OfferRejected, OfferRejection, ProgressBody
from comanda_drivers.services.deliveries import driver_deliveries
from comanda_drivers.services.dispatch import offer_responses

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


@routes.get("/driver/offers", scope=ANY_SCOPE, cors=True)
async def list_offers(caller: Caller, page: PageRequest) -> RecordPage[OpenOffer]:
    """List your open offers, newest first, 20 per page; each is valid until its ``expires_at``."""
    return await offer_responses.list_offers(caller, page)


@routes.post("/driver/offers/{offerId}/accept", scope=ANY_SCOPE, cors=True, status=200)
async def accept_offer(caller: Caller, offer_id: int) -> Delivery:
    """Accept an offer; 409 with the ``reason`` ``offer_expired`` if it is no longer open."""
    return await offer_responses.accept_offer(caller, offer_id)


@routes.post("/driver/offers/{offerId}/reject", scope=ANY_SCOPE, cors=True, status=200)
async def reject_offer(caller: Caller, offer_id: int, body: OfferRejection) -> OfferRejected:
    """Reject an offer, with an optional ``reason``; it goes to the next driver at once."""
    await offer_responses.reject_offer(caller, offer_id, body)
    return OfferRejected(id=offer_id, status="rejected")
