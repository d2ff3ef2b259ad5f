"""What is on the board."""

from datetime import UTC, datetime, timedelta

import orjson
import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import line
from comanda_kds import board, lines

# Of the last months; one in fifty was never ended.
MANY_ORDERS = """
    INSERT INTO core_order (owner_id, store_id, number, business_date, type, status, payment_status, currency,
        subtotal_minor, discount_total_minor, service_charge_minor, delivery_fee_minor, tax_total_minor,
        is_tax_included, tip_minor, rounding_minor, total_minor, source, audience, track_token, track_hash, timeline,
        created_at, updated_at)
    SELECT $1, $2::bigint, n, now(), 'takeaway', CASE WHEN n % 50 = 0 THEN 'ready' ELSE 'completed' END, 'paid', 'EUR',
        1, 0, 0, 0, 0, true, 0, 0, 1, 'api', 'api', n::text, sha256(convert_to(n || ' of ' || $2::bigint, 'UTF8')),
        '{}', now() - interval '3 days' - n * interval '9 minutes', now()
    FROM generate_series(1, 20000) n
"""


async def test_a_ticket_tells_what_is_made_for_whom_and_since_when(kitchen, cook, clock):
    order = await kitchen.order(
        line(kitchen.soup, 2, note="No celery, allergy"), line(kitchen.bread),
        type="on-table", table_number="7", customer_name="Rui", note="Birthday",
    )  # fmt: skip
    clock.advance(minutes=11, seconds=5)

    (ticket,) = await cook.board()

    items = ticket.pop("items")
    assert ticket == {
        "order_id": order["id"], "number": order["number"], "type": "on-table", "order_status": "new",
        "table_number": "7", "room_number": None, "customer_name": "Rui", "note": "Birthday", "has_notes": True,
        "placed_at": order["created_at"], "promised_at": None, "since": order["created_at"], "age_seconds": 665,
        "lateness": "soon",
    }  # fmt: skip
    assert items[0] == {
        "id": order["items"][0]["id"], "item_id": kitchen.soup["id"], "name": "Soup", "quantity": 2, "variation": None,
        "extras": [], "note": "No celery, allergy", "has_note": True, "status": "queued", "station_id": None,
        "started_at": None, "ready_at": None,
    }  # fmt: skip
    assert [item["has_note"] for item in items] == [True, False]


async def test_tickets_stand_oldest_first_and_without_what_is_served(kitchen, cook, clock):
    first = await kitchen.ordered(kitchen.soup, kitchen.bread)
    clock.advance(minutes=1)
    second = await kitchen.ordered(kitchen.wine)
    for _ in range(3):
        await cook.bump(first.lines[0])

    assert list((await cook.states()).items()) == [(first.id, ["queued"]), (second.id, ["queued"])]


async def test_an_order_for_later_comes_a_while_before_its_time_and_is_as_old_as_that(kitchen, cook, clock):
    wanted = clock() + timedelta(hours=60)
    order = await kitchen.ordered(kitchen.soup, scheduled_for=wanted.isoformat())
    assert await cook.board() == []

    clock.advance(hours=59, minutes=29)
    assert await cook.board() == []
    clock.advance(minutes=2)

    (ticket,) = await cook.board()
    assert (ticket["order_id"], ticket["age_seconds"], ticket["lateness"]) == (order.id, 60, "on_time")
    assert ticket["promised_at"] == wanted.isoformat()


async def test_orders_that_nobody_ended_leave_the_board_after_two_days(kitchen, cook, clock):
    order = await kitchen.ordered(kitchen.soup)
    clock.advance(hours=47)
    assert list(await cook.states()) == [order.id]

    clock.advance(hours=2)

    assert await cook.board() == []


