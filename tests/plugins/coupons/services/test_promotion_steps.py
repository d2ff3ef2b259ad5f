"""What promotions cost an order, in statements."""

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql


@pytest.fixture
def count_statements(monkeypatch):
    """Return a function that places an order with a warm menu and returns the statements that this takes."""
    seen = []
    acquire = sql._acquire_connection
    monkeypatch.setattr(sql, "_acquire_connection", lambda text: seen.append(text) or acquire(text))

    async def count(shop, **fields):
        await shop.order(line(shop.soup))
        seen.clear()
        await shop.order(line(shop.soup), **fields)
        return [text for text in seen if "pg_notify" not in text]

    return count


async def test_promotion_without_limit_costs_an_order_no_statement(shop, count_statements):
    before = await count_statements(shop)
    await shop.promotion(valid_at=[{"from": "08:00", "until": "10:00"}])

    after = await count_statements(shop)

    assert after == before
    assert [text for text in after if "coupons_" in text] == []


async def test_only_orders_that_use_a_limit_are_counted(shop, count_statements):
    await shop.promotion(usage_limit=5, item_ids=[shop.cake["id"]])
    assert [text for text in await count_statements(shop) if "coupons_" in text] == []

    await shop.promotion(usage_limit=5, item_ids=[shop.soup["id"]])
    assert len([text for text in await count_statements(shop) if "coupons_" in text]) == 3


async def test_guest_is_looked_up_only_for_promotions_for_some(shop, count_statements):
    await shop.promotion(first_order_only=True, ends_at="2030-01-07T09:00:00Z")
    assert [text for text in await count_statements(shop, phone="912345678") if "regexp_replace" in text] == []

    await shop.promotion(first_order_only=True)
    looked_up = [text for text in await count_statements(shop, phone="987654321") if "regexp_replace" in text]
    # Before pricing, and again under the lock.
    assert len(looked_up) == 2
