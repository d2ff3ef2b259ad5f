"""Orders that were placed on other days, and the events that tell of them."""

import pytest
from comanda import clock as clock_module
from comanda.db import sql
from comanda.events.types import StoredEvent
from comanda.testing.stores import line
from comanda_customers.feed import follow

PHONE = "+351 912 345 678"


@pytest.fixture
def hear(owner):
    """Tell the handler of orders, as the dispatcher would."""

    async def tell(*order_ids, name="order.created"):
        moment = clock_module.now()
        await follow([StoredEvent(1, owner.id, None, name, {"order_id": id}, moment) for id in order_ids])

    return tell


@pytest.fixture
async def soup(store):
    return await store.item("Soup", price=10)


@pytest.fixture
def order(store, soup, clock, hear):
    """Place an order for so many soups of 10, so many days ago, and tell of it; return its id.

    A store's business day never goes back, so the oldest comes first.
    """

    async def place(phone=PHONE, days_ago=0, soups=1, told=True, **fields):
        clock.advance(days=-days_ago)
        placed = await store.order(line(soup, soups), phone=phone, **fields)
        clock.advance(days=days_ago)
        if told:
            await hear(placed["id"])
        return placed["id"]

    return place


@pytest.fixture
def guests(store):
    """List the store's guests over the API, with any query."""

    async def read(query=""):
        return (await store.get(f"/guests?{query}"))["data"]

    return read


@pytest.fixture
def of_customer(owner):
    """Make an order that of a customer's account, as the customer's own token would have."""

    async def change(order_id, customer_id):
        await sql.execute(
            "UPDATE core_order SET customer_id = $3 WHERE id = $1 AND owner_id = $2", order_id, owner.id, customer_id
        )

    return change
