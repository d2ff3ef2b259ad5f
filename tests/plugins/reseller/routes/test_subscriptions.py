"""Subscriptions over the API: start, the steps of time, and what a reseller does to them."""

from itertools import pairwise

import pytest
from comanda.platform.db import sql
from comanda_entitlements.api import get_effective
from comanda_wallet import api as wallet

ME = "/me"


async def get_plan_of(reseller, owner):
    return (await reseller.send("GET", ME, headers=owner.auth))["plan"]


async def get_balance(owner):
    return (await wallet.get_wallet(owner.id)).balance_minor


async def count_invoices(reseller):
    return await sql.fetch_value("SELECT count(*) FROM reseller_invoice WHERE owner_id = $1", reseller.owner.id)


async def test_start_collects_the_first_period(reseller, list_events):
    plan = await reseller.plan(price=30, features=["webhooks"], limits={"stores": 2})
    customer = await reseller.customer(funds_minor=100_00)

    found = await reseller.subscribe(customer, plan)

    assert (found["status"], found["price"], found["customer_id"]) == ("active", 30, customer.id)
    assert found["current_period_end"] == "2030-02-28T09:00:00+00:00"
    assert await get_balance(customer) == 70_00
    assert await get_plan_of(reseller, customer) == plan["code"]
    effective = await get_effective(customer.id)
    assert effective["webhooks"].is_granted
    assert not effective["crm_suite"].is_granted
    assert effective["stores"].quota == 2
    assert effective["items"].quota is None
    assert await list_events(customer.id) == []


async def test_trial_collects_nothing_until_it_ends(reseller, advance, list_events):
    plan = await reseller.plan(price=30, trial_days=14)
    customer = await reseller.customer(funds_minor=100_00)

    found = await reseller.subscribe(customer, plan)
    assert (found["status"], found["trial_ends_at"]) == ("trialing", "2030-02-14T09:00:00+00:00")
    await advance(days=13)
    assert await get_balance(customer) == 100_00
    assert [name for name, _ in await list_events(customer.id)] == ["trial_ending"]

    await advance(days=1)

    assert (await reseller.subscription(found))["status"] == "active"
    assert await get_balance(customer) == 70_00
    events = await list_events(customer.id)
    assert events[-1] == (
        "renewed",
        {
            "subscription_id": found["id"],
            "customer_id": customer.id,
            "plan_code": plan["code"],
            "status": "active",
            "previous_status": "trialing",
            "current_period_start": "2030-02-14T09:00:00+00:00",
            "current_period_end": "2030-03-14T09:00:00+00:00",
            "at": "2030-02-14T09:00:00+00:00",
        },
    )
    assert await list_events(reseller.owner.id) == events


async def test_start_without_money_is_402_and_stores_nothing(reseller):
    plan = await reseller.plan(price=30)
    customer = await reseller.customer(funds_minor=29_99)

    reply = await reseller.send(
        "POST", "/reseller/subscriptions", {"customer_id": customer.id, "plan_code": plan["code"]}
    )

    assert (reply.status, reply["code"]) == (402, "payment_required")
    assert (await reseller.get("/subscriptions"))["total"] == 0
    assert await count_invoices(reseller) == 0
    assert await get_balance(customer) == 29_99
    assert await get_plan_of(reseller, customer) is None


async def test_second_subscription_of_a_customer_is_409(reseller):
    plan = await reseller.plan()
    customer = await reseller.customer()
    found = await reseller.subscribe(customer, plan)

    reply = await reseller.send(
        "POST", "/reseller/subscriptions", {"customer_id": customer.id, "plan_code": plan["code"]}
    )

    assert (reply.status, reply["reason"], reply["subscription_id"]) == (409, "already_subscribed", found["id"])
    assert await count_invoices(reseller) == 1


@pytest.mark.parametrize(("field", "value"), [("customer_id", 10**12), ("plan_code", "none")])
async def test_start_names_the_field_that_is_unknown(reseller, field, value):
    plan = await reseller.plan()
    customer = await reseller.customer()

    reply = await reseller.send(
        "POST", "/reseller/subscriptions", {"customer_id": customer.id, "plan_code": plan["code"], field: value}
    )

    assert list(reply.errors) == [field]


