"""Coupons over HTTP: only for the owner of the store."""


async def test_coupon_of_other_store_or_owner_returns_404(shop, client, other_owner, open_store):
    coupon = await shop.coupon()
    sibling = await open_store("restaurant")

    for method, body in (("GET", None), ("PATCH", {"value": 99}), ("DELETE", None)):
        assert (await sibling.send(method, f"/coupons/{coupon['id']}", body)).status == 404
        path = f"/api/v1/restaurants/{shop.id}/coupons/{coupon['id']}"
        options = {} if body is None else {"json": body}
        assert (await client.open(path, method=method, headers=other_owner.auth, **options)).status_code == 404
    assert (await shop.get("/coupons"))["data"] == [coupon]
