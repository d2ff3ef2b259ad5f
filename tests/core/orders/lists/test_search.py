"""Lists of orders: scopes, filters and deep pages."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from comanda.basics.errors import ValidationFailed
from comanda.contracts.orders.status import Status
from comanda.contracts.requests.paging import PageRequest
from comanda.devkit.testing.stores import line
from comanda.orders.lists import page_anchors
from comanda.orders.lists import search as search_module
from comanda.orders.lists.page_anchors import PageAnchors, PageStart, StoreAnchors
from comanda.orders.lists.search import (
    EVERY_ORDER,
    OrderFilter,
    OrderLink,
    OrderScope,
    parse_status,
    read_pages,
    search_orders,
)
from comanda.platform.db import sql

SEED = """
    INSERT INTO core_order (owner_id, store_id, number, business_date, type, status, payment_status, currency,
        subtotal_minor, discount_total_minor, service_charge_minor, delivery_fee_minor, tax_total_minor,
        is_tax_included, tip_minor, rounding_minor, total_minor, source, audience, track_token, track_hash, timeline,
        created_at, updated_at)
    SELECT $1, $2::bigint, n, '2026-01-01', 'takeaway', CASE WHEN n % 2 = 0 THEN 'new' ELSE 'completed' END,
        'unpaid', 'EUR', 1, 0, 0, 0, 0, true, 0, 0, 1, 'api', 'owner', md5($2::bigint || '/' || n),
        sha256(($2::bigint || '/' || n)::bytea),
        '{"created_at": "2026-01-01T12:00:00+00:00"}', '2026-01-01', '2026-01-01'
    FROM generate_series(1, $3::int) AS n ORDER BY n
"""
SEED_TALLY = """
    INSERT INTO core_order_tally (store_id, owner_id, business_date, last_number, new, completed)
    VALUES ($2, $1, '2026-01-01', $3, $3 / 2, $3 - $3 / 2)
