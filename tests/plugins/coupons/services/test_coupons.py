"""Coupons: codes, limits and deletion."""

import asyncio
from collections import Counter

from comanda.platform.db import sql
from comanda_coupons.services import coupons


async def test_code_is_unique_in_store_regardless_of_case(shop, open_store):
    ten = await shop.coupon("Ten")
    five = await shop.coupon("FIVE")

    assert (await shop.send("POST", "/coupons", {"code": "tEN", "type": "fixed", "value": 1})).errors == {
        "code": ["The code TEN is already in use."]
    }
    assert (await shop.change(five, code="ten")).errors == {"code": ["The code TEN is already in use."]}
    assert (await shop.change(ten, code="ten")).status == 200
    other = await open_store("restaurant")
    assert (await other.send("POST", "/coupons", {"code": "TEN", "type": "fixed", "value": 1})).status == 201
    assert (await shop.send("DELETE", f"/coupons/{ten['id']}")).status == 204
    assert (await shop.change(five, code="ten"))["code"] == "TEN"


async def test_concurrent_creation_creates_code_once(shop):
    body = {"code": "TEN", "type": "percentage", "value": 10}
    replies = await asyncio.gather(*(shop.send("POST", "/coupons", body) for _ in range(10)))

    assert Counter(reply.status for reply in replies) == {201: 1, 422: 9}


async def test_number_of_coupons_is_limited(shop, monkeypatch):
    monkeypatch.setattr(coupons, "MAX_COUPONS", 2)
    await shop.coupon("ONE")
    two = await shop.coupon("TWO")

    body = {"code": "THREE", "type": "percentage", "value": 10}
    reply = await shop.send("POST", "/coupons", body)

    assert (reply.status, reply["limits"]) == (409, {"coupons": 2})
    await shop.send("DELETE", f"/coupons/{two['id']}")
    assert (await shop.send("POST", "/coupons", body)).status == 201


async def test_deleted_coupon_keeps_its_row(shop):
    coupon = await shop.coupon()

    assert (await shop.send("DELETE", f"/coupons/{coupon['id']}")).status == 204
    assert (await shop.send("DELETE", f"/coupons/{coupon['id']}")).status == 404
    assert (await shop.send("GET", f"/coupons/{coupon['id']}")).status == 404
    assert await sql.fetch_value("SELECT count(*) FROM coupons_coupon WHERE store_id = $1", shop.id) == 1
