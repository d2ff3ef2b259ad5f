"""Expired batches leave the stock."""

from comanda_pharmacy.services.expiry import write_off_expired


async def test_expired_packs_leave_the_stock(pharmacy, tablets, clock):
    await pharmacy.receive(tablets, "A", clock().date().isoformat(), 3)
    await pharmacy.receive(tablets, "B", "2040-01-01", 2)
    await write_off_expired()
    assert await pharmacy.get_stock(tablets) == 5

    clock.advance(days=2)
    await write_off_expired()

    assert (await pharmacy.list_left(tablets), await pharmacy.get_stock(tablets)) == ({"A": 0, "B": 2}, 2)


async def test_stock_that_was_lowered_by_hand_does_not_become_negative(pharmacy, tablets):
    await pharmacy.receive(tablets, "OLD", "2020-01-01", 3)
    await pharmacy.send("PUT", f"/menu/items/{tablets['id']}", {"stock": 1})

    await write_off_expired()

    assert (await pharmacy.list_left(tablets), await pharmacy.get_stock(tablets)) == ({"OLD": 0}, 0)
