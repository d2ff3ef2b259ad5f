"""The payment methods that a caller can use."""

import pytest


@pytest.mark.parametrize("method", ["cash", "card_external", "stripe", "barter"])
async def test_customers_cannot_use_methods_of_staff(own_order, ada, till_of, method):
    reply = await ada("POST", f"/orders/{own_order['id']}/payments", {"method": method})

    assert reply.errors == {"method": ["Must be one of: gift_card, store_credit."]}
    assert await till_of(own_order).payments() == []