"""


@pytest.fixture
async def history(store, owner, monkeypatch):
    """Give the store 1,000 old orders, whose numbers are their positions; anchors may be 20 apart."""
    monkeypatch.setattr(page_anchors, "MIN_DISTANCE", 20)
    monkeypatch.setattr(search_module, "_anchors", PageAnchors())
    await sql.execute(SEED, owner.id, store.id, 1000)
    await sql.execute(SEED_TALLY, owner.id, store.id, 1000)
    return OrderScope(owner.id, store.id)


async def list_numbers(scope, page, filters=EVERY_ORDER, size=10):
    found = await search_orders(scope, filters, PageRequest(page, size))
    assert (found.current_page, found.per_page) == (page, size)
    return [order.number for order in found.data]


async def test_each_page_continues_the_one_before(history):
    for order in (range(1, 101), range(100, 0, -1), (50, 49, 51, 3, 98, 50)):
        for page in order:
            newest = 1000 - (page - 1) * 10
            assert await list_numbers(history, page) == list(range(newest, newest - 10, -1)), page


async def test_deep_page_keeps_its_place_after_new_orders(history, store):
    assert await list_numbers(history, 50) == list(range(510, 500, -1))
    item = await store.item("Soup", 5)
    for _ in range(10):
        await store.order(line(item))

    assert await list_numbers(history, 51) == list(range(510, 500, -1))
    assert await list_numbers(history, 101) == list(range(10, 0, -1))


async def test_order_placed_while_a_deep_page_is_read_shifts_no_later_page(history, store, monkeypatch):
    item = await store.item("Soup", 5)
    read = search_module._read

    async def read_late(*args, **options):
        monkeypatch.setattr(search_module, "_read", read)
        await store.order(line(item))
        return await read(*args, **options)

    monkeypatch.setattr(search_module, "_read", read_late)
    await list_numbers(history, 20)

    assert await list_numbers(history, 21) == list(range(801, 791, -1))


async def test_last_page_holds_the_rest_and_later_ones_nothing(history):
    found = await search_orders(history, EVERY_ORDER, PageRequest(34, 30))

    assert [order.number for order in found.data] == list(range(10, 0, -1))
    assert (found.total, found.last_page) == (1000, 34)
    assert await list_numbers(history, 35, size=30) == []


async def test_status_is_counted_by_the_tally_and_paged(history):
    found = await search_orders(history, OrderFilter(Status.NEW), PageRequest(5, 10))

    assert [order.number for order in found.data] == list(range(920, 900, -2))
    assert found.total == 500


async def test_scopes_hold_only_what_is_theirs(history, other_owner):
    foreign = replace(history, owner_id=other_owner.id)
    of_nobody = replace(history, customer_id=1)
    linked = replace(history, link=OrderLink("core_order_change", "order_id", -1))

    for scope in (foreign, of_nobody, linked):
        assert (await search_orders(scope, EVERY_ORDER, PageRequest(1, 10))).data == []
        assert (await search_orders(scope, OrderFilter(type="takeaway"), PageRequest(1, 10))).total == 0


async def test_filters_must_all_match(history, store):
    placed = await store.order(line(await store.item("Soup", 5)), customer_name="Ada", phone="+351 912 345 678")

    async def found(**filters):
        page = await search_orders(history, OrderFilter(**filters), PageRequest(1, 10), with_lines=True)
        return [(order.id, order.lines[0].name) for order in page.data]

    expected = [(placed["id"], "Soup")]
    assert await found(text="ada", type="takeaway") == expected
    assert await found(text="912345") == expected
    assert await found(text=f"#{placed['id']}", status=Status.NEW) == expected
    assert await found(text="ada", status=Status.READY) == []
    assert await found(text="ada", is_delivery=True) == []


def test_unknown_status_is_refused():
    assert (parse_status(None), parse_status("ready")) == (None, Status.READY)
    with pytest.raises(ValidationFailed):
        parse_status("eaten")


def test_nearest_start_is_chosen():
    anchors = StoreAnchors()
    anchors.add(5000, 123)

    assert anchors.find_start(0, 30, 10_000) == PageStart(0)
    assert anchors.find_start(6000, 30, 10_000) == PageStart(1000, 123)
    assert anchors.find_start(4000, 30, 10_000) == PageStart(4000)
    assert anchors.find_start(9900, 30, 10_000) == PageStart(70, is_ascending=True)


def test_young_orders_are_no_anchors():
    moment = datetime(2026, 3, 14, 19, tzinfo=UTC)

    assert not page_anchors.is_anchor_due(PageStart(10_000), moment, moment)
    assert page_anchors.is_anchor_due(PageStart(10_000), moment - timedelta(hours=1), moment)
    assert not page_anchors.is_anchor_due(PageStart(10), moment - timedelta(hours=1), moment)


async def test_list_is_filtered_by_type_payment_days_and_text(store):
    item = await store.item("Soup", 5)
    first = await store.order(line(item), customer_name="Zoë", phone="+351 910 000 001", source="till")
    other = await store.order(line(item), type="on-table", table_number="4")
    await store.send("POST", f"/orders/{first['id']}/payments", {"method": "cash"})
    day = first["business_date"]

    async def list_ids(query):
        return [order["id"] for order in (await store.get(f"/orders?{query}"))["data"]]

    for query, found in (
        ("type=on-table", [other]),
        ("source=till", [first]),
        ("is_paid=true", [first]),
        ("is_paid=false", [other]),
        ("payment_status=unpaid", [other]),
        (f"from={day}&to={day}", [other, first]),
        ("to=2020-01-01", []),
        ("search=zoe", [first]),
        ("search=910000001", [first]),
        ("search=910000001&type=on-table", []),
    ):
        assert await list_ids(query) == [order["id"] for order in found], query
    assert (await store.send("GET", "/orders?from=yesterday")).status == 422


async def test_days_are_business_days_unless_the_calendar_is_asked_for(store, clock):
    item = await store.item("Soup", 5)
    await store.send("PUT", "/settings", {"timezone": "Europe/Berlin", "day_start": "04:00"})
    placed = []
    # The evening of the 30th, the night after it, and the morning.
    for moment in ("2026-06-30T20:00:00+00:00", "2026-06-30T23:30:00+00:00", "2026-07-01T08:00:00+00:00"):
        clock.set(datetime.fromisoformat(moment))
        placed.append((await store.order(line(item)))["id"])
    evening, night, morning = placed

    for query, found in (
        ("from=2026-06-30&to=2026-06-30", [night, evening]),
        ("from=2026-06-30&to=2026-06-30&day=business", [night, evening]),
        ("from=2026-06-30&to=2026-06-30&day=calendar", [evening]),
        ("from=2026-07-01&day=calendar", [morning, night]),
        ("to=2026-06-30&day=calendar", [evening]),
        ("from=0001-01-01&to=9999-12-31&day=calendar", [morning, night, evening]),
    ):
        assert [order["id"] for order in (await store.get(f"/orders?{query}"))["data"]] == found, query
    assert (await store.send("GET", "/orders?day=night")).status == 422


async def test_list_is_filtered_by_total_and_customer(store):
    item = await store.item("Soup", 5)
    small = await store.order(line(item), customer_name="Zoë", phone="+351 910 000 001")
    large = await store.order(line(item, 3), customer_name=f"Number {small['id']}")

    async def list_ids(query):
        return [order["id"] for order in (await store.get(f"/orders?{query}"))["data"]]

    for query, found in (
        ("min_total=5", [large, small]),
        ("min_total=5.01", [large]),
        ("max_total=14.99", [small]),
        ("min_total=5&max_total=5.00", [small]),
        ("min_total=15.01", []),
        ("customer=ZOE", [small]),
        ("customer=910000001", [small]),
        (f"search={small['id']}", [large, small]),
        (f"customer={small['id']}", [large]),
        ("customer=zoe&min_total=6", []),
    ):
        assert await list_ids(query) == [order["id"] for order in found], query


@pytest.mark.parametrize(
    ("query", "errors"),
    [
        ("min_total=much", {"min_total": ["Must be a number."]}),
        ("max_total=-1", {"max_total": ["Must be 0 or more."]}),
        ("max_total=1.234", {"max_total": ["An amount in EUR has at most 2 decimals."]}),
        ("min_total=2&max_total=1", {"min_total": ["Must not be more than max_total."]}),
        ("to=2026-02-30", {"to": ["Must be a date such as 2026-02-28."]}),
        ("status=eaten", {"status": ["Must be one of: new, preparing, ready, delivered, completed, cancelled."]}),
        (f"customer={'x' * 101}", {"customer": ["Must have at most 100 characters."]}),
    ],
)
async def test_invalid_filter_is_refused_with_its_field(store, query, errors):
    for path in (f"/orders?{query}", f"/orders/export?{query}"):
        refused = await store.send("GET", path)

        assert (refused.status, refused["errors"]) == (422, errors)


async def test_pages_of_an_export_continue_each_other(history, store, monkeypatch):
    numbers = []
    async for page in read_pages(history, EVERY_ORDER, 300):
        numbers.append([order.number for order in page])
        if len(numbers) == 1:
            await store.order(line(await store.item("Soup", 5)))

    assert [len(page) for page in numbers] == [300, 300, 300, 100]
    assert [number for page in numbers for number in page] == list(range(1000, 0, -1))


async def test_oldest_orders_come_first_on_request(history):
    for filters, found in ((EVERY_ORDER, [4, 5, 6]), (OrderFilter(Status.NEW), [8, 10, 12])):
        page = await search_orders(history, filters, PageRequest(2, 3), is_oldest_first=True)

        assert [order.number for order in page.data] == found
