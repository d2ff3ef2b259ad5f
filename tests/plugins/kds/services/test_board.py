"""The board of a kitchen."""

from datetime import UTC, datetime, timedelta

import orjson
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_kds.services import board, order_lines
from paying_first import open_account, pay, place_order, set_payments

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


async def test_ticket_has_order_and_items(kitchen, cook, clock):
    order = await kitchen.order(
        line(kitchen.soup, 2, note="No celery, allergy"), line(kitchen.bread),
        type="on-table", table_number="7", customer_name="Rui", note="Birthday",
    )  # fmt: skip
    clock.advance(minutes=11, seconds=5)

    (ticket,) = await cook.get_board()

    items = ticket.pop("items")
    assert ticket == {
        "order_id": order["id"], "number": order["number"], "type": "on-table", "order_status": "new",
        "table_number": "7", "room_number": None, "customer_name": "Rui", "note": "Birthday", "facts": {},
        "has_notes": True,
        "placed_at": order["created_at"], "promised_at": None, "since": order["created_at"], "age_seconds": 665,
        "lateness": "soon", "round": 1, "voids": [],
    }  # fmt: skip
    assert items[0] == {
        "id": order["items"][0]["id"], "item_id": kitchen.soup["id"], "name": "Soup", "measure": None, "quantity": 2,
        "variation": None, "extras": [], "facts": {},
        "note": "No celery, allergy", "has_note": True, "status": "queued", "station_id": None,
        "started_at": None, "ready_at": None, "seat": None, "course": None, "is_held": False,
        "fire_at": None, "bumps": 3,
    }  # fmt: skip
    assert [item["has_note"] for item in items] == [True, False]


async def test_what_is_sold_by_weight_says_its_weight(kitchen, cook):
    steak = await kitchen.item("Steak", 69, is_priced_per_kg=True)
    order = await kitchen.order(line(steak, weight_g=432), line(steak, weight_g=310))
    voided = await kitchen.send("POST", f"/orders/{order['id']}/lines/{order['items'][1]['id']}/void", {"reason": "No"})
    assert voided.status in (200, 201), voided

    (ticket,) = await cook.get_board()

    assert [item["measure"] for item in ticket["items"]] == ["0.432 kg"]
    assert [each["measure"] for each in ticket["voids"]] == ["0.310 kg"]


async def test_ticket_has_notes_of_order_or_lines(kitchen, cook):
    await kitchen.order(line(kitchen.soup))
    await kitchen.order(line(kitchen.soup), line(kitchen.bread, note="No celery"))
    await kitchen.order(line(kitchen.soup), note="Birthday")

    assert [ticket["has_notes"] for ticket in await cook.get_board()] == [False, True, True]


async def test_tickets_are_oldest_first_without_served_items(kitchen, cook, clock):
    first = await kitchen.place_order(kitchen.soup, kitchen.bread)
    clock.advance(minutes=1)
    second = await kitchen.place_order(kitchen.wine)
    for _ in range(3):
        await cook.bump(first.lines[0])

    assert list((await cook.list_states()).items()) == [(first.id, ["queued"]), (second.id, ["queued"])]


async def test_scheduled_order_appears_before_its_time(kitchen, cook, clock):
    wanted = clock() + timedelta(hours=60)
    order = await kitchen.place_order(kitchen.soup, scheduled_for=wanted.isoformat())
    assert await cook.get_board() == []

    clock.advance(hours=59, minutes=29)
    assert await cook.get_board() == []
    clock.advance(minutes=2)

    (ticket,) = await cook.get_board()
    assert (ticket["order_id"], ticket["age_seconds"], ticket["lateness"]) == (order.id, 60, "on_time")
    assert ticket["promised_at"] == wanted.isoformat()


async def test_orders_leave_the_board_after_two_days(kitchen, cook, clock):
    order = await kitchen.place_order(kitchen.soup)
    clock.advance(hours=47)
    assert list(await cook.list_states()) == [order.id]

    clock.advance(hours=2)

    assert await cook.get_board() == []


