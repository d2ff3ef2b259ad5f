"""Customers over the API, and who may see them."""

import pytest
from comanda.accounts import administration
from comanda.platform.db import sql
from comanda_reseller.services.resellers import account_administration


async def get_row(owner):
    return await sql.fetch_one("SELECT is_suspended, suspend_reason FROM core_owner WHERE id = $1", owner.id)


async def test_list_shows_account_subscription_and_wallet(reseller):
    plan = await reseller.plan(trial_days=14)
    customer = await reseller.customer(funds_minor=12_50)
    await customer.store()
    await reseller.subscribe(customer, plan)

    page = await reseller.get("/customers")

    assert page["total"] == 1
    shown = page["data"][0]
    expected = {
        "id": customer.id,
        "email": customer.email,
        "status": "active",
        "stores_count": 1,
        "plan": plan["code"],
        "subscription_status": "trialing",
        "balance": 12.5,
        "currency": "EUR",
        "collection_method": "wallet",
        "created_at": "2030-01-31T09:00:00+00:00",
        "suspended_at": None,
        "suspend_reason": None,
    }
    assert {name: shown[name] for name in expected} == expected


async def test_create_refuses_an_address_in_use(reseller, other_owner):
    reply = await reseller.send("POST", "/reseller/customers", {"email": other_owner.email, "name": "Other"})

    assert list(reply.errors) == ["email"]
    assert (await reseller.get("/customers"))["total"] == 0


async def test_suspension_holds_at_once_and_is_idempotent(reseller, clock):
    customer = await reseller.customer()
    path = f"/customers/{customer.id}"

    first = await reseller.post(f"{path}/suspend", {"reason": "Two invoices are overdue."})
    clock.advance(days=1)
    again = await reseller.post(f"{path}/suspend", {"reason": "Another."})

    assert (first["status"], first["suspend_reason"]) == ("suspended", "Two invoices are overdue.")
    assert first["suspended_at"] == "2030-01-31T09:00:00+00:00"
    assert again == first
    refused = await reseller.send("GET", "/me", headers=customer.auth)
    assert (refused.status, refused["reason"]) == (403, "account_suspended")

    lifted = await reseller.post(f"{path}/unsuspend")
    assert await reseller.post(f"{path}/unsuspend") == lifted
    assert (lifted["status"], lifted["suspended_at"], lifted["suspend_reason"]) == ("active", None, None)
    assert (await reseller.send("GET", "/me", headers=customer.auth)).status == 200


async def test_suspension_by_the_operator_stays(reseller):
    customer = await reseller.customer()
    await administration.suspend_owner(customer.id, "Fraud.")

    reply = await reseller.send("POST", f"/reseller/customers/{customer.id}/unsuspend")

    assert (reply.status, reply["reason"]) == (409, "suspended_by_other")
    assert dict(await get_row(customer)) == {"is_suspended": True, "suspend_reason": "Fraud."}


async def test_list_filters_by_status_and_search(reseller):
    one, two = await reseller.customer(), await reseller.customer()
    await reseller.post(f"/customers/{two.id}/suspend", {"reason": "Unpaid."})

    for query, expected in (("status=suspended", two), ("status=active", one), (f"search={one.email.upper()}", one)):
        page = await reseller.get(f"/customers?{query}")
        assert ([row["id"] for row in page["data"]], page["total"]) == ([expected.id], 1)


async def test_update_changes_how_a_customer_pays(reseller):
    customer = await reseller.customer()

    reply = await reseller.send(
        "PUT", f"/reseller/customers/{customer.id}", {"collection_method": "manual", "legal_name": "Rosa Lda."}
    )

    assert (reply["collection_method"], reply["legal_name"]) == ("manual", "Rosa Lda.")
    cleared = await reseller.send("PUT", f"/reseller/customers/{customer.id}", {"legal_name": None})
    assert (cleared["collection_method"], cleared["legal_name"]) == ("manual", None)


ROUTES = [
    ("GET", "/customers", None),
    ("POST", "/customers", {"email": "new@customer.example", "name": "New"}),
    ("GET", "/customers/{customer}", None),
    ("PUT", "/customers/{customer}", {"legal_name": "Mine"}),
    ("POST", "/customers/{customer}/invite", None),
    ("POST", "/customers/{customer}/suspend", {"reason": "Mine."}),
    ("POST", "/customers/{customer}/unsuspend", None),
    ("GET", "/plans", None),
    ("POST", "/plans", {"code": "new", "name": "New", "price": 1}),
    ("GET", "/plans/{plan}", None),
    ("PUT", "/plans/{plan}", {"price": 1}),
    ("POST", "/plans/{plan}/deactivate", None),
    ("GET", "/subscriptions", None),
    ("POST", "/subscriptions", {"customer_id": 1, "plan_code": "new"}),
    ("GET", "/subscriptions/{subscription}", None),
    ("POST", "/subscriptions/{subscription}/cancel", {"now": True}),
    ("POST", "/subscriptions/{subscription}/pause", None),
    ("POST", "/subscriptions/{subscription}/resume", None),
    ("POST", "/subscriptions/{subscription}/change-plan", {"plan_code": "new"}),
    ("GET", "/tier", None),
]


@pytest.fixture
async def belongings(reseller):
    """What a reseller has, by the names that paths use."""
    plan, customer = await reseller.plan(), await reseller.customer()
    found = await reseller.subscribe(customer, plan)
    return {"customer": customer.id, "plan": plan["id"], "subscription": found["id"]}


async def read_all(reseller):
    """Return everything that the reseller sees, to compare."""
    return [await reseller.get(path) for path in ("/customers", "/plans", "/subscriptions", "/tier")]


async def test_owner_without_the_flag_gets_403(reseller, belongings, other_owner, subtests):
    before = await read_all(reseller)

    for method, path, body in ROUTES:
        with subtests.test(method=method, path=path, body=body):
            reply = await reseller.send(method, f"/reseller{path.format(**belongings)}", body, other_owner.auth)

            assert (reply.status, reply["reason"]) == (403, "not_a_reseller")
            assert await read_all(reseller) == before


async def test_customer_of_another_reseller_cannot_be_subscribed(reseller, other_owner):
    plan = await reseller.plan()
    await account_administration.create_reseller(other_owner.id)
    foreign = await reseller.customer()
    await sql.execute(
        "UPDATE reseller_customer SET owner_id = $2 WHERE customer_owner_id = $1", foreign.id, other_owner.id
    )

    reply = await reseller.send(
        "POST", "/reseller/subscriptions", {"customer_id": foreign.id, "plan_code": plan["code"]}
    )

    assert list(reply.errors) == ["customer_id"]
    assert (await reseller.get("/subscriptions"))["total"] == 0


async def test_disabled_reseller_gets_403(reseller):
    await account_administration.disable_reseller(reseller.owner.id)

    reply = await reseller.send("GET", "/reseller/customers")

    assert (reply.status, reply["reason"]) == (403, "not_a_reseller")
