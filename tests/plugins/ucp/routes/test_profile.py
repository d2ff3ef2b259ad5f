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
    lines = {"line_items": [of(soup)]}
    cart, checkout = await agent.must("POST", "/carts", lines), await agent.check_out(of(soup))
    calls = [("POST", "/catalog/search", {}), ("POST", "/carts", lines), ("POST", "/checkout-sessions", lines)]
    calls += [("POST", f"/catalog/{name}", {"ids": ["1"], "id": "1"}) for name in ("lookup", "product")]
    for path in (f"/carts/{cart['id']}", f"/checkout-sessions/{checkout['id']}"):
        calls += [("GET", path, None), ("PUT", path, lines), ("POST", f"{path}/cancel", None)]
    calls.append(("POST", f"/checkout-sessions/{checkout['id']}/complete", {}))
    for name, change in changes.items():
        await change
        with subtests.test(name):
            assert (await agent.request("GET", "/.well-known/ucp")).status_code == 404
            for call in calls:
                status, document = await agent.send(*call)
                assert (status, document["messages"][0]["code"]) == (404, "not_found"), call
        await agent.store.send("PUT", "/settings/ucp", {"is_offered": True})
        await agent.store.send("PUT", "/settings", {"is_published": True})
    await sql.execute("UPDATE core_owner SET is_suspended = false WHERE id = $1", agent.store.owner.id)
    assert await agent.must("GET", f"/carts/{cart['id']}") == cart
    assert await agent.must("GET", f"/checkout-sessions/{checkout['id']}") == checkout
    assert await sql.fetch_value("SELECT count(*) FROM storefront_cart WHERE store_id = $1", agent.store.id) == 2


async def test_stores_are_not_offered_by_default(store, client):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)

    assert (await client.get(f"/s/{slug}/.well-known/ucp")).status_code == 404
