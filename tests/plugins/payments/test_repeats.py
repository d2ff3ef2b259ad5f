"""Cards and credit under an idempotency key: however often it is sent, it counts once."""

import asyncio

import pytest
from comanda.db import sql


async def test_a_repeated_issue_is_one_card_and_its_code_is_not_told_again(store):
    first = await store.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key="a")

    again = await store.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key="a")
    other = await store.send("POST", "/gift-cards", {"amount": 99}, Idempotency_Key="a")

    assert len(first["code"]) == 16
    assert (again.status, again.headers["idempotent-replayed"]) == (201, "true")
    assert again.document == {**first.document, "code": None}
    assert (other["id"], other["balance"], other.headers["idempotency-mismatch"]) == (first["id"], 15, "true")
    assert "idempotency-mismatch" not in again.headers
    assert (await store.get("/gift-cards"))["total"] == 1


async def test_of_many_issues_of_one_key_at_once_one_gets_the_code(store):
    issues = (store.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key="a") for _ in range(10))
    replies = await asyncio.gather(*issues)

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1
    assert sum(reply["code"] is not None for reply in replies) == 1
    entries = await sql.fetch_value(
        "SELECT count(*) FROM payments_gift_card_entry WHERE card_id = $1", replies[0]["id"]
    )
    assert entries == 1


async def test_keys_of_two_stores_are_two_cards(store, open_store):
    other = await open_store("restaurant")
    first = await store.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key="a")

    second = await other.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key="a")

    assert second["code"] not in (None, first["code"])


async def test_a_refused_issue_uses_no_key_up(store):
    assert (await store.send("POST", "/gift-cards", {"amount": 0}, Idempotency_Key="a")).status == 422

    assert (await store.send("POST", "/gift-cards", {"amount": 5}, Idempotency_Key="a"))["code"]


async def test_an_adjustment_is_made_once(store, card):
    body = {"amount": -5, "reason": "Sold too high"}
    path = f"/gift-cards/{card['id']}/adjust"

    replies = await asyncio.gather(*(store.send("POST", path, body, Idempotency_Key="a") for _ in range(6)))
    later = await store.send("POST", path, {"amount": 3, "reason": "x"}, Idempotency_Key="a")

    assert [reply["balance"] for reply in replies] == [10] * 6
    assert sum("idempotent-replayed" in reply.headers for reply in replies) == 5
    assert (later.status, later["balance"], later.headers["idempotency-mismatch"]) == (200, 10, "true")
    assert len((await store.get(f"/gift-cards/{card['id']}"))["entries"]) == 2


@pytest.mark.parametrize("kind", ["grant", "adjust"])
async def test_credit_is_entered_once(store, customer, kind):
    path = f"/store-credit/{customer.id}"
    body = {"kind": kind, "amount": 7, "note": "Late"}

    replies = await asyncio.gather(
        *(store.send("POST", f"{path}/entries", body, Idempotency_Key="a") for _ in range(6))
    )

    assert {(reply.status, reply["balance"]) for reply in replies} == {(201, 7)}
    assert sum("idempotent-replayed" in reply.headers for reply in replies) == 5
    await store.send("POST", f"{path}/entries", body, Idempotency_Key="b")
    whole = await store.get(path)
    assert (whole["balance"], len(whole["entries"])) == (14, 2)


async def test_the_key_of_another_customer_is_another_key(store, new_customer):
    ada, bo = await new_customer("Ada"), await new_customer("Bo")
    for customer in (ada, bo):
        body = {"amount": 7, "note": "Late"}
        await store.send("POST", f"/store-credit/{customer.id}/entries", body, Idempotency_Key="a")

    assert (await store.get(f"/store-credit/{bo.id}"))["balance"] == 7


@pytest.mark.parametrize("key", ["", "a b", "k" * 256])
async def test_a_key_that_is_none_is_refused(store, key):
    reply = await store.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key=key)

    assert list(reply.errors) == ["Idempotency-Key"]
    assert (await store.get("/gift-cards"))["total"] == 0
