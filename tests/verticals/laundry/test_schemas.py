"""The fields of services."""

import pytest


async def test_service_by_the_piece_says_nothing(laundry):
    assert {"is_by_weight", "ready_days"}.isdisjoint(laundry.shirt)
    assert (laundry.wash["is_by_weight"], laundry.wash["price"]) == (True, 4.5)


@pytest.mark.parametrize(("field", "value"), [("ready_days", 61), ("ready_days", -1), ("is_by_weight", "heavy")])
async def test_impossible_field_is_refused(laundry, field, value):
    body = {"name": "Dress", "price": 9, "category_id": laundry.shirt["category_id"], field: value}

    assert list((await laundry.send("POST", "/menu/items", body)).errors) == [field]


@pytest.mark.parametrize("day", ["soon", 20300101, None, "2030-02-30"])
async def test_impossible_day_is_refused(laundry, day):
    order = await laundry.drop_off()

    refused = await laundry.send("PUT", f"/laundry/orders/{order['id']}/ready-day", {"ready_on": day})

    assert list(refused.errors) == ["ready_on"]
