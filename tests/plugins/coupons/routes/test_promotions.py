"""The routes of promotions."""

import pytest

ITEM_TERMS = {"name": "Happy hour", "type": "price_cut", "value": 1.5}
WINDOW = {"days": ["fri", "mon"], "from": "22:00", "until": "01:00"}


async def test_promotion_is_created_listed_changed_and_deleted(shop):
    created = await shop.promotion(
        **ITEM_TERMS, valid_at=[WINDOW], item_ids=[shop.soup["id"]], channels=["staff"], budget=50, max_discount=5
    )
    path = f"/promotions/{created['id']}"

    assert created["valid_at"] == [{"days": ["mon", "fri"], "from": "22:00", "until": "01:00"}]
    assert (created["status"], created["is_on"], created["changes_at"]) == (
        "active",
        False,
        "2030-01-07T22:00:00+00:00",
    )
    assert (created["value"], created["budget"], created["spent"], created["used_count"]) == (1.5, 50, 0, 0)
    assert (await shop.get("/promotions"))["data"] == [created]
    assert (await shop.get(path)).document == created

    changed = (await shop.send("PATCH", path, {"value": 2, "valid_at": [], "budget": None})).document
    assert (changed["value"], changed["is_on"], changed["changes_at"], changed["budget"]) == (2, True, None, None)
    assert (changed["max_discount"], changed["channels"]) == (5, ["staff"])

    assert (await shop.send("DELETE", path)).status == 204
    assert (await shop.send("GET", path)).status == 404
    assert (await shop.get("/promotions"))["data"] == []


async def test_type_may_change_with_what_it_needs(shop):
    created = await shop.promotion(type="nth_free", value=None, quantity=3)
    path = f"/promotions/{created['id']}"

    refused = await shop.send("PATCH", path, {"type": "percentage"})
    changed = await shop.send("PATCH", path, {"type": "percentage", "value": 15, "quantity": None})

    assert set(refused.errors) == {"value", "quantity"}
    assert (changed.status, changed["value"], changed["quantity"]) == (200, 15, None)


@pytest.mark.parametrize(
    ("terms", "fields"),
    [
        ({"value": None}, {"value"}),
        ({"value": 101}, {"value"}),
        ({"type": "fixed", "value": 1.005}, {"value"}),
        ({"type": "nth_free", "value": 5}, {"value", "quantity"}),
        ({"type": "bundle", "value": 5}, {"quantity"}),
        ({"quantity": 3}, {"quantity"}),
        ({"type": "bundle", "value": 5, "quantity": 1}, {"quantity"}),
        ({"budget": 10}, {"max_discount"}),
        ({"budget": 10, "max_discount": 11}, {"max_discount"}),
        ({"modes": ["by-post"]}, {"modes"}),
        ({"channels": ["fax"]}, {"channels.0"}),
        ({"item_ids": [987654321]}, {"item_ids"}),
        ({"valid_at": [{"from": "25:00", "until": "01:00"}]}, {"valid_at.0.from"}),
        ({"valid_at": [WINDOW] * 11}, {"valid_at"}),
        ({"starts_at": "2030-01-08T00:00:00Z", "ends_at": "2030-01-08T00:00:00Z"}, {"ends_at"}),
        ({"name": ""}, {"name"}),
    ],
)
async def test_invalid_terms_are_refused(shop, terms, fields):
    reply = await shop.send("POST", "/promotions", {"name": "Offer", "type": "percentage", "value": 10, **terms})

    assert (reply.status, set(reply.errors)) == (422, fields)
    assert (await shop.get("/promotions"))["data"] == []


async def test_coupons_and_promotions_are_kept_apart(shop):
    coupon, promotion = await shop.coupon(), await shop.promotion()

    assert [each["id"] for each in (await shop.get("/coupons"))["data"]] == [coupon["id"]]
    assert [each["id"] for each in (await shop.get("/promotions"))["data"]] == [promotion["id"]]
    assert (await shop.send("GET", f"/coupons/{promotion['id']}")).status == 404
    assert (await shop.send("PATCH", f"/promotions/{coupon['id']}", {"value": 5})).status == 404
    assert (await shop.send("DELETE", f"/promotions/{coupon['id']}")).status == 404


async def test_list_is_filtered_by_whether_promotions_are_active(shop):
    on, off = await shop.promotion(), await shop.promotion(is_active=False)

    assert [each["id"] for each in (await shop.get("/promotions?is_active=true"))["data"]] == [on["id"]]
    assert [each["id"] for each in (await shop.get("/promotions?is_active=false"))["data"]] == [off["id"]]


async def test_store_has_at_most_so_many_promotions(shop, monkeypatch):
    monkeypatch.setattr("comanda_coupons.services.promotions.MAX_PROMOTIONS", 1)
    await shop.promotion()

    reply = await shop.send("POST", "/promotions", {"name": "More", "type": "percentage", "value": 10})

    assert (reply.status, reply["limits"]) == (409, {"promotions": 1})
