"""Opening hours in the API: setting, validation, changes of single days."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.contracts.opening_hours import DAYS
from comanda.contracts.requests.paging import PageRequest
from comanda.contracts.requests.validation import parse_body
from comanda.devkit.testing.stores import TestStore
from comanda.platform.db import sql
from comanda.stores import services
from comanda.stores.hours_schemas import HoursBody, HoursChange
from comanda.stores.schemas import SettingsChange

CLOSED = {day: [] for day in DAYS}
NINE_TO_FIVE = [{"open": "09:00", "close": "17:00"}]
ALL_DAY = [{"open": "00:00", "close": "24:00"}]
WEEK = dict.fromkeys(DAYS, NINE_TO_FIVE) | {"exceptions": []}


def exception(**fields):
    return {"exceptions": [{"date": "2026-12-25", **fields}]}


async def set_hours(store, hours, **settings):
    reply = await store.send("PUT", "/settings", {"hours": hours, **settings})
    assert reply.status == 200, reply
    return reply["hours"]


async def hours_of(store):
    return (await store.get("/settings"))["hours"]


async def opening_of(store):
    shown = (await store.get()).document
    return {name: shown[name] for name in ("is_open", "next_open_at", "closes_at")}


async def test_hours_come_back_in_order_and_complete(store):
    given = {
        **CLOSED,
        "monday": [{"open": "13:00", "close": "17:00"}, {"open": "08:00", "close": "12:00", "more": 1}],
        "exceptions": [
            {"date": "2027-01-01"},
            {"date": "2026-12-31", "intervals": [{"open": "20:00", "close": "04:00"}], "note": " Party\u0000 "},
        ],
    }

    told = await set_hours(store, given)

    assert list(told) == [*DAYS, "exceptions"]
    assert told == {
        **CLOSED,
        "monday": [{"open": "08:00", "close": "12:00"}, {"open": "13:00", "close": "17:00"}],
        "exceptions": [
            {
                "date": "2026-12-31",
                "is_closed": False,
                "intervals": [{"open": "20:00", "close": "04:00"}],
                "note": "Party",
            },
            {"date": "2027-01-01", "is_closed": True, "intervals": [], "note": None},
        ],
    }
    assert (await store.get())["hours"] == told


async def test_returned_hours_can_be_sent_again(store):
    told = await set_hours(store, {**WEEK, **exception(intervals=NINE_TO_FIVE, note="Short day")})

    assert await set_hours(store, told) == told


async def test_null_removes_hours_and_omission_keeps_them(store):
    await set_hours(store, WEEK)

    await store.send("PUT", "/settings", {"title": "Still nine to five"})
    kept = await hours_of(store)
    removed = await set_hours(store, None)

    assert kept == WEEK
    assert removed is None
    assert await sql.fetch_value("SELECT hours FROM core_store WHERE id = $1", store.id) is None


INTERVAL = {"open": "09:00", "close": "17:00"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"monday": [{"open": "24:00", "close": "02:00"}]}, "monday.0.open"),
        ({"monday": [INTERVAL, {"open": "18:00"}]}, "monday.1.close"),
        ({"monday": [{"open": "9:00", "close": "17:00"}]}, "monday.0.open"),
        ({"monday": [{"open": "\u0660\u0669:\u0660\u0660", "close": "17:00"}]}, "monday.0.open"),
        ({"monday": [{"open": "09:00", "close": "24:01"}]}, "monday.0.close"),
        ({"monday": [{"open": "09:00", "close": "17:00\n"}]}, "monday.0.close"),
        ({"monday": [{"open": 540, "close": "17:00"}]}, "monday.0.open"),
        ({"monday": [INTERVAL, {"open": "16:59", "close": "20:00"}]}, "monday"),
        ({"monday": [INTERVAL, INTERVAL]}, "monday"),
        ({"monday": [{"open": "20:00", "close": "03:00"}, {"open": "23:00", "close": "23:30"}]}, "monday"),
        ({"monday": [{"open": f"{hour:02}:00", "close": f"{hour:02}:30"} for hour in range(11)]}, "monday"),
        ({"monday": None}, "monday"),
        ({"monday": {}}, "monday"),
        ({"monday": ["09:00-17:00"]}, "monday.0"),
        (exception(date="2026-02-29"), "exceptions.0.date"),
        (exception(date="2026-12-25T00:00:00"), "exceptions.0.date"),
        (exception(date=1798156800), "exceptions.0.date"),
        (exception(date="9999-12-31"), "exceptions.0.date"),
        (exception(is_closed=True, intervals=NINE_TO_FIVE), "exceptions.0.intervals"),
        (exception(is_closed=False), "exceptions.0.intervals"),
        (exception(is_closed=False, intervals=[]), "exceptions.0.intervals"),
        (exception(intervals=[INTERVAL, INTERVAL]), "exceptions.0.intervals"),
        (exception(intervals=[{"open": "x", "close": "17:00"}]), "exceptions.0.intervals.0.open"),
        (exception(note="x" * 256), "exceptions.0.note"),
        ({"exceptions": [{"date": "2026-12-25"}, {"date": "2026-12-24"}, {"date": "2026-12-25"}]}, "exceptions"),
        ({"exceptions": [{"date": "2026-12-25"}] * 401}, "exceptions"),
        ({"exceptions": None}, "exceptions"),
    ],
)
async def test_invalid_hours_are_refused(store, change, field):
    await set_hours(store, WEEK)
    before = (await store.get("/settings")).document

    refused = await store.send("PUT", "/settings", {"title": "Elsewhere", "hours": {**WEEK, **change}})

    assert refused.errors.keys() == {f"hours.{field}"}
    assert (await store.get("/settings")).document == before


async def test_a_whole_week_names_every_day(store):
    refused = await store.send("PUT", "/settings", {"hours": {"Monday": NINE_TO_FIVE, "tuesday": []}})

    missing = [day for day in DAYS if day != "tuesday"]
    assert refused.errors == {f"hours.{day}": ["This field is required."] for day in missing}
    assert await hours_of(store) is None


async def test_a_store_without_hours_is_always_open(store):
    assert await opening_of(store) == {"is_open": True, "next_open_at": None, "closes_at": None}


async def test_opening_and_closing_times_are_in_utc(store, clock):
    await set_hours(store, {**WEEK, "sunday": []}, timezone="Asia/Kathmandu")
    clock.set(datetime(2026, 11, 16, 3, 15, tzinfo=UTC))  # Monday nine o'clock, 5:45 ahead
    at_opening = await opening_of(store)
    clock.advance(hours=8)
    at_closing = await opening_of(store)
    clock.set(datetime(2026, 11, 21, 12, tzinfo=UTC))  # Saturday evening
    at_the_weekend = await opening_of(store)

    closed = {"is_open": False, "closes_at": None}
    assert at_opening == {"is_open": True, "next_open_at": None, "closes_at": "2026-11-16T11:15:00+00:00"}
    assert at_closing == {**closed, "next_open_at": "2026-11-17T03:15:00+00:00"}
    assert at_the_weekend == {**closed, "next_open_at": "2026-11-23T03:15:00+00:00"}


async def test_an_unpublished_store_is_closed_whatever_its_hours(store):
    await set_hours(store, dict.fromkeys(DAYS, ALL_DAY), is_published=False)

    assert await opening_of(store) == {"is_open": False, "next_open_at": None, "closes_at": None}


async def test_a_store_that_never_opens_says_so(store):
    await set_hours(store, CLOSED)

    assert await opening_of(store) == {"is_open": False, "next_open_at": None, "closes_at": None}


async def test_only_the_given_days_change(store, owner):
    await set_hours(store, {**WEEK, **exception(note="Christmas")})
    before = await hours_of(store)

    change = HoursChange.model_validate({"tuesday": [], "friday": ALL_DAY, "monday": None})
    told = await services.update_hours(owner.caller, store.id, change)

    assert told.hours == {**before, "tuesday": [], "friday": ALL_DAY}
    assert told == await services.get_settings(owner.caller, store.id)


async def test_exceptions_are_replaced_and_the_week_is_kept(store, owner):
    await set_hours(store, {**WEEK, **exception(note="Christmas")})

    change = HoursChange.model_validate({"exceptions": [{"date": "2027-05-01", "is_closed": True}]})
    told = await services.update_hours(owner.caller, store.id, change)

    holiday = {"date": "2027-05-01", "is_closed": True, "intervals": [], "note": None}
    assert told.hours == {**WEEK, "exceptions": [holiday]}


async def test_first_changed_day_leaves_others_always_open(store, owner):
    told = await services.update_hours(owner.caller, store.id, HoursChange(monday=[]))

    assert told.hours == dict.fromkeys(DAYS, ALL_DAY) | {"monday": [], "exceptions": []}


async def test_changing_no_day_changes_nothing(store, owner):
    statement = "SELECT menu_version FROM core_store WHERE id = $1"
    before = await sql.fetch_value(statement, store.id)

    told = await services.update_hours(owner.caller, store.id, HoursChange())

    assert told.hours is None
    assert await sql.fetch_value(statement, store.id) == before


async def test_new_hours_bump_the_menu_version(store, owner):
    statement = "SELECT menu_version FROM core_store WHERE id = $1"
    before = await sql.fetch_value(statement, store.id)

    await services.update_hours(owner.caller, store.id, HoursChange(monday=[]))
    by_day = await sql.fetch_value(statement, store.id)
    await set_hours(store, WEEK)

    assert (by_day, await sql.fetch_value(statement, store.id)) == (before + 1, before + 2)


async def test_an_invalid_day_is_reported_by_its_path():
    with pytest.raises(ValidationFailed) as refused:
        parse_body(HoursChange, b'{"monday": [{"open": "9", "close": "10:00"}], "exceptions": [{}]}')

    assert refused.value.errors.keys() == {"monday.0.open", "exceptions.0.date"}


async def test_days_that_are_changed_at_once_all_count(store, owner):
    changes = [HoursChange.model_validate({day: []}) for day in DAYS]

    await asyncio.gather(*(services.update_hours(owner.caller, store.id, change) for change in changes))

    assert await hours_of(store) == {**CLOSED, "exceptions": []}


async def test_another_owner_cannot_change_hours(store, client, other_owner):
    stranger = TestStore(client, other_owner, store.id)

    refused = await stranger.send("PUT", "/settings", {"hours": {**CLOSED}})
    with pytest.raises(NotFound):
        await services.update_hours(other_owner.caller, store.id, HoursChange(monday=[]))

    assert refused.status == 404
    assert await hours_of(store) is None


async def test_a_store_token_finds_no_other_store(store, owner):
    elsewhere = await owner.store()
    before = await services.get_settings(owner.caller, elsewhere)
    narrow = replace(owner.caller, store_id=store.id)

    for refused in (
        services.get_store(narrow, elsewhere),
        services.get_settings(narrow, elsewhere),
        services.require_store(narrow, elsewhere),
        services.update_settings(narrow, elsewhere, SettingsChange(title="Mine now")),
        services.update_hours(narrow, elsewhere, HoursChange(monday=[])),
    ):
        with pytest.raises(NotFound):
            await refused

    assert await services.get_settings(owner.caller, elsewhere) == before
    assert (await services.get_store(narrow, store.id)).summary.id == store.id
    assert (await services.get_settings(narrow, store.id)).hours is None
    assert (await services.update_hours(narrow, store.id, HoursChange(monday=[]))).hours == dict.fromkeys(
        DAYS, ALL_DAY
    ) | {"monday": [], "exceptions": []}


async def test_a_store_token_lists_only_its_store(store, owner):
    await owner.store()

    page = await services.list_stores(replace(owner.caller, store_id=store.id), PageRequest.read({}))

    assert [listed.id for listed in page.data] == [store.id]
    assert page.total == 1


def test_hours_from_code_are_validated_too():
    with pytest.raises(ValueError, match="overlap"):
        HoursBody.model_validate({**WEEK, "monday": [INTERVAL, INTERVAL]})
