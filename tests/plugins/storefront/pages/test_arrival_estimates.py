"""The expected time on the tracking page, which is only there if something is known."""

import re
from datetime import UTC, datetime, timedelta

import orjson
import pytest
from comanda.platform.db import sql
from comanda_storefront.services import arrival_estimates

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def place(store, clock):
    """Return a function that places an order at noon."""

    async def place(**fields):
        soup = await store.item("Soup", 5)
        clock.set(NOON)
        return await store.order({"item_id": soup["id"]}, **fields)

    return place


@pytest.fixture
def remember(store):
    """Return a function that adds completed orders, each with the minutes to each stage of its timeline."""

    async def remember(timelines, **fields):
        soup = await store.item("Past soup", 5)
        for stages in timelines:
            past = await store.order({"item_id": soup["id"]}, **fields)
            began = NOON - timedelta(days=1)
            timeline = {name: (began + timedelta(minutes=minutes)).isoformat() for name, minutes in stages.items()}
            await sql.execute(
                "UPDATE core_order SET status = 'completed', created_at = $3, timeline = $4::jsonb "
                "WHERE id = $1 AND owner_id = $2",
                past["id"], store.owner.id, began, orjson.dumps(timeline).decode(),
            )  # fmt: skip

    return remember


@pytest.fixture
def read_expected(store, get_order_page):
    """Return a function that reads the expected time of an order, or None."""

    async def read(order):
        _, text = await get_order_page(store, order["track_token"])
        found = re.search(r'<p class="expected">(.*?)</p>', text)
        return found and re.sub(r"<[^>]+>", "", found[1]).replace("\N{EN DASH}", "-")

    return read


def take_minutes(*minutes, stage="ready_at"):
    return [{"created_at": 0, stage: each} for each in minutes]


async def test_nothing_is_expected_without_knowledge(place, read_expected):
    assert await read_expected(await place(type="takeaway")) is None
    assert await read_expected(await place(type="delivery", address="Here 1")) is None


async def test_preparation_time_of_the_store_tells_when_one_is_ready(
    place, remember, read_expected, store, clock, set_order_status
):
    response = await store.send("PUT", "/settings/storefront", {"preparation_minutes": 25})
    assert response.status == 200, response
    order = await place(type="takeaway")

    assert await read_expected(order) == "Ready about 12:25-12:30"
    assert await read_expected(await place(type="delivery", address="Here 1")) is None
    clock.set(NOON + timedelta(minutes=28))
    assert await read_expected(order) == "Ready about 12:30-12:35"
    clock.set(NOON + timedelta(minutes=40))
    assert await read_expected(order) == "It is taking longer than planned."
    await set_order_status(store, order, "ready")
    assert await read_expected(order) is None


async def test_recent_orders_tell_when_one_is_ready(place, remember, read_expected, clock):
    await remember(take_minutes(5, 18, 19, 20, 21, 22, 23, 90), type="takeaway")

    order = await place(type="takeaway")

    # The store's zone is UTC; the middle half of the eight took 19 to 22 minutes.
    assert await read_expected(order) == "Ready about 12:15-12:25"
    clock.set(NOON + timedelta(minutes=17))
    assert await read_expected(order) == "Ready about 12:20-12:25"
    clock.set(NOON + timedelta(minutes=40))
    assert await read_expected(order) == "It is taking longer than planned."


async def test_recent_orders_are_read_once_a_minute(place, remember, read_expected, monkeypatch):
    await remember(take_minutes(20, 20, 20, 20, 20), type="takeaway")
    orders = [await place(type="takeaway") for _ in range(2)]
    read, statements = sql.fetch, []

    async def fetch(statement, *values):
        statements.append(statement)
        return await read(statement, *values)

    monkeypatch.setattr(sql, "fetch", fetch)
    seen = [await read_expected(order) for order in (*orders, orders[0])]

    assert seen == ["Ready about 12:20-12:25"] * 3
    assert statements.count(arrival_estimates.SELECT_RECENT_TIMELINES) == 1


async def test_few_or_other_orders_tell_nothing(place, remember, read_expected):
    await remember(take_minutes(20, 20, 20, 20), type="takeaway")
    await remember(take_minutes(20, 20, 20, 20, 20), type="on-table", table_number="4")

    assert await read_expected(await place(type="takeaway")) is None


async def test_busy_store_takes_longer(place, remember, read_expected, store):
    await remember(take_minutes(20, 20, 20, 20, 20), type="takeaway")
    order = await place(type="takeaway")
    reply = await store.send("PUT", "/intake-status", {"status": "busy", "delay_minutes": 15})
    assert reply.status == 200, reply

    assert await read_expected(order) == "Ready about 12:35-12:40"


async def test_planned_time_is_shown_and_ready_order_has_none(place, read_expected, store, set_order_status):
    planned = await place(type="takeaway", scheduled_for=(NOON + timedelta(hours=3)).isoformat())

    assert await read_expected(planned) == "Planned for 15:00"
    await set_order_status(store, planned, "ready")
    assert await read_expected(planned) is None


async def test_delivery_is_expected_at_the_door(place, remember, read_expected):
    await remember(take_minutes(40, 41, 42, 43, 44, stage="delivered_at"), type="delivery", address="Here 1")

    assert await read_expected(await place(type="delivery", address="Here 1")) == "Arriving about 12:40-12:45"


@pytest.mark.parametrize(
    ("status", "other_stops", "age_minutes", "said"),
    [
        # 1.9 km away: at the earliest in 5 minutes, at the latest in 15.
        ("out_for_delivery", 0, 0, "Arriving about 12:00-12:15"),
        ("out_for_delivery", 2, 0, "Arriving about 12:00-12:30"),
        ("out_for_delivery", 0, 10, None),
        ("assigned", 0, 0, None),
        ("delivered", 0, 0, None),
    ],
)
async def test_driver_on_the_way_is_expected_by_distance(
    place, read_expected, trip_sections, status, other_stops, age_minutes, said
):
    order = await place(type="delivery", address="Here 1")
    await sql.execute("UPDATE core_order SET delivery_status = $2 WHERE id = $1", order["id"], status)
    trip_sections(located_at=NOON - timedelta(minutes=age_minutes), other_stops=other_stops)

    assert await read_expected(order) == said


async def test_map_has_store_driver_and_address(place, store, get_order_page, trip_sections):
    order = await place(type="delivery", address="Here 1")
    await sql.execute("UPDATE core_order SET delivery_status = 'out_for_delivery' WHERE id = $1", order["id"])
    trip_sections(located_at=NOON)

    _, text = await get_order_page(store, order["track_token"])

    drawn = orjson.loads(re.search(r"data-map='([^']+)'", text)[1])
    assert [(place["kind"], place["lat"]) for place in drawn["places"]] == [
        ("store", 38.7139), ("home", 38.7101), ("driver", 38.727),
    ]  # fmt: skip
    assert drawn["way"] == ["store", "driver", "home"]
    assert drawn["label"] == "Map: the driver is about 1.9 km from your address"
