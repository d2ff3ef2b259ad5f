"""Access tokens in the dashboard."""

import re


async def test_a_token_is_created_shown_once_and_revoked(dashboard, client):
    form = await dashboard.get("/tokens/new")
    page = await dashboard.post(
        "/tokens/new", {"name": "Books", "scopes": "orders:read", "_lifetime": "30"}, status=200
    )
    secret = re.search(r"own_\w+", page)[0]
    auth = {"Authorization": f"Bearer {secret}"}
    me = await (await client.get("/api/v1/me", headers=auth)).get_json()
    listed = await dashboard.get("/tokens")
    await dashboard.post(f"/tokens/{me['token']['id']}/revoke")

    assert "Read orders" in form
    assert me["abilities"] == ["orders:read"]
    assert me["token"]["expires_at"] is not None
    assert "Books" in listed
    assert secret not in listed
    assert (await client.get("/api/v1/me", headers=auth)).status_code == 401


async def test_a_token_without_scopes_is_refused_beside_them(dashboard):
    page = await dashboard.post("/tokens/new", {"name": "Books", "scopes": "", "_lifetime": ""}, status=422)

    assert 'id="scopes-text"' in page
    assert 'value="Books"' in page
