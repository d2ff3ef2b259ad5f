"""A guest's restrictions bind pages, storefronts, agents, staff and rounds alike, and the kitchen reads them."""

import pytest
from comanda.accounts import services as accounts
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_staff import api as staff

from tests.plugins.storefront.conftest import Front, PageGuest, new_token

RESTRICTED = {"avoid_allergens": ["peanuts"], "restrictions_consent": True}
SENTENCE = "Satay contains: Peanuts."


@pytest.fixture
async def satay(store):
    return await store.item("Satay", 9, has_allergen_information=True, allergens=["peanuts"])


@pytest.fixture
async def rice(store):
    return await store.item("Rice", 3, has_allergen_information=True)


@pytest.fixture
async def member(store, runtime):
    """Headers of a member of staff who takes orders and works in the kitchen."""
    kind = runtime.registry.caller_kinds[staff.STAFF_ONLY[0]]
    issued = await accounts.issue_token(
        kind, store.owner.id, ["orders", "kds"], name="Ada", store_id=store.id, subject_id=await add_member(store)
    )
    return {"Authorization": f"Bearer {issued.secret}"}


async def add_member(store):
    return await sql.fetch_value(
        """INSERT INTO staff_member (owner_id, store_id, name, role, pin_hash, station_ids, created_at)
        VALUES ($1, $2, 'Ada', 'manager', $3, '{}', now()) RETURNING id""",
        store.owner.id, store.id, b"0" * 32,
    )  # fmt: skip


async def test_a_guest_of_the_page_is_refused(store, satay):
    page = PageGuest(store, await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id))

    quoted, quote = await page.quote(line(satay), **RESTRICTED)
    response, refused = await page.order(line(satay), **RESTRICTED)

    assert (quoted.status_code, SENTENCE in str(quote)) == (200, True)
    assert (response.status_code, refused["reason"]) == (422, "restriction_conflict")
    assert refused["errors"] == {"items.0": [SENTENCE]}
    assert await page.orders() == 0


async def test_the_page_asks_only_where_dishes_are_declared(store):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)

    async def load_page():
        return await (await store.client.get(f"/s/{slug}")).get_data(as_text=True)

    await store.item("Bread")
    assert "avoid_allergens" not in await load_page()
    await store.item("Rice", has_allergen_information=True)
    page = await load_page()
    assert "avoid_allergens" in page
    assert "restrictions_override" not in page


async def test_a_guest_is_told_in_their_language(store, satay):
    page = PageGuest(store, await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id))

    _, refused = await page.send(
        "orders",
        {"type": "takeaway", "customer_name": "Ana", "items": [line(satay)], **RESTRICTED},
        {**PageGuest.headers, "Accept-Language": "de"},
    )

    assert refused["errors"] == {"items.0": ["Satay enthält: Erdnüsse."]}


async def test_a_client_of_the_storefront_cannot_take_over(client, store, satay):
    front = Front(client, await new_token(store.owner, store.id))

    refused = await front.refused(line(satay), restrictions_override="It is fine", **RESTRICTED)

    assert (refused["reason"], refused["errors"]) == ("restriction_conflict", {"items.0": [SENTENCE]})


async def test_an_agent_is_told(mcp, store, satay, rice):
    agent = mcp("/mcp/storefront", {"X-Storefront-Token": await new_token(store.owner, store.id)})
    cart = await agent.call("create_cart", {"type": "takeaway", "items": [line(satay)], "details": RESTRICTED})

    assert [(each["code"], each["text"]) for each in cart["messages"]] == [("restriction_conflict", SENTENCE)]
    refused = await agent.refused("place_order", {"cart_id": cart["cart_id"], "customer_name": "Ada"})
    assert (refused["code"], refused["order"]) == ("restriction_conflict", None)
    [item] = (await agent.call("search_menu", {"query": "satay"}))["items"]
    assert item["allergens"] == ["peanuts"]


async def test_staff_take_over_with_their_id(store, member, satay):
    body = {"type": "takeaway", "items": [line(satay)], **RESTRICTED}

    refused = await store.send_to("/api/v1/staff/orders", "POST", body, **member)
    placed = await store.send_to(
        "/api/v1/staff/orders", "POST", {**body, "restrictions_override": "No sauce"}, **member
    )

    assert refused.errors == {"items.0": [SENTENCE]}
    assert placed.status == 201
    assert placed["restrictions_overridden_by"].startswith("staff:")
    [ticket] = (await store.send_to("/api/v1/staff/kds", **member)).document
    assert ticket["facts"] == {
        "avoid_allergens": ["peanuts"],
        "restrictions_override": ["No sauce"],
        "restrictions_overridden_by": ["Ada"],
    }
    assert ticket["has_notes"] is True
    assert ticket["items"][0]["facts"] == {"allergens": ["peanuts"]}


async def test_staff_read_what_conflicts_in_their_language(store, member, satay):
    body = {"type": "takeaway", "items": [line(satay)], **RESTRICTED}

    for path in ("orders/quote", "orders"):
        refused = await store.send_to(f"/api/v1/staff/{path}", "POST", body, **member, **{"Accept-Language": "de"})
        assert refused.errors == {"items.0": ["Satay enthält: Erdnüsse."]}


async def test_rounds_are_checked(store, satay, rice):
    order = await store.order(line(rice), type="on-table", table_number="4", **RESTRICTED)

    refused = await store.send("POST", f"/orders/{order['id']}/lines", {"items": [line(satay)]})
    added = await store.send("POST", f"/orders/{order['id']}/lines", {"items": [line(rice)]})

    assert refused.errors == {"items.1": [SENTENCE]}
    assert (added.status, len(added["items"])) == (201, 2)
    assert added["avoid_allergens"] == ["peanuts"]


async def test_a_merged_order_keeps_what_both_must_not_contain(store, satay, rice):
    into = await store.order(line(rice), type="on-table", table_number="4")
    other = await store.order(line(rice), type="on-table", table_number="5", **RESTRICTED)

    merged = await store.send("POST", f"/orders/{into['id']}/merge", {"order_id": other["id"]})

    assert merged.status == 200, merged
    assert merged["avoid_allergens"] == ["peanuts"]
    assert (await store.send("POST", f"/orders/{into['id']}/lines", {"items": [line(satay)]})).status == 422
