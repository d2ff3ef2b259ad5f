"""What an owner decides about the reservations of a store."""

import pytest

DEFAULTS = {
    "is_accepting": True,
    "turn_minutes": 90,
    "slot_minutes": 15,
    "max_party_size": 20,
    "min_notice_minutes": 0,
    "capacity_seats": None,
}


async def test_a_store_begins_with_defaults_and_keeps_what_is_set(restaurant):
    assert (await restaurant.store.get("/reservations/settings")).document == DEFAULTS

    assert await restaurant.settings(turn_minutes=120) == {**DEFAULTS, "turn_minutes": 120}
    assert await restaurant.settings(capacity_seats=40) == {**DEFAULTS, "turn_minutes": 120, "capacity_seats": 40}
    assert await restaurant.settings(capacity_seats=None, turn_minutes=None) == {**DEFAULTS, "turn_minutes": 120}
    assert (await restaurant.store.get("/reservations/settings")).document == {**DEFAULTS, "turn_minutes": 120}


async def test_a_turn_is_how_long_the_next_party_keeps_its_table(restaurant):
    before = await restaurant.reserve()
    await restaurant.settings(turn_minutes=45)

    made = await restaurant.reserve()

    assert made["ends_at"] == "2027-03-10T18:45:00+00:00"
    assert await restaurant.shown(before) == before


@pytest.mark.parametrize(
    "body",
    [
        {"turn_minutes": 14},
        {"turn_minutes": 721},
        {"slot_minutes": 4},
        {"max_party_size": 0},
        {"min_notice_minutes": -1},
        {"min_notice_minutes": 43_201},
        {"capacity_seats": 0},
        {"is_accepting": "perhaps"},
    ],
)
async def test_what_will_not_do_changes_nothing(restaurant, body):
    reply = await restaurant.store.send("PUT", "/reservations/settings", {"turn_minutes": 60, **body})

    assert list(reply.errors) == list(body)
    assert (await restaurant.store.get("/reservations/settings")).document == DEFAULTS
