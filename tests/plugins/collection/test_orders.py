"""Orders that come in a slot: the time they ask for, the time they are given, and what becomes of their place."""

from datetime import datetime

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import TestStore, line


def at(hour, minute=0, day=7, second=0):
    """Write a moment of January 2030; the clock stands at nine on Monday, the 7th."""
    return f"2030-01-{day:02}T{hour:02}:{minute:02}:{second:02}+00:00"


async def orders_of(store):
    return (await store.get("/orders"))["total"]


async def test_an_order_without_a_time_gets_the_first_slot_after_the_notice(laundry):
    await laundry.open_from("08:00", "18:00")

    assert await laundry.taken_time() == at(9, 30)
    assert await laundry.taken_time(mode="appointment") == at(10)
    assert await laundry.counts() == {at(9, 30): 1}
    assert await laundry.counts(mode="appointment") == {at(10): 1}


async def test_orders_without_a_time_fill_one_slot_after_the_other_and_one_day_after_the_other(laundry):
    await laundry.open_from("09:00", "10:00")
    await laundry.cut(slot_minutes=30, capacity=2, lead_minutes=30)

    times = [await laundry.taken_time() for _ in range(5)]

    assert times == [at(9, 30), at(9, 30), at(9, day=8), at(9, day=8), at(9, 30, day=8)]


async def test_an_order_for_a_slot_gets_it_whatever_the_offset_it_is_written_with(laundry):
    assert await laundry.taken_time("2030-01-07T13:15:00+02:00") == at(11, 15)
    order = (await laundry.come(at(11, 15))).document
    assert (await laundry.get(f"/orders/{order['id']}"))["scheduled_for"] == at(11, 15)
    assert await laundry.counts() == {at(11, 15): 2}


async def test_a_full_slot_is_refused_with_the_next_free_one(laundry, published):
    await laundry.cut(capacity=1)
    await laundry.taken_time(at(11))
    await laundry.taken_time(at(11, 15))
    before = await published()

    refused = await laundry.come(at(11))

    sentence = "The slot at 2030-01-07T11:00+00:00 is full. The next free one is 2030-01-07T11:30+00:00."
    assert refused.errors == {"scheduled_for": [sentence]}
    assert (refused["reason"], refused["next_free_at"]) == ("slot_full", at(11, 30))
    assert (await orders_of(laundry), await published()) == (2, before)
    assert await laundry.counts() == {at(11): 1, at(11, 15): 1}


async def test_times_in_sentences_are_those_of_the_stores_clock(client, owner, laundry):
    await laundry.send("PUT", "/settings", {"timezone": "Asia/Kathmandu"})
    await laundry.cut(capacity=1)
    await laundry.taken_time(at(11))

    refused = await laundry.come(at(11))

    sentence = "The slot at 2030-01-07T16:45+05:45 is full. The next free one is 2030-01-07T17:00+05:45."
    assert refused.errors == {"scheduled_for": [sentence]}
    assert refused["next_free_at"] == at(11, 15)


async def test_where_no_later_slot_is_free_the_refusal_says_so(laundry):
    await laundry.open_from("11:00", "12:00", only=("monday",))
    await laundry.cut(slot_minutes=60, capacity=1, horizon_days=6)
    await laundry.taken_time(at(11))

    for when, sentence in (
        (at(11), "The slot at 2030-01-07T11:00+00:00 is full. No later one is free."),
        (None, "No slot is free up to 2030-01-13."),
    ):
        refused = await laundry.come(when)
        assert refused.errors == {"scheduled_for": [sentence]}
        assert (refused["reason"], refused["next_free_at"]) == ("slot_full", None)
    assert await orders_of(laundry) == 1


NEAREST = "The nearest slots are 2030-01-07T11:00+00:00 and 2030-01-07T11:15+00:00."
EVENING = "The nearest slots are 2030-01-07T17:45+00:00 and 2030-01-08T09:00+00:00."
LAST = "The nearest slot is 2030-01-21T17:45+00:00."
FIRST = "The first slot that can be taken is 2030-01-07T09:30+00:00."


@pytest.mark.parametrize(
    ("when", "sentence"),
    [
        (at(11, 10), f"No slot begins at that time. {NEAREST}"),
        (at(11, second=1), f"No slot begins at that time. {NEAREST}"),
        (at(18), f"The store is closed at that time. {EVENING}"),
        (at(20, day=21), f"The store is closed at that time. {LAST}"),
        (at(8, 45), f"This time has passed. {FIRST}"),
        (at(9, 15), f"The store needs 30 minutes' notice. {FIRST}"),
        (at(9, day=22), "Slots can be taken up to 2030-01-21."),
        ("0001-01-01T00:00:00Z", f"This time has passed. {FIRST}"),
        ("9999-12-31T23:59:59Z", "Slots can be taken up to 2030-01-21."),
    ],
)
async def test_a_time_at_which_no_slot_can_be_taken_is_refused_with_those_that_can(laundry, when, sentence):
    await laundry.open_from("09:00", "18:00")

    refused = await laundry.come(when)

    assert refused.errors == {"scheduled_for": [sentence]}
    assert (await orders_of(laundry), await laundry.counts()) == (0, {})


async def test_a_store_that_never_opens_gives_no_slot(laundry):
    await laundry.open_from("09:00", "18:00", only=())

    assert (await laundry.come(at(11))).errors == {
        "scheduled_for": ["The store is closed at that time. There is no slot."]
    }
    assert (await laundry.come()).errors == {"scheduled_for": ["No slot is free up to 2030-01-21."]}


