"""The terms of coupons: accepted, refused by field, and changed."""

from comanda.platform.db import sql

TERMS = {
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
RECORD = {
    **TERMS,
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


async def get_menu_version(store):
    return await sql.fetch_value("SELECT menu_version FROM core_store WHERE id = $1", store.id)


async def test_coupon_is_created_with_all_terms(shop):
    filters = {"item_ids": [shop.soup["id"]], "category_ids": [shop.cake["category_id"]]}
    coupon = (await shop.send("POST", "/coupons", {**TERMS, **filters})).document
    other = await shop.coupon("TEN", max_discount=3)

    assert coupon == {**RECORD, **filters, "id": coupon["id"]}
    assert (await shop.get(f"/coupons/{coupon['id']}")).document == coupon
    assert (await shop.get("/coupons"))["data"] == [other, coupon]
    assert (await shop.get("/coupons?search=ch_5"))["data"] == [coupon]
    assert (await shop.get("/coupons?is_active=true"))["data"] == [other]
    assert (await shop.get("/coupons?per_page=1&page=2"))["data"] == [coupon]


INVALID_TERMS = [
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
]


async def test_invalid_terms_are_refused_by_field(shop, subtests):
    there = await shop.coupon("THERE")
    before = await get_menu_version(shop)

    for fields, wrong in INVALID_TERMS:
        with subtests.test(fields=fields, wrong=wrong):
            coupon = await shop.send("POST", "/coupons", {"code": "TEN", "type": "percentage", "value": 10, **fields})
            changed = await shop.change(there, **fields)

            assert list(coupon.errors) == list(changed.errors) == [wrong]
            assert (await shop.get("/coupons"))["data"] == [there]
            assert await get_menu_version(shop) == before


async def test_items_and_categories_of_other_store_are_refused(shop, open_store):
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


async def test_update_keeps_omitted_fields_and_null_removes_limits(shop, clock):
    coupon = (await shop.send("POST", "/coupons", TERMS)).document
    clock.advance(minutes=1)

    cleared = {"usage_limit": None, "starts_at": None, "code": None, "value": None}
    changed = await shop.change(coupon, min_subtotal=0, modes=[], **cleared)

    gone = {"usage_limit": None, "starts_at": None, "min_subtotal": 0, "modes": []}
    assert changed.document == {**coupon, **gone, "updated_at": "2030-01-07T09:01:00+00:00"}


async def test_new_type_requires_value(shop):
    coupon = await shop.coupon(value=50, max_discount=8)

    assert list((await shop.change(coupon, type="fixed")).errors) == ["value"]
    assert list((await shop.change(coupon, type="fixed", value=5)).errors) == ["max_discount"]
    changed = await shop.change(coupon, type="fixed", value=5, max_discount=None)
    assert (changed["type"], changed["value"], changed["max_discount"]) == ("fixed", 5, None)


async def test_update_without_changes_keeps_menu_version(shop, clock):
    coupon = await shop.coupon()
    before = await get_menu_version(shop)
    clock.advance(minutes=1)

    assert (await shop.change(coupon, value=10, code="ten")).document == coupon
    assert await get_menu_version(shop) == before


async def test_filter_on_deleted_item_allows_other_changes(shop):
    coupon = await shop.coupon(item_ids=[shop.soup["id"]])
    assert (await shop.send("DELETE", f"/menu/items/{shop.soup['id']}")).status in {200, 204}

    assert (await shop.change(coupon, value=20))["value"] == 20


async def test_status_follows_terms(shop, clock):
    coupon = await shop.coupon(starts_at="2030-01-08T00:00:00Z", ends_at="2030-01-09T00:00:00Z")

    async def status():
        return (await shop.get(f"/coupons/{coupon['id']}"))["status"]

    assert await status() == "scheduled"
    clock.advance(days=1)
    assert await status() == "active"
    clock.advance(days=1)
    assert await status() == "expired"
    await shop.change(coupon, is_active=False)
    assert await status() == "inactive"
