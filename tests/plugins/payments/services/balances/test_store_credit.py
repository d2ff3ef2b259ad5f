"""Store credit: granted, spent, refunded and adjusted, never below zero."""

import asyncio

import pytest
from comanda.platform.db import sql


async def test_credit_is_granted_spent_and_refunded(store, customer, create_entry, new_customer_order, till_of):
    granted = await create_entry(customer, 12)
    assert (granted.status, granted["balance"], granted["currency"]) == (201, 12, "EUR")
    till = till_of(await new_customer_order(customer))

    paid = await till.pay("store_credit", 7.5)
    await till.pay()
    await till.refund()

    assert paid["left"] == 12.5
    account = (await store.get(f"/store-credit/{customer.id}")).document
    assert [(entry["kind"], entry["amount"], entry["balance"]) for entry in account["entries"]] == [
        ("refund", 7.5, 12), ("spend", -7.5, 4.5), ("grant", 12, 12),
    ]  # fmt: skip
    assert (await store.get("/store-credit"))["data"] == [
        {"customer_id": customer.id, "customer_name": "Ada", "balance": 12, "currency": "EUR"}
    ]


async def test_concurrent_spending_never_overdraws_credit(customer, create_entry, new_customer_order, till_of):
    till = till_of(await new_customer_order(customer))
    none = await till.pay("store_credit", 1)
    assert (none.status, none["reason"], none["balance"]) == (422, "balance", 0)
    await create_entry(customer, 5)

    replies = await asyncio.gather(*(till.pay("store_credit", 2) for _ in range(10)))

    assert sorted(reply.status for reply in replies) == [201] * 2 + [422] * 8
    assert await till.money() == ("partially_paid", 4, 0)


@pytest.mark.parametrize(("kind", "amount"), [("grant", -1), ("grant", 0), ("adjust", 0), ("adjust", -5.01)])
async def test_invalid_entry_is_refused(store, customer, create_entry, kind, amount):
    await create_entry(customer, 5)

    assert list((await create_entry(customer, amount, kind)).errors) == ["amount"]
    assert (await store.get(f"/store-credit/{customer.id}"))["balance"] == 5


async def test_credit_is_adjusted_to_zero(customer, create_entry):
    await create_entry(customer, 5)

    assert (await create_entry(customer, -5, "adjust"))["balance"] == 0


async def test_customer_of_other_store_has_no_account(store, open_store, customer):
    other = await open_store("restaurant")

    assert (await other.send("GET", f"/store-credit/{customer.id}")).status == 404
    body = {"amount": 5, "note": "x"}
    assert (await other.send("POST", f"/store-credit/{customer.id}/entries", body)).status == 404
    assert (await store.get("/store-credit"))["total"] == 0


async def test_concurrent_first_grants_open_one_account(store, customer, create_entry):
    await asyncio.gather(*(create_entry(customer, 1) for _ in range(8)))

    assert (await store.get(f"/store-credit/{customer.id}"))["balance"] == 8
    assert (await store.get("/store-credit"))["total"] == 1


async def test_database_refuses_negative_balance(customer, create_entry):
    await create_entry(customer, 1)

    with pytest.raises(Exception, match="balance_minor"):
        await sql.execute("UPDATE payments_credit_account SET balance_minor = -1 WHERE customer_id = $1", customer.id)


@pytest.mark.parametrize("kind", ["grant", "adjust"])
async def test_repeated_entry_is_made_once(store, customer, kind):
    path = f"/store-credit/{customer.id}"
    body = {"kind": kind, "amount": 7, "note": "Late"}

    replies = await asyncio.gather(
        *(store.send("POST", f"{path}/entries", body, Idempotency_Key="a") for _ in range(6))
    )

    assert {(reply.status, reply["balance"]) for reply in replies} == {(201, 7)}
    assert sum("idempotent-replayed" in reply.headers for reply in replies) == 5
    await store.send("POST", f"{path}/entries", body, Idempotency_Key="b")
    account = await store.get(path)
    assert (account["balance"], len(account["entries"])) == (14, 2)


async def test_keys_are_scoped_to_customer(store, new_customer):
    ada, bo = await new_customer("Ada"), await new_customer("Bo")
    for customer in (ada, bo):
        body = {"amount": 7, "note": "Late"}
        await store.send("POST", f"/store-credit/{customer.id}/entries", body, Idempotency_Key="a")

    assert (await store.get(f"/store-credit/{bo.id}"))["balance"] == 7
