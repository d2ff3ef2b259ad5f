"""What the script of a store's page sends: orders, and questions of what they would cost."""

from typing import Any
from urllib.parse import urlsplit

from comanda import runtime
from comanda.contracts.calls import JSON, Answer, Call, Unvalidated
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.routes import PUBLIC, Routes
from comanda.errors import Forbidden, UnsupportedMediaType

from comanda_storefront.pages import checkout
from comanda_storefront.pages.schemas import Quoted
from comanda_storefront.shop_schemas import PlacedOrder

# Guests at the tables of one store often share one address.
CALLS_PER_MINUTE = 300
ORDERS_PER_MINUTE = 30

routes = Routes("Storefront pages", callers=PUBLIC, prefix="", is_documented=False)


@routes.post("/s/{slug}/quote", status=200, answers=Quoted)
async def quote(call: Call, slug: str) -> dict[str, Any]:
    """Tell what an order would cost now."""
    await _admit(call)
    return await checkout.quote(slug, Unvalidated(OrderBody, call.body))


@routes.post("/s/{slug}/orders", answers=PlacedOrder)
async def place_order(call: Call, slug: str) -> Answer:
    """Place an order from the store's page; with a ``client_uuid`` seen before, answer with that order."""
    await _admit(call)
    await call.count(f"storefront-page-orders:{slug[:100]}:{call.client_network}", ORDERS_PER_MINUTE)
    made = await checkout.order(slug, Unvalidated(OrderBody, call.body))
    return made.answer()


async def _admit(call: Call) -> None:
    """Count a call against its client's address, and refuse what no page of ours sends.

    Raises ``LimitExceeded``, ``Forbidden``, ``UnsupportedMediaType``.
    """
    await call.count(f"storefront-page:{call.client_network}", CALLS_PER_MINUTE)
    if not _is_same_origin(call):
        raise Forbidden("Orders are taken from this store's own page.")
    if call.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise UnsupportedMediaType


def _is_same_origin(call: Call) -> bool:
    """Tell whether a browser says that a page of this host sends it; browsers do not let pages forge these headers."""
    if call.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    try:
        origin = urlsplit(call.headers.get("origin", "")).netloc
    except ValueError:
        return False
    return bool(origin) and origin in {call.headers.get("host"), urlsplit(runtime.settings().site_url).netloc}
