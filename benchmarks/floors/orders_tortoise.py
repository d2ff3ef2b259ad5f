"""Floor of an order: a bare Quart route that writes order, lines and outbox row through Tortoise models."""

import json
import os
from datetime import UTC, datetime
from typing import Any

from comanda.platform.db.lifecycle import parse_credentials
from quart import Quart, request
from tortoise import fields
from tortoise.context import TortoiseContext, set_global_context
from tortoise.models import Model
from tortoise.transactions import in_transaction

from benchmarks.floors import serving

PRICE_MINOR = 950


class Order(Model):
    """An order."""

    id = fields.BigIntField(primary_key=True)
    store_id = fields.BigIntField()
    type = fields.CharField(max_length=30)
    status = fields.CharField(max_length=20)
    customer_name = fields.CharField(max_length=255, null=True)
    note = fields.CharField(max_length=2000, null=True)
    idempotency_key = fields.CharField(max_length=255, null=True)
    total_minor = fields.BigIntField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "order"


class OrderLine(Model):
    """A line."""

    id = fields.BigIntField(primary_key=True)
    order_id = fields.BigIntField()
    item_id = fields.BigIntField()
    quantity = fields.IntField()
    unit_price_minor = fields.BigIntField()
    extras: fields.Field[list[int]] = fields.JSONField()

    class Meta:
        table = "order_line"


class OutboxEvent(Model):
    """An event."""

    id = fields.BigIntField(primary_key=True)
    name = fields.CharField(max_length=100)
    data: fields.Field[dict[str, Any]] = fields.JSONField()
    due_at = fields.DatetimeField()

    class Meta:
        table = "outbox"


app = Quart(__name__)


@app.before_serving
async def open_database() -> None:
    """Open Tortoise with a pool of the size of Comanda's."""
    context = TortoiseContext()
    await context.__aenter__()
    options = {
        **parse_credentials(os.environ["FLOOR_DATABASE_URL"]),
        "minsize": 2,
        "maxsize": int(os.environ["POOL_SIZE"]),
    }
    await context.init(
        config={
            "connections": {"default": {"engine": "tortoise.backends.asyncpg", "credentials": options}},
            "apps": {"floor": {"models": [__name__], "default_connection": "default"}},
            "use_tz": True,
            "timezone": "UTC",
        }
    )
    set_global_context(context)


@app.get("/")
async def ready() -> str:
    """Say that the program is up."""
    return "ready"


@app.post("/restaurants/<int:store_id>/orders")
async def place_order(store_id: int) -> tuple[dict[str, Any], int]:
    """Place an order."""
    body = json.loads(await request.get_data())
    total = sum(line["quantity"] * PRICE_MINOR for line in body["items"])
    moment = datetime.now(UTC)
    async with in_transaction():
        order = await Order.create(
            store_id=store_id,
            type=body["type"],
            status="new",
            customer_name=body.get("customer_name"),
            note=body.get("note"),
            idempotency_key=request.headers.get("Idempotency-Key"),
            total_minor=total,
            created_at=moment,
        )
        lines = [
            OrderLine(
                order_id=order.id,
                item_id=line["item_id"],
                quantity=line["quantity"],
                unit_price_minor=PRICE_MINOR,
                extras=line.get("extras", []),
            )
            for line in body["items"]
        ]
        await OrderLine.bulk_create(lines)
        await OutboxEvent.create(name="order.created", data={"order_id": order.id}, due_at=moment)
    return {
        "id": order.id,
        "status": order.status,
        "total": total / 100,
        "created_at": moment.isoformat(),
        "items": [{"item_id": line.item_id, "quantity": line.quantity, "extras": line.extras} for line in lines],
    }, 201


if __name__ == "__main__":
    serving.run(app)
