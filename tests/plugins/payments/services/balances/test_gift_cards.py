"""Gift cards: issued, spent, refunded, adjusted and blocked, never below zero."""

import asyncio

import pytest
from comanda.platform.db import sql
from comanda_payments.services.balances import gift_card_codes


async def get_balances(card_id):
    return tuple(
        await sql.fetch_one(
            """SELECT balance_minor, (SELECT sum(amount_minor)::bigint FROM payments_gift_card_entry e
               WHERE e.card_id = c.id AND e.owner_id = c.owner_id) FROM payments_gift_card c WHERE id = $1""",
            card_id,
        )
    )


async def test_code_is_shown_once_and_stored_as_hash(store, card):
    assert len(card["code"]) == 16
    assert set(card["code"]) <= set(gift_card_codes.ALPHABET)
    assert card["code_last4"] == card["code"][-4:]
    assert (card["status"], card["balance"], card["initial_amount"], card["currency"]) == ("active", 15, 15, "EUR")
    assert [(entry["kind"], entry["amount"], entry["balance"]) for entry in card["entries"]] == [("issue", 15, 15)]

    again = (await store.get(f"/gift-cards/{card['id']}")).document
    assert again == {name: value for name, value in card.items() if name != "code"}
    (row,) = await sql.fetch("SELECT to_jsonb(c)::text AS row FROM payments_gift_card c WHERE id = $1", card["id"])
    assert card["code"] not in row["row"]


async def test_card_pays_amount_and_tip(till, card, store):
    part = await till.pay("gift_card", 10, code=card["code"], tip=1)

    assert (part.status, part["gift_card_id"], part["left"]) == (201, card["id"], 10)
    short = await till.pay("gift_card", 4.01, code=card["code"])
    assert (short.status, short["reason"], short["balance"]) == (422, "balance", 4)
    assert await till.money() == ("partially_paid", 10, 0)
    assert (await store.get(f"/gift-cards/{card['id']}"))["balance"] == 4
    assert await get_balances(card["id"]) == (400, 400)


async def test_refund_credits_card(till, card, store):
    await till.pay("gift_card", 12, code=card["code"])
    await till.pay("cash")

    await till.refund(amount=13)

    gift_card = (await store.get(f"/gift-cards/{card['id']}")).document
    assert gift_card["balance"] == 8
    assert [(entry["kind"], entry["amount"]) for entry in gift_card["entries"]] == [
        ("refund", 5), ("spend", -12), ("issue", 15),
    ]  # fmt: skip


@pytest.mark.parametrize("state", ["blocked", "expired"])
async def test_blocked_or_expired_card_cannot_be_spent(store, till, clock, state):
    card = await store.send("POST", "/gift-cards", {"amount": 20, "expires_at": "2030-01-01T00:00:00Z"})
    if state == "blocked":
        assert (await store.send("POST", f"/gift-cards/{card['id']}/block"))["status"] == "blocked"
    else:
        clock.advance(days=365 * 5)

    reply = await till.pay("gift_card", code=card["code"])

    assert (list(reply.errors), reply["reason"]) == (["code"], state)
    assert (await store.get(f"/gift-cards/{card['id']}"))["status"] == state
    assert await get_balances(card["id"]) == (2000, 2000)


@pytest.mark.parametrize("state", ["blocked", "expired"])
async def test_refund_to_a_card_that_cannot_take_it_names_others(store, till, order, clock, state, paid_events):
    card = await store.send("POST", "/gift-cards", {"amount": 20, "expires_at": "2030-01-01T00:00:00Z"})
    await till.pay("cash", 8)
    await till.pay("gift_card", 12, code=card["code"])
    if state == "blocked":
        await store.send("POST", f"/gift-cards/{card['id']}/block")
    else:
        clock.advance(days=365 * 5)

    refused = await till.refund(amount=15)

    assert (refused.status, list(refused.errors), refused["reason"]) == (422, ["method"], f"gift_card_{state}")
    assert refused["methods"] == ["cash", "card_external"]
    assert list((await till.refund(amount=15, method="store_credit")).errors) == ["method"]
    assert (await till.refunds(), await paid_events("refund.completed")) == ([], [])
    assert await get_balances(card["id"]) == (800, 800)
    given = await till.refund(amount=15, method="card_external")
    assert [(part["method"], part["amount"]) for part in given["parts"]] == [("card_external", 12), ("cash", 3)]
    assert (given["status"], await till.money()) == ("completed", ("partially_refunded", 20, 15))
    assert await get_balances(card["id"]) == (800, 800)


async def test_refund_of_a_blocked_card_goes_to_store_credit(store, customer, new_customer_order, till_of, card):
    till = till_of(await new_customer_order(customer))
    await till.pay("gift_card", 12, code=card["code"])
    await store.send("POST", f"/gift-cards/{card['id']}/block")
    refused = await till.refund(amount=5)
    assert refused["methods"] == ["cash", "card_external", "store_credit"]

    given = await till.refund(amount=5, method="store_credit")

    assert [(part["method"], part["amount"]) for part in given["parts"]] == [("store_credit", 5)]
    credit = (await store.get(f"/store-credit/{customer.id}")).document
    assert (credit["balance"], [entry["kind"] for entry in credit["entries"]]) == (5, ["refund"])
    assert await get_balances(card["id"]) == (300, 300)


