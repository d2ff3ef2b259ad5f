"""Where tokens of apps work: routes of stores and MCP, within scopes, stores and resources."""

import pytest
from comanda.accounts import administration
from comanda_oauth import api
from comanda_oauth.services.app_checks import get_names


async def test_token_works_within_its_scopes_only(app_program, status_of, store_id, client):
    tokens = await app_program.get_tokens(scope="menu:read")
    base = f"/api/v1/restaurants/{store_id}"

    assert await status_of(tokens["access_token"], f"{base}/menu") == 200
    assert await status_of(tokens["access_token"], f"{base}/orders") == 403
    assert await status_of(tokens["access_token"], f"{base}/menu/categories", "POST", json={"name": "New"}) == 403
    assert await status_of(tokens["access_token"], "/api/v1/me") == 200
    refused = await client.get(f"{base}/orders", headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert refused.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope", scope="orders:read"'


async def test_singular_scope_reads_restaurants(create_program, status_of):
    program = await create_program(scopes=("restaurant:read",))
    tokens = await program.get_tokens(scope="restaurant:read")

    assert tokens["scope"] == "restaurant:read"
    assert await status_of(tokens["access_token"], "/api/v1/restaurants") == 200


@pytest.mark.parametrize("path", ["/api/v1/audit-log", "/api/v1/webhook-endpoints", "/api/v1/drivers"])
async def test_account_routes_are_closed_to_apps(create_program, status_of, path):
    program = await create_program(scopes=("restaurant:read", "orders:write", "menu:write"))
    tokens = await program.get_tokens()

    assert await status_of(tokens["access_token"], path) == 403


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "staff"), ("GET", "staff/1"), ("GET", "staff-devices"), ("GET", "pin-login"),
        ("GET", "storefront-tokens"), ("GET", "gift-cards"), ("POST", "gift-cards"), ("POST", "gift-cards/1/adjust"),
        ("GET", "store-credit"), ("POST", "store-credit/1/entries"),
    ],
)  # fmt: skip
async def test_people_credentials_and_money_of_stores_are_closed_to_apps(
    create_program, client, store_id, method, path
):
    program = await create_program(scopes=("restaurant:read", "orders:write"))
    tokens = await program.get_tokens()
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    body = {"json": {"amount": 100, "note": "Present"}} if method == "POST" else {}

    response = await client.open(f"/api/v1/restaurants/{store_id}/{path}", method=method, headers=headers, **body)

    assert (response.status_code, (await response.get_json()).get("reason")) == (403, "not_delegable")


async def test_stores_of_another_owner_are_not_found(app_program, status_of, other_owner):
    tokens = await app_program.get_tokens()
    foreign = await other_owner.store()

    assert await status_of(tokens["access_token"], f"/api/v1/restaurants/{foreign}/menu") == 404


async def test_app_of_one_store_stays_in_it(create_program, owner, status_of, store_id, client):
    program = await create_program(scopes=("restaurant:read", "menu:read"))
    other_store = await owner.store()

    tokens = await program.get_tokens(store=store_id)

    assert await status_of(tokens["access_token"], f"/api/v1/restaurants/{store_id}/menu") == 200
    assert await status_of(tokens["access_token"], f"/api/v1/restaurants/{other_store}/menu") == 404
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    listed = await (await client.get("/api/v1/restaurants", headers=headers)).get_json()
    assert [store["id"] for store in listed["data"]] == [store_id]
    installation = await api.find_installation(owner.id, tokens["installation_id"])
    assert installation.store_ids == (store_id,)


async def test_no_route_lets_an_app_of_one_store_into_another(create_program, owner, status_of, store_id, runtime):
    program = await create_program(scopes=tuple(api.SCOPE_LABELS))
    other_store = await owner.store()
    tokens = await program.get_tokens(store=store_id)
    routes = [route for route in runtime.registry.routes if route.is_of_store and "owner" in route.callers]

    wrong = [
        (route.method, route.full_path, status)
        for route in routes
        if (
            status := await status_of(
                tokens["access_token"], "/".join(_fill(part, other_store) for part in route.full_path.split("/")),
                route.method,
            )
        )
        not in (403, 404)
    ]  # fmt: skip

    assert len(routes) > 100
    assert wrong == []


def _fill(part, store_id):
    return str(store_id) if part == "{id}" else "1" if part.startswith("{") else part


async def test_tokens_follow_a_change_of_stores(app_program, owner, status_of, store_id):
    other_store = await owner.store()
    tokens = await app_program.get_tokens()
    await app_program.get_tokens(store=store_id)

    assert await status_of(tokens["access_token"], f"/api/v1/restaurants/{other_store}/menu") == 404


