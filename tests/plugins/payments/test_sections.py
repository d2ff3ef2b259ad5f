"""The payment URL in the public record of an order."""


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
