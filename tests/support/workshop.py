"""Creation of records of one owner through the API, for tests that call every route.

What stands in a route's path and body is known here for core's routes. A plugin's tests add theirs in a file
``contract.py`` beside them, with any of the names ``FACTORIES``, ``BODIES``, ``STORE_TYPES``, ``HOLDERS``,
``PAGE_CALLERS`` and ``OWNERS_APART``, which mean what they mean here.
"""

import importlib.util
import re
from base64 import b64encode
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from pathlib import Path
from typing import Any

from comanda.contracts.opening_hours import DAYS
from comanda.contracts.requests.routes import API_PREFIX
from comanda.devkit.testing import process_queue
from comanda.menu.imports import background
from comanda.platform.db import sql
from photographs import picture

TESTS = Path(__file__).parents[1]


class Workshop:
    """Creates records of one owner, in the store ``home`` if a path does not name one.

    ``marker`` is a word that stands in names that it makes there, and ``holder_id`` who holds the token of a test that
    is about a kind of token other than the owner's.
    """

    def __init__(self, client, owner, home=None, marker="Nobody"):
        self.client, self.owner, self.home, self.marker = client, owner, home, marker
        self.holder_id = None

    async def post(self, path, body):
        """Create something and return its id."""
        response = await self.client.post(API_PREFIX + path, headers=self.owner.auth, json=body)
        document = await response.get_json()
        assert response.status_code == 201, document
        return document["id"]

    async def get(self, path):
        """Return a record."""
        response = await self.client.get(API_PREFIX + path, headers=self.owner.auth)
        assert response.status_code == 200
        return await response.get_json()

    async def menu_import(self, store_id):
        path = f"{API_PREFIX}/restaurants/{store_id}/menu/imports"
        response = await self.client.post(path, headers=self.owner.auth, json={"dry_run": True, "menu": []})
        await process_queue(background.QUEUE)
        return (await response.get_json())["id"]

    async def category(self, store_id):
        return await self.post(f"/restaurants/{store_id}/menu/categories", {"name": "Soups"})

    async def item(self, store_id, **fields):
        body = {"name": "Minestrone", "price": 7.5, "category_id": await self.category(store_id), **fields}
        return await self.post(f"/restaurants/{store_id}/menu/items", body)

    async def variant(self, store_id, item_id):
        return await self.post(f"/restaurants/{store_id}/menu/items/{item_id}/variants", {"name": "Large", "price": 9})

    async def price_list(self, store_id):
        return await self.post(f"/restaurants/{store_id}/menu/price-lists", {"name": "Lunch", "percent": -10})

    async def photo(self, store_id, item_id):
        return await self.post(f"/restaurants/{store_id}/menu/items/{item_id}/photos", photo_body())

    async def order(self, store_id, **fields):
        body = {"type": "takeaway", "items": [{"item_id": await self.item(store_id), "quantity": 2}], **fields}
        return await self.post(f"/restaurants/{store_id}/orders", body)

    async def token(self):
        return await self.post("/tokens", {"name": "Books", "scopes": ["orders:read"]})

    async def store(self):
        return await self.owner.store()

    async def slug(self):
        """Return the address of a store; of the one that the holder of a token belongs to, if there is one."""
        return await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", self.home or await self.store())

    async def store_of(self, slug):
        """Return the id of the store with an address."""
        return await sql.fetch_value("SELECT id FROM core_store WHERE slug = $1 AND owner_id = $2", slug, self.owner.id)

    async def track_token(self):
        store_id = await self.store()
        path = f"{API_PREFIX}/restaurants/{store_id}/orders/{await self.order(store_id)}"
        return (await (await self.client.get(path, headers=self.owner.auth)).get_json())["track_token"]

    async def ids_of(self, route):
        """Create the records that the path of a route refers to, and return their ids in order."""
        ids: list[Any] = []
        for position in positions(route):
            ids.append(await self.create(position, store_type_of(route), *ids))
        return ids

    async def create(self, position, store_type, *ids):
        """Create the record that stands in a place of a path, after those with the ids, and return its id."""
        if position == "/restaurants/{id}":
            return await self.owner.store(store_type)
        factory = FACTORIES.get(f"{store_type} {position}") or FACTORIES.get(position)
        assert factory is not None, (
            f"There are routes with the parameter {position}: add to FACTORIES in contract.py beside the plugin's "
            "tests how to make one, so that tests of every route can try another owner's."
        )
        return await factory(self, *ids)

    async def body_of(self, route, ids):
        """Return a completely valid body, so that only what a test changes can fail."""
        if route.binding.body is None:
            return None
        if self.home is not None and not route.path.startswith("/restaurants/{id}"):
            ids = [self.home, *ids]
        if route.path.startswith("/s/{slug}"):
            ids = [await self.store_of(ids[0]), *ids[1:]]
        return dict(await self.create_body(route.binding.body.__name__, *ids))

    async def create_body(self, name, *ids):
        """Return a body of the model with the name, and create what it refers to."""
        made = BODIES.get(name, {})
        if callable(made):
            made = made(self, *ids)
        return await made if isawaitable(made) else made

    async def page_headers(self, route, ids):
        """Return what the pages of this host send with a call of a route, as the guest that it is for."""
        headers = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}
        for path, sign_in in PAGE_CALLERS.items():
            if route.path.startswith(path):
                headers.update(await sign_in(self, *ids[:1]))
        return headers


