"""Changes of many prices, with rounding and a preview."""

from decimal import Decimal

import pytest
from comanda.menu.changes.price_changes import PriceRule


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        (PriceRule(Decimal("10"), 0, 1, 0), 945, 1040),
        (PriceRule(Decimal("-12.5"), 0, 1, 0), 999, 874),
        (PriceRule(Decimal("5"), 0, 50, 0), 980, 1050),
        (PriceRule(Decimal("5"), 0, 100, 1), 980, 999),
        (PriceRule(None, 30, 1, 0), 470, 500),
        (PriceRule(None, -30, 10, 0), 475, 450),
        (PriceRule(Decimal("50"), 0, 100, 1), 0, 0),
    ],
)
def test_rule_rounds_halves_up_and_keeps_free_things_free(rule, before, after):
    assert rule.apply(before) == after


async def test_preview_changes_nothing_and_is_then_applied(store, published):
    soup = await store.item("Soup", 9.5, variations=[{"name": "Large", "price": 12}])
    free = await store.item("Water", 0)
    before = len(await published())
    body = {"percent": 10, "round_to": 0.1, "minus": 0.01}

    seen = await store.send("POST", "/menu/prices", {**body, "preview": True})
    untouched = (await store.get(f"/menu/items/{soup['id']}")).document
    done = await store.send("POST", "/menu/prices", {**body, "checksum": seen["checksum"]})

    assert untouched["price"] == 9.5
    assert [(row["choice"], row["old_price"], row["new_price"]) for row in seen["changes"]] == [
        (None, 9.5, 10.49),
        ("Large", 12, 13.19),
    ]
    assert (seen["items_count"], seen["prices_count"]) == (1, 2)
    assert done.document == {**seen.document, "preview": False}
    changed = (await store.get(f"/menu/items/{soup['id']}")).document
    assert (changed["price"], changed["variations"][0]["price"]) == (10.49, 13.19)
    assert (await store.get(f"/menu/items/{free['id']}"))["price"] == 0
    assert [data["id"] for _, data in (await published())[before:]] == [soup["id"]]


async def test_outdated_preview_is_refused(store):
    soup = await store.item("Soup", 9.5)
    seen = await store.send("POST", "/menu/prices", {"amount": 1, "preview": True})
    await store.send("PUT", f"/menu/items/{soup['id']}", {"price": 8})

    reply = await store.send("POST", "/menu/prices", {"amount": 1, "checksum": seen["checksum"]})

    assert (reply.status, reply["reason"]) == (409, "preview_outdated")
    assert (await store.get(f"/menu/items/{soup['id']}"))["price"] == 8


async def test_only_chosen_items_and_extras_change(store):
    groups = [{"name": "Top", "extras": [{"name": "Ham", "price": 2}, {"name": "None", "price": 0}]}]
    soup = await store.item("Soup", 5, extra_groups=groups)
    salad = await store.item("Salad", 5)

    await store.send("POST", "/menu/prices", {"item_ids": [soup["id"]], "amount": 0.5, "extras": True})

    changed = (await store.get(f"/menu/items/{soup['id']}")).document
    assert changed["price"] == 5.5
    assert [extra["price"] for extra in changed["extra_groups"][0]["extras"]] == [2.5, 0]
    assert (await store.get(f"/menu/items/{salad['id']}"))["price"] == 5


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"amount": -6}, "amount"),
        ({"percent": 5, "amount": 1}, "amount"),
        ({}, "percent"),
        ({"percent": 5, "round_to": 0.001}, "round_to"),
        ({"percent": 5, "round_to": 0.5, "minus": 0.5}, "minus"),
        ({"percent": 5, "category_ids": [999999]}, "category_ids.0"),
    ],
)
async def test_impossible_change_is_refused(store, body, field):
    soup = await store.item("Soup", 5)

    reply = await store.send("POST", "/menu/prices", body)

    assert (reply.status, list(reply.errors)) == (422, [field])
    assert (await store.get(f"/menu/items/{soup['id']}"))["price"] == 5