async def test_unblocked_card_can_be_spent(store, till, card):
    await store.send("POST", f"/gift-cards/{card['id']}/block")
    await store.send("POST", f"/gift-cards/{card['id']}/unblock")

    assert (await till.pay("gift_card", 15, code=card["code"])).status == 201


async def test_adjustment_needs_reason_and_never_overdraws(store, card):
    path = f"/gift-cards/{card['id']}/adjust"

    assert (await store.send("POST", path, {"amount": -5.5, "reason": "Sold too high"}))["balance"] == 9.5
    assert list((await store.send("POST", path, {"amount": -9.51, "reason": "x"})).errors) == ["amount"]
    assert list((await store.send("POST", path, {"amount": 1})).errors) == ["reason"]
    assert list((await store.send("POST", path, {"amount": 0, "reason": "x"})).errors) == ["amount"]
    assert await get_balances(card["id"]) == (950, 950)


@pytest.mark.parametrize(
    ("body", "field"),
    [({"amount": 0}, "amount"), ({"amount": 5, "expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
     ({"amount": 5, "customer_id": 987654321}, "customer_id"), ({"amount": 0.001}, "amount")],
)  # fmt: skip
async def test_invalid_card_is_refused(store, body, field):
    assert list((await store.send("POST", "/gift-cards", body)).errors) == [field]
    assert (await store.get("/gift-cards"))["total"] == 0


async def test_card_is_not_valid_in_other_store(open_store, till_of, card):
    other = await open_store("restaurant")
    soup = await other.item("Soup", price=5)
    till = till_of(await other.order({"item_id": soup["id"]}), other)

    assert (await till.pay("gift_card", code=card["code"]))["reason"] == "unknown"
    assert (await other.send("GET", f"/gift-cards/{card['id']}")).status == 404


async def test_concurrent_spending_never_overdraws_card(store, soup, monkeypatch):
    monkeypatch.setattr("comanda_payments.routes.payments.MAX_CODES_PER_MINUTE", 1000)
    card = (await store.send("POST", "/gift-cards", {"amount": 10})).document
    orders = [await store.order({"item_id": soup["id"]}) for _ in range(4)]

    async def spend(number):
        body = {"method": "gift_card", "amount": 0.3, "code": card["code"]}
        return await store.send("POST", f"/orders/{orders[number % 4]['id']}/payments", body)

    replies = await asyncio.gather(*(spend(number) for number in range(100)))

    assert sorted(reply.status for reply in replies) == [201] * 33 + [422] * 67
    assert await get_balances(card["id"]) == (10, 10)


async def test_repeated_issue_returns_card_without_code(store):
    first = await store.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key="a")

    again = await store.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key="a")
    other = await store.send("POST", "/gift-cards", {"amount": 99}, Idempotency_Key="a")

    assert len(first["code"]) == 16
    assert (again.status, again.headers["idempotent-replayed"]) == (201, "true")
    assert again.document == {**first.document, "code": None}
    assert (other["id"], other["balance"], other.headers["idempotency-mismatch"]) == (first["id"], 15, "true")
    assert "idempotency-mismatch" not in again.headers
    assert (await store.get("/gift-cards"))["total"] == 1


async def test_concurrent_issues_with_one_key_issue_once(store):
    issues = (store.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key="a") for _ in range(10))
    replies = await asyncio.gather(*issues)

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1
    assert sum(reply["code"] is not None for reply in replies) == 1
    entries = await sql.fetch_value(
        "SELECT count(*) FROM payments_gift_card_entry WHERE card_id = $1", replies[0]["id"]
    )
    assert entries == 1


async def test_keys_are_scoped_to_store(store, open_store):
    other = await open_store("restaurant")
    first = await store.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key="a")

    second = await other.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key="a")

    assert second["code"] not in (None, first["code"])


async def test_refused_issue_does_not_use_key(store):
    assert (await store.send("POST", "/gift-cards", {"amount": 0}, Idempotency_Key="a")).status == 422

    assert (await store.send("POST", "/gift-cards", {"amount": 5}, Idempotency_Key="a"))["code"]


async def test_repeated_adjustment_is_made_once(store, card):
    body = {"amount": -5, "reason": "Sold too high"}
    path = f"/gift-cards/{card['id']}/adjust"

    replies = await asyncio.gather(*(store.send("POST", path, body, Idempotency_Key="a") for _ in range(6)))
    later = await store.send("POST", path, {"amount": 3, "reason": "x"}, Idempotency_Key="a")

    assert [reply["balance"] for reply in replies] == [10] * 6
    assert sum("idempotent-replayed" in reply.headers for reply in replies) == 5
    assert (later.status, later["balance"], later.headers["idempotency-mismatch"]) == (200, 10, "true")
    assert len((await store.get(f"/gift-cards/{card['id']}"))["entries"]) == 2
