"""Guests cancel their order, or order more at their table, with its track token."""

import pytest
from comanda.basics import clock as clock_module
from comanda.devkit.testing import line

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


@pytest.fixture
async def order(store, soup, clock):
    """An order of a table, placed at a known time."""
    clock.set(clock_module.now())
    return await store.order(line(soup), type="on-table", table_number="4")


@pytest.fixture
def set_ordering(store):
    async def update(**fields):
        reply = await store.send("PUT", "/settings/storefront", fields)
        assert reply.status == 200, reply

    return update


async def send(store, order, path, body=None, **headers):
    return await store.send_to(
        f"/api/v1/track/{order['track_token']}/{path}", "POST", body, Authorization="", **headers
    )


async def test_guest_cancels_within_the_time(store, order, set_ordering, clock):
    await set_ordering(cancel_minutes=5)
    clock.advance(minutes=4)

    cancelled = await send(store, order, "cancel")
    again = await send(store, order, "cancel")

    assert (cancelled.status, cancelled["status"], again.status) == (200, "cancelled", 200)
    change = (await store.get(f"/orders/{order['id']}/history"))["data"][0]
    assert (change["to"], change["actor"]) == ("cancelled", "guest")


@pytest.mark.parametrize("problem", ["off", "late", "preparing", "paid"])
async def test_cancellation_is_refused(store, order, set_ordering, clock, problem):
    await set_ordering(cancel_minutes=0 if problem == "off" else 5)
    if problem == "late":
        clock.advance(minutes=5)
    if problem == "preparing":
        await store.set_status(order["id"], "preparing")
    if problem == "paid":
        await store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash", "amount": 1})

    refused = await send(store, order, "cancel")

    expected = "order_paid" if problem == "paid" else "too_late"
    assert (refused.status, refused["reason"]) == (409, expected)
    assert (await store.get(f"/orders/{order['id']}"))["status"] != "cancelled"


@pytest.fixture
async def card(store):
    """A gift card of 15.00, with its code."""
    return (await store.send("POST", "/gift-cards", {"amount": 15})).document


async def test_cancellation_refunds_what_was_paid(store, order, set_ordering, card):
    await set_ordering(cancel_minutes=5)
    await store.send("POST", f"/orders/{order['id']}/payments", {"method": "gift_card", "code": card["code"]})

    cancelled = await send(store, order, "cancel")
    again = await send(store, order, "cancel")

    assert (cancelled.status, cancelled["status"], again.status) == (200, "cancelled", 200)
    (refund,) = (await store.get(f"/orders/{order['id']}/refunds"))["data"]
    assert (refund["status"], refund["amount"], refund["reason"]) == ("completed", 5, "Cancelled by the guest")
    assert (await store.get(f"/gift-cards/{card['id']}"))["balance"] == 15


async def test_cancellation_needs_a_card_that_takes_the_refund(store, order, set_ordering, card):
    await set_ordering(cancel_minutes=5)
    await store.send("POST", f"/orders/{order['id']}/payments", {"method": "gift_card", "code": card["code"]})
    await store.send("POST", f"/gift-cards/{card['id']}/block")

    refused = await send(store, order, "cancel")

    assert (refused.status, refused["reason"]) == (409, "order_paid")
    assert (await store.get(f"/orders/{order['id']}"))["status"] == "new"


@pytest.mark.parametrize("paused", [True, False])
async def test_round_is_refused_while_the_store_takes_no_orders(store, order, soup, set_ordering, paused):
    await set_ordering(allows_rounds=True)
    if paused:
        reply = await store.send("PUT", "/intake-status", {"status": "paused"})
    else:
        reply = await store.send("PUT", "/settings", {"hours": {day: [] for day in DAYS}})
    assert reply.status == 200, reply

    refused = await send(store, order, "lines", {"items": [line(soup)]})

    assert (refused.status, refused["reason"]) == (422, "store_paused" if paused else "store_closed")
    assert (await store.get(f"/orders/{order['id']}"))["amendments"] == 0


async def test_guest_adds_a_round_at_the_table(store, order, soup, set_ordering):
    await set_ordering(allows_rounds=True)

    added = await send(store, order, "lines", {"items": [line(soup, 2)]}, Idempotency_Key="round-2-of-table-4")
    await send(store, order, "lines", {"items": [line(soup, 2)]}, Idempotency_Key="round-2-of-table-4")

    assert (added.status, added["total"]) == (201, 15)
    found = (await store.get(f"/orders/{order['id']}")).document
    assert [(each["quantity"], each["round"]) for each in found["items"]] == [(1, 1), (2, 2)]


@pytest.mark.parametrize("problem", ["off", "takeaway", "paid"])
async def test_round_is_refused(store, order, soup, set_ordering, problem):
    await set_ordering(allows_rounds=problem != "off")
    if problem == "takeaway":
        order = await store.order(line(soup))
    if problem == "paid":
        await store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})

    refused = await send(store, order, "lines", {"items": [line(soup)]})

    assert (refused.status, refused["reason"]) == (409, "rounds_not_allowed")
    assert (await store.get(f"/orders/{order['id']}"))["amendments"] == 0


async def test_unknown_token_is_not_found(store, soup):
    unknown = {"track_token": "trk_" + "x" * 40}

    assert (await send(store, unknown, "cancel")).status == 404
    assert (await send(store, unknown, "lines", {"items": [line(soup)]})).status == 404
