"""Fields of items: windows, first and last days, in requests, menus and files."""

import pytest
from comanda.devkit.testing import TestStore

BREAKFAST = {"from": "07:00", "until": "11:00"}
LUNCH = {"days": ["mon", "tue"], "from": "11:00", "until": "14:00"}


async def test_items_have_their_times(store):
    item = await store.item("Soup", sold_at=[BREAKFAST, LUNCH], sold_from="2026-04-15", sold_until="2026-06-24")
    bread = await store.item("Bread")

    changed = await store.send("PUT", f"/menu/items/{item['id']}", {"sold_at": [], "sold_from": None})

    assert (item["sold_at"], item["sold_from"]) == ([BREAKFAST, LUNCH], "2026-04-15")
    assert changed["sold_until"] == "2026-06-24"
    assert not {"sold_at", "sold_from"} & changed.document.keys()
    assert not {"sold_at", "sold_from", "sold_until", "is_sold_now", "sold_now_changes_at"} & bread.keys()


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"sold_at": [{"from": "7", "until": "24:00"}]},
         {"sold_at.0.from": ["Must be a time of day such as 18:30."],
          "sold_at.0.until": ["Must be a time of day such as 18:30."]}),
        ({"sold_at": [{"from": "07:00"}]}, {"sold_at.0.until": ["This field is required."]}),
        ({"sold_at": [BREAKFAST] * 11}, {"sold_at": ["Must contain at most 10 items."]}),
        ({"sold_from": "2026-04-15", "sold_until": "2026-04-14"},
         {"sold_until": ["Must not be before the first day of sale."]}),
    ],
)  # fmt: skip
async def test_invalid_times_are_refused(store, fields, errors):
    item = await store.item("Soup")

    refused = await store.send("PUT", f"/menu/items/{item['id']}", fields)

    assert (refused.status, refused.errors) == (422, errors)
    assert "sold_at" not in (await store.get(f"/menu/items/{item['id']}")).document


async def test_an_unknown_day_is_refused(store):
    item = await store.item("Soup")

    refused = await store.send("PUT", f"/menu/items/{item['id']}", {"sold_at": [{**BREAKFAST, "days": ["monday"]}]})

    assert refused.errors.keys() == {"sold_at.0.days.0"}


@pytest.mark.parametrize("store_type", ["retail", "cosmetic", "clothing", "carparts", "pharmacy", "laundry", "hotel"])
async def test_items_of_all_store_types_have_times(client, owner, store_type):
    store = TestStore(client, owner, await owner.store(store_type))

    item = await store.item("Thing", sold_at=[{**BREAKFAST, "days": ["sun", "sat"]}])

    assert item["sold_at"] == [{"days": ["sat", "sun"], **BREAKFAST}]


@pytest.mark.parametrize(("kind", "content_type"), [("json", "application/json"), ("csv", "text/csv")])
async def test_files_hold_the_times(client, store, kind, content_type):
    category = await store.category("All")
    await store.item("Soup", category_id=category, sold_at=[BREAKFAST, LUNCH], sold_from="2026-04-15")
    await store.item("Bread", category_id=category)
    path = f"/api/v1/restaurants/{store.id}/menu"
    exported = await (await client.get(f"{path}/export?format={kind}", headers=store.owner.auth)).get_data()
    headers = {**store.owner.auth, "Content-Type": content_type}

    same = await (await client.post(f"{path}/import", headers=headers, data=exported)).get_json()
    later = await client.post(f"{path}/import", headers=headers, data=exported.replace(b"07:00", b"08:00"))

    assert same["changes"] == []
    assert len((await later.get_json())["changes"]) == 1
    (soup, _) = (await store.get("/menu")).document[0]["items"]
    assert soup["sold_at"] == [{"from": "08:00", "until": "11:00"}, LUNCH]


async def test_a_whole_category_gets_times_at_once(store, bulk_ids, published):
    before = len(await published())

    reply = await store.send("PATCH", "/menu/items", {"item_ids": bulk_ids, "sold_at": [LUNCH], "sold_from": None})

    assert (reply.status, reply.document) == (200, {"items_count": 3})
    items = (await store.get("/menu")).document[0]["items"]
    assert [each["sold_at"] for each in items] == [[LUNCH]] * 3
    assert [each.get("calories") for each in items] == [120, None, None]
    assert [each.get("sold_until") for each in items] == [None, None, "2026-06-24"]
    assert "sold_from" not in items[2]
    assert len((await published())[before:]) == 3


async def test_times_that_do_not_fit_one_item_change_none(store, bulk_ids):
    refused = await store.send(
        "PATCH", "/menu/items", {"item_ids": bulk_ids, "sold_from": "2026-06-25", "is_popular": True}
    )

    assert refused.errors == {"sold_until": ["Must not be before the first day of sale."]}
    items = (await store.get("/menu")).document[0]["items"]
    assert [(each.get("sold_from"), each["is_popular"]) for each in items] == [
        (None, False), (None, False), ("2026-04-15", False),
    ]  # fmt: skip


@pytest.fixture
async def bulk_ids(store):
    category = await store.category("All")
    fields = [{"calories": 120}, {}, {"sold_from": "2026-04-15", "sold_until": "2026-06-24"}]
    return [
        (await store.item(f"Dish {number}", category_id=category, **each))["id"] for number, each in enumerate(fields)
    ]


async def test_fields_in_tables_of_plugins_are_not_changed_at_once(client, owner):
    shop = TestStore(client, owner, await owner.store("retail"))
    item = await shop.item("Lamp", brand="Acme")

    refused = await shop.send("PATCH", "/menu/items", {"item_ids": [item["id"]], "brand": "Alba"})

    assert refused.errors == {"brand": ["Cannot be changed in several items at once."]}
    assert (await shop.get(f"/menu/items/{item['id']}"))["brand"] == "Acme"
