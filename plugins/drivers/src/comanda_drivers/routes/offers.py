"""Offers to the calling driver."""

from comanda.contracts import ANY_SCOPE, Caller, PageRequest, RecordPage, Routes

from comanda_drivers.records.deliveries import Delivery, OpenOffer
from comanda_drivers.schemas.offers import OfferRejected, OfferRejection
from comanda_drivers.services.dispatch import offer_responses

routes = Routes("Driver", callers=("driver",))


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
