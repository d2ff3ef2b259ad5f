"""Answers by idempotency key."""

import asyncio

from comanda.platform.db import sql

from tests.plugins.ucp.conftest import of

KEY = "2f1d9c1e-6f0b-4f7e-9b63-0d0b8a1f7f01"


async def test_repeat_is_answered_with_first_answer(agent, soup):
    body = {"line_items": [of(soup)], "buyer": {"first_name": "Ana"}}
    first = await agent.send("POST", "/checkout-sessions", body, KEY)

    assert await agent.send("POST", "/checkout-sessions", body, KEY) == first
    path = f"/checkout-sessions/{first[1]['id']}"
    completed = await agent.send("POST", f"{path}/complete", {}, KEY)
    assert completed[1]["status"] == "completed"
    assert await agent.send("POST", f"{path}/complete", {}, KEY) == completed
    assert await agent.count_orders() == 1


async def test_key_of_other_request_returns_409(agent, soup):
    body = {"line_items": [of(soup)]}
    await agent.send("POST", "/carts", body, KEY)

    status, document = await agent.send("POST", "/carts", {"line_items": [of(soup, 2)]}, KEY)

    assert (status, document["code"]) == (409, "idempotency_mismatch")
    assert await sql.fetch_value("SELECT count(*) FROM storefront_cart WHERE store_id = $1", agent.store.id) == 1


async def test_agents_do_not_share_keys(agent, soup):
    body = {"line_items": [of(soup)]}
    other = {"UCP-Agent": 'profile="https://other.example/profile"'}

    mine = await agent.must("POST", "/carts", body, key=KEY)
    theirs = await agent.must("POST", "/carts", body, key=KEY, headers=other)

    assert mine["id"] != theirs["id"]


async def test_concurrent_requests_with_one_key_create_one_session(agent, soup):
    body = {"line_items": [of(soup)]}

    answers = await asyncio.gather(*(agent.send("POST", "/carts", body, KEY) for _ in range(8)))

    created = {document["id"] for status, document in answers if status == 201}
    assert len(created) == 1
    assert {status for status, _ in answers} <= {201, 409}
    assert await sql.fetch_value("SELECT count(*) FROM storefront_cart WHERE store_id = $1", agent.store.id) == 1
