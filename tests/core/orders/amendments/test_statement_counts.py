"""How many statements an amendment takes beside an order: each waits for the database while the order is locked."""

import pytest
from comanda.devkit.testing.stores import line
from comanda.platform.db import sql

# The caller; the order with its lock and lines; what changes of it; the kitchen's round.
MAX_STATEMENTS = 4


@pytest.fixture
def statements(monkeypatch):
    """The statements of core and plugins, but for notifications."""
    seen = []
    acquire = sql._acquire_connection
    monkeypatch.setattr(sql, "_acquire_connection", lambda text: seen.append(text) or acquire(text))
    return seen


async def test_round_takes_few_statements(store, statements):
    lines = [line(await store.item("Soup", 5), quantity) for quantity in (1, 2, 3)]
    order = await store.order(*lines)
    await store.send("POST", f"/orders/{order['id']}/lines", {"items": lines})
    statements.clear()

    answer = await store.send("POST", f"/orders/{order['id']}/lines", {"items": lines})

    assert answer.status == 201
    assert len([each for each in statements if "pg_notify" not in each]) <= MAX_STATEMENTS
