"""Gifts: what an order of one must say, and the places of the day on which it is delivered."""

import asyncio

import pytest

PROMISED = "florist.bouquet_promised"


async def promises(published):
    return [data for name, data in await published() if name == PROMISED]


async def test_a_gift_keeps_its_fields_and_takes_a_place_of_its_day(shop, published):
    order = (await shop.gift(card_message="With love")).document

    assert order["recipient_name"] == "Ana Moura"
    assert order["card_message"] == "With love"
    assert order["delivery_day"] == "2030-01-11"
    assert order["scheduled_for"] == "2030-01-11T09:00:00+00:00"
    assert (order["delivery_status"], order["total"]) == ("pending", 38)
    assert (await shop.get(f"/orders/{order['id']}"))["delivery_day"] == "2030-01-11"
    assert await shop.taken() == {"2030-01-11": 1}
    assert await promises(published) == [
        {
            "order_id": order["id"],
            "restaurant_id": shop.id,
            "recipient_name": "Ana Moura",
            "delivery_day": "2030-01-11",
        }
    ]


async def test_a_bouquet_at_the_stall_needs_no_day_and_promises_nothing(shop, published):
    order = await shop.order({"item_id": shop.bouquet["id"]}, type="at_the_stall")

    assert "delivery_day" not in order
    assert await shop.taken() == {}
    assert await promises(published) == []


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"recipient_name": None}, {"recipient_name": ["Must be a string."]}),
        ({"recipient_name": " "}, {"recipient_name": ["Must not be blank."]}),
        ({"address": ""}, {"address": ["Address is required for gift deliveries."]}),
        ({"card_message": "x" * 301}, {"card_message": ["Must have at most 300 characters."]}),
        ({"day": "soon"}, {"delivery_day": ["Must be a date such as 2026-02-28."]}),
        ({"day": None}, {"delivery_day": ["Must be a valid date."]}),
        ({"day": {"a": 1}}, {"delivery_day": ["Must be a valid date."]}),
        (
            {"recipient_name": ["x"], "day": 0},
            {"recipient_name": ["Must be a string."], "delivery_day": ["This day has passed."]},
        ),
        ({"day": "2030-01-09"}, {"delivery_day": ["This day has passed."]}),
        ({"day": "2030-01-13"}, {"delivery_day": ["The shop is closed on 2030-01-13."]}),
        ({"day": "2030-03-12"}, {"delivery_day": ["Gifts can be ordered up to 2030-03-11."]}),
        ({"day": "9999-12-31"}, {"delivery_day": ["Gifts can be ordered up to 2030-03-11."]}),
        ({"day": "0001-01-01"}, {"delivery_day": ["This day has passed."]}),
    ],
    ids=str,
)
async def test_a_gift_that_cannot_be_delivered_is_refused_and_leaves_nothing(shop, published, fields, errors):
    before = await published()

    refused = await shop.gift(**fields)

    assert refused.errors == errors
    assert (await shop.get("/orders"))["total"] == 0
    assert await shop.taken() == {}
    assert await published() == before


async def test_todays_gift_is_under_way_at_once_until_the_shop_closes(shop, clock):
    assert (await shop.gift("2030-01-10"))["scheduled_for"] == "2030-01-10T09:00:00+00:00"
    clock.advance(hours=9)

    assert (await shop.gift("2030-01-10")).errors == {"delivery_day": ["The shop is closed for today."]}


async def test_a_full_day_is_refused_with_the_next_that_has_room(shop):
    await shop.decide(deliveries_per_day=1)
    for day in ("2030-01-11", "2030-01-12"):
        assert (await shop.gift(day)).status == 201

    refused = await shop.gift("2030-01-11")

    sentence = "All deliveries of 2030-01-11 are taken. The next available day is 2030-01-14."
    assert refused.errors == {"delivery_day": [sentence]}
    assert (refused["reason"], refused["next_free_day"]) == ("day_full", "2030-01-14")
    assert await shop.taken() == {"2030-01-11": 1, "2030-01-12": 1}


async def test_the_last_place_of_a_day_is_given_once(shop):
    await shop.decide(deliveries_per_day=3)

    replies = await asyncio.gather(*(shop.gift() for _ in range(8)))

    assert sorted(reply.status for reply in replies) == [201] * 3 + [422] * 5
    assert await shop.taken() == {"2030-01-11": 3}


async def test_a_repeated_key_takes_no_second_place(shop):
    first = await shop.gift(key="again")
    second = await shop.gift(key="again")

    assert first["id"] == second["id"]
    assert await shop.taken() == {"2030-01-11": 1}


async def test_a_cancelled_gift_gives_its_place_back_and_takes_it_again(shop):
    await shop.decide(deliveries_per_day=1)
    first = (await shop.gift())["id"]
    await shop.set_status(first, "cancelled")
    assert await shop.taken() == {}

    second = (await shop.gift())["id"]
    refused = await shop.set_status(first, "new")

    assert refused["reason"] == "day_full"
    assert (await shop.get(f"/orders/{first}"))["status"] == "cancelled"
    await shop.set_status(second, "cancelled")
    assert (await shop.set_status(first, "new")).status == 200
    assert await shop.taken() == {"2030-01-11": 1}


async def test_days_tell_their_owner_how_full_they_are_and_customers_whether_they_are_free(shop, client):
    await shop.decide(deliveries_per_day=1)
    await shop.gift()

    mine = (await shop.get("/florist/days?first=2030-01-11&count=3"))["days"]
    public = await (await client.get(f"/api/v1/menu/{shop.id}/florist/days?first=2030-01-11&count=3")).get_json()

    assert mine == [
        {"day": "2030-01-11", "is_free": False, "capacity": 1, "taken": 1},
        {"day": "2030-01-12", "is_free": True, "capacity": 1, "taken": 0},
        {"day": "2030-01-13", "is_free": False, "capacity": 1, "taken": 0},
    ]
    assert public["timezone"] == "Europe/Lisbon"
    assert public["days"] == [{"day": each["day"], "is_free": each["is_free"]} for each in mine]


async def test_the_calendar_ends_where_dates_do(shop):
    assert [each["day"] for each in (await shop.get("/florist/days?first=9999-12-30"))["days"]] == [
        "9999-12-30",
        "9999-12-31",
    ]


async def test_settings_that_are_left_out_stay_and_null_takes_the_bound_away(shop):
    await shop.decide(deliveries_per_day=1, days_ahead=10)
    await shop.decide(deliveries_per_day=None)

    assert (await shop.get("/florist/settings")).document == {
        "deliveries_per_day": None, "days_ahead": 10, "remembers_gifts": False, "remind_days_before": 7,
    }  # fmt: skip
    assert [(await shop.gift()).status for _ in range(2)] == [201, 201]


async def test_a_bouquets_fields_are_validated_and_stand_in_its_record(shop):
    assert shop.bouquet["season_months"] == [5, 6]
    body = {"name": "Odd", "price": 1, "category_id": shop.bouquet["category_id"]}

    refused = await shop.send("POST", "/menu/items", {**body, "stem_count": -1, "season_months": [13]})

    assert refused.errors == {
        "stem_count": ["Must be 0 or more."],
        "season_months.0": ["Must be 12 or less."],
    }
    assert await shop.public_items() == ["Peonies"]
