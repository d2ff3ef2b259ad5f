"""Owners manage the coupons of their stores."""

import asyncio
from collections import Counter

import pytest
from comanda.db import sql
from comanda.demo_data.builder import DemoBuilder
from comanda_coupons import services
from comanda_coupons.demo import COUPONS, fill

FULL = {
    "code": "Lunch_5-x",
    "type": "fixed",
    "value": 5.25,
    "min_subtotal": 20,
    "starts_at": "2030-01-01T00:00:00+01:00",
    "ends_at": "2030-02-01T00:00:00Z",
    "usage_limit": 100,
    "per_customer_limit": 2,
    "first_order_only": True,
    "modes": ["takeaway", "on-table", "takeaway"],
    "is_active": False,
}
SHOWN = {
    **FULL,
    "code": "LUNCH_5-X",
    "max_discount": None,
    "starts_at": "2029-12-31T23:00:00+00:00",
    "ends_at": "2030-02-01T00:00:00+00:00",
    "modes": ["on-table", "takeaway"],
    "status": "inactive",
    "used_count": 0,
    "created_at": "2030-01-07T09:00:00+00:00",
    "updated_at": "2030-01-07T09:00:00+00:00",
}


async def version(store):
    return await sql.fetch_value("SELECT menu_version FROM core_store WHERE id = $1", store.id)


async def test_a_coupon_is_created_with_all_its_terms_and_shown_listed_and_found(shop):
    filters = {"item_ids": [shop.soup["id"]], "category_ids": [shop.cake["category_id"]]}
    made = (await shop.send("POST", "/coupons", {**FULL, **filters})).document
    other = await shop.coupon("TEN", max_discount=3)

    assert made == {**SHOWN, **filters, "id": made["id"]}
    assert (await shop.get(f"/coupons/{made['id']}")).document == made
    assert (await shop.get("/coupons"))["data"] == [other, made]
    assert (await shop.get("/coupons?search=ch_5"))["data"] == [made]
    assert (await shop.get("/coupons?is_active=true"))["data"] == [other]
    assert (await shop.get("/coupons?per_page=1&page=2"))["data"] == [made]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"code": "AB"}, "code"),
        ({"code": "A" * 33}, "code"),
        ({"code": "WITH SPACE"}, "code"),
        ({"code": "ÇOK"}, "code"),
        ({"type": "gift"}, "type"),
        ({"value": 0}, "value"),
        ({"value": -1}, "value"),
        ({"value": 100.0001}, "value"),
        ({"value": 10.00005}, "value"),
        ({"value": 1e-12}, "value"),
        ({"type": "fixed", "value": 0.001}, "value"),
        ({"type": "fixed", "value": 5, "max_discount": 3}, "max_discount"),
        ({"min_subtotal": 0.005}, "min_subtotal"),
        ({"max_discount": 0}, "max_discount"),
        ({"starts_at": "2030-01-01T00:00:00Z", "ends_at": "2030-01-01T00:00:00Z"}, "ends_at"),
        ({"starts_at": "2030-01-01T00:00:00"}, "starts_at"),
        ({"usage_limit": 0}, "usage_limit"),
        ({"per_customer_limit": 1.5}, "per_customer_limit"),
        ({"modes": ["takeaway", "by-balloon"]}, "modes"),
        ({"item_ids": [987654321]}, "item_ids"),
        ({"category_ids": [987654321]}, "category_ids"),
    ],
)
async def test_terms_that_will_not_do_are_refused_by_field_when_made_and_when_changed(shop, fields, wrong):
    there = await shop.coupon("THERE")
    before = await version(shop)

    made = await shop.send("POST", "/coupons", {"code": "TEN", "type": "percentage", "value": 10, **fields})
    changed = await shop.change(there, **fields)

    assert list(made.errors) == list(changed.errors) == [wrong]
    assert (await shop.get("/coupons"))["data"] == [there]
    assert await version(shop) == before


async def test_another_stores_items_and_categories_do_not_exist(shop, open_store):
    other = await open_store("restaurant")
    theirs = await other.item()

    reply = await shop.send(
        "POST",
        "/coupons",
        {"code": "TEN", "type": "percentage", "value": 1, "item_ids": [theirs["id"]],
         "category_ids": [theirs["category_id"]]},
    )  # fmt: skip

    assert set(reply.errors) == {"item_ids", "category_ids"}
    assert (await shop.get("/coupons"))["total"] == 0


async def test_a_code_is_unique_in_its_store_whatever_the_case_and_free_again_when_deleted(shop, open_store):
    ten = await shop.coupon("Ten")
    five = await shop.coupon("FIVE")

    assert (await shop.send("POST", "/coupons", {"code": "tEN", "type": "fixed", "value": 1})).errors == {
        "code": ["There is a coupon TEN already."]
    }
    assert (await shop.change(five, code="ten")).errors == {"code": ["There is a coupon TEN already."]}
    assert (await shop.change(ten, code="ten")).status == 200
    other = await open_store("restaurant")
    assert (await other.send("POST", "/coupons", {"code": "TEN", "type": "fixed", "value": 1})).status == 201
    assert (await shop.send("DELETE", f"/coupons/{ten['id']}")).status == 204
    assert (await shop.change(five, code="ten"))["code"] == "TEN"


