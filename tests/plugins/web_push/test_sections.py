"""The offer of push messages on the page of an order."""

from comanda.devkit.testing import line
from comanda_web_push.services import vapid_key


async def test_page_offers_messages_until_the_order_is_ready(store, client):
    order = await store.order(line(await store.item("Soup", price=10)))
    page = f"/t/{order['track_token']}"

    before = await (await client.get(page)).get_data(as_text=True)
    await store.set_status(order["id"], "ready")
    after = await (await client.get(page)).get_data(as_text=True)

    assert f'data-key="{await vapid_key.get_public_key()}"' in before
    assert "Tell me when it is ready" in before
    assert "data-push" not in after


async def test_order_at_a_table_offers_none(store, client):
    order = await store.order(line(await store.item("Soup", price=10)), type="on-table", table_number="4")

    page = await (await client.get(f"/t/{order['track_token']}")).get_data(as_text=True)

    assert "data-push" not in page
