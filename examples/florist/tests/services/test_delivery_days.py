"""Gifts and their places on delivery days."""

import asyncio

from comanda.platform.db import sql
from comanda_florist.services import delivery_days


async def test_gift_keeps_its_fields_and_takes_a_place(shop, promises):
    order = (await shop.gift(card_message="With love")).document

    assert order["recipient_name"] == "Ana Moura"
    assert order["card_message"] == "With love"
    assert order["delivery_day"] == "2030-01-11"
    assert order["scheduled_for"] == "2030-01-11T09:00:00+00:00"
    assert (order["delivery_status"], order["total"]) == ("pending", 38)
    assert (await shop.get(f"/orders/{order['id']}"))["delivery_day"] == "2030-01-11"
    assert await shop.taken() == {"2030-01-11": 1}
    assert await promises() == [
        {
            "order_id": order["id"],
            "restaurant_id": shop.id,
            "recipient_name": "Ana Moura",
            "delivery_day": "2030-01-11",
        }
    ]


async def test_gift_for_today_starts_at_once_until_closing(shop, clock):
    assert (await shop.gift("2030-01-10"))["scheduled_for"] == "2030-01-10T09:00:00+00:00"
    clock.advance(hours=9)

    assert (await shop.gift("2030-01-10")).errors == {"delivery_day": ["The shop is closed for today."]}


async def test_full_day_names_the_next_free_day(shop):
    await shop.decide(deliveries_per_day=1)
    for day in ("2030-01-11", "2030-01-12"):
        assert (await shop.gift(day)).status == 201

    refused = await shop.gift("2030-01-11")

    sentence = "All deliveries of 2030-01-11 are taken. The next available day is 2030-01-14."
    assert refused.errors == {"delivery_day": [sentence]}
    assert (refused["reason"], refused["next_free_day"]) == ("day_full", "2030-01-14")
    assert await shop.taken() == {"2030-01-11": 1, "2030-01-12": 1}


async def test_last_place_of_a_day_is_taken_once(shop):
    await shop.decide(deliveries_per_day=3)

    replies = await asyncio.gather(*(shop.gift() for _ in range(8)))

    assert sorted(reply.status for reply in replies) == [201] * 3 + [422] * 5
    assert await shop.taken() == {"2030-01-11": 3}


async def test_repeated_key_takes_no_second_place(shop):
    first = await shop.gift(key="again")
    second = await shop.gift(key="again")

    assert first["id"] == second["id"]
    assert await shop.taken() == {"2030-01-11": 1}


async def test_cancelled_gift_releases_and_reclaims_its_place(shop):
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


async def test_places_are_counted_again_after_an_absence(shop, clock):
    await shop.decide(deliveries_per_day=2)
    for _ in range(2):
        await shop.gift()
    cancelled = (await shop.gift("2030-01-12"))["id"]
    # As core does when nobody takes part: the plugin is away.
    await sql.execute(
        "UPDATE core_order SET status = 'cancelled' WHERE owner_id = $1 AND id = $2", shop.owner.id, cancelled
    )
    assert await shop.taken() == {"2030-01-11": 2, "2030-01-12": 1}

    for _ in range(2):
        await delivery_days.recount_places(clock())

    assert await shop.taken() == {"2030-01-11": 2}
