"""Stores that are laundries, and orders that are open."""

import pytest
from comanda.devkit.testing import line


async def test_other_store_types_are_not_laundries(laundry, owner):
    shop = type(laundry)(laundry.client, owner, await owner.store("retail"))

    for path in ("/laundry/orders", "/laundry/orders/1"):
        refused = await shop.send("GET", path)
        assert (refused.status, refused["reason"]) == (409, "not_a_laundry")


@pytest.mark.parametrize("status", ["completed", "cancelled"])
async def test_closed_order_stays_as_it_is(laundry, status):
    order = await laundry.drop_off(line(laundry.shirt))
    await laundry.set_status(order["id"], status)
    path = f"/laundry/orders/{order['id']}"

    answers = [
        await laundry.tag(order),
        await laundry.send("PUT", f"{path}/garments", {"state": "ready"}),
        await laundry.send("PUT", f"{path}/ready-day", {"ready_on": "2030-02-01"}),
    ]

    assert [(answer.status, answer["reason"]) for answer in answers] == [(409, "order_closed")] * 3
    intake = await laundry.intake(order)
    assert (intake["tagged"], intake["ready_on"]) == ([], "2030-01-07")
