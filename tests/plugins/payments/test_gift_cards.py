"""Gift cards: a code shown once, a ledger that balances, and nobody spends what is not there."""

import asyncio

import pytest
from comanda.db import sql
from comanda_customers.services.tokens import issue_token
from comanda_payments import codes


async def sums(card_id):
    return tuple(
        await sql.fetch_one(
            """SELECT balance_minor, (SELECT sum(amount_minor)::bigint FROM payments_gift_card_entry e
               WHERE e.card_id = c.id AND e.owner_id = c.owner_id) FROM payments_gift_card c WHERE id = $1""",
            card_id,
        )
    )


async def test_the_code_is_shown_once_and_kept_as_a_hash(store, card):
    assert len(card["code"]) == 16
    assert set(card["code"]) <= set(codes.ALPHABET)
    assert card["code_last4"] == card["code"][-4:]
    assert (card["status"], card["balance"], card["initial_amount"], card["currency"]) == ("active", 15, 15, "EUR")
    assert [(entry["kind"], entry["amount"], entry["balance"]) for entry in card["entries"]] == [("issue", 15, 15)]

    again = (await store.get(f"/gift-cards/{card['id']}")).document
    assert again == {name: value for name, value in card.items() if name != "code"}
    (row,) = await sql.fetch("SELECT to_jsonb(c)::text AS row FROM payments_gift_card c WHERE id = $1", card["id"])
    assert card["code"] not in row["row"]


async def test_a_card_is_found_by_its_code_as_people_write_it(store, card):
    code = card["code"].lower()
    spaced = "-".join(code[at : at + 4] for at in range(0, 16, 4))

    found = await store.send("POST", "/gift-cards/lookup", {"code": f" {spaced} "})

    assert (found.status, found["id"], found["balance"]) == (200, card["id"], 15)
    missing = await store.send("POST", "/gift-cards/lookup", {"code": "AAAABBBBCCCCDDDD"})
    assert missing.status == 404


async def test_codes_are_looked_up_so_often_a_minute_and_not_more(store, card, monkeypatch):
    monkeypatch.setattr("comanda_payments.routes.gift_cards.LOOKUPS_PER_MINUTE", 2)

    statuses = [(await store.send("POST", "/gift-cards/lookup", {"code": card["code"]})).status for _ in range(4)]

    assert 429 in statuses


async def test_a_card_pays_what_it_holds_with_the_tip(till, card, store):
    part = await till.pay("gift_card", 10, code=card["code"], tip=1)

    assert (part.status, part["gift_card_id"], part["left"]) == (201, card["id"], 10)
    short = await till.pay("gift_card", 4.01, code=card["code"])
    assert (short.status, short["reason"], short["balance"]) == (422, "balance", 4)
    assert await till.money() == ("partially_paid", 10, 0)
    assert (await store.get(f"/gift-cards/{card['id']}"))["balance"] == 4
    assert await sums(card["id"]) == (400, 400)


async def test_a_refund_goes_back_to_the_card(till, card, store):
    await till.pay("gift_card", 12, code=card["code"])
    await till.pay("cash")

    await till.refund(amount=13)

    whole = (await store.get(f"/gift-cards/{card['id']}")).document
    assert whole["balance"] == 8
    assert [(entry["kind"], entry["amount"]) for entry in whole["entries"]] == [
        ("refund", 5), ("spend", -12), ("issue", 15),
    ]  # fmt: skip


@pytest.mark.parametrize("state", ["blocked", "expired"])
async def test_a_card_that_is_blocked_or_over_is_not_spent(store, till, clock, state):
    made = await store.send("POST", "/gift-cards", {"amount": 20, "expires_at": "2030-01-01T00:00:00Z"})
    if state == "blocked":
        assert (await store.send("POST", f"/gift-cards/{made['id']}/block"))["status"] == "blocked"
    else:
        clock.advance(days=365 * 5)

    reply = await till.pay("gift_card", code=made["code"])

    assert (list(reply.errors), reply["reason"]) == (["code"], state)
    assert (await store.get(f"/gift-cards/{made['id']}"))["status"] == state
    assert await sums(made["id"]) == (2000, 2000)