async def test_failed_renewal_is_past_due_and_a_top_up_renews_it(reseller, advance, list_events):
    plan = await reseller.plan(price=30)
    customer = await reseller.customer(funds_minor=30_00)
    found = await reseller.subscribe(customer, plan)

    await advance(days=28)
    stored = await reseller.subscription(found)
    assert (stored["status"], stored["past_due_at"]) == ("past_due", "2030-02-28T09:00:00+00:00")
    assert [name for name, _ in await list_events(customer.id)] == ["past_due"]
    assert await get_plan_of(reseller, customer) == plan["code"]

    await wallet.top_up(customer.id, 30_00, "more")
    await advance(days=1)

    assert (await reseller.subscription(found))["status"] == "active"
    assert [name for name, _ in await list_events(customer.id)] == ["past_due", "renewed"]
    assert await get_balance(customer) == 0
    assert await count_invoices(reseller) == 2


async def test_unpaid_subscription_expires_and_grants_nothing(reseller, advance, list_events):
    plan = await reseller.plan(price=30, features=["webhooks"])
    customer = await reseller.customer(funds_minor=30_00)
    found = await reseller.subscribe(customer, plan)

    await advance(days=60)

    stored = await reseller.subscription(found)
    assert (stored["status"], stored["ended_at"]) == ("expired", "2030-03-14T09:00:00+00:00")
    assert [name for name, _ in await list_events(customer.id)] == ["past_due", "expired"]
    assert await get_plan_of(reseller, customer) is None
    effective = await get_effective(customer.id)
    assert not effective["webhooks"].is_granted
    assert effective["stores"].quota == 0
    statuses = await sql.fetch("SELECT status FROM reseller_invoice WHERE owner_id = $1 ORDER BY id", reseller.owner.id)
    assert [row["status"] for row in statuses] == ["paid", "uncollectible"]
    assert await reseller.actions(found) == [
        ("start", "active"),
        ("renew", "past_due"),
        *[("retry", "past_due")] * 4,
        ("expire", "expired"),
    ]


async def test_clock_that_jumps_bills_every_period_at_its_own_time(reseller, advance, list_events):
    plan = await reseller.plan(price=30)
    customer = await reseller.customer(funds_minor=1000_00)
    found = await reseller.subscribe(customer, plan)

    await advance(days=400)

    rows = await sql.fetch(
        """SELECT period_start, period_end, issued_at, number, status FROM reseller_invoice
           WHERE owner_id = $1 ORDER BY sequence""",
        reseller.owner.id,
    )
    assert len(rows) == 14
    assert all(row["issued_at"] == row["period_start"] and row["status"] == "paid" for row in rows)
    assert all(one["period_end"] == other["period_start"] for one, other in pairwise(rows))
    events = await list_events(customer.id)
    assert [name for name, _ in events] == ["renewed"] * 13
    assert [data["at"] for _, data in events] == [row["issued_at"].isoformat() for row in rows[1:]]
    assert await get_balance(customer) == (1000 - 14 * 30) * 100
    assert (await reseller.subscription(found))["current_period_end"] == "2031-03-31T09:00:00+00:00"


async def test_cancelled_subscription_ends_with_its_period(reseller, advance, list_events):
    customer = await reseller.customer()
    found = await reseller.subscribe(customer, await reseller.plan())

    cancelled = await reseller.post(f"/subscriptions/{found['id']}/cancel")
    again = await reseller.post(f"/subscriptions/{found['id']}/cancel", {"now": False})

    assert (cancelled["status"], cancelled["cancel_at_period_end"]) == ("cancelled", True)
    assert again == cancelled
    assert await list_events(customer.id) == []
    await advance(days=25)
    assert [name for name, _ in await list_events(customer.id)] == ["expiring"]
    await advance(days=3)
    assert [name for name, _ in await list_events(customer.id)] == ["expiring", "expired"]
    assert (await reseller.subscription(found))["status"] == "expired"
    assert await count_invoices(reseller) == 1


async def test_cancel_now_expires_at_once(reseller, list_events):
    customer = await reseller.customer()
    found = await reseller.subscribe(customer, await reseller.plan())

    ended = await reseller.post(f"/subscriptions/{found['id']}/cancel", {"now": True})
    again = await reseller.post(f"/subscriptions/{found['id']}/cancel", {"now": True})

    assert ended["status"] == again["status"] == "expired"
    assert [name for name, _ in await list_events(customer.id)] == ["expired"]
    assert await get_plan_of(reseller, customer) is None


