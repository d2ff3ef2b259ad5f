"""A coupon on its whole way: typed in a storefront, sent over HTTP."""

import pytest
from comanda import runtime as runtime_module
from comanda.accounts import services as accounts
from comanda.devkit.testing.stores import line


@pytest.fixture
async def send(shop, client):
    kind = runtime_module.registry().caller_kinds["storefront"]
    token = (await accounts.issue_token(kind, shop.owner.id, ["order:write"], name="test", store_id=shop.id)).secret

    async def post(*lines, **fields):
        body = {"type": "takeaway", "items": list(lines), **fields}
        headers = {"X-Storefront-Token": token}
        response = await client.post("/api/v1/storefront/orders", headers=headers, json=body)
        return response.status_code, await response.get_json()

    return post


async def test_a_guest_pays_less_with_a_coupon(shop, send):
    made = await shop.coupon(value=25)

    status, placed = await send(line(shop.soup, 2), coupon_code=" ten ")

    assert status == 201, placed
    order = await shop.get(f"/orders/{placed['id']}")
    assert (order["discount_total"], order["total"], order["coupon_code"]) == (5, 15, "TEN")
    assert await shop.used(made) == 1


async def test_a_guest_learns_why_a_coupon_does_not_apply(shop, send):
    made = await shop.coupon(min_subtotal=50)

    status, answer = await send(line(shop.soup), coupon_code="TEN")

    sentence = "The coupon TEN is for orders of 50.00 EUR or more."
    assert (status, answer["reason"], answer["errors"]) == (422, "minimum", {"coupon_code": [sentence]})
    assert (await shop.used(made), await shop.orders()) == (0, 0)
