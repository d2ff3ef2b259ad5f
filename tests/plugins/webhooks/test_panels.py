"""Paused endpoints on the first page of the dashboard."""

from comanda.platform.db import sql


async def test_paused_endpoint_is_pointed_out(dashboard, store, create_endpoint, inbox):
    endpoint = await create_endpoint(inbox.url)
    assert "Paused webhooks" not in await dashboard.get(f"/stores/{store.id}")

    await sql.execute("UPDATE webhooks_endpoint SET is_paused = true WHERE id = $1", endpoint["id"])

    page = await dashboard.get(f"/stores/{store.id}")
    assert "Paused webhooks" in page
    assert f"/dashboard/webhooks/{endpoint['id']}" in page