async def test_customer_can_subscribe_again_after_the_end(reseller):
    customer = await reseller.customer()
    old, new = await reseller.plan(features=["webhooks"]), await reseller.plan(features=["crm_suite"])
    found = await reseller.subscribe(customer, old)
    await reseller.post(f"/subscriptions/{found['id']}/cancel", {"now": True})

    await reseller.subscribe(customer, new)

    effective = await get_effective(customer.id)
    assert (effective["crm_suite"].is_granted, effective["webhooks"].is_granted) == (True, False)
    assert effective["stores"].quota is None


async def test_pause_stops_everything_until_it_is_resumed(reseller, advance, list_events):
    customer = await reseller.customer()
    found = await reseller.subscribe(customer, await reseller.plan(features=["webhooks"]))
    await advance(days=18)

    paused = await reseller.post(f"/subscriptions/{found['id']}/pause")
    assert (paused["status"], paused["paused_at"]) == ("paused", "2030-02-18T09:00:00+00:00")
    assert not (await get_effective(customer.id))["webhooks"].is_granted
    await advance(days=100)
    assert await count_invoices(reseller) == 1

    resumed = await reseller.post(f"/subscriptions/{found['id']}/resume")

    assert resumed["status"] == "active"
    assert resumed["current_period_end"] == "2030-06-08T09:00:00+00:00"
    assert (await get_effective(customer.id))["webhooks"].is_granted
    assert [name for name, _ in await list_events(customer.id)] == ["paused", "resumed"]


async def test_cancellation_is_taken_back_by_resuming(reseller, advance):
    customer = await reseller.customer()
    found = await reseller.subscribe(customer, await reseller.plan())
    await reseller.post(f"/subscriptions/{found['id']}/cancel")

    assert (await reseller.post(f"/subscriptions/{found['id']}/resume"))["status"] == "active"
    await advance(days=28)

    assert await reseller.actions(found) == [
        ("start", "active"),
        ("cancel", "cancelled"),
        ("resume", "active"),
        ("renew", "active"),
    ]


async def test_dearer_plan_is_billed_for_the_rest_of_the_period(reseller, advance, list_events):
    customer = await reseller.customer(funds_minor=200_00)
    found = await reseller.subscribe(customer, await reseller.plan(price=30))
    dearer = await reseller.plan(price=90, features=["webhooks"])
    await advance(days=14)

    changed = await reseller.post(f"/subscriptions/{found['id']}/change-plan", {"plan_code": dearer["code"]})

    assert (changed["plan_code"], changed["price"]) == (dearer["code"], 90)
    assert changed["current_period_end"] == found["current_period_end"]
    assert await get_balance(customer) == 200_00 - 30_00 - 30_00
    assert [name for name, _ in await list_events(customer.id)] == ["plan_changed"]
    assert await get_plan_of(reseller, customer) == dearer["code"]
    assert (await get_effective(customer.id))["webhooks"].is_granted
    await advance(days=14)
    assert await get_balance(customer) == 200_00 - 30_00 - 30_00 - 90_00


async def test_dearer_plan_without_money_changes_nothing(reseller, list_events):
    customer = await reseller.customer(funds_minor=30_00)
    found = await reseller.subscribe(customer, await reseller.plan(price=30))
    dearer = await reseller.plan(price=90)

    reply = await reseller.send(
        "POST", f"/reseller/subscriptions/{found['id']}/change-plan", {"plan_code": dearer["code"]}
    )

    assert (reply.status, reply["code"]) == (402, "payment_required")
    stored = await reseller.subscription(found)
    assert (stored["plan_code"], stored["status"], len(stored["history"])) == (found["plan_code"], "active", 1)
    assert await count_invoices(reseller) == 1
    assert await list_events(customer.id) == []


async def test_cheaper_plan_takes_effect_with_the_next_period(reseller, advance, list_events):
    customer = await reseller.customer(funds_minor=100_00)
    found = await reseller.subscribe(customer, await reseller.plan(price=30))
    cheaper = await reseller.plan(price=10)

    changed = await reseller.post(f"/subscriptions/{found['id']}/change-plan", {"plan_code": cheaper["code"]})
    assert (changed["plan_code"], changed["pending_plan_code"]) == (found["plan_code"], cheaper["code"])
    assert await list_events(customer.id) == []
    await advance(days=28)

    assert await get_balance(customer) == 60_00
    events = await list_events(customer.id)
    assert [(name, data["plan_code"]) for name, data in events] == [
        ("plan_changed", cheaper["code"]),
        ("renewed", cheaper["code"]),
    ]
    assert (await reseller.subscription(found))["pending_plan_code"] is None


