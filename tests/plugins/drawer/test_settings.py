"""The setting that refuses short drawers."""

import pytest
from comanda.basics import Conflict


@pytest.mark.usefixtures("strict")
async def test_refuse_short_limits_refunds_and_paid_outs(drawers, book):
    payment = await drawers.take_cash(1000)
    shift = await drawers.open_shift("Bar", 4)
    before = await drawers.list_rows()

    with pytest.raises(Conflict) as refused:
        await book(await drawers.create_refund(payment, 401))
    assert refused.value.extras == {"reason": "drawer_short"}
    moved = await drawers.create_movement(shift, "paid_out", 4.01)
    assert (moved.status, moved["reason"]) == (409, "drawer_short")
    assert await drawers.list_rows() == before

    await book(await drawers.create_refund(payment, 400))
    assert await drawers.list_expected(shift) == [0.0]
