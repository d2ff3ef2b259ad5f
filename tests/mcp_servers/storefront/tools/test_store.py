"""Tools for the store."""

from datetime import UTC, datetime

import pytest

WEEK = {day: [] for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}


# A Monday.
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
async def lunch(store, clock):
    """Open the store on Mondays from 11 to 14, and make it Monday noon."""
    clock.set(NOON)
    await store.send("PUT", "/settings", {"hours": {**WEEK, "monday": [{"open": "11:00", "close": "14:00"}]}})


async def test_store_has_only_guest_data(guest, store, owner, lunch):
    await store.send(
        "PUT", "/settings",
        {"address": "Rua 1, Lisboa", "phone": "+351 1", "service_charge_rate": 5, "service_charge_modes": ["on-table"]},
    )  # fmt: skip

    found = await guest.call("get_store")

    detail = (await store.get()).document
    assert found == {
        **{name: detail[name] for name in ("id", "title", "url", "store_type", "country", "hours")},
        "label": "Restaurant", "currency": "EUR", "timezone": "UTC", "address": "Rua 1, Lisboa", "phone": "+351 1",
        "is_open": True, "next_open_at": None, "closes_at": "2026-06-01T14:00:00+00:00",
        "modes": [
            {"code": "on-table", "label": "Dine in", "required_fields": ["table_number"]},
            {"code": "takeaway", "label": "Takeaway", "required_fields": []},
        ],
        "policies": {
            "is_tax_included": True, "tax_rate": 0.0, "service_charge_rate": 5.0, "service_charge_amount": 0.0,
            "service_charge_modes": ["on-table"],
        },
    }  # fmt: skip
    assert owner.email not in str(found)


async def test_closed_store_has_next_opening(guest, store, lunch):
    now = await guest.call("check_availability", {"type": "takeaway"})
    later = await guest.call("check_availability", {"at": "2026-06-01T16:30:00+02:00"})

    assert (now["is_available"], now["is_open"], now["at"]) == (True, True, "2026-06-01T12:00:00+00:00")
    assert (now["closes_at"], now["messages"]) == ("2026-06-01T14:00:00+00:00", [])
    assert (later["is_available"], later["is_open"], later["at"]) == (False, False, "2026-06-01T14:30:00+00:00")
    assert later["next_open_at"] == "2026-06-08T11:00:00+00:00"
    assert [(each["type"], each["code"], each["path"]) for each in later["messages"]] == [
        ("error", "store_closed", "at")
    ]


@pytest.mark.parametrize("kind", ["delivery", "room_service", "ship", "teleport"])
async def test_unavailable_order_type_lists_modes(guest, store, kind):
    found = await guest.call("check_availability", {"type": kind})

    assert (found["is_available"], found["is_open"]) == (False, True)
    assert [each["code"] for each in found["messages"]] == ["type_unavailable"]
    assert [mode["code"] for mode in found["modes"]] == ["on-table", "takeaway"]


@pytest.mark.parametrize("at", ["2020-01-01T00:00:00Z", "2030-01-01T00:00:00", "soon", 5, "9999-12-31T23:59:59-14:00"])
async def test_invalid_or_past_time_is_refused(guest, store, clock, at):
    clock.set(NOON)

    refused = await guest.refused("check_availability", {"at": at})

    assert list(refused["errors"]) == ["at"]


async def test_last_date_of_the_calendar_is_accepted(guest, store, lunch):
    found = await guest.call("check_availability", {"at": "9999-12-31T23:00:00Z"})

    assert (found["is_open"], found["next_open_at"]) == (False, None)
