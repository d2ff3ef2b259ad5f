"""Routes for the script of a store's page: quotes and orders."""

from typing import Any
from urllib.parse import urlsplit

from comanda import runtime
from comanda.contracts.calls import JSON, Answer, Call, Unvalidated
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.routes import PUBLIC, Routes
from comanda.errors import Forbidden, UnsupportedMediaType
from comanda.web.sentences import translate_errors
from comanda.web.translations import choose_language, use_language

from comanda_storefront.pages import checkout
from comanda_storefront.schemas.page_orders import Quoted
from comanda_storefront.schemas.storefront import PlacedOrder
from comanda_storefront.services.orders import to_guest_order

# Guests at the tables of a store often share one IP address.
CALLS_PER_MINUTE = 300
ORDERS_PER_MINUTE = 30

routes = Routes("Storefront pages", callers=PUBLIC, prefix="", is_documented=False)


@routes.post("/s/{slug}/quote", status=200, answers=Quoted)
async def quote_order(call: Call, slug: str) -> dict[str, Any]:
    """Price an order without placing it."""
    await _check_request(call)
    with use_language(choose_language(call.headers)), translate_errors():
        return await checkout.quote_order(slug, Unvalidated(OrderBody, call.body))


@routes.post("/s/{slug}/orders", answers=PlacedOrder)
async def place_order(call: Call, slug: str) -> Answer:
    """Place an order from the store's page. A ``client_uuid`` that was used before returns the first order."""
    await _check_request(call)
    await call.count(f"storefront-page-orders:{slug[:100]}:{call.client_network}", ORDERS_PER_MINUTE)
    with use_language(choose_language(call.headers)), translate_errors():
        result = await checkout.place_order(slug, Unvalidated(OrderBody, call.body))
    return result.answer(to_guest_order)


async def _check_request(call: Call) -> None:
    """Check the rate limit of the client's address, the origin and the content type.

    Raises ``LimitExceeded``, ``Forbidden``, ``UnsupportedMediaType``.
    """
    await call.count(f"storefront-page:{call.client_network}", CALLS_PER_MINUTE)
    if not _is_same_origin(call):
        raise Forbidden("Orders are accepted only from this store's own page.")
    if call.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise UnsupportedMediaType


def _is_same_origin(call: Call) -> bool:
    """Return whether the request comes from a page of this host. Pages cannot forge these headers in a browser."""
    if call.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    try:
        origin = urlsplit(call.headers.get("origin", "")).netloc
    except ValueError:
        return False
    return bool(origin) and origin in {call.headers.get("host"), urlsplit(runtime.settings().site_url).netloc}
