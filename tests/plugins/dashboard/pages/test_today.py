"""The first page of the dashboard."""

from datetime import timedelta

from comanda.devkit.testing import line
from comanda.platform.db import sql


async def test_open_orders_are_counted_and_old_ones_pointed_out(dashboard, store):
    soup = await store.item("Soup", 5)
    old, young = (
        await store.order(line(soup), customer_name="Old"),
        await store.order(line(soup), customer_name="Young"),
    )
    await sql.execute(
        "UPDATE core_order SET created_at = created_at - $2::interval WHERE id = $1", old["id"], timedelta(hours=1)
    )

    page = await dashboard.get(f"/stores/{store.id}")
    live = await dashboard.get(f"/stores/{store.id}/live")

    for text in (page, live):
        assert "Waiting too long" in text
        assert f'/orders/{old["id"]}"' in text
        assert f'/orders/{young["id"]}"' not in text


async def test_first_steps_are_shown_until_they_are_done(dashboard, store):
    assert "First steps" in await dashboard.get(f"/stores/{store.id}")
    await store.order(line(await store.item("Soup", 5)))
    await sql.execute("UPDATE core_store SET is_published = true WHERE id = $1", store.id)

    assert "First steps" not in await dashboard.get(f"/stores/{store.id}")


async def test_owner_of_several_stores_sees_each_with_its_orders(dashboard, store, open_store):
    assert (await dashboard.client.get("/dashboard")).headers["Location"] == f"/dashboard/stores/{store.id}"
    other = await open_store("restaurant")
    await store.order(line(await store.item("Soup", 5)))

    page = await dashboard.get("")

    assert f"/dashboard/stores/{store.id}" in page
    assert f"/dashboard/stores/{other.id}" in page
    assert "Open orders" in page
