"""Erasure of customers and of the recipients of their gifts."""

import orjson
import pytest
from comanda.contracts import Person, StoredEvent
from comanda.platform.db import sql
from comanda_florist.erasure import ERASER
from comanda_florist.services import reminders

PERSONAL = {"recipient_name", "card_message"}


@pytest.fixture
def forget(shop):
    """Return a function that erases the customers of orders."""

    async def run(*order_ids, phones=()):
        person = Person(shop.owner.id, shop.id, 1, frozenset(phones), frozenset(), frozenset(order_ids))
        async with sql.transaction():
            await ERASER.erase(person)

    return run


async def load_events(shop, name):
    """List the payloads of an event that are stored."""
    rows = await sql.fetch("SELECT data FROM core_outbox WHERE owner_id = $1 AND name = $2", shop.owner.id, name)
    return [orjson.loads(row["data"]) for row in rows]


async def test_erased_gifts_keep_only_their_day(shop, forget, dispatch):
    await shop.decide(remembers_gifts=True)
    theirs = await shop.gift(card_message="Love")
    others = await shop.gift(recipient_name="Rita Moura")
    await dispatch()

    await forget(theirs["id"])

    shown = (await shop.get(f"/orders/{theirs['id']}")).document
    assert not PERSONAL & shown.keys()
    assert shown["delivery_day"] == "2030-01-11"
    assert await shop.taken() == {"2030-01-11": 2}
    assert (await shop.get(f"/orders/{others['id']}"))["recipient_name"] == "Rita Moura"
    assert [each["recipient_name"] for each in await shop.occasions()] == ["Rita Moura"]
    names = [data["recipient_name"] for data in await load_events(shop, "florist.bouquet_promised")]
    assert sorted(names, key=str) == [None, "Rita Moura"]


async def test_erased_gift_is_not_saved_as_occasion(shop, forget):
    await shop.decide(remembers_gifts=True)
    theirs = await shop.gift()
    row = await sql.fetch_one(
        """SELECT id, owner_id, store_id, name, data, occurred_at FROM core_outbox
           WHERE owner_id = $1 AND name = 'florist.bouquet_promised'""",
        shop.owner.id,
    )
    held = StoredEvent(**{**row, "data": orjson.loads(row["data"])})
    await forget(theirs["id"])

    await reminders.create_gift_occasions([held])

    assert await shop.occasions() == []


async def test_occasions_are_erased_by_phone_number(shop, forget):
    assert (await shop.send("PUT", "/settings", {"country": "PT"})).status == 200
    await shop.occasion(phone="912 345 678", note="Ring twice")
    await shop.occasion(recipient_name="Rita", phone="+351 912 345 679")

    await forget(phones=["+351912345678"])

    assert [each["recipient_name"] for each in await shop.occasions()] == ["Rita"]
