"""Orders for later: the times that a page offers, and when an order placed now is ready."""

from datetime import UTC, datetime, timedelta

import pytest

# A Monday.
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
EVENINGS = [{"open": "18:00", "close": "19:00"}]
WEEK = {day: [] for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}


@pytest.fixture
async def evenings(store, clock):
    """Open the store on Monday and Wednesday evenings for an hour, in UTC, and make it Monday noon."""
    clock.set(NOON)
    hours = {**WEEK, "monday": EVENINGS, "wednesday": EVENINGS}
    await store.send("PUT", "/settings", {"timezone": "UTC", "hours": hours})


@pytest.fixture
def set_ordering(store):
    async def set_ordering(**values):
        reply = await store.send("PUT", "/settings/storefront", values)
        assert reply.status == 200, reply

    return set_ordering


@pytest.fixture
def set_busy(store):
    async def set_busy(minutes):
        reply = await store.send("PUT", "/intake-status", {"status": "busy", "delay_minutes": minutes})
        assert reply.status == 200, reply

    return set_busy


@pytest.fixture
def get_times(store, get_slug):
    async def get_times(query=""):
        response = await store.client.get(f"/s/{await get_slug(store)}/times{query}")
        return response.status_code, await response.get_json()

    return get_times


def list_hours(answer):
    return [each["starts_at"][11:16] for each in answer["slots"]]


async def test_times_are_quarters_of_open_hours(evenings, get_times):
    _, today = await get_times()
    _, wednesday = await get_times("?date=2026-06-03")
    _, tuesday = await get_times("?date=2026-06-02")

    assert today["days"] == ["2026-06-01", "2026-06-03", "2026-06-08"]
    assert list_hours(today) == ["18:00", "18:15", "18:30", "18:45"]
    assert list_hours(wednesday) == list_hours(today)
    assert tuesday["slots"] == []


async def test_times_leave_room_for_preparation_and_busy_hours(evenings, set_ordering, set_busy, get_times, clock):
    await set_ordering(preparation_minutes=20)
    _, before = await get_times()
    clock.set(NOON.replace(hour=18, minute=1))
    _, open_ = await get_times("?date=2026-06-01")
    await set_busy(10)
    _, busy = await get_times("?date=2026-06-01")

    assert list_hours(before) == ["18:30", "18:45"]
    assert list_hours(open_) == ["18:30", "18:45"]
    assert list_hours(busy) == ["18:45"]


async def test_store_without_hours_offers_the_rest_of_the_day(store, clock, update_settings, get_times):
    clock.set(NOON.replace(hour=23, minute=10))
    await update_settings(store, timezone="UTC")

    _, today = await get_times("?date=2026-06-01")
    _, tomorrow = await get_times("?date=2026-06-02")

    assert list_hours(today) == ["23:15", "23:30", "23:45"]
    assert len(tomorrow["slots"]) == 96


async def test_no_times_without_orders_for_later(evenings, set_ordering, get_times):
    await set_ordering(order_ahead_days=0)

    assert await get_times() == (200, {"days": [], "slots": []})


@pytest.mark.parametrize("query", ["?date=x", "?date=0000-00-00", "?date=2026-02-30", "?date=%00"])
async def test_wrong_day_returns_422(get_times, query):
    assert (await get_times(query))[0] == 422


async def test_far_days_have_no_times(get_times):
    for day in ("0001-01-01", "2020-01-01", "9999-12-31"):
        status, answer = await get_times(f"?date={day}")
        assert status == 422 or answer["slots"] == []


async def test_order_for_later_is_placed_for_its_time(evenings, page_guest):
    soup = await page_guest.store.item("Soup", 5)

    _, placed = await page_guest.order({"item_id": soup["id"]}, scheduled_for="2026-06-01T18:15:00Z")

    order = await page_guest.store.get(f"/orders/{placed['id']}")
    assert order["scheduled_for"] == "2026-06-01T18:15:00+00:00"


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        (NOON - timedelta(days=5), "This time has passed. Choose another one."),
        (NOON + timedelta(days=14), "This is too far ahead. Choose an earlier time."),
    ],
)
async def test_time_that_cannot_be_ordered_for_is_refused(store, clock, page_guest, at, sentence):
    clock.set(NOON)
    soup = await page_guest.store.item("Soup", 5)

    response, answer = await page_guest.order({"item_id": soup["id"]}, scheduled_for=at.isoformat())

    assert (response.status_code, answer["errors"]) == (422, {"scheduled_for": [sentence]})
    assert await page_guest.orders() == 0


async def test_quote_says_when_the_order_is_ready(clock, set_ordering, set_busy, page_guest):
    clock.set(NOON)
    await set_ordering(preparation_minutes=20)
    soup = await page_guest.store.item("Soup", 5)

    _, answer = await page_guest.quote({"item_id": soup["id"]})
    _, at_table = await page_guest.quote({"item_id": soup["id"]}, type="on-table", table_number="4")
    await set_busy(10)
    _, busy = await page_guest.quote({"item_id": soup["id"]})

    assert answer["ready_at"] == "2026-06-01T12:20:00+00:00"
    assert at_table["ready_at"] is None
    assert busy["ready_at"] == "2026-06-01T12:30:00+00:00"
