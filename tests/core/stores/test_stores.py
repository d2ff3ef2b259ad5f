"""Stores: listed, shown, created."""

from datetime import datetime

import pytest
from comanda.devkit.testing.stores import TestStore, line
from comanda.errors import ValidationFailed
from comanda.stores import services

RESTAURANT_MODES = ["on-table", "takeaway", "delivery", "room_service"]


async def test_a_list_has_the_owners_stores_newest_first_without_categories(store, owner, other_owner):
    await other_owner.store()
    newer = await owner.store(title="Newer")

    page = (await store.send_to("/api/v1/restaurants")).document

    assert [row["id"] for row in page["data"]] == [newer, store.id]
    assert {name: page[name] for name in ("current_page", "last_page", "per_page", "total")} == {
        "current_page": 1,
        "last_page": 1,
        "per_page": 20,
        "total": 2,
    }
    assert page["data"][0].keys() == {
        "id",
        "title",
        "slug",
        "url",
        "template",
        "created_at",
        "store_type",
        "vertical",
    }
    assert page["data"][0]["store_type"] == "restaurant"


async def test_a_list_is_cut_into_pages_of_twenty(store, owner):
    ids = [await owner.store() for _ in range(20)]

    first = await store.send_to("/api/v1/restaurants")
    second = await store.send_to("/api/v1/restaurants?page=2")
    beyond = await store.send_to("/api/v1/restaurants?page=3")
    crooked = await store.send_to("/api/v1/restaurants?page=-1")

    assert [row["id"] for row in first["data"]] == ids[::-1]
    assert [row["id"] for row in second["data"]] == [store.id]
    assert (second["current_page"], second["last_page"], second["total"]) == (2, 2, 21)
    assert (beyond["data"], beyond["current_page"], beyond["total"]) == ([], 3, 21)
    assert crooked["current_page"] == 1


async def test_an_owner_without_stores_gets_one_empty_page(client, other_owner):
    reply = await TestStore(client, other_owner, 0).send_to("/api/v1/restaurants")

    assert (reply["data"], reply["last_page"], reply["total"]) == ([], 1, 0)


async def test_a_store_shows_its_vertical_with_booleans_for_every_capability(store):
    vertical = (await store.get())["vertical"]

    assert vertical.keys() == {"label", "group", "capabilities", "fulfillment_modes"}
    assert (vertical["label"], vertical["group"]) == ("Restaurant", "food")
    assert vertical["fulfillment_modes"] == RESTAURANT_MODES
    assert {code for code, has in vertical["capabilities"].items() if has} == {
        "modifiers",
        "dietary",
        "kds",
        "tables",
        "reservations",
    }
    assert {"variants", "stock", "brand", "fitment", "age_gate", "expiry", "rooms"} <= vertical["capabilities"].keys()
    assert all(isinstance(has, bool) for has in vertical["capabilities"].values())


async def test_a_store_counts_its_items_by_category(store):
    soups = await store.category("Soups", position=2)
    pasta = await store.category("Pasta", position=1)
    await store.category("Nothing yet", position=3)
    await store.item("Minestrone", category_id=soups)
    gone = await store.item("Brodo", category_id=soups)
    await store.item("Penne", category_id=pasta)
    await store.send("PATCH", f"/menu/items/{gone['id']}/sold-out")

    shown = (await store.get()).document

    assert [(row["name"], row["items_count"]) for row in shown["categories"]] == [
        ("Pasta", 1),
        ("Soups", 2),
        ("Nothing yet", 0),
    ]
    assert (shown["items_count"], shown["sold_out_count"]) == (3, 1)
    assert (shown["currency"], shown["timezone"], shown["is_open"]) == ("EUR", "UTC", True)
    assert datetime.fromisoformat(shown["created_at"]).utcoffset() is not None
    assert shown["settings_summary"]["title"] == shown["title"]


async def test_an_item_that_returned_is_not_counted_as_sold_out(store, clock):
    soup = await store.item()
    until = clock().replace(year=clock().year + 1).isoformat()
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {"is_sold_out": True, "until": until})
    assert (await store.get())["sold_out_count"] == 1

    clock.advance(days=367)

    assert (await store.get())["sold_out_count"] == 0


@pytest.mark.parametrize("path", ["", "/settings", "/menu", "/orders"])
async def test_a_store_of_another_owner_looks_missing(store, client, other_owner, path):
    stranger = TestStore(client, other_owner, store.id)

    assert (await stranger.send("GET", path)).status == 404


async def test_a_store_of_a_vertical_that_is_gone_is_still_listed_and_takes_no_orders(store, runtime, monkeypatch):
    soup = await store.item()
    monkeypatch.setattr(type(runtime.registry), "verticals", {}, raising=False)

    listed = (await store.send_to("/api/v1/restaurants")).document["data"][0]
    await store.send("PUT", "/settings", {"title": "Still here"})  # a new version of the menu
    refused = await store.place(line(soup))

    assert listed["vertical"] == {
        "label": "restaurant",
        "group": None,
        "capabilities": {},
        "fulfillment_modes": [],
    }
    assert refused.errors == {"type": ["This store takes: no orders, as its vertical is not installed."]}


async def test_creating_a_store_refuses_what_it_does_not_know(owner):
    with pytest.raises(ValidationFailed) as unknown_type:
        await services.create_store(owner.id, "Shop", "circus")
    with pytest.raises(ValidationFailed) as unknown_currency:
        await services.create_store(owner.id, "Shop", "restaurant", currency="DOG")
    with pytest.raises(ValidationFailed) as unknown_zone:
        await services.create_store(owner.id, "Shop", "restaurant", timezone="Europe/Atlantis")

    assert unknown_type.value.errors.keys() == {"store_type"}
    assert "restaurant" in unknown_type.value.errors["store_type"][0]
    assert unknown_currency.value.errors.keys() == {"currency"}
    assert unknown_zone.value.errors.keys() == {"timezone"}


async def test_two_stores_cannot_share_an_address(owner):
    slug = f"only-one-{owner.id}"
    await services.create_store(owner.id, "First", "restaurant", slug=slug)

    with pytest.raises(ValidationFailed) as taken:
        await services.create_store(owner.id, "Second", "restaurant", slug=slug)

    assert taken.value.errors.keys() == {"slug"}


@pytest.mark.parametrize(
    ("title", "slug"),
    [("Trattoria da Zoë", "trattoria-da-zoe"), ("  A & B  ", "a-b"), ("食堂", "store"), ("x" * 300, "x" * 100)],
)
def test_a_title_becomes_an_address(title, slug):
    assert services.slugify(title) == slug
