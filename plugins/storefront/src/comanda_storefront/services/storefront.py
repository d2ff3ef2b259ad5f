"""The public data and the menu of a storefront's store."""

import hashlib
from functools import lru_cache
from typing import Any

import orjson
from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call
from comanda.encoding import to_json
from comanda.http.answers import cacheable_answer
from comanda.menu import public_view
from comanda.orders.draft import list_modes
from comanda.stores import intake_status
from comanda.stores import services as stores

from comanda_storefront.schemas.storefront import Policies
from comanda_storefront.services.channels import ORDER_LIMITS, STOREFRONT_CHANNEL, get_store_id

STORE_FIELDS = (
    "id", "title", "slug", "url", "store_type", "vertical", "currency", "timezone", "country", "address", "phone",
    "hours", "is_open", "next_open_at", "closes_at",
)  # fmt: skip


async def get_menu(caller: Caller, call: Call) -> Answer:
    """Return the menu of the token's store as a response with ETag, 304 if the client's copy is current.

    Raises ``NotFound`` while the store is not published.
    """
    snapshot = await public_view.get_public_menu(get_store_id(caller))
    body, etag = _encode_menu(snapshot.public, snapshot.terms.id, snapshot.terms.currency)
    answer = cacheable_answer(call, body, etag)
    # The menu depends on the token, so only the client itself may cache it.
    answer.headers |= {"Cache-Control": "private, max-age=0, must-revalidate", "Vary": "X-Storefront-Token"}
    return answer


async def get_store(caller: Caller) -> dict[str, Any]:
    """Return the public data of the token's store. Raises ``NotFound`` while it is not published."""
    terms = (await public_view.get_public_menu(get_store_id(caller))).terms
    found = await stores.get_store(caller, terms.id)
    settings = found["settings_summary"]
    return {
        **{name: found[name] for name in STORE_FIELDS},
        "busy": intake_status.to_busy_record(terms.pace.at(clock.now())),
        "modes": [
            {"code": mode.code, "label": mode.label, "required_fields": [name for name, _ in mode.required_fields]}
            for mode in list_modes(terms, STOREFRONT_CHANNEL)
        ],
        "policies": {name: settings[name] for name in Policies.model_fields},
        "order_limits": {"lines": ORDER_LIMITS.lines, "quantity": ORDER_LIMITS.quantity},
    }


# The menu's bytes are the same object until it changes, so a cache lookup is cheap.
@lru_cache(maxsize=200)
def _encode_menu(ready: bytes, store_id: int, currency: str) -> tuple[bytes, str]:
    categories = orjson.loads(ready)
    for item in (item for category in categories for item in category["items"]):
        item["gallery"] = item["gallery"] or _to_gallery(item)
    body = to_json({"restaurant_id": store_id, "currency": currency, "categories": categories})
    return body, f'W/"{hashlib.sha256(body).hexdigest()[:24]}"'


def _to_gallery(item: dict[str, Any]) -> list[dict[str, str]]:
    return [{"url": item["image_url"], "alt": item["name"]}] if item["image_url"] else []
