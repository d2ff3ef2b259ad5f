"""A store's booking rules and settings."""

from comanda.contracts import Vertical, VerticalGroup


async def test_walk_in_can_be_entered_late(restaurant):
    made = await restaurant.create_reservation(hours=-4 / 60)

    assert made["starts_at"] == "2027-03-10T11:56:00+00:00"


async def test_notice_party_limit_and_closed_book_refuse(restaurant):
    await restaurant.update_settings(min_notice_minutes=120, max_party_size=4)

    soon, large = await restaurant.request_reservation(hours=1), await restaurant.request_reservation(party_size=5)
    await restaurant.update_settings(is_accepting=False)
    closed = await restaurant.request_reservation()
    allowed = await restaurant.request_reservation(hours=1, party_size=5, override=True)

    assert (soon.errors, soon["reason"]) == ({"starts_at": ["The store requires 120 minutes' notice."]}, "too_soon")
    assert large["reason"] == "party_too_large"
    assert (closed.status, closed["reason"]) == (409, "not_accepting")
    assert allowed.status == 201
    assert await restaurant.count_reservations() == 1


async def test_store_type_without_tables_returns_404(restaurant, monkeypatch, create_stay):
    parlour = Vertical("restaurant", "Parlour", VerticalGroup.SERVICES, ("reservations",), ("takeaway",))
    monkeypatch.setattr("comanda_reservations.services.reservation_rules.find_vertical", lambda _: parlour)
    await create_stay()

    refused = await restaurant.request_reservation()
    tables = await restaurant.store.send("GET", "/tables")

    assert (refused.status, refused["code"]) == (404, "not_found")
    assert refused["message"] == tables["message"] == "Stores of this type do not take table reservations."
    # What is listed can be read: stays for one.
    assert await restaurant.count_reservations() == 1


DEFAULTS = {
    "is_accepting": True,
    "turn_minutes": 90,
    "slot_minutes": 15,
    "max_party_size": 20,
    "min_notice_minutes": 0,
    "capacity_seats": None,
    "deposit_per_guest": None,
    "deposit_party_size": 1,
    "deposit_free_hours": 24,
    "deposit_hold_minutes": 30,
    "has_waitlist": False,
    "has_public_waitlist": False,
}


async def test_settings_have_defaults_and_are_stored(restaurant):
    assert (await restaurant.store.get("/reservations/settings")).document == DEFAULTS

    assert await restaurant.update_settings(turn_minutes=120) == {**DEFAULTS, "turn_minutes": 120}
    assert await restaurant.update_settings(capacity_seats=40) == {
        **DEFAULTS,
        "turn_minutes": 120,
        "capacity_seats": 40,
    }
    with_deposit = await restaurant.update_settings(deposit_per_guest=12.5, capacity_seats=None)
    assert (with_deposit["deposit_per_guest"], with_deposit["capacity_seats"]) == (12.5, None)
    assert await restaurant.update_settings(deposit_per_guest=0, turn_minutes=None) == {**DEFAULTS, "turn_minutes": 120}
    assert (await restaurant.store.get("/reservations/settings")).document == {**DEFAULTS, "turn_minutes": 120}


async def test_turn_is_default_duration(restaurant):
    before = await restaurant.create_reservation()
    await restaurant.update_settings(turn_minutes=45)

    made = await restaurant.create_reservation()

    assert made["ends_at"] == "2027-03-10T18:45:00+00:00"
    assert await restaurant.get_reservation(before) == before


INVALID_SETTINGS = [
    {"turn_minutes": 14},
    {"turn_minutes": 721},
    {"slot_minutes": 4},
    {"max_party_size": 0},
    {"min_notice_minutes": -1},
    {"min_notice_minutes": 43_201},
    {"capacity_seats": 0},
    {"is_accepting": "perhaps"},
]


async def test_invalid_settings_change_nothing(restaurant, subtests):
    for body in INVALID_SETTINGS:
        with subtests.test(body=body):
            reply = await restaurant.store.send("PUT", "/reservations/settings", {"turn_minutes": 60, **body})

            assert list(reply.errors) == list(body)
            assert (await restaurant.store.get("/reservations/settings")).document == DEFAULTS
