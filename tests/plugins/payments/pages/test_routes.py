"""Starting a payment from the page: malformed tokens and rate limits."""

import pytest


@pytest.mark.parametrize("token", ["x%0d%0aSet-Cookie:%20a=b", "%ff", "é", "a" * 5000])
async def test_malformed_token_is_harmless(client, gateway, token):
    response = await client.post(f"/pay/{token}/start", data=b"method=%ff&method=\xff\x00")

    assert response.status_code == 303
    assert "Set-Cookie" not in response.headers
    assert (await client.get(f"/pay/{token}")).status_code == 404


async def test_starts_are_rate_limited(gateway, page, monkeypatch):
    monkeypatch.setattr("comanda_payments.pages.routes.MAX_CALLS_PER_ORDER_AND_MINUTE", 2)

    addresses = [await page.press() for _ in range(4)]

    assert addresses[-1] == f"{page.path}?said=busy"
    assert "too often" in await page.read("?said=busy")
    assert len(gateway.sessions) == 1
