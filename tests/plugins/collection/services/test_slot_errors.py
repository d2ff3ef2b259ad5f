"""Error messages for unavailable times suggest available ones."""

NEAREST = "The nearest slots are 2030-01-07T11:00+00:00 and 2030-01-07T11:15+00:00."
EVENING = "The nearest slots are 2030-01-07T17:45+00:00 and 2030-01-08T09:00+00:00."
LAST = "The nearest slot is 2030-01-21T17:45+00:00."
FIRST = "The first slot that can be booked is 2030-01-07T09:30+00:00."


async def test_full_slot_is_refused_with_next_free_slot(laundry, published, at):
    await laundry.update_rules(capacity=1)
    await laundry.book(at(11))
    await laundry.book(at(11, 15))
    before = await published()

    refused = await laundry.place_slot_order(at(11))

    message = "The slot at 2030-01-07T11:00+00:00 is full. The next free slot is 2030-01-07T11:30+00:00."
    assert refused.errors == {"scheduled_for": [message]}
    assert (refused["reason"], refused["next_free_at"]) == ("slot_full", at(11, 30))
    assert ((await laundry.get("/orders"))["total"], await published()) == (2, before)
    assert await laundry.counts() == {at(11): 1, at(11, 15): 1}


async def test_messages_use_time_zone_of_store(client, owner, laundry, at):
    await laundry.send("PUT", "/settings", {"timezone": "Asia/Kathmandu"})
    await laundry.update_rules(capacity=1)
    await laundry.book(at(11))

    refused = await laundry.place_slot_order(at(11))

    message = "The slot at 2030-01-07T16:45+05:45 is full. The next free slot is 2030-01-07T17:00+05:45."
    assert refused.errors == {"scheduled_for": [message]}
    assert refused["next_free_at"] == at(11, 15)


async def test_message_says_when_no_slot_is_free(laundry, at):
    await laundry.set_hours("11:00", "12:00", only=("monday",))
    await laundry.update_rules(slot_minutes=60, capacity=1, horizon_days=6)
    await laundry.book(at(11))

    for when, message in (
        (at(11), "The slot at 2030-01-07T11:00+00:00 is full. No later slot is free."),
        (None, "No slot is free up to 2030-01-13."),
    ):
        refused = await laundry.place_slot_order(when)
        assert refused.errors == {"scheduled_for": [message]}
        assert (refused["reason"], refused["next_free_at"]) == ("slot_full", None)
    assert (await laundry.get("/orders"))["total"] == 1


UNAVAILABLE_TIMES = [
    ("2030-01-07T11:10:00+00:00", f"No slot begins at that time. {NEAREST}"),
    ("2030-01-07T11:00:01+00:00", f"No slot begins at that time. {NEAREST}"),
    ("2030-01-07T18:00:00+00:00", f"The store is closed at that time. {EVENING}"),
    ("2030-01-21T20:00:00+00:00", f"The store is closed at that time. {LAST}"),
    ("2030-01-07T08:45:00+00:00", f"This time has passed. {FIRST}"),
    ("2030-01-07T09:15:00+00:00", f"The store needs 30 minutes' notice. {FIRST}"),
    ("2030-01-22T09:00:00+00:00", "Slots can be booked up to 2030-01-21."),
    ("0001-01-01T00:00:00Z", f"This time has passed. {FIRST}"),
    ("9999-12-31T23:59:59Z", "Slots can be booked up to 2030-01-21."),
]


async def test_unavailable_time_is_refused_with_suggestions(laundry, subtests):
    await laundry.set_hours("09:00", "18:00")

    for when, message in UNAVAILABLE_TIMES:
        with subtests.test(when=when, message=message):
            refused = await laundry.place_slot_order(when)

            assert refused.errors == {"scheduled_for": [message]}
            assert ((await laundry.get("/orders"))["total"], await laundry.counts()) == (0, {})


async def test_store_that_never_opens_has_no_slot(laundry, at):
    await laundry.set_hours("09:00", "18:00", only=())

    assert (await laundry.place_slot_order(at(11))).errors == {
        "scheduled_for": ["The store is closed at that time. No slot is available."]
    }
    assert (await laundry.place_slot_order()).errors == {"scheduled_for": ["No slot is free up to 2030-01-21."]}