class PreparedWorkshop(Workshop):
    """Creates each record and each body once, for requests that change nothing."""

    def __init__(self, *values):
        super().__init__(*values)
        self._records, self._bodies = {}, {}

    async def create(self, *place):
        if place not in self._records:
            self._records[place] = await super().create(*place)
        return self._records[place]

    async def create_body(self, *place):
        if place not in self._bodies:
            self._bodies[place] = await super().create_body(*place)
        return self._bodies[place]


def positions(route):
    """Return the path of a route up to each of its parameters."""
    return [route.path[: found.end()] for found in re.finditer(r"\{\w+\}", route.path)]


def store_type_of(route):
    """Return the store type that a route needs, by the longest matching path prefix."""
    fitting = [path for path in STORE_TYPES if route.path.startswith(path)]
    return STORE_TYPES[max(fitting, key=len)] if fitting else "restaurant"


def photo_body():
    return {"image_base64": b64encode(picture()).decode(), "alt": "Stolen"}


async def line(workshop, store_id, order_id):
    """Return the id of an order's line."""
    order = await workshop.get(f"/restaurants/{store_id}/orders/{order_id}")
    return order["items"][0]["id"]


async def discount(workshop, store_id, order_id):
    """Give a discount on an order, and return its number."""
    path = f"/restaurants/{store_id}/orders/{order_id}/discounts"
    await workshop.post(path, {"percent": 10, "reason": "Regular guest"})
    return 1


async def round_body(workshop, store_id, *_):
    return {"items": [{"item_id": await workshop.item(store_id), "quantity": 2, "seat": 1, "course": 2, "note": "x"}]}


async def merge_body(workshop, store_id, *_):
    return {"order_id": await workshop.order(store_id)}


async def split_body(workshop, store_id, order_id, *_):
    return {"lines": [{"line_id": await line(workshop, store_id, order_id), "quantity": 1}]}


EXTRAS = [{"name": "Garlic", "price": 1}]


async def item_body(workshop, store_id, *_):
    return {
        "description": "Hot", "image_url": "https://a.example/x.png", "tax_rate": 7, "stock": 5, "calories": 9,
        "is_vegan": True, "name": "Stolen", "price": 3.5, "category_id": await workshop.category(store_id),
        "position": 1, "gallery": [{"url": "https://a.example/y.png", "alt": "Stolen"}],
        "variations": [{"name": "Big", "price": 4}],
        "extra_groups": [{"name": "More", "extras": EXTRAS}],
    }  # fmt: skip


async def items_body(workshop, store_id, *_):
    return {"item_ids": [await workshop.item(store_id), await workshop.item(store_id)]}


async def items_change_body(workshop, store_id, *_):
    return {**await items_body(workshop, store_id), "is_sold_out": True, "until": "2030-01-01T00:00:00Z"}


async def price_change_body(workshop, store_id, *_):
    return {**await items_body(workshop, store_id), "percent": 5, "round_to": 0.05}


async def price_list_body(workshop, store_id, *_):
    item_id = await workshop.item(store_id)
    return {
        "name": "Stolen", "is_active": True, "position": 1, "modes": ["takeaway"], "channels": ["staff"],
        "valid_at": [{"days": ["mon"], "from": "16:00", "until": "18:00"}], "percent": 5, "round_to": 0.05,
        "minus": 0.01, "category_ids": [await workshop.category(store_id)],
        "prices": [{"item_id": item_id, "variation": await workshop.variant(store_id, item_id), "price": 1}],
    }  # fmt: skip


async def positions_body(workshop, store_id, *_):
    category_ids = [await workshop.category(store_id), await workshop.category(store_id)]
    items = [await workshop.item(store_id, category_id=category_ids[0]) for _ in range(2)]
    return {"category_ids": category_ids[::-1], "item_ids": items[::-1]}


async def order_body(workshop, store_id, *_):
    return {
        "type": "delivery",
        "items": [{"item_id": await workshop.item(store_id), "quantity": 2, "extras": [], "note": "x"}],
        "customer_name": "x", "phone": "x", "address": "x", "table_number": "4", "tip_amount": 1, "note": "x",
        "source": "x", "scheduled_for": "2030-01-01T00:00:00Z", "room_number": "9",
    }  # fmt: skip


async def logo(workshop, *ids):
    """Return the name of a picture that every store may have."""
    return "logo"


