"""Offers and earnings, as drivers see them."""

from typing import Any

from comanda.accounts.kinds import Caller
from comanda.http.paging import Page, PageRequest
from comanda.http.routes import ANY_SCOPE, Routes

from comanda_drivers.schemas.deliveries import DriverDelivery
from comanda_drivers.schemas.offers import DeliveryOffer, OfferRejected, OfferRejection
from comanda_drivers.services import offer_responses

routes = Routes("Driver", callers=("driver",))


@routes.get("/driver/offers", scope=ANY_SCOPE, cors=True, answers=Page[DeliveryOffer])
async def list_offers(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List what is offered to oneself alone, newest first, 20 per page; each until its ``expires_at``."""
    return await offer_responses.list_offers(caller, page)


@routes.post("/driver/offers/{offerId}/accept", scope=ANY_SCOPE, cors=True, status=200, answers=DriverDelivery)
async def accept_offer(caller: Caller, offer_id: int) -> dict[str, Any]:
    """Take what is offered; 409 with the ``reason`` ``offer_expired`` once it is too late."""
    return await offer_responses.accept_offer(caller, offer_id)


@routes.post("/driver/offers/{offerId}/reject", scope=ANY_SCOPE, cors=True, status=200, answers=OfferRejected)
async def reject_offer(caller: Caller, offer_id: int, body: OfferRejection) -> dict[str, Any]:
    """Refuse what is offered, with a ``reason`` if one likes; the next driver is asked at once."""
    return await offer_responses.reject_offer(caller, offer_id, body)