async def test_all_day_counts_quantities(kitchen, cook):
    pizza = await kitchen.item("Pizza", 9, variations=[{"name": "Large", "price": 12}])
    large = pizza["variations"][0]["id"]
    order = await kitchen.order(line(kitchen.soup, 3), line(kitchen.bread, 2), line(pizza, variation=large))
    await kitchen.order(line(kitchen.soup, 2))
    for _ in range(2):
        await cook.bump(order["items"][1]["id"])

    counts = await cook.get_board("?view=all_day")

    assert [
        (each["name"], each["variation"], each["quantity"], each["queued"], each["ready"]) for each in counts
    ] == [
        ("Soup", None, 5, 5, 0), ("Pizza", "Large", 1, 1, 0), ("Bread", None, 0, 0, 2),
    ]  # fmt: skip


async def test_tickets_of_another_owner_or_store_are_hidden(kitchen, cook, foreign_cook):
    await kitchen.place_order(kitchen.soup)
    sister = type(kitchen)(kitchen.client, kitchen.owner, await kitchen.owner.store())
    sister.staff_kind = kitchen.staff_kind

    assert len(await cook.get_board()) == 1
    assert await foreign_cook.get_board() == []
    assert await (await sister.add_cook()).get_board() == []


async def test_board_is_read_by_index(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup)
    await sql.execute(MANY_ORDERS, kitchen.owner.id, kitchen.id)
    await sql.execute("ANALYZE core_order")
    now = datetime.now(UTC)
    values = (
        kitchen.id,
        kitchen.owner.id,
        board.get_earliest_time(now),
        now + timedelta(minutes=30),
        order_lines.list_kitchen_store_types(),
        None,
    )

    plan = await sql.fetch_value(f"EXPLAIN (FORMAT JSON) {board.SELECT_BOARD}", *values)

    assert "kds_order_due" in plan
    assert "Seq Scan" not in {
        node["Node Type"] for node in list_plan_nodes(orjson.loads(plan)[0]["Plan"], "core_order")
    }
    assert list(await cook.list_states()) == [order.id]


def list_plan_nodes(plan, relation):
    """Yield the nodes of a plan that read a table."""
    if plan.get("Relation Name") == relation:
        yield plan
    for inner in plan.get("Plans", ()):
        yield from list_plan_nodes(inner, relation)


async def test_a_combo_is_made_as_its_items_at_their_stations(kitchen, cook):
    extras = [{"name": item["name"], "item_id": item["id"]} for item in (kitchen.soup, kitchen.wine)]
    combo = await kitchen.item("Set menu", 20, extra_groups=[{"name": "Of", "min": 2, "extras": extras}])
    ids = [extra["id"] for extra in combo["extra_groups"][0]["extras"]]
    order = await kitchen.order(line(combo, extras=ids, note="No celery"))

    (ticket,) = await cook.get_board()
    voided = await kitchen.send(
        "POST", f"/orders/{order['id']}/lines", {"items": [line(combo, extras=ids), line(kitchen.bread)]}
    )
    await kitchen.send("POST", f"/orders/{order['id']}/lines/{voided['items'][3]['id']}/void", {"reason": "Mistake"})

    assert [(item["name"], item["note"]) for item in ticket["items"]] == [("Soup", "No celery"), ("Wine", "No celery")]
    heading, *lines = order["items"]
    assert heading["kds_status"] is None
    assert {each["kds_status"] for each in lines} == {"queued"}
    after = await cook.get_board()
    assert [[item["name"] for item in each["items"]] for each in after] == [["Soup", "Wine"], ["Bread"]]
    assert [void["name"] for each in after for void in each["voids"]] == ["Soup", "Wine"]


async def test_order_that_is_paid_first_comes_to_the_kitchen_once_it_is_paid(kitchen, cook, clock):
    await open_account(kitchen)
    await set_payments(kitchen, online_pickup="required")
    order, begun = [await place_order(kitchen, line(kitchen.soup)) for _ in range(2)]
    assert await cook.get_board() == []

    await kitchen.set_status(begun["id"], "preparing")
    assert [ticket["order_id"] for ticket in await cook.get_board()] == [begun["id"]]
    clock.advance(minutes=15)
    await pay(kitchen, order)

    tickets = {ticket["order_id"]: ticket for ticket in await cook.get_board()}
    assert {id: ticket["age_seconds"] for id, ticket in tickets.items()} == {order["id"]: 0, begun["id"]: 900}
