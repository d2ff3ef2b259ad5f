"""A customer with orders, and their agent."""

import pytest
from comanda.platform.db import sql


@pytest.fixture
async def customer(agents, owner, store):
    return await agents.new_customer(owner, store.id)


@pytest.fixture
async def agent(agents, owner, store, customer):
    """Return the agent of a customer of the store."""
    return await agents.customer(owner, store.id, customer.id)


@pytest.fixture
def order_of(store):
    """Return a function that places a customer's order."""

    async def place(customer_id, where=store, **fields):
        item = await where.item("Soup")
        order = await where.order({"item_id": item["id"], "quantity": 2}, **fields)
        await sql.execute("UPDATE core_order SET customer_id = $2 WHERE id = $1", order["id"], customer_id)
        return order

    return place
