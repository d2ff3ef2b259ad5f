"""The webhook endpoint without settings."""


async def test_webhook_returns_404_without_secret(client, app):
    response = await client.post("/api/v1/payments/gateway/events", data=b"{}")

    assert response.status_code == 404
