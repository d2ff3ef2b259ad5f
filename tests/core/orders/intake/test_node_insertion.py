"""Orders of a cluster are inserted by the statement of a single server, with ids from the coordinator."""

import re

from comanda.devkit.testing.stores import TestStore, line
from comanda.orders.intake.insert_statements import INSERT_ORDERS
from comanda.orders.intake.node_insertion import IDS, INSERT_ORDERS_ON_NODE
from comanda.platform.db import sql


def test_function_knows_all_tables_of_its_statement():
    named = set(re.findall(r"\bcore_\w+", INSERT_ORDERS_ON_NODE.text))

    assert named == set(INSERT_ORDERS_ON_NODE.tables)


def test_only_ids_differ_from_the_statement_of_one_server():
    text = INSERT_ORDERS_ON_NODE.text
    for table, value in IDS.items():
        assert text.count(f"INSERT INTO {table} (id, ") == 1
        text = text.replace(f"INSERT INTO {table} (id, ", f"INSERT INTO {table} (").replace(
            f"SELECT {value}, ", "SELECT "
        )

    assert text == INSERT_ORDERS


async def test_ids_grow_with_time_over_all_owners(client, store, owner, other_owner):
    other = TestStore(client, other_owner, await other_owner.store("restaurant"))
    soup, stew = await store.item("Soup", 5), await other.item("Stew", 6)

    orders = [
        await each.order(line(item), line(item)) for _ in range(3) for each, item in ((store, soup), (other, stew))
    ]

    rows = [
        await sql.one(
            """SELECT o.id, (SELECT array_agg(l.id ORDER BY l.position) FROM core_order_line l
                    WHERE l.order_id = o.id AND l.owner_id = $2) AS line_ids,
                (SELECT max(e.id) FROM core_outbox e WHERE e.owner_id = $2 AND e.name = 'order.created'
                    AND e.data ->> 'order_id' = o.id::text) AS event_id,
                (SELECT max(a.id) FROM core_audit_entry a WHERE a.owner_id = $2 AND a.after_ids ->> 'id' = o.id::text
                    AND a.action LIKE '%rder%') AS entry_id
            FROM core_order o WHERE o.id = $1 AND o.owner_id = $2""",
            order["id"],
            each.id,
        )
        for order, each in zip(orders, [owner, other_owner] * 3, strict=True)
    ]
    assert [row["id"] for row in rows] == [order["id"] for order in orders]
    for column in ("id", "line_ids", "event_id", "entry_id"):
        values = [row[column] for row in rows]
        assert values == sorted(values)
    assert rows[-1]["line_ids"][-1] < 2**53