async def test_all_day_counts_what_is_to_be_made(kitchen, cook):
    pizza = await kitchen.item("Pizza", 9, variations=[{"name": "Large", "price": 12}])
    large = pizza["variations"][0]["id"]
    order = await kitchen.order(line(kitchen.soup, 3), line(kitchen.bread, 2), line(pizza, variation=large))
    await kitchen.order(line(kitchen.soup, 2))
    for _ in range(2):
        await cook.bump(order["items"][1]["id"])

    counts = await cook.board("?view=all_day")

    assert [
        (each["name"], each["variation"], each["quantity"], each["queued"], each["ready"]) for each in counts
    ] == [
        ("Soup", None, 5, 5, 0), ("Pizza", "Large", 1, 1, 0), ("Bread", None, 0, 0, 2),
    ]  # fmt: skip


async def test_the_etag_holds_while_tickets_only_grow_older(kitchen, cook, clock):
    order = await kitchen.ordered(kitchen.soup)
    etag = (await cook.send("GET", "")).headers["etag"]
    clock.advance(seconds=30)

    same = await cook.send("GET", "", If_None_Match=etag)
    await cook.bump(order.lines[0])
    other = await cook.send("GET", "", If_None_Match=etag)

    assert (same.status, other.status) == (304, 200)
    assert other.headers["cache-control"] == "private, no-cache"


async def test_lateness_is_what_the_store_says(kitchen, cook, clock):
    reply = await kitchen.send("PUT", "/kitchen-settings", {"soon_minutes": 3, "late_minutes": 5})
    assert reply.document == {"soon_minutes": 3, "late_minutes": 5, "lead_minutes": 30}
    await kitchen.ordered(kitchen.soup)
    seen = []
    for _ in range(3):
        seen.append((await cook.board())[0]["lateness"])
        clock.advance(minutes=3)

    assert seen == ["on_time", "soon", "late"]


async def test_settings_that_contradict_each_other_are_refused_and_nothing_changes(kitchen):
    await kitchen.send("PUT", "/kitchen-settings", {"soon_minutes": 3, "late_minutes": 5})

    refused = await kitchen.send("PUT", "/kitchen-settings", {"soon_minutes": 6})

    assert list(refused.errors) == ["soon_minutes"]
    assert (await kitchen.get("/kitchen-settings")).document["soon_minutes"] == 3
    back = await kitchen.send("PUT", "/kitchen-settings", {"soon_minutes": None, "late_minutes": None})
    assert back.document == {"soon_minutes": 10, "late_minutes": 15, "lead_minutes": 30}


async def test_nobody_sees_another_owners_or_stores_tickets(kitchen, cook, foreign_cook):
    await kitchen.ordered(kitchen.soup)
    sister = type(kitchen)(kitchen.client, kitchen.owner, await kitchen.owner.store())
    sister.staff_kind = kitchen.staff_kind

    assert len(await cook.board()) == 1
    assert await foreign_cook.board() == []
    assert await (await sister.cook()).board() == []


@pytest.mark.parametrize("query", ["?station_id=x", "?station_id=0", "?station_id=99999999999999999999", "?view=x"])
async def test_a_bad_query_is_told(cook, query):
    assert (await cook.send("GET", query)).status == 422


async def test_the_board_is_read_by_index_among_many_orders(kitchen, cook):
    order = await kitchen.ordered(kitchen.soup)
    await sql.execute(MANY_ORDERS, kitchen.owner.id, kitchen.id)
    await sql.execute("ANALYZE core_order")
    now, lead = datetime.now(UTC), timedelta(minutes=30)
    values = (kitchen.id, kitchen.owner.id, board.earliest(now), now + lead, lines.store_types(), None, lead)

    plan = await sql.fetch_value(f"EXPLAIN (FORMAT JSON) {board.BOARD}", *values)

    assert "kds_order_due" in plan
    assert "Seq Scan" not in {node["Node Type"] for node in nodes(orjson.loads(plan)[0]["Plan"], "core_order")}
    assert list(await cook.states()) == [order.id]


def nodes(plan, relation):
    """Yield the nodes of a plan that read a table."""
    if plan.get("Relation Name") == relation:
        yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner, relation)
