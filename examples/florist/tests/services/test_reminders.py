"""Reminders, and occasions from gifts."""

import asyncio
from datetime import UTC, datetime

from comanda.contracts import StoredEvent
from comanda_florist.events import BouquetPromised
from comanda_florist.services import reminders as reminder_service

NEAR = "florist.occasion_near"


async def reminders(published):
    return [data for name, data in await published() if name == NEAR]


async def test_owner_is_reminded_once_a_year(shop, clock, published):
    made = await shop.occasion()
    clock.set(datetime(2030, 3, 7, 8, 59, tzinfo=UTC))
    await reminder_service.send_reminders()
    assert await reminders(published) == []

    clock.advance(minutes=1)
    await asyncio.gather(reminder_service.send_reminders(), reminder_service.send_reminders())

    near = {"occasion_id": made["id"], "restaurant_id": shop.id, "recipient_name": "Rui", "what": "Birthday"}
    assert await reminders(published) == [{**near, "on": "2030-03-14"}]
    clock.set(datetime(2031, 3, 10, 12, 0, tzinfo=UTC))
    await reminder_service.send_reminders()
    assert await reminders(published) == [{**near, "on": "2030-03-14"}, {**near, "on": "2031-03-14"}]


async def test_past_occasion_is_not_announced(shop, clock, published):
    await shop.occasion()
    clock.set(datetime(2030, 3, 15, 12, 0, tzinfo=UTC))

    await reminder_service.send_reminders()

    assert await reminders(published) == []
    assert (await shop.occasions())[0]["remind_at"] == "2031-03-07T09:00:00+00:00"


async def test_near_occasion_is_announced_at_once(shop, published):
    await shop.occasion(month=1, day=12)

    await reminder_service.send_reminders()

    assert [data["on"] for data in await reminders(published)] == ["2030-01-12"]


async def test_repeated_event_creates_one_occasion(shop, clock):
    await shop.decide(remembers_gifts=True)
    order = (await shop.gift()).document
    data = {"order_id": order["id"], "recipient_name": "Ana Moura", "delivery_day": "2030-01-11"}
    event = StoredEvent(1, shop.owner.id, shop.id, BouquetPromised.name, data, clock())

    await reminder_service.create_gift_occasions([event, event])
    await reminder_service.create_gift_occasions([event])

    assert [each["order_id"] for each in await shop.occasions()] == [order["id"]]
