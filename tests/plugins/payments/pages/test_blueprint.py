"""The payment page is private, and gone for unknown tokens and suspended owners."""

from comanda.platform.db import sql


async def test_page_is_private_and_wrong_token_returns_404(gateway, client, page, page_of, order):
    wrong = page_of({**order, "track_token": order["track_token"][:-1] + "~"})

    assert (await client.get(wrong.path)).status_code == 404
    assert await wrong.press() == wrong.path
    await wrong.come_back()
    assert gateway.sessions == {}
    response = await client.get(page.path)
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["X-Robots-Tag"] == "noindex, nofollow"
    # Browsers apply form-action to redirects too.
    assert "form-action 'self' https: http:" in response.headers["Content-Security-Policy"]
    assert "Soup" not in await response.get_data(as_text=True)


async def test_page_of_suspended_owner_returns_404(gateway, client, page, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert (await client.get(page.path)).status_code == 404
    await page.press()
    assert gateway.sessions == {}
