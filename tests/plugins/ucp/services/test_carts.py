"""Carts of agents."""

from comanda_storefront.caller_kinds import to_guest_caller
from comanda_storefront.services import carts as storefront_carts
from comanda_storefront.services.cart_store import CartContents

from tests.plugins.ucp.conftest import get_totals, list_codes, of


async def test_cart_is_priced_and_replaced(agent, soup):
    tea = await agent.store.item("Tea", 2, variations=[{"name": "Small", "price": 2}, {"name": "Large", "price": 3}])
    large = f"{tea['id']}-{tea['variations'][1]['id']}"
    cart = await agent.must("POST", "/carts", {"line_items": [of(soup, 2), of(large)]})

    assert get_totals(cart) == {"subtotal": 1300, "total": 1300}
    assert [each["item"] for each in cart["line_items"]] == [
        {"id": str(soup["id"]), "title": "Soup", "price": 500},
        {"id": large, "title": "Tea (Large)", "price": 300},
    ]
    link = f"http://comanda.test/s/{agent.slug}?items={soup['id']}:2,{large}:1&mode=takeaway"
    assert cart["continue_url"] == link
    # Who buys is asked at the checkout.
    assert "messages" not in cart

    changed = await agent.must("PUT", f"/carts/{cart['id']}", {"line_items": [of(soup)]})
    assert (changed["id"], get_totals(changed)["total"]) == (cart["id"], 500)
    assert await agent.must("GET", f"/carts/{cart['id']}") == changed


async def test_unknown_item_creates_and_changes_nothing(agent, soup, other_owner):
    foreign = await other_owner.store()
    status, document = await agent.send("POST", "/carts", {"line_items": [of(soup), of("999999999")]})
    assert (status, document["ucp"]["status"], list_codes(document)) == (200, "error", ["not_found"])
    assert "id" not in document
    assert foreign

    cart = await agent.must("POST", "/carts", {"line_items": [of(soup)]})
    changed = await agent.must("PUT", f"/carts/{cart['id']}", {"line_items": [of("x")]})
    assert (list_codes(changed), changed["line_items"]) == (["not_found"], cart["line_items"])


async def test_quantity_above_limit_is_adjusted(agent, soup):
    cart = await agent.must("POST", "/carts", {"line_items": [of(soup, 10_001)]})

    assert (list_codes(cart), cart["line_items"][0]["quantity"]) == (["quantity_adjusted"], 30)


async def test_cancelled_cart_is_gone(agent, soup):
    cart = await agent.must("POST", "/carts", {"line_items": [of(soup, 3)]})

    assert await agent.must("POST", f"/carts/{cart['id']}/cancel") == cart
    status, document = await agent.send("GET", f"/carts/{cart['id']}")
    assert (status, list_codes(document)) == (404, ["not_found"])
    assert (await agent.send("POST", "/checkout-sessions", {"cart_id": cart["id"]}))[0] == 404


async def test_session_is_found_in_its_store_only(agent, agent_of, open_store, soup, subtests):
    cart = await agent.must("POST", "/carts", {"line_items": [of(soup)]})
    checkout = await agent.check_out(of(soup))
    other = await agent_of(await open_store("restaurant"))
    body = {"line_items": [of(soup)]}

    for method, path, sent in (
        ("GET", f"/carts/{cart['id']}", None),
        ("PUT", f"/carts/{cart['id']}", body),
        ("POST", f"/carts/{cart['id']}/cancel", None),
        ("POST", "/checkout-sessions", {"cart_id": cart["id"]}),
        ("GET", f"/checkout-sessions/{checkout['id']}", None),
        ("PUT", f"/checkout-sessions/{checkout['id']}", body),
        ("POST", f"/checkout-sessions/{checkout['id']}/complete", {}),
        ("POST", f"/checkout-sessions/{checkout['id']}/cancel", None),
    ):
        with subtests.test(f"{method} {path}"):
            assert (await other.send(method, path, sent))[0] == 404
            unknown = path.replace(cart["id"], "x" * 43).replace(checkout["id"], "x" * 43)
            if unknown != path:
                assert (await agent.send(method, unknown, sent))[0] == 404
    assert await agent.must("GET", f"/carts/{cart['id']}") == cart
    assert await agent.must("GET", f"/checkout-sessions/{checkout['id']}") == checkout


async def test_carts_of_other_protocols_are_no_sessions(agent, soup):
    caller = to_guest_caller(agent.store.owner.id, agent.store.id)
    contents = CartContents("takeaway", [{"item_id": soup["id"], "quantity": 1}])
    made = await storefront_carts.create_cart(caller, contents)

    assert (await agent.send("GET", f"/carts/{made.cart_id}"))[0] == 404
    checkout = await agent.check_out(of(soup))
    assert (await agent.send("GET", f"/carts/{checkout['id']}"))[0] == 404


async def test_cart_becomes_one_checkout_with_its_contents(agent, soup):
    cart = await agent.must("POST", "/carts", {"line_items": [of(soup, 2)], "buyer": {"first_name": "Ana"}})
    assert (await agent.send("GET", f"/checkout-sessions/{cart['id']}"))[0] == 404

    given = {"cart_id": cart["id"], "line_items": [of(soup, 9)]}
    first = await agent.must("POST", "/checkout-sessions", given)
    second = await agent.must("POST", "/checkout-sessions", given)

    assert first["id"] == second["id"] == cart["id"]
    assert (first["line_items"], first["buyer"]) == (cart["line_items"], {"first_name": "Ana"})
    path = f"/checkout-sessions/{cart['id']}"
    await agent.must("PUT", path, {"line_items": [of(soup, 4)], "buyer": {"first_name": "Ana"}})
    assert (await agent.must("GET", f"/carts/{cart['id']}"))["line_items"][0]["quantity"] == 4
    assert (await agent.complete(first))["status"] == "completed"
    assert (await agent.send("GET", f"/carts/{cart['id']}"))[0] == 404


async def test_session_expires_after_six_hours(agent, soup, clock):
    cart = await agent.must("POST", "/carts", {"line_items": [of(soup)]})
    clock.advance(hours=6, minutes=1)

    assert (await agent.send("GET", f"/carts/{cart['id']}"))[0] == 404
