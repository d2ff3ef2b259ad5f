"""The public data and the menu of a storefront's store."""

import hashlib
from functools import lru_cache

import orjson
from comanda.basics import clock, to_json
from comanda.contracts import Answer, Call, Caller
from comanda.menu import PriceChannel, get_at_prices, public_view
from comanda.orders import list_modes
from comanda.platform.http import cacheable_answer
from comanda.stores import services as stores

from comanda_storefront.records import PublicStore
from comanda_storefront.services.channels import ORDER_LIMITS, STOREFRONT_CHANNEL


async def get_menu(caller: Caller, call: Call, mode: str | None) -> Answer:
    """Return the menu of the token's store, at the prices of a mode, with ETag; 304 if the client's copy is current.

    Raises ``NotFound`` while the store is not published.
    """
    menu = await public_view.get_public_menu(caller.known_store_id, with_participants=False)
    snapshot = await get_at_prices(menu, mode, PriceChannel.STOREFRONT)
    body, etag = _encode_menu(snapshot.public, snapshot.terms.id, snapshot.terms.currency)
    answer = cacheable_answer(call, body, etag)
    # The menu depends on the token, so only the client itself may cache it.
    answer.headers |= {"Cache-Control": "private, max-age=0, must-revalidate", "Vary": "X-Storefront-Token"}
    return answer


async def get_store(caller: Caller) -> PublicStore:
    """Return the public data of the token's store. Raises ``NotFound`` while it is not published."""
    terms = (await public_view.get_public_menu(caller.known_store_id)).terms
    return PublicStore(
        store=await stores.get_store(caller, terms.id),
        busy=terms.pace.at(clock.now()),
        modes=tuple(list_modes(terms, STOREFRONT_CHANNEL)),
        order_limits=ORDER_LIMITS,
    )


# The menu's bytes are the same object until it changes, so a cache lookup is cheap.
@lru_cache(maxsize=200)
def _encode_menu(ready: bytes, store_id: int, currency: str) -> tuple[bytes, str]:
    categories = orjson.loads(ready)
    for item in (item for category in categories for item in category["items"]):
        item["gallery"] = item["gallery"] or _to_gallery(item["image_url"], item["name"])
    body = to_json({"restaurant_id": store_id, "currency": currency, "categories": categories})
    return body, f'W/"{hashlib.sha256(body).hexdigest()[:24]}"'


def _to_gallery(image_url: str | None, name: str) -> list[dict[str, str]]:
    return [{"url": image_url, "alt": name}] if image_url else []
