"""The completion of checkouts."""

import asyncio

from comanda.platform.db import sql

from tests.plugins.ucp.conftest import get_totals, list_codes, of


async def test_completed_checkout_is_an_order_of_the_guest(agent, soup):
    checkout = await agent.check_out(
        of(soup, 2), buyer={"first_name": "Ana", "last_name": "Silva", "phone_number": "+3519"}
    )

    completed = await agent.complete(checkout)

    row = await sql.fetch_one("SELECT * FROM core_order WHERE store_id = $1", agent.store.id)
    assert (row["type"], row["source"], row["total_minor"]) == ("takeaway", "mcp", 1000)
    assert (row["customer_name"], row["payment_status"]) == ("Ana Silva", "unpaid")
    assert completed["status"] == "completed"
    assert completed["order"] == {
        "id": str(row["id"]),
        "label": f"#{row['number']}",
        "permalink_url": f"http://comanda.test/t/{row['track_token']}",
    }
    assert (get_totals(completed), completed["line_items"]) == (get_totals(checkout), checkout["line_items"])
    assert "continue_url" not in completed
    path = f"/checkout-sessions/{checkout['id']}"
    assert await agent.must("GET", path) == completed
    assert (await agent.send("PUT", path, {"line_items": [of(soup)]}))[0] == 409
    assert (await agent.send("POST", f"{path}/complete", {}))[0] == 409
    assert (await agent.send("POST", f"{path}/cancel"))[0] == 409
    assert await agent.count_orders() == 1


async def test_concurrent_completions_place_one_order(agent, soup):
    checkout = await agent.check_out(of(soup))

    path = f"/checkout-sessions/{checkout['id']}/complete"
    answers = await asyncio.gather(
        *(agent.send("POST", path, {}, f"key-of-a-completion-{number}") for number in range(6))
    )

    # Who comes later is told that it is over, or gets the same order.
    assert {status for status, _ in answers} <= {200, 409}
    assert len({document["order"]["id"] for status, document in answers if status == 200}) == 1
    assert await agent.count_orders() == 1


async def test_order_at_another_price_is_not_placed(agent, soup):
    checkout = await agent.check_out(of(soup))
    await agent.store.send("PUT", f"/menu/items/{soup['id']}", {"price": 6})

    refused = await agent.complete(checkout)

    assert (list_codes(refused), get_totals(refused)["total"]) == (["price_changed"], 600)
    assert (refused["status"], await agent.count_orders()) == ("incomplete", 0)
    completed = await agent.complete(checkout)
    assert (completed["status"], get_totals(completed)["total"]) == ("completed", 600)


async def test_payments_of_agents_are_refused(agent, soup):
    checkout = await agent.check_out(of(soup))
    card = {"id": "i", "handler_id": "pay", "type": "card", "credential": {"type": "token", "token": "t"}}

    refused = await agent.complete(checkout, {"payment": {"instruments": [card]}})

    assert (refused["status"], list_codes(refused)) == ("incomplete", ["payment_failed"])
    assert await agent.count_orders() == 0


async def test_what_is_gone_since_is_not_ordered(agent, soup):
    checkout = await agent.check_out(of(soup))
    await agent.store.send("PUT", f"/menu/items/{soup['id']}", {"is_sold_out": True})

    refused = await agent.complete(checkout)

    assert (refused["status"], list_codes(refused)) == ("incomplete", ["out_of_stock"])
    assert await agent.count_orders() == 0
