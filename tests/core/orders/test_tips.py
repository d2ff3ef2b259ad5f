"""The largest tip of an order."""

import pytest
from comanda.devkit.testing.stores import line


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


@pytest.mark.parametrize(("quantity", "largest"), [(1, 1000), (20, 1000), (21, 1050), (999, 49_950)])
async def test_tip_is_limited_by_subtotal_or_a_thousand(store, soup, quantity, largest):
    generous = await store.place(line(soup, quantity), tip_amount=largest)
    absurd = await store.place(line(soup, quantity), tip_amount=largest + 0.01)

    assert generous.status == 201
    assert (generous["tip_amount"], generous["total"]) == (largest, largest + 5 * quantity)
    assert absurd.errors == {"tip_amount": [f"A tip may be at most {largest}.00."]}
