"""Payments and refunds of orders, as other plugins add them up."""

from comanda_payments.api import list_money_movements


async def test_payments_and_parts_of_refunds_are_listed(store, order, till):
    await till.pay("cash", 5, tip=1)
    await till.pay("card_external")
    await till.refund(amount=2)
    order_id, owner_id = order["id"], store.owner.id

    found = (await list_money_movements([order_id], [owner_id]))[order_id]

    assert [(each.is_refund, each.amount_minor, each.tip_minor) for each in found if not each.is_refund] == [
        (False, 500, 100),
        (False, 1500, 0),
    ]
    assert sum(each.amount_minor for each in found if each.is_refund) == 200
    assert await list_money_movements([order_id], [owner_id + 1]) == {}
