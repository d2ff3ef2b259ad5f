"""What a pharmacy's rules cost an order, in statements of its tables."""

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql


@pytest.fixture
def count_statements(monkeypatch):
    """Return a function that places an order with a warm menu and returns how many statements that takes of what."""
    seen = []
    acquire = sql._acquire_connection
    monkeypatch.setattr(sql, "_acquire_connection", lambda text: seen.append(text) or acquire(text))

    async def count(pharmacy, item, *, status=None):
        await pharmacy.order(line(item), type="in_store")
        seen.clear()
        order = await pharmacy.order(line(item), type="in_store")
        if status is not None:
            await pharmacy.set_status(order["id"], status)
        taken = [text for text in seen if "pg_notify" not in text]
        return len(taken), len([text for text in taken if "pharmacy_" in text])

    return count


async def test_other_items_and_limits_cost_nothing(pharmacy, count_statements):
    plain = await pharmacy.item("Plaster")
    before = await count_statements(pharmacy, plain)
    await pharmacy.item("Antibiotic", is_prescription_only=True)
    limited = await pharmacy.item("Tablets", max_per_order=2)

    assert (before[1], await count_statements(pharmacy, plain)) == (0, before)
    assert await count_statements(pharmacy, limited) == before


async def test_status_of_other_orders_costs_nothing(pharmacy, count_statements):
    plaster = await pharmacy.item("Plaster")

    assert (await count_statements(pharmacy, plaster, status="completed"))[1] == 0


async def test_batches_cost_two_statements_and_a_release_one(pharmacy, tablets, antibiotic, count_statements):
    await pharmacy.receive(tablets, "A", "2031-01-01", 5)

    assert (await count_statements(pharmacy, tablets))[1] == 2
    assert (await count_statements(pharmacy, antibiotic))[1] == 1
