"""Store credit: granted, spent on the customer's own orders, given back, and balanced."""

import asyncio

import pytest
from comanda.db import sql
from comanda_customers.services.tokens import issue_token


@pytest.fixture
def enter(store):
    """Enter something into a customer's ledger."""

    async def enter(customer, amount, kind="grant", note="Sorry"):
        body = {"kind": kind, "amount": amount, "note": note}
        return await store.send("POST", f"/store-credit/{customer.id}/entries", body)

    return enter


async def test_credit_is_granted_spent_and_given_back(store, customer, enter, of_customer, till_of):
    granted = await enter(customer, 12)
    assert (granted.status, granted["balance"], granted["currency"]) == (201, 12, "EUR")
    till = till_of(await of_customer(customer))

    paid = await till.pay("store_credit", 7.5)
    await till.pay()
    await till.refund()

    assert paid["left"] == 12.5
    whole = (await store.get(f"/store-credit/{customer.id}")).document
    assert [(entry["kind"], entry["amount"], entry["balance"]) for entry in whole["entries"]] == [
        ("refund", 7.5, 12), ("spend", -7.5, 4.5), ("grant", 12, 12),
    ]  # fmt: skip
    assert (await store.get("/store-credit"))["data"] == [
        {"customer_id": customer.id, "balance": 12, "currency": "EUR"}
    ]


async def test_no_more_credit_is_spent_than_there_is(customer, enter, of_customer, till_of):
    till = till_of(await of_customer(customer))
    none = await till.pay("store_credit", 1)
    assert (none.status, none["reason"], none["balance"]) == (422, "balance", 0)
    await enter(customer, 5)

    replies = await asyncio.gather(*(till.pay("store_credit", 2) for _ in range(10)))

    assert sorted(reply.status for reply in replies) == [201] * 2 + [422] * 8
    assert await till.money() == ("partially_paid", 4, 0)


@pytest.mark.parametrize(("kind", "amount"), [("grant", -1), ("grant", 0), ("adjust", 0), ("adjust", -5.01)])
async def test_an_entry_that_cannot_be_is_refused(store, customer, enter, kind, amount):
    await enter(customer, 5)

    assert list((await enter(customer, amount, kind)).errors) == ["amount"]
    assert (await store.get(f"/store-credit/{customer.id}"))["balance"] == 5


async def test_credit_is_adjusted_down_to_zero(customer, enter):
    await enter(customer, 5)

    assert (await enter(customer, -5, "adjust"))["balance"] == 0


async def test_another_stores_customer_has_no_credit_here(store, open_store, customer):
    other = await open_store("restaurant")

    assert (await other.send("GET", f"/store-credit/{customer.id}")).status == 404
    body = {"amount": 5, "note": "x"}
    assert (await other.send("POST", f"/store-credit/{customer.id}/entries", body)).status == 404
    assert (await store.get("/store-credit"))["total"] == 0


async def test_first_grants_at_once_open_one_account(store, customer, enter):
    await asyncio.gather(*(enter(customer, 1) for _ in range(8)))

    assert (await store.get(f"/store-credit/{customer.id}"))["balance"] == 8
    assert (await store.get("/store-credit"))["total"] == 1


async def test_customers_see_their_own_credit(store, owner, client, new_customer, enter):
    ada, bo = await new_customer("Ada"), await new_customer("Bo")
    await enter(ada, 3)
    seen = {}
    for one in (ada, bo):
        token = await issue_token(owner.id, store.id, one.id, "phone")
        auth = {"Authorization": f"Bearer {token.secret}"}
        seen[one.name] = await (await client.get("/api/v1/customer/store-credit", headers=auth)).get_json()

    assert (seen["Ada"]["balance"], seen["Ada"]["currency"], len(seen["Ada"]["entries"])) == (3, "EUR", 1)
    assert seen["Bo"] == {"balance": 0, "currency": "EUR", "entries": []}


async def test_the_database_itself_refuses_a_balance_below_zero(customer, enter):
    await enter(customer, 1)

    with pytest.raises(Exception, match="balance_minor"):
        await sql.execute("UPDATE payments_credit_account SET balance_minor = -1 WHERE customer_id = $1", customer.id)
