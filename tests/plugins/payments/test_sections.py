"""What the public record of an order says of payments."""


async def test_pay_url_is_present_only_while_due(gateway, client, page, order, till, settings):
    async def tracked():
        return await (await client.get(f"/api/v1/track/{order['track_token']}")).get_json()

    assert (await tracked())["pay_url"] == f"{settings.site_url}{page.path}"
    await till.pay()
    assert "pay_url" not in await tracked()
    await till.refund()
    assert "pay_url" not in await tracked()


async def test_pay_url_is_absent_without_gateway(client, order):
    assert "pay_url" not in await (await client.get(f"/api/v1/track/{order['track_token']}")).get_json()


async def test_refund_of_a_cancelled_order_is_pending_until_it_is_made(
    gateway, client, store, order, till, reconcile_later
):
    async def tracked():
        return await (await client.get(f"/api/v1/track/{order['track_token']}")).get_json()

    await store.send("PUT", "/settings/storefront", {"cancel_minutes": 30})
    await till.pay("stripe")
    gateway.pay(gateway.session)
    await reconcile_later()

    cancelled = await client.post(f"/api/v1/track/{order['track_token']}/cancel")

    assert (cancelled.status_code, (await tracked())["refund_pending"], gateway.refunds) == (200, True, {})
    await reconcile_later()
    assert "refund_pending" not in await tracked()
    assert await till.money() == ("refunded", 20, 20)