async def test_a_time_that_is_wrong_stands_beside_what_else_is_wrong(laundry):
    refused = await laundry.place({"item_id": 1}, type="pickup_slot", scheduled_for=at(8))

    assert set(refused.errors) == {"items.0.item_id", "scheduled_for"}


async def test_slots_of_any_number_are_never_full(laundry):
    await laundry.cut(capacity=None)

    assert {await laundry.taken_time(at(11)) for _ in range(6)} == {at(11)}
    assert {await laundry.taken_time() for _ in range(6)} == {at(9, 30)}
    assert await laundry.counts() == {at(9, 30): 6, at(11): 6}


async def test_a_mode_and_a_store_have_places_of_their_own(client, owner, laundry):
    other = type(laundry)(client, owner, await owner.store("laundry"))
    other.shirt = await other.item("Shirt", 3)

    for store in (laundry, other):
        assert await store.taken_time(at(11), mode="appointment") == at(11)
        assert await store.taken_time(at(11)) == at(11)
    assert [await store.counts() for store in (laundry, other)] == [{at(11): 1}] * 2


async def test_a_cancelled_order_gives_its_place_back_and_takes_it_again(laundry):
    order = (await laundry.come(at(11), mode="appointment")).document
    assert (await laundry.come(at(11), mode="appointment")).status == 422

    await laundry.set_status(order["id"], "cancelled")
    assert await laundry.counts(mode="appointment") == {}
    assert (await laundry.set_status(order["id"], "preparing")).status == 200
    assert await laundry.counts(mode="appointment") == {at(11): 1}
    await laundry.set_status(order["id"], "cancelled")
    assert await laundry.taken_time(at(11), mode="appointment") == at(11)


async def test_an_order_whose_place_others_took_cannot_be_reopened(laundry, published):
    order = (await laundry.come(at(11), mode="appointment")).document
    await laundry.set_status(order["id"], "cancelled")
    await laundry.taken_time(at(11), mode="appointment")
    before = await published()

    refused = await laundry.set_status(order["id"], "new")

    sentence = "Others have taken this order's slot since, so it cannot be reopened."
    assert (refused.errors, refused["reason"]) == ({"status": [sentence]}, "slot_full")
    assert (await laundry.get(f"/orders/{order['id']}"))["status"] == "cancelled"
    assert await laundry.counts(mode="appointment") == {at(11): 1}
    assert await published() == before


async def test_once_its_time_has_come_an_order_is_reopened_without_regard_to_room(laundry, clock):
    order = (await laundry.come(at(11), mode="appointment")).document
    await laundry.set_status(order["id"], "cancelled")
    await laundry.taken_time(at(11), mode="appointment")
    clock.set(datetime.fromisoformat(at(11, 5)))

    assert (await laundry.set_status(order["id"], "completed")).status == 200
    assert await laundry.counts(mode="appointment") == {at(11): 2}


async def test_a_repeat_of_an_order_takes_no_second_place_even_when_its_slot_is_full_or_over(laundry, clock):
    first = await laundry.come(at(11), mode="appointment", key="k")
    again = await laundry.come(at(11), mode="appointment", key="k")
    clock.set(datetime.fromisoformat(at(12)))
    late = await laundry.come(at(11), mode="appointment", key="k")

    assert again.document == late.document == first.document
    assert await laundry.counts(mode="appointment") == {at(11): 1}


async def test_an_order_that_is_refused_for_its_stock_gives_no_place_away(laundry):
    soap = await laundry.item("Soap", 2, stock=1)

    refused = await laundry.place(line(soap, 2), type="pickup_slot", scheduled_for=at(11))

    assert refused.errors == {"items.0.item_id": ["There is not enough of Soap left."]}
    assert await laundry.counts() == {}


async def test_longer_slots_count_what_was_taken_in_the_shorter_ones(laundry):
    await laundry.cut(slot_minutes=15, capacity=2)
    for when in (at(11), at(11, 15)):
        await laundry.taken_time(when)

    await laundry.cut(slot_minutes=30)

    assert await laundry.counts() == {at(11): 2}
    assert (await laundry.come(at(11)))["next_free_at"] == at(11, 30)


@pytest.mark.parametrize("mode", ["in_store", "delivery"])
async def test_other_modes_keep_any_time_they_are_given(laundry, mode):
    times = [None, at(11, 7), at(9, day=6)]

    replies = [
        await laundry.place(line(laundry.shirt), type=mode, address="Rua 1", scheduled_for=when) for when in times
    ]

    assert [reply["scheduled_for"] for reply in replies] == times
    assert await laundry.counts() == {}


async def test_stores_without_slots_are_not_touched(store):
    soup = await store.item("Soup", 5)

    order = await store.order(line(soup), scheduled_for="2001-01-01T00:00:07+00:00")

    assert order["scheduled_for"] == "2001-01-01T00:00:07+00:00"
    assert await sql.fetch_value("SELECT count(*) FROM collection_slot WHERE store_id = $1", store.id) == 0


@pytest.fixture
async def hotel(client, owner, clock):
    clock.set(datetime.fromisoformat(at(9)))
    return TestStore(client, owner, await owner.store("hotel"))


async def test_every_vertical_with_appointments_has_their_slots(hotel):
    massage = await hotel.item("Massage", 60)

    order = await hotel.order(line(massage), type="appointment")

    assert order["scheduled_for"] == at(10)
