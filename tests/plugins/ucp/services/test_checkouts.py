"""Checkouts of agents."""

from datetime import timedelta

import pytest
from paying_first import open_account, set_payments

from tests.plugins.ucp.conftest import get_totals, list_codes, of

PORTO = {
    "id": "home",
    "first_name": "Ana",
    "street_address": "Rua das Flores 7",
    "postal_code": "4000-001",
    "address_locality": "Porto",
    "address_country": "PT",
    "phone_number": "+351912345678",
}


def ship_to(option=None, **fields):
    groups = [{"selected_option_id": option}] if option else []
    method = {"type": "shipping", "destinations": [PORTO], "selected_destination_id": "home", "groups": groups}
    return {"methods": [{**method, **fields}]}


@pytest.fixture
async def shopper(agent_of, open_store):
    """Return an agent in a shop that sends orders for 4, and its lamp."""
    store = await open_store("retail")
    await store.send("PUT", "/settings/shipping", {"rate": 4})
    shopper = await agent_of(store)
    shopper.lamp = await store.item("Lamp", 20, stock=3)
    return shopper


async def test_totals_add_up_with_coupon_charge_and_tax(agent, soup):
    settings = {"tax_rate": 10, "tax_included": False, "service_charge_rate": 5}
    assert (await agent.store.send("PUT", "/settings", settings)).status == 200
    await agent.store.send("POST", "/coupons", {"code": "TEN", "type": "percentage", "value": 10})

    checkout = await agent.check_out(of(soup, 2), discounts={"codes": ["ten", "other"]})

    totals = get_totals(checkout)
    assert sum(amount for name, amount in totals.items() if name != "total") == totals["total"]
    assert (totals["subtotal"], totals["discount"]) == (1000, -100)
    assert checkout["discounts"] == {
        "codes": ["ten", "other"],
        "applied": [{"code": "ten", "title": "ten", "amount": 100}],
    }
    assert list_codes(checkout) == ["discount_code_combination_disallowed"]
    assert checkout["status"] == "ready_for_complete"


async def test_links_lead_to_the_legal_texts_that_there_are(agent, soup):
    await agent.store.send("PUT", "/settings/legal", {"terms": "Cash only.", "withdrawal": "Fourteen days."})

    links = (await agent.check_out(of(soup)))["links"]

    assert [(each["type"], each["title"]) for each in links] == [
        ("terms_of_service", "Terms and conditions"), ("refund_policy", "Right of withdrawal"),
    ]  # fmt: skip
    assert all(each["url"].startswith("http") and "/legal/" in each["url"] for each in links)


async def test_refused_coupon_is_a_warning(agent, soup):
    checkout = await agent.check_out(of(soup), discounts={"codes": ["NOPE"]})

    (message,) = checkout["messages"]
    assert (message["type"], message["code"]) == ("warning", "discount_code_invalid")
    assert message["path"] == "$.discounts.codes[0]"
    assert (checkout["status"], get_totals(checkout)) == ("ready_for_complete", {"subtotal": 500, "total": 500})


async def test_missing_name_is_asked_of_the_agent(agent, soup):
    checkout = await agent.check_out(of(soup), buyer=None)

    (message,) = checkout["messages"]
    assert (checkout["status"], message["severity"]) == ("incomplete", "recoverable")
    assert (message["code"], message["path"]) == ("field_required", "$.buyer.first_name")
    path = f"/checkout-sessions/{checkout['id']}"
    changed = await agent.must("PUT", path, {"line_items": [of(soup)], "buyer": {"first_name": "Ana"}})
    assert (changed["status"], changed["buyer"]) == ("ready_for_complete", {"first_name": "Ana"})


async def test_choices_are_left_to_the_guest(agent):
    extras = [{"name": "Rice", "price": 0}, {"name": "Chips", "price": 1}]
    dish = await agent.store.item("Fish", 9, extra_groups=[{"name": "Side", "min": 1, "max": 1, "extras": extras}])

    checkout = await agent.check_out(of(dish))

    assert (checkout["status"], list_codes(checkout)) == ("requires_escalation", ["options_required"])
    assert checkout["continue_url"].endswith(f"?items={dish['id']}:1&mode=takeaway")
    assert (await agent.complete(checkout))["status"] == "requires_escalation"
    assert await agent.count_orders() == 0


async def test_closed_store_hands_over(agent, soup, clock):
    hours = {day: [] for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}
    tomorrow = (clock() + timedelta(days=1)).strftime("%A").lower()
    await agent.store.send("PUT", "/settings", {"hours": {**hours, tomorrow: [{"open": "10:00", "close": "22:00"}]}})

    checkout = await agent.check_out(of(soup))

    assert (checkout["status"], list_codes(checkout)) == ("requires_escalation", ["store_closed"])