async def test_token_of_a_resource_works_there_only(app_program, status_of, mcp):
    for_mcp = await app_program.get_tokens(resource="http://comanda.test/mcp")
    for_api = await app_program.get_tokens(resource="http://comanda.test/api/v1")
    for_all = await app_program.get_tokens(resource="http://comanda.test/")

    assert [await status_of(each["access_token"]) for each in (for_mcp, for_api, for_all)] == [401, 200, 200]
    statuses = [
        (await mcp("/mcp", {"Authorization": f"Bearer {each['access_token']}"}).post(LIST)).status_code
        for each in (for_mcp, for_api, for_all)
    ]
    assert statuses == [200, 401, 200]


LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


async def test_tokens_of_one_app_share_a_rate_limit(app_program, client, owner, store_id):
    first, second = await app_program.get_tokens(), await app_program.get_tokens()

    remaining = []
    for secret in (first["access_token"], second["access_token"], owner.token):
        headers = {"Authorization": f"Bearer {secret}"}
        response = await client.get("/api/v1/me", headers=headers)
        remaining.append(int(response.headers["X-RateLimit-Limit"]) - int(response.headers["X-RateLimit-Remaining"]))

    assert remaining[1] == remaining[0] + 1
    assert remaining[2] == 1


async def call_mcp(client, token, method="tools/list", **params):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return await client.post(
        "/mcp", json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, headers=headers
    )


async def test_mcp_says_where_to_get_a_token(client):
    response = await call_mcp(client, None)

    assert response.status_code == 401
    expected = 'resource_metadata="http://comanda.test/.well-known/oauth-protected-resource/mcp"'
    assert expected in response.headers["WWW-Authenticate"]


async def test_mcp_needs_its_scope(app_program, client):
    tokens = await app_program.get_tokens(scope="menu:read")

    response = await call_mcp(client, tokens["access_token"])

    assert response.status_code == 403
    assert 'error="insufficient_scope", scope="mcp:use"' in response.headers["WWW-Authenticate"]


async def test_mcp_lists_and_calls_what_scopes_permit(app_program, client, store_id):
    tokens = await app_program.get_tokens(scope="menu:read mcp:use")

    listed = await (await call_mcp(client, tokens["access_token"])).get_json()
    names = {tool["name"] for tool in listed["result"]["tools"]}
    called = await call_mcp(client, tokens["access_token"], "tools/call", name="get_menu", arguments={})

    assert "get_menu" in names
    assert not names & {"list_orders", "add_menu_item", "list_restaurants"}
    assert (await called.get_json())["result"]["isError"] is False


async def test_mcp_names_the_scope_that_a_tool_lacks(app_program, client, owner):
    tokens = await app_program.get_tokens(scope="menu:read mcp:use")

    refused = await call_mcp(client, tokens["access_token"], "tools/call", name="add_menu_item", arguments={})

    assert refused.status_code == 403
    assert 'error="insufficient_scope"' in refused.headers["WWW-Authenticate"]
    assert 'scope="mcp:use menu:read menu:write"' in refused.headers["WWW-Authenticate"]
    assert (await refused.get_json())["error"]["code"] == -32003


async def test_owner_token_needs_no_mcp_scope(client, owner):
    assert (await call_mcp(client, owner.token)).status_code == 200


async def test_suspended_owner_closes_apps(app_program, owner, client, status_of):
    tokens = await app_program.get_tokens()
    await administration.suspend_owner(owner.id, "unpaid")

    assert await status_of(tokens["access_token"]) == 403


async def test_suspended_developer_closes_apps(app_program, browser, developer, client, status_of):
    tokens = await app_program.get_tokens(expiring="1")
    code = await app_program.authorize()
    await administration.suspend_owner(developer.id, "fraud")

    assert await status_of(tokens["access_token"]) == 403
    assert (await app_program.refresh(tokens["refresh_token"])).status_code == 400
    assert (await app_program.exchange(code)).status_code == 400
    assert (await browser.open(**app_program.request())).status_code != 200
    introspected = await app_program.post("/oauth/introspect", token=tokens["access_token"])
    assert (await introspected.get_json())["active"] is False

    await administration.unsuspend_owner(developer.id)

    assert await status_of(tokens["access_token"]) == 200
    assert (await app_program.refresh(tokens["refresh_token"])).status_code == 200


async def test_names_are_those_of_the_owners_installations(create_client, owner, other_owner):
    issued = await create_client(name="Loyalty Cards")
    installed = await api.install(owner.id, issued.client.id, ["menu:read"], actor="test")

    assert await get_names(owner.id, [installed.id, 0]) == {installed.id: "Loyalty Cards"}
    assert await get_names(other_owner.id, [installed.id]) == {}