# How to make what stands in each place of a path: the path up to the parameter, and a function of the workshop and of
# the ids before it. With a store type and a space before the path it is for routes that are tried in such a store.
FACTORIES: dict[str, Callable[..., Awaitable[Any]]] = {
    "/menu/{restaurantId}": Workshop.store,
    "/track/{token}": Workshop.track_token,
    "/tokens/{tokenId}": Workshop.token,
    "/s/{slug}": Workshop.slug,
    "/restaurants/{id}/pictures/{kind}": logo,
    "/restaurants/{id}/orders/{orderId}": Workshop.order,
    "/restaurants/{id}/orders/{orderId}/lines/{lineId}": line,
    "/restaurants/{id}/orders/{orderId}/discounts/{discountId}": discount,
    "/restaurants/{id}/menu/imports/{importId}": Workshop.menu_import,
    "/restaurants/{id}/menu/categories/{categoryId}": Workshop.category,
    "/restaurants/{id}/menu/price-lists/{priceListId}": Workshop.price_list,
    "/restaurants/{id}/menu/items/{itemId}": Workshop.item,
    "/restaurants/{id}/menu/items/{itemId}/variants/{variantId}": Workshop.variant,
    "/restaurants/{id}/menu/items/{itemId}/photos/{photoId}": Workshop.photo,
}

# Bodies that pass and would change something, with every field that reaches further than the others, by the name of
# their model; or functions of the workshop and the ids in the path.
BODIES: dict[str, Any] = {
    "CategoryBody": {"name": "Stolen", "position": 1, "is_active": True},
    "CategoryChange": {"name": "Stolen", "position": 1, "is_active": True},
    "ItemBody": item_body,
    "ItemChange": item_body,
    "ItemsChange": items_change_body,
    "ItemsDeletion": items_body,
    "PriceChangeBody": price_change_body,
    "PriceListBody": price_list_body,
    "PriceListChange": price_list_body,
    "PositionsBody": positions_body,
    "PictureUpload": photo_body(),
    "StorePictureUpload": photo_body(),
    "MenuImportBody": {
        "remove_missing": True,
        "menu": [
            {"name": "Stolen", "items": [{"name": "Stolen", "price": 1, "variations": [{"name": "L", "price": 2}]}]}
        ],
    },
    "SoldOutBody": {"is_sold_out": True, "until": "2030-01-01T00:00:00Z"},
    "VariantBody": {"name": "Stolen", "price": 1, "sku": "a", "options": {"size": "L"}, "stock": 3},
    "VariantChange": {"name": "Stolen", "price": 1, "barcode": "a", "options": {"size": "L"}, "stock": 3},
    "SettingsChange": {
        "title": "Stolen",
        "mode_tax_rates": {"takeaway": 7},
        "service_charge_modes": ["on-table"],
        "hours": {
            **{day: [{"open": "08:00", "close": "18:00"}] for day in DAYS},
            "exceptions": [{"date": "2030-12-25", "is_closed": True, "intervals": [], "note": "Christmas"}],
        },
    },
    "StoreBody": {"title": "Stolen", "store_type": "restaurant"},
    "TokenBody": {"name": "Stolen", "scopes": ["orders:read"]},
    "PaceBody": {"status": "busy", "delay_minutes": 15},
    "OrderBody": order_body,
    "StatusBody": {"status": "cancelled", "note": "x"},
    "AddLinesBody": round_body,
    "LineChangeBody": {"note": "Stolen", "seat": 1, "course": 1},
    "VoidBody": {"quantity": 1, "reason": "Stolen"},
    "DiscountBody": {"percent": 10, "reason": "Stolen"},
    "MoveBody": {"table_number": "9"},
    "MergeBody": merge_body,
    "OrderSplitBody": split_body,
    "ReopenBody": {"reason": "Stolen"},
}

# How to make a token of a kind of caller that belongs to somebody in a store: by the kind's code, a function of the
# workshop that returns the headers, with what that person has there bearing the workshop's ``marker``.
HOLDERS: dict[str, Callable[[Workshop], Awaitable[dict[str, str]]]] = {}

# How a guest who is signed in calls the routes of pages under a path: a function of the workshop and of the first id in
# the path that returns the headers.
PAGE_CALLERS: dict[str, Callable[..., Awaitable[dict[str, str]]]] = {}

# The type of the stores in which routes under a path are tried, where that is not `restaurant`.
STORE_TYPES: dict[str, str] = {}

# Paths whose records exclude others of the same owner, with the reason: they are tried with owners that have no others.
OWNERS_APART: dict[str, str] = {}

TOGETHER = {
    "FACTORIES": FACTORIES,
    "BODIES": BODIES,
    "STORE_TYPES": STORE_TYPES,
    "HOLDERS": HOLDERS,
    "PAGE_CALLERS": PAGE_CALLERS,
    "OWNERS_APART": OWNERS_APART,
}


def _gather() -> None:
    for file in sorted(TESTS.glob("*/*/contract.py")):
        name = f"contract_of_{file.parent.name}_{file.parent.parent.name}"
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for found, all_of_them in TOGETHER.items():
            mine = getattr(module, found, {})
            assert not mine.keys() & all_of_them.keys(), f"{file} names again: {mine.keys() & all_of_them.keys()}"
            all_of_them.update(mine)


_gather()
