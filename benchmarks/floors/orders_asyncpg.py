"""Floor of an order: a bare Quart route that parses JSON and writes order, lines and outbox row in one statement.

It asks nobody for a token, counts nothing, looks no price up and finds no repeat.
"""

import json
import os
from datetime import UTC, datetime
from typing import Any

import asyncpg
from quart import Quart, request

from benchmarks.floors import serving

PRICE_MINOR = 950
INSERT = """
    WITH placed AS (
        INSERT INTO "order" (store_id, type, status, customer_name, note, idempotency_key, total_minor, created_at)
        VALUES ($1, $2, 'new', $3, $4, $5, $6, $7) RETURNING id),
    lines AS (
        INSERT INTO order_line (order_id, item_id, quantity, unit_price_minor, extras)
        SELECT placed.id, l.item_id, l.quantity, $8, l.extras
        FROM placed, jsonb_to_recordset($9::jsonb) AS l (item_id bigint, quantity int, extras jsonb)),
    event AS (
        INSERT INTO outbox (name, data, due_at)
        SELECT 'order.created', jsonb_build_object('order_id', placed.id), $7 FROM placed)
    SELECT id FROM placed
"""

app = Quart(__name__)


@app.before_serving
async def open_pool() -> None:
    """Open a pool of the size of Comanda's."""
    app.config["POOL"] = await asyncpg.create_pool(
        os.environ["FLOOR_DATABASE_URL"], min_size=2, max_size=int(os.environ["POOL_SIZE"])
    )


@app.get("/")
async def ready() -> str:
    """Say that the program is up."""
    return "ready"


@app.post("/restaurants/<int:store_id>/orders")
async def place_order(store_id: int) -> tuple[dict[str, Any], int]:
    """Place an order."""
    body = json.loads(await request.get_data())
    lines = [{"extras": [], **line} for line in body["items"]]
    total = sum(line["quantity"] * PRICE_MINOR for line in lines)
    moment = datetime.now(UTC)
    order_id = await app.config["POOL"].fetchval(
        INSERT,
        store_id,
        body["type"],
        body.get("customer_name"),
        body.get("note"),
        request.headers.get("Idempotency-Key"),
        total,
        moment,
        PRICE_MINOR,
        json.dumps(lines),
    )
    return {
        "id": order_id,
        "status": "new",
        "total": total / 100,
        "created_at": moment.isoformat(),
        "items": lines,
    }, 201


if __name__ == "__main__":
    serving.run(app)
