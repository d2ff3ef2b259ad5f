"""The kitchen's part of an order in the dashboard."""

from comanda.devkit.testing import line


async def test_order_shows_its_lines_in_the_kitchen(dashboard, store):
    order = await store.order(line(await store.item("Soup", 5)))
    path = f"/stores/{store.id}/orders/{order['id']}"
    page = await dashboard.get(path)
    assert "Open the kitchen screen" in page
    assert "Queued" in page

    await store.set_status(order["id"], "cancelled")

    assert "Open the kitchen screen" not in await dashboard.get(path)


async def test_line_of_a_later_course_is_on_hold(dashboard, store):
    order = await store.order(line(await store.item("Soup", 5), course=2))

    page = await dashboard.get(f"/stores/{store.id}/orders/{order['id']}")
    assert ("Hold" in page, "Queued" in page) == (True, False)
    assert "Is held" not in page