async def test_owner_may_keep_orders_to_the_page(agent_of, store, soup):
    agent = await agent_of(store, places_orders=False)

    checkout = await agent.check_out(of(soup))

    (message,) = checkout["messages"]
    assert (checkout["status"], message["severity"]) == ("requires_escalation", "requires_buyer_review")
    assert (await agent.complete(checkout))["status"] == "requires_escalation"
    assert await agent.count_orders() == 0


async def test_sold_out_items_create_no_checkout(agent, soup):
    await agent.store.send("PUT", f"/menu/items/{soup['id']}", {"is_sold_out": True})

    status, document = await agent.send("POST", "/checkout-sessions", {"line_items": [of(soup)]})

    assert (status, document["ucp"]["status"], list_codes(document)) == (200, "error", ["out_of_stock"])
    tea = await agent.store.item("Tea", 2)
    partly = await agent.check_out(of(tea), of(soup))
    assert (partly["status"], list_codes(partly)) == ("incomplete", ["out_of_stock"])
    assert partly["messages"][0]["path"] == "$.line_items[1]"
    assert get_totals(partly)["total"] == 200


async def test_more_than_the_stock_is_out_of_stock(shopper):
    checkout = await shopper.check_out(of(shopper.lamp, 3))
    path = f"/checkout-sessions/{checkout['id']}"

    changed = await shopper.must("PUT", path, {"line_items": [of(shopper.lamp, 4)]})

    (message,) = changed["messages"]
    assert (message["code"], message["path"]) == ("out_of_stock", "$.line_items[0].quantity")
    assert changed["status"] == "incomplete"
    assert (await shopper.complete(changed))["status"] == "incomplete"
    assert await shopper.count_orders() == 0


async def test_fulfillment_options_are_order_types_with_prices(shopper):
    checkout = await shopper.check_out(of(shopper.lamp), fulfillment=ship_to())
    (method,) = checkout["fulfillment"]["methods"]
    options = {each["id"]: each["totals"][0]["amount"] for each in method["groups"][0]["options"]}
    assert options["ship"] == 400
    assert (method["type"], method["destinations"]) == ("shipping", [PORTO])

    path = f"/checkout-sessions/{checkout['id']}"
    chosen = await shopper.must("PUT", path, {"line_items": [of(shopper.lamp)], "fulfillment": ship_to("ship")})

    assert chosen["fulfillment"]["methods"][0]["groups"][0]["selected_option_id"] == "ship"
    assert get_totals(chosen) == {"subtotal": 2000, "fulfillment": 400, "total": 2400}
    assert list_codes(chosen) == ["buyer_confirmation_required"]
    assert chosen["continue_url"].endswith(f"?items={shopper.lamp['id']}:1&mode=ship")
    # What the buyer said of themselves is in no address.
    assert "Flores" not in chosen["continue_url"]
    assert (await shopper.complete(chosen))["status"] == "requires_escalation"
    assert await shopper.count_orders() == 0


async def test_pickup_is_the_store_by_default(shopper):
    checkout = await shopper.check_out(of(shopper.lamp))

    (method,) = checkout["fulfillment"]["methods"]
    assert (method["type"], method["selected_destination_id"]) == ("pickup", "store")
    assert method["groups"][0]["selected_option_id"] == method["groups"][0]["options"][0]["id"]
    assert "fulfillment" not in get_totals(checkout)


async def test_method_that_the_store_lacks_hands_over(agent_of, open_store):
    agent = await agent_of(await open_store("hotel"))
    towel = await agent.store.item("Towel", 5)

    checkout = await agent.check_out(of(towel), fulfillment=ship_to())

    assert "fulfillment_unavailable" in list_codes(checkout)
    assert checkout["status"] == "requires_escalation"


async def test_canceled_checkout_is_over(agent, soup):
    checkout = await agent.check_out(of(soup))
    path = f"/checkout-sessions/{checkout['id']}"

    canceled = await agent.must("POST", f"{path}/cancel")

    assert canceled["status"] == "canceled"
    assert "continue_url" not in canceled
    assert (await agent.must("GET", path))["status"] == "canceled"
    for method, suffix, body in (
        ("PUT", "", {"line_items": [of(soup)]}),
        ("POST", "/complete", {}),
        ("POST", "/cancel", None),
    ):
        assert (await agent.send(method, f"{path}{suffix}", body))[0] == 409
    assert await agent.count_orders() == 0


async def test_checkout_without_lines_is_refused(agent):
    document = await agent.must("POST", "/checkout-sessions", {"line_items": []})

    assert (document["ucp"]["status"], list_codes(document)) == ("error", ["field_required"])


async def test_orders_that_are_paid_first_are_placed_on_the_page(agent, soup):
    await open_account(agent.store)
    await set_payments(agent.store, online_pickup="required")

    checkout = await agent.check_out(of(soup))

    (message,) = checkout["messages"]
    assert (checkout["status"], message["code"]) == ("requires_escalation", "buyer_confirmation_required")
    assert (await agent.complete(checkout))["status"] == "requires_escalation"
    assert await agent.count_orders() == 0
