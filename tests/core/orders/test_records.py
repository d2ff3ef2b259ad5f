"""Records of orders and the columns of their tables."""

from dataclasses import FrozenInstanceError
from datetime import UTC, datetime

import pytest
from comanda.contracts.orders.status import PaymentStatus, Status
from comanda.devkit.testing.stores import line
from comanda.orders import queries, records
from comanda.orders.order_json import to_order_json
from comanda.orders.records import LINE_FIELDS, ORDER_FIELDS, PlacementColumns
from comanda.platform.db import sql

SELECT_COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_name = $1"


async def list_table_columns(table):
    return {row["column_name"] for row in await sql.fetch(SELECT_COLUMNS, table)}


async def test_records_have_every_column_of_their_tables(owner):
    assert await list_table_columns("core_order") == {*ORDER_FIELDS, *records.list_columns(PlacementColumns)}
    assert await list_table_columns("core_order_line") == {*LINE_FIELDS, "owner_id", "order_id"}


async def test_order_has_typed_values(store, owner, clock):
    item = await store.item("Soup", 5)
    placed = await store.order(line(item, quantity=2), customer_name="Ada")

    order = await queries.get_order(owner.id, store.id, placed["id"])

    assert order.status is Status.NEW
    assert order.payment_status is PaymentStatus.UNPAID
    assert (order.total_minor, order.amount_due_minor, order.is_paid) == (1000, 1000, False)
    assert order.timeline == {"created_at": order.created_at}
    assert order.created_at.tzinfo is not None
    assert [(each.name, each.quantity, each.unit_price_minor) for each in order.lines] == [("Soup", 2, 500)]
    assert order.delivery_status is None
    with pytest.raises(FrozenInstanceError):
        order.status = Status.READY


async def test_answer_of_a_new_order_equals_the_one_read(store, owner):
    item = await store.item("Soup", 5)

    placed = await store.order(line(item, note="hot"), customer_name="Ada")

    shown = await store.get(f"/orders/{placed['id']}")

    assert placed == shown.document


async def test_json_of_an_order_has_its_wire_names(store, owner):
    placed = await store.order(line(await store.item("Soup", 5)))

    found = to_order_json(await queries.get_order(owner.id, store.id, placed["id"]))

    assert found["restaurant_id"] == store.id
    assert found["total"] == 5.0
    assert found["timeline"]["created_at"].astimezone(UTC) == datetime.fromisoformat(placed["created_at"])
