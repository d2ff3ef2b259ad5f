"""What a storefront shows of its store: what it is, and the whole menu as ready bytes."""

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

from comanda_storefront.channels import CHANNEL, LIMITS, store_of
from comanda_storefront.shop_schemas import Policies

SHOWN = (
    "id", "title", "slug", "url", "store_type", "vertical", "currency", "timezone", "country", "address", "phone",
    "hours", "is_open", "next_open_at", "closes_at",
)  # fmt: skip


async def menu(caller: Caller, call: Call) -> Answer:
    """Answer with the menu of the token's store, or that the client's copy of it is current.

    Raises ``NotFound`` while the store is not published.
    """
    snapshot = await public_view.get_public_menu(store_of(caller))
    body, etag = _whole(snapshot.public, snapshot.terms.id, snapshot.terms.currency)
    answer = cacheable_answer(call, body, etag)
    # Whose menu it is the token says, so nobody but the client may keep a copy.
    answer.headers |= {"Cache-Control": "private, max-age=0, must-revalidate", "Vary": "X-Storefront-Token"}
    return answer


async def store(caller: Caller) -> dict[str, Any]:
    """Describe the token's store to its guests. Raises ``NotFound`` while it is not published."""
    terms = (await public_view.get_public_menu(store_of(caller))).terms
    found = await stores.get_store(caller, terms.id)
    settings = found["settings_summary"]
    return {
        **{name: found[name] for name in SHOWN},
        "busy": intake_status.to_busy_record(terms.pace.at(clock.now())),
        "modes": [
            {"code": mode.code, "label": mode.label, "required_fields": [name for name, _ in mode.required_fields]}
            for mode in list_modes(terms, CHANNEL)
        ],
        "policies": {name: settings[name] for name in Policies.model_fields},
        "order_limits": {"lines": LIMITS.lines, "quantity": LIMITS.quantity},
    }


# A menu's bytes stay the same object until it changes, so that finding its answer again costs next to nothing.
@lru_cache(maxsize=200)
def _whole(ready: bytes, store_id: int, currency: str) -> tuple[bytes, str]:
    categories = orjson.loads(ready)
    for item in (item for category in categories for item in category["items"]):
        item["gallery"] = item["gallery"] or _main_picture(item)
    body = to_json({"restaurant_id": store_id, "currency": currency, "categories": categories})
    return body, f'W/"{hashlib.sha256(body).hexdigest()[:24]}"'


def _main_picture(item: dict[str, Any]) -> list[dict[str, str]]:
    return [{"url": item["image_url"], "alt": item["name"]}] if item["image_url"] else []