async def test_a_code_that_many_want_at_once_goes_to_one(shop):
    body = {"code": "TEN", "type": "percentage", "value": 10}
    replies = await asyncio.gather(*(shop.send("POST", "/coupons", body) for _ in range(10)))

    assert Counter(reply.status for reply in replies) == {201: 1, 422: 9}


async def test_a_change_keeps_what_is_left_out_and_null_takes_limits_away(shop, clock):
    made = (await shop.send("POST", "/coupons", FULL)).document
    clock.advance(minutes=1)

    changed = await shop.change(made, usage_limit=None, starts_at=None, min_subtotal=0, modes=[], code=None, value=None)

    gone = {"usage_limit": None, "starts_at": None, "min_subtotal": 0, "modes": []}
    assert changed.document == {**made, **gone, "updated_at": "2030-01-07T09:01:00+00:00"}


async def test_another_type_needs_a_value_and_loses_the_cap(shop):
    made = await shop.coupon(value=50, max_discount=8)

    assert list((await shop.change(made, type="fixed")).errors) == ["value"]
    assert list((await shop.change(made, type="fixed", value=5)).errors) == ["max_discount"]
    changed = await shop.change(made, type="fixed", value=5, max_discount=None)
    assert (changed["type"], changed["value"], changed["max_discount"]) == ("fixed", 5, None)


async def test_a_change_that_changes_nothing_leaves_the_menu_as_it_is(shop, clock):
    made = await shop.coupon()
    before = await version(shop)
    clock.advance(minutes=1)

    assert (await shop.change(made, value=10, code="ten")).document == made
    assert await version(shop) == before


async def test_a_filter_whose_item_was_deleted_does_not_stand_in_the_way_of_other_changes(shop):
    made = await shop.coupon(item_ids=[shop.soup["id"]])
    assert (await shop.send("DELETE", f"/menu/items/{shop.soup['id']}")).status in {200, 204}

    assert (await shop.change(made, value=20))["value"] == 20


async def test_status_tells_whether_it_can_be_used_now(shop, clock):
    made = await shop.coupon(starts_at="2030-01-08T00:00:00Z", ends_at="2030-01-09T00:00:00Z")

    async def status():
        return (await shop.get(f"/coupons/{made['id']}"))["status"]

    assert await status() == "scheduled"
    clock.advance(days=1)
    assert await status() == "active"
    clock.advance(days=1)
    assert await status() == "expired"
    await shop.change(made, is_active=False)
    assert await status() == "inactive"


async def test_a_store_has_so_many_coupons_and_no_more(shop, monkeypatch):
    monkeypatch.setattr(services, "MAX_COUPONS", 2)
    await shop.coupon("ONE")
    two = await shop.coupon("TWO")

    body = {"code": "THREE", "type": "percentage", "value": 10}
    reply = await shop.send("POST", "/coupons", body)

    assert (reply.status, reply["limits"]) == (409, {"coupons": 2})
    await shop.send("DELETE", f"/coupons/{two['id']}")
    assert (await shop.send("POST", "/coupons", body)).status == 201


async def test_coupons_of_another_store_or_owner_look_missing(shop, client, other_owner, open_store):
    made = await shop.coupon()
    sibling = await open_store("restaurant")

    for method, body in (("GET", None), ("PATCH", {"value": 99}), ("DELETE", None)):
        assert (await sibling.send(method, f"/coupons/{made['id']}", body)).status == 404
        path = f"/api/v1/restaurants/{shop.id}/coupons/{made['id']}"
        options = {} if body is None else {"json": body}
        assert (await client.open(path, method=method, headers=other_owner.auth, **options)).status_code == 404
    assert (await shop.get("/coupons"))["data"] == [made]


async def test_a_deleted_coupon_is_gone_but_its_row_stays(shop):
    made = await shop.coupon()

    assert (await shop.send("DELETE", f"/coupons/{made['id']}")).status == 204
    assert (await shop.send("DELETE", f"/coupons/{made['id']}")).status == 404
    assert (await shop.send("GET", f"/coupons/{made['id']}")).status == 404
    assert await sql.fetch_value("SELECT count(*) FROM coupons_coupon WHERE store_id = $1", shop.id) == 1


async def test_the_demo_restaurant_has_coupons_once(shop, owner):
    showcase = DemoBuilder(owners={"owner": owner.id})
    showcase.stores += [{"id": shop.id, "slug": "x", "store_type": "restaurant"}]
    showcase.stores += [{"id": 0, "slug": "y", "store_type": "hotel"}]

    await fill(showcase)
    await fill(showcase)

    codes = {coupon["code"] for coupon in (await shop.get("/coupons"))["data"]}
    assert codes == {coupon.code for coupon in COUPONS}
