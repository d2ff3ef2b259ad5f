"""The pharmacy's part of an order in the dashboard."""

from comanda.devkit.testing import line


async def test_order_shows_its_release_and_batches(pharmacy, tablets, antibiotic, dashboard):
    await pharmacy.receive(tablets, "L-7", "2031-01-01", 5)
    order = await pharmacy.order(line(tablets), line(antibiotic), type="in_store")
    path = f"/stores/{pharmacy.id}/orders/{order['id']}"
    page = await dashboard.get(path)
    assert ("Waiting for release" in page, "Batch L-7" in page) == (True, True)

    await pharmacy.decide(order, note="Seen")

    assert "Released" in await dashboard.get(path)


async def test_other_orders_have_no_panel(pharmacy, dashboard):
    order = await pharmacy.order(line(await pharmacy.item("Plaster")), type="in_store")

    assert "<h2>Pharmacy" not in await dashboard.get(f"/stores/{pharmacy.id}/orders/{order['id']}")
