"""Offers and earnings, as drivers see them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import ANY_SCOPE, Routes

from comanda_drivers.schemas.deliveries import DriverDelivery
from comanda_drivers.schemas.earnings import Earnings, EarningsQuery
from comanda_drivers.schemas.offers import DeliveryOffer, OfferRejected, OfferRejection
from comanda_drivers.services import answering, earning

routes = Routes("Driver", callers=("driver",))


@routes.get("/driver/offers", scope=ANY_SCOPE, cors=True, answers=Page[DeliveryOffer])
async def list_offers(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List what is offered to oneself alone, newest first, 20 per page; each until its ``expires_at``."""
    return await answering.page_of_offers(caller, page)


@routes.post("/driver/offers/{offerId}/accept", scope=ANY_SCOPE, cors=True, status=200, answers=DriverDelivery)
async def accept_offer(caller: Caller, offer_id: int) -> dict[str, Any]:
    """Take what is offered; 409 with the ``reason`` ``offer_expired`` once it is too late."""
    return await answering.accept(caller, offer_id)


@routes.post("/driver/offers/{offerId}/reject", scope=ANY_SCOPE, cors=True, status=200, answers=OfferRejected)
async def reject_offer(caller: Caller, offer_id: int, body: OfferRejection) -> dict[str, Any]:
    """Refuse what is offered, with a ``reason`` if one likes; the next driver is asked at once."""
    return await answering.reject(caller, offer_id, body)


@routes.get("/driver/earnings", scope=ANY_SCOPE, cors=True, answers=Earnings)
async def show_earnings(caller: Caller, query: EarningsQuery) -> dict[str, Any]:
    """Show what one earned from one day to another, this week if none are named; at most 92 days."""
    return await earning.report(caller, query)
