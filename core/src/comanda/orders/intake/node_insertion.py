"""Insertion of orders on the node of a cluster that has their owner's rows."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts.data.model_sets import NodeStatement
from comanda.orders.intake.insert_statements import OrderRows, build_insert_orders, to_common_parameters
from comanda.platform.db import sql
from comanda.platform.db.cluster.node_functions import build_call

# Drawn on the coordinator right before the insertion, so that newer orders of all nodes have higher ids.
SELECT_IDS: Final = """
    SELECT ARRAY(SELECT nextval('core_order_id_seq') FROM generate_series(1, $1::int)) AS order_ids,
        ARRAY(SELECT nextval('core_order_line_id_seq') FROM generate_series(1, $2::int)) AS line_ids,
        ARRAY(SELECT nextval('core_outbox_id_seq') FROM generate_series(1, $1::int)) AS event_ids,
        ARRAY(SELECT nextval('core_audit_entry_id_seq') FROM generate_series(1, $1::int)) AS entry_ids
"""
IDS: Final = {
    "core_order": "$7[o.ordinal]",
    "core_order_line": "$8[row_number() OVER (ORDER BY o.ordinal, l.position)]",
    "core_outbox": "$9[o.ordinal]",
    "core_audit_entry": "$10[o.ordinal]",
}
INSERT_ORDERS_ON_NODE: Final = NodeStatement(
    name="core_insert_orders",
    text=build_insert_orders(IDS),
    tables=("core_store", "core_order_tally", *IDS),
    parameters=("bigint", "bigint", "bigint", "date", "int", "jsonb", *("bigint[]" for _ in IDS)),
    columns=(
        ("id", "bigint"),
        ("number", "int"),
        ("business_date", "date"),
        ("line_ids", "bigint[]"),
        ("audit_entry_id", "bigint"),
    ),
)
CALL_INSERT_ORDERS: Final = build_call(INSERT_ORDERS_ON_NODE)


async def insert_on_node(orders: Sequence[OrderRows]) -> list[sql.Row]:
    """Insert orders that may share a statement and return what ``INSERT_ORDERS`` returns."""
    ids = await sql.one(SELECT_IDS, len(orders), sum([order.line_count for order in orders]))
    return await sql.fetch(CALL_INSERT_ORDERS, *to_common_parameters(orders), *ids)
