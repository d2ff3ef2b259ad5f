"""The connections of who is signed in on a store's page."""

import pytest
from comanda.accounts import administration

OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}


async def read(client, guest, method="GET", path="", headers=OWN_PAGE):
    url = f"/s/{guest.slug}/account/connections{path}"
    response = await client.open(url, method=method, headers={**headers, **guest.headers})
    return response, await response.get_json()


async def test_customer_lists_and_ends_connections(client, assistant, guest, wish, call_tool):
    tokens = await assistant.get_tokens(**wish)
    response, document = await read(client, guest)

    [connection] = document["connections"]
    assert connection["name"] == "Assistant"
    assert document["address"] == f"http://comanda.test/mcp/customer?store={guest.slug}"
    assert response.headers["Cache-Control"] == "no-store"

    response, document = await read(client, guest, "DELETE", f"/{connection['id']}")

    assert (response.status_code, document["connections"]) == (200, [])
    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 401


async def test_nobody_sees_or_ends_connections_of_others(client, assistant, guest, wish, call_tool):
    tokens = await assistant.get_tokens(**wish)
    _, before = await read(client, guest)
    guest.headers = {}

    assert (await read(client, guest))[1]["connections"] == []
    await read(client, guest, "DELETE", f"/{before['connections'][0]['id']}")
    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 200


async def test_other_sites_end_nothing(client, assistant, guest, wish, call_tool):
    tokens = await assistant.get_tokens(**wish)
    _, before = await read(client, guest)
    path = f"/{before['connections'][0]['id']}"

    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {}):
        assert (await read(client, guest, "DELETE", path, headers))[0].status_code == 403
    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 200


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("DELETE", "/1")])
async def test_suspended_owner_has_no_connections(client, guest, method, path):
    await administration.suspend_owner(guest.owner.id, "unpaid")

    assert (await read(client, guest, method, path))[0].status_code == 404
