"""What a guest's agent learns of a store: what it is, when it is open, and only of the token's own."""

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


async def test_the_store_tells_what_guests_need_and_nothing_of_its_owner(guest, store, owner, lunch):
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
            {"code": "on-table", "label": "At the table", "required_fields": ["table_number"]},
            {"code": "takeaway", "label": "Takeaway", "required_fields": []},
        ],
        "policies": {
            "is_tax_included": True, "tax_rate": 0.0, "service_charge_rate": 5.0, "service_charge_amount": 0.0,
            "service_charge_modes": ["on-table"],
        },
    }  # fmt: skip
    assert owner.email not in str(found)


async def test_an_open_store_takes_orders_now_and_a_closed_one_tells_when(guest, store, lunch):
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
async def test_a_kind_of_order_that_guests_cannot_place_is_told_with_those_they_can(guest, store, kind):
    found = await guest.call("check_availability", {"type": kind})

    assert (found["is_available"], found["is_open"]) == (False, True)
    assert [each["code"] for each in found["messages"]] == ["type_unavailable"]
    assert [mode["code"] for mode in found["modes"]] == ["on-table", "takeaway"]


@pytest.mark.parametrize("at", ["2020-01-01T00:00:00Z", "2030-01-01T00:00:00", "soon", 5, "9999-12-31T23:59:59-14:00"])
async def test_a_time_that_is_none_or_past_is_refused(guest, store, clock, at):
    clock.set(NOON)

    refused = await guest.refused("check_availability", {"at": at})

    assert list(refused["errors"]) == ["at"]


async def test_the_end_of_the_calendar_is_a_time_too(guest, store, lunch):
    found = await guest.call("check_availability", {"at": "9999-12-31T23:00:00Z"})

    assert (found["is_open"], found["next_open_at"]) == (False, None)


async def test_a_store_that_is_not_published_shows_nothing(guest, store):
    item = await store.item()
    await store.send("PUT", "/settings", {"is_published": False})

    for tool, arguments in (
        ("get_store", {}), ("get_menu", {}), ("search_menu", {}), ("check_availability", {}),
        ("get_item", {"item_id": item["id"]}),
    ):  # fmt: skip
        assert (await guest.refused(tool, arguments))["code"] == "not_found"


async def test_tools_are_hidden_from_a_token_that_may_not_read_the_menu(agents, owner, store):
    ordering = await agents.storefront(owner, store.id, "agent", "order:write")

    assert sorted(await ordering.tools()) == ["place_order", "track_order"]
    error = await ordering.error("get_menu")
    assert (error["code"], error["data"]["required"]) == (-32003, "menu:read")


async def test_a_token_without_the_scope_agent_and_an_owners_are_turned_away(agents, owner, store):
    plain = await agents.storefront(owner, store.id, "menu:read", "order:write")
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    assert (await plain.post(message)).status_code == 403
    assert (await agents.public("/mcp/storefront").post(message, **owner.auth)).status_code == 401
    assert (await agents.public("/mcp/storefront").post(message)).status_code == 401


async def test_an_order_is_tracked_by_its_token_within_its_store(agents, guest, owner, store, new_store):
    item = await store.item("Soup")
    order = await store.order({"item_id": item["id"], "quantity": 2})

    found = await guest.call("track_order", {"track_token": order["track_token"]})

    assert (found["id"], found["status"], found["items"]) == (order["id"], "new", [{"name": "Soup", "quantity": 2}])
    elsewhere = await agents.storefront(owner, (await new_store()).id)
    assert (await elsewhere.refused("track_order", {"track_token": order["track_token"]}))["code"] == "not_found"
