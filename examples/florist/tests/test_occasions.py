"""Occasions: kept by owners, remembered from gifts, told of in time."""

import asyncio
from datetime import UTC, datetime

import pytest
from comanda.events.types import StoredEvent
from comanda.stores.models import Store
from comanda.testing.stores import TestStore
from comanda_florist.events import BouquetPromised
from comanda_florist.services import reminders as reminder_service
from comanda_florist.services.delivery_calendar import get_next_date

NEAR = "florist.occasion_near"


async def reminders(published):
    return [data for name, data in await published() if name == NEAR]


async def test_an_occasion_is_written_down_changed_and_forgotten(shop):
    made = await shop.occasion(note="White")
    path = f"/florist/occasions/{made['id']}"
    assert (made["next_on"], made["remind_at"]) == ("2030-03-14", "2030-03-07T09:00:00+00:00")

    changed = await shop.send("PATCH", path, {"month": 7, "remind_days_before": 0, "note": ""})

    assert (changed["next_on"], changed["remind_at"]) == ("2030-07-14", "2030-07-14T08:00:00+00:00")
    assert (changed["what"], changed["note"]) == ("Birthday", None)
    assert (await shop.get(path)).document == changed.document
    assert (await shop.send("DELETE", path)).status == 204
    assert await shop.occasions() == []


@pytest.mark.parametrize("body", [{"month": 2, "day": 30}, {"month": 4, "day": 31}])
async def test_a_day_that_its_month_lacks_is_refused(shop, body):
    whole = {"recipient_name": "Rui", "what": "Birthday", **body}
    made = await shop.occasion(month=2, day=29)

    assert list((await shop.send("POST", "/florist/occasions", whole)).errors) == ["day"]
    assert list((await shop.send("PATCH", f"/florist/occasions/{made['id']}", body)).errors) == ["day"]
    assert await shop.occasions() == [made]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"recipient_name": "\x00 "}, "recipient_name"),
        ({"recipient_name": "x" * 256}, "recipient_name"),
        ({"what": 7}, "what"),
        ({"month": 0}, "month"),
        ({"month": True}, "month"),
        ({"day": 10**30}, "day"),
        ({"remind_days_before": 61}, "remind_days_before"),
        ({"phone": ["1"]}, "phone"),
        ({"note": "x" * 2001}, "note"),
    ],
    ids=str,
)
async def test_what_is_wrong_is_named_and_nothing_is_written(shop, fields, wrong):
    made = await shop.occasion()
    whole = {"recipient_name": "Eva", "what": "Birthday", "month": 5, "day": 3, **fields}

    assert list((await shop.send("POST", "/florist/occasions", whole)).errors) == [wrong]
    assert list((await shop.send("PATCH", f"/florist/occasions/{made['id']}", fields)).errors) == [wrong]
    assert await shop.occasions() == [made]


@pytest.mark.parametrize("place", ["0", "abc", "9223372036854775808", "-1", "%00"])
async def test_an_id_that_is_none_is_not_there(shop, place):
    assert (await shop.send("GET", f"/florist/occasions/{place}")).status == 404


@pytest.mark.parametrize("query", ["first=x", "first=-1", "first=99999-01-01", "count=0", "count=61", "count=x"])
async def test_days_that_are_none_are_refused(shop, query):
    assert (await shop.send("GET", f"/florist/days?{query}")).status == 422


async def test_occasions_of_another_owner_look_missing_and_stay(shop, foreign_shop):
    theirs = await foreign_shop.occasion()
    path = f"/florist/occasions/{theirs['id']}"
    # With one's own token: in the other's store, and as if it were in one's own.
    tried = TestStore(shop.client, shop.owner, foreign_shop.id)
    for store in (tried, shop):
        for method, body in (("GET", None), ("PATCH", {"what": "Stolen"}), ("DELETE", None)):
            reply = await store.send(method, path, body)
            assert (reply.status, reply["code"]) == (404, "not_found")
    for listing in ("/florist/occasions", "/florist/settings", "/florist/days"):
        assert (await tried.send("GET", listing)).status == 404

    assert await shop.occasions() == []
    assert await foreign_shop.occasions() == [theirs]


async def test_a_token_without_the_scope_may_not(shop, owner, client):
    orders_only = await owner.token_with("orders:write")
    path = f"/api/v1/restaurants/{shop.id}/florist/occasions"

    assert (await client.get(path, headers=orders_only)).status_code == 403
    assert (await client.get(path)).status_code == 401


async def test_an_owner_is_reminded_once_and_again_the_year_after(shop, clock, published):
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


async def test_what_is_over_when_the_server_comes_back_is_not_told(shop, clock, published):
    await shop.occasion()
    clock.set(datetime(2030, 3, 15, 12, 0, tzinfo=UTC))

    await reminder_service.send_reminders()

    assert await reminders(published) == []
    assert (await shop.occasions())[0]["remind_at"] == "2031-03-07T09:00:00+00:00"


async def test_an_occasion_that_is_near_already_is_told_at_once(shop, published):
    await shop.occasion(month=1, day=12)

    await reminder_service.send_reminders()

    assert [data["on"] for data in await reminders(published)] == ["2030-01-12"]


async def test_gifts_are_remembered_once_where_the_owner_wants_it(shop, dispatch):
    await shop.gift("2030-01-12")
    await dispatch()
    assert await shop.occasions() == []

    await shop.decide(remembers_gifts=True, remind_days_before=3)
    order = (await shop.gift("2030-01-11", recipient_name="Eva")).document
    await dispatch()
    [remembered] = await shop.occasions()

    assert (remembered["recipient_name"], remembered["order_id"]) == ("Eva", order["id"])
    assert remembered["remind_at"] == "2031-01-08T09:00:00+00:00"


async def test_an_event_that_comes_twice_is_remembered_once(shop, clock):
    await shop.decide(remembers_gifts=True)
    order = (await shop.gift()).document
    data = {"order_id": order["id"], "recipient_name": "Ana Moura", "delivery_day": "2030-01-11"}
    event = StoredEvent(1, shop.owner.id, shop.id, BouquetPromised.name, data, clock())

    await reminder_service.create_gift_occasions([event, event])
    await reminder_service.create_gift_occasions([event])

    assert [each["order_id"] for each in await shop.occasions()] == [order["id"]]


@pytest.mark.parametrize(
    ("since", "expected"), [((2030, 2, 28), "2030-02-28"), ((2030, 3, 1), "2031-02-28"), ((2031, 3, 1), "2032-02-29")]
)
def test_the_29th_of_february_comes_round_every_year(since, expected):
    assert get_next_date(2, 29, datetime(*since, tzinfo=UTC).date()).isoformat() == expected


async def test_a_store_that_is_no_florist_has_none_of_this(owner, shop):
    # There may be no other vertical here, so a shop is made into something that nobody brings.
    await Store.filter(id=shop.id, owner_id=owner.id).update(store_type="ironmonger")

    refused = await shop.send("GET", "/florist/occasions")

    assert (refused.status, refused["reason"]) == (409, "not_a_florist")