async def test_plan_change_in_a_trial_is_free(reseller):
    customer = await reseller.customer(funds_minor=0)
    found = await reseller.subscribe(customer, await reseller.plan(price=30, trial_days=7))
    other = await reseller.plan(price=90)

    changed = await reseller.post(f"/subscriptions/{found['id']}/change-plan", {"plan_code": other["code"]})

    assert (changed["status"], changed["plan_code"], changed["price"]) == ("trialing", other["code"], 90)
    assert await count_invoices(reseller) == 0


@pytest.mark.parametrize(("act", "body"), [("pause", None), ("resume", None), ("change-plan", {})])
async def test_expired_subscription_cannot_be_changed(reseller, act, body):
    customer = await reseller.customer()
    plan = await reseller.plan()
    found = await reseller.subscribe(customer, plan)
    await reseller.post(f"/subscriptions/{found['id']}/cancel", {"now": True})

    body = None if body is None else {"plan_code": plan["code"]}
    reply = await reseller.send("POST", f"/reseller/subscriptions/{found['id']}/{act}", body)

    assert (reply.status, reply["reason"]) == (409, "subscription_expired")
    assert (await reseller.subscription(found))["status"] == "expired"


async def test_price_change_of_a_plan_holds_from_the_next_period(reseller, advance):
    customer = await reseller.customer(funds_minor=100_00)
    plan = await reseller.plan(price=30)
    found = await reseller.subscribe(customer, plan)

    reply = await reseller.send("PUT", f"/reseller/plans/{plan['id']}", {"price": 40})

    assert (reply.status, reply["price"]) == (200, 40)
    assert (await reseller.subscription(found))["price"] == 30
    await advance(days=28)
    assert (await reseller.subscription(found))["price"] == 40
    assert await get_balance(customer) == 30_00


async def test_manual_customer_pays_by_the_due_date(reseller, advance, list_events):
    customer = await reseller.customer(funds_minor=0, collection_method="manual")
    found = await reseller.subscribe(customer, await reseller.plan(price=30))
    assert (found["status"], found["open_invoice_id"] is not None) == ("active", True)

    await advance(days=14)
    assert (await reseller.subscription(found))["status"] == "past_due"
    paid = await reseller.send(
        "POST", f"/reseller/customer-invoices/{found['open_invoice_id']}/mark-paid", {"reference": "SEPA 4711"}
    )

    assert paid.status == 200, paid
    stored = await reseller.subscription(found)
    assert (stored["status"], stored["open_invoice_id"]) == ("active", None)
    assert [name for name, _ in await list_events(customer.id)] == ["past_due", "renewed"]


async def test_list_filters_by_status_customer_and_plan(reseller):
    plan, other = await reseller.plan(), await reseller.plan(trial_days=3)
    first, second = await reseller.customer(), await reseller.customer()
    one, two = await reseller.subscribe(first, plan), await reseller.subscribe(second, other)

    assert [row["id"] for row in (await reseller.get("/subscriptions"))["data"]] == [two["id"], one["id"]]
    for query, expected in (
        ("status=trialing", two),
        (f"customer_id={first.id}", one),
        (f"plan_code={other['code']}", two),
    ):
        page = await reseller.get(f"/subscriptions?{query}")
        assert ([row["id"] for row in page["data"]], page["total"]) == ([expected["id"]], 1)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/subscriptions", {"customer_id": 1, "plan_code": "a\u0000b"}),
        ("POST", "/subscriptions", {"customer_id": 10**30, "plan_code": "a"}),
        ("POST", "/customers", {"email": "\u0000@\u0000", "name": "x"}),
        ("POST", "/plans", {"code": "\u0000", "name": "x", "price": 1}),
        ("GET", "/subscriptions?customer_id=" + "9" * 30, None),
    ],
)
async def test_hostile_values_are_refused(reseller, method, path, body):
    assert (await reseller.send(method, f"/reseller{path}", body)).status == 422


@pytest.mark.parametrize("path", ["/subscriptions?plan_code=%00", "/customers?search=%00", "/customers?page=x"])
async def test_hostile_filters_find_nothing_or_everything(reseller, path):
    assert (await reseller.send("GET", f"/reseller{path}")).status == 200