async def test_an_unblocked_card_is_spent_again(store, till, card):
    await store.send("POST", f"/gift-cards/{card['id']}/block")
    await store.send("POST", f"/gift-cards/{card['id']}/unblock")

    assert (await till.pay("gift_card", 15, code=card["code"])).status == 201


async def test_a_balance_is_adjusted_with_a_reason_and_never_below_zero(store, card):
    path = f"/gift-cards/{card['id']}/adjust"

    assert (await store.send("POST", path, {"amount": -5.5, "reason": "Sold too high"}))["balance"] == 9.5
    assert list((await store.send("POST", path, {"amount": -9.51, "reason": "x"})).errors) == ["amount"]
    assert list((await store.send("POST", path, {"amount": 1})).errors) == ["reason"]
    assert list((await store.send("POST", path, {"amount": 0, "reason": "x"})).errors) == ["amount"]
    assert await sums(card["id"]) == (950, 950)


@pytest.mark.parametrize(
    ("body", "field"),
    [({"amount": 0}, "amount"), ({"amount": 5, "expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
     ({"amount": 5, "customer_id": 987654321}, "customer_id"), ({"amount": 0.001}, "amount")],
)  # fmt: skip
async def test_a_card_that_cannot_be_is_refused(store, body, field):
    assert list((await store.send("POST", "/gift-cards", body)).errors) == [field]
    assert (await store.get("/gift-cards"))["total"] == 0


async def test_a_card_is_worth_nothing_in_another_store(open_store, till_of, card):
    other = await open_store("restaurant")
    soup = await other.item("Soup", price=5)
    till = till_of(await other.order({"item_id": soup["id"]}), other)

    assert (await till.pay("gift_card", code=card["code"]))["reason"] == "unknown"
    assert (await other.send("GET", f"/gift-cards/{card['id']}")).status == 404


async def test_a_hundred_spends_at_once_never_overdraw(store, soup, monkeypatch):
    monkeypatch.setattr("comanda_payments.routes.payments.CODES_PER_MINUTE", 1000)
    card = (await store.send("POST", "/gift-cards", {"amount": 10})).document
    orders = [await store.order({"item_id": soup["id"]}) for _ in range(4)]

    async def spend(number):
        body = {"method": "gift_card", "amount": 0.3, "code": card["code"]}
        return await store.send("POST", f"/orders/{orders[number % 4]['id']}/payments", body)

    replies = await asyncio.gather(*(spend(number) for number in range(100)))

    assert sorted(reply.status for reply in replies) == [201] * 33 + [422] * 67
    assert await sums(card["id"]) == (10, 10)


async def test_customers_see_their_own_cards_alone(store, owner, client, new_customer, card):
    ada, bo = await new_customer("Ada"), await new_customer("Bo")
    mine = await store.send("POST", "/gift-cards", {"amount": 5, "customer_id": ada.id, "note": "For the staff"})
    await store.send("POST", "/gift-cards", {"amount": 6, "customer_id": bo.id})
    token = await issue_token(owner.id, store.id, ada.id, "phone")
    auth = {"Authorization": f"Bearer {token.secret}"}

    seen = await (await client.get("/api/v1/customer/gift-cards", headers=auth)).get_json()

    assert seen["total"] == 1
    assert [(one["id"], one["code_last4"], one["balance"]) for one in seen["data"]] == [
        (mine["id"], mine["code_last4"], 5)
    ]
    assert "note" not in seen["data"][0]
    assert (await store.get(f"/gift-cards?customer_id={ada.id}"))["total"] == 1
    assert (await client.get("/api/v1/customer/gift-cards", headers=owner.auth)).status_code == 401
