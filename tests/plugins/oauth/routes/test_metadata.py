"""What programs learn about the authorization server and its resources."""

import pytest

SITE = "http://comanda.test"


async def test_server_metadata_names_the_endpoints(client):
    response = await client.get("/.well-known/oauth-authorization-server", headers={"Origin": "https://a.example"})

    found = await response.get_json()
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert found["issuer"] == SITE
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert found["authorization_response_iss_parameter_supported"] is True
    assert found["scopes_supported"] == [
        "menu:read", "menu:write", "orders:read", "orders:write", "analytics:read", "restaurant:read", "mcp:use",
    ]  # fmt: skip
    assert "registration_endpoint" not in found
    for name, path in [("authorization", "authorize"), ("token", "token"), ("revocation", "revoke")]:
        assert found[f"{name}_endpoint"] == f"{SITE}/oauth/{path}"


@pytest.mark.parametrize(("path", "resource"), [("", SITE), ("/mcp", f"{SITE}/mcp"), ("/api/v1", f"{SITE}/api/v1")])
async def test_resource_metadata_names_the_server(client, path, resource):
    found = await (await client.get(f"/.well-known/oauth-protected-resource{path}")).get_json()

    assert (found["resource"], found["authorization_servers"]) == (resource, [SITE])


@pytest.mark.parametrize("path", ["/mcp/catalog", "/nothing", "/api", "/mcp/storefront"])
async def test_other_resources_are_unknown(client, path):
    assert (await client.get(f"/.well-known/oauth-protected-resource{path}")).status_code == 404
