"""The profile of a store."""

from comanda.platform.db import sql

from tests.plugins.ucp.conftest import of


async def test_profile_names_address_and_capabilities(agent):
    response = await agent.request("GET", "/.well-known/ucp", headers={})

    profile = (await response.get_json())["ucp"]
    (service,) = profile["services"]["dev.ucp.shopping"]
    assert response.status_code == 200
    assert profile["version"] == service["version"] == "2026-04-08"
    assert service["endpoint"] == f"http://comanda.test/s/{agent.slug}/ucp"
    assert profile["payment_handlers"] == {}
    extended = {name: entries[0].get("extends") for name, entries in profile["capabilities"].items()}
    assert extended == {
        "dev.ucp.shopping.catalog.search": None,
        "dev.ucp.shopping.catalog.lookup": None,
        "dev.ucp.shopping.cart": None,
        "dev.ucp.shopping.checkout": None,
        "dev.ucp.shopping.fulfillment": "dev.ucp.shopping.checkout",
        "dev.ucp.shopping.discount": ["dev.ucp.shopping.checkout", "dev.ucp.shopping.cart"],
    }


async def test_store_that_is_not_offered_answers_404(agent, soup, subtests):
    changes = {
        "switched off": agent.store.send("PUT", "/settings/ucp", {"is_offered": False}),
        "unpublished": agent.store.send("PUT", "/settings", {"is_published": False}),
        "suspended": sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", agent.store.owner.id),
    }
    cart = await agent.must("POST", "/carts", {"line_items": [of(soup)]})
    for name, change in changes.items():
        with subtests.test(name):
            await change
            assert (await agent.request("GET", "/.well-known/ucp")).status_code == 404
            assert (await agent.send("GET", f"/carts/{cart['id']}"))[0] == 404
            assert (await agent.send("POST", "/catalog/search", {}))[0] == 404
            status, document = await agent.send("POST", "/checkout-sessions", {"line_items": [of(soup)]})
            assert (status, document["messages"][0]["code"]) == (404, "not_found")
        await agent.store.send("PUT", "/settings/ucp", {"is_offered": True})
        await agent.store.send("PUT", "/settings", {"is_published": True})
    assert await sql.fetch_value("SELECT count(*) FROM storefront_cart WHERE store_id = $1", agent.store.id) == 1


async def test_stores_are_not_offered_by_default(store, client):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)

    assert (await client.get(f"/s/{slug}/.well-known/ucp")).status_code == 404
