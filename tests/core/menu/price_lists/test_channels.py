"""Prices of lists where each channel reads and orders: the store's page, agents, the till."""

from datetime import UTC, datetime

import pytest
from comanda.accounts import services as accounts
from comanda.devkit.testing import line
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda_staff import api as staff

from tests.plugins.storefront.conftest import PageGuest, new_token

NOW = datetime(2026, 7, 30, 20, tzinfo=UTC)
EVENING = {"from": "18:00", "until": "23:00"}


@pytest.fixture
async def soup(store, clock):
    """Return a soup of 5.00: dearer taken away, and in the evening twice as much for agents, 4.00 at the till."""
    soup = await store.item("Soup", 5)
    price = {"item_id": soup["id"], "price": 4}
    for fields in (
        {"name": "Agents", "channels": ["agent"], "valid_at": [EVENING], "percent": 100},
        {"name": "Till", "channels": ["staff"], "valid_at": [EVENING], "prices": [price]},
        {"name": "Taken away", "modes": ["takeaway"], "channels": ["storefront"], "amount": 1},
    ):
        assert (await store.send("POST", "/menu/price-lists", fields)).status == 201
    await store.send("PUT", "/settings", {"timezone": "UTC"})
    await sql.execute("UPDATE core_store SET is_published = true WHERE id = $1", store.id)
    clock.set(NOW)
    return soup


async def test_the_page_has_the_prices_of_a_type(store, client, soup):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)
    guest = PageGuest(store, slug)

    pages = [await (await client.get(f"/s/{slug}{query}")).get_data(as_text=True) for query in ("", "?type=takeaway")]
    details = await (await client.get(f"/s/{slug}/items/{soup['id']}/details?type=takeaway")).get_json()
    _, quote = await guest.quote(line(soup))
    refused, document = await guest.order(line(soup), expected_total=5)
    placed, order = await guest.order(line(soup), expected_total=6)

    assert [("€5.00" in page, "€6.00" in page) for page in pages] == [(True, False), (False, True)]
    assert all('"priced_modes": ["takeaway"]' in page for page in pages)
    assert (details["price"], quote["lines"][0]["unit_price"], quote["lines"][0]["price_label"]) == (
        600,
        600,
        "Taken away",
    )
    assert (refused.status_code, document["reason"], document["total"]) == (409, "price_changed", 6)
    assert (placed.status_code, order["total"]) == (201, 6)


async def test_an_agent_reads_and_pays_its_own_prices(store, mcp, soup, clock):
    agent = mcp("/mcp/storefront", {"X-Storefront-Token": await new_token(store.owner, store.id)})

    menu = await agent.call("get_menu", {"type": "takeaway"})
    item = await agent.call("get_item", {"item_id": soup["id"]})
    cart = await agent.call("create_cart", {"type": "takeaway", "items": [line(soup)]})
    clock.set(NOW.replace(hour=23))
    late = await agent.refused(
        "place_order", {"cart_id": cart["cart_id"], "customer_name": "Ada", "expected_total": cart["total"]}
    )

    assert (menu["categories"][0]["items"][0]["price"], item["item"]["price"], cart["total"]) == (10, 10, 10)
    assert (late["code"], late["order"]) == ("price_changed", None)


async def test_a_till_knows_its_prices_in_advance(store, soup):
    member_id = await sql.fetch_value(
        """INSERT INTO staff_member (owner_id, store_id, name, role, pin_hash, station_ids, created_at)
        VALUES ($1, $2, 'Ada', 'manager', $3, '{}', now()) RETURNING id""",
        store.owner.id, store.id, b"1" * 32,
    )  # fmt: skip
    kind = runtime.registry().caller_kinds[staff.STAFF_ONLY[0]]
    issued = await accounts.issue_token(
        kind, store.owner.id, ["orders"], name="Ada", store_id=store.id, subject_id=member_id
    )
    headers = {"Authorization": f"Bearer {issued.secret}"}

    prices = (await store.send_to("/api/v1/staff/menu/prices", **headers)).document
    body = {"type": "takeaway", "items": [line(soup)]}
    order = await store.send_to("/api/v1/staff/orders", "POST", body, **headers)

    assert prices["tables"] == [{"items": {str(soup["id"]): 4}, "variations": {}, "extras": {}}]
    periods = prices["periods"]["takeaway"]
    assert [each["table"] for each in periods[:3]] == [0, None, 0]
    assert periods[0]["until"] == NOW.replace(hour=23).isoformat()
    assert (order["total"], order["items"][0]["price_label"]) == (4, "Till")
