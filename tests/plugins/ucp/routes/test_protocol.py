"""The header of agents, and the form of errors."""

from comanda.platform.db import sql
from comanda_ucp.routes import checkouts, protocol

from tests.plugins.ucp.conftest import AGENT, of


async def count_carts(agent):
    return await sql.fetch_value("SELECT count(*) FROM storefront_cart WHERE store_id = $1", agent.store.id)


async def test_request_without_profile_returns_400(agent, soup, subtests):
    for header in ("", "https://agent.example", 'profile=""', 'profile="' + "x" * 3000 + '"'):
        with subtests.test(header[:30]):
            body = {"line_items": [of(soup)]}
            status, document = await agent.send("POST", "/carts", body, headers={"UCP-Agent": header})
            assert (status, document["code"]) == (400, "invalid_profile_url")
    assert await count_carts(agent) == 0


async def test_other_version_returns_422(agent, soup):
    body = {"line_items": [of(soup)]}
    header = 'profile="https://agent.example"; version="2099-01-01"'

    status, document = await agent.send("POST", "/carts", body, headers={"UCP-Agent": header})

    content = "Version 2099-01-01 is not supported. This store implements 2026-04-08."
    assert (status, document) == (422, {"code": "version_unsupported", "content": content})
    assert await count_carts(agent) == 0
    own = 'profile="https://agent.example"; version="2026-04-08"'
    assert (await agent.send("POST", "/carts", body, headers={"UCP-Agent": own}))[0] == 201


async def test_id_of_request_is_sent_back(agent):
    response = await agent.request("POST", "/ucp/catalog/search", {}, headers={**AGENT, "Request-Id": "abc-1"})
    assert response.headers["Request-Id"] == "abc-1"

    response = await agent.request("POST", "/ucp/catalog/search", {}, headers={**AGENT, "Request-Id": "a b"})
    assert "Request-Id" not in response.headers


async def test_bodies_that_cannot_be_read_return_code_and_content(agent, subtests):
    for body, content in (
        (b"{", "The body is not valid JSON: EOF while parsing an object at line 1 column 1."),
        (b'{"line_items": []}', "line_items: Must contain at least 1 item."),
        (b'{"line_items": [{"item": {"id": "1"}, "quantity": 0}]}', "line_items.0.quantity: Must be 1 or more."),
        (b'{"line_items": 7}', "line_items: Must be a list."),
    ):
        with subtests.test(body.decode()):
            status, document = await agent.send("POST", "/carts", body)
            assert (status, document) == (400, {"code": "invalid_request", "content": content})
    status, document = await agent.send("POST", "/carts", b" " * 2_000_000)
    assert (status, document["code"]) == (413, "payload_too_large")
    status, document = await agent.send("GET", "/carts")
    assert (status, document["code"]) == (405, "method_not_allowed")
    assert await count_carts(agent) == 0


async def test_calls_and_completions_are_limited_per_address(agent, soup, monkeypatch):
    monkeypatch.setattr(checkouts, "ORDERS_PER_MINUTE", 2)
    checkout = await agent.check_out(of(soup))
    path = f"/checkout-sessions/{checkout['id']}/complete"
    answers = [await agent.send("POST", path, {}) for _ in range(6)]
    assert {status for status, _ in answers[-2:]} == {429}
    assert answers[-1][1]["code"] == "rate_limited"

    monkeypatch.setattr(protocol, "REQUESTS_PER_MINUTE", 3)
    statuses = [(await agent.send("POST", "/catalog/search", {}))[0] for _ in range(8)]
    assert statuses[-1] == 429
