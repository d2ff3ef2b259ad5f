"""Plans over the API."""

from comanda_entitlements.api import get_effective

PRO = {
    "code": "pro",
    "name": "Pro",
    "price": 49.9,
    "interval": "year",
    "trial_days": 14,
    "limits": {"stores": 3, "orders_per_month": 2000},
    "features": ["webhooks", "crm_suite", "webhooks"],
}


async def test_create_returns_the_whole_plan(reseller):
    made = await reseller.post("/plans", PRO)

    assert {name: made[name] for name in made if name not in ("id", "created_at", "updated_at")} == {
        **PRO,
        "currency": "EUR",
        "limits": {"stores": 3, "items": None, "staff": None, "orders_per_month": 2000, "payment_fee": None},
        "features": ["crm_suite", "webhooks"],
        "active": True,
    }
    assert await reseller.get(f"/plans/{made['id']}") == made
    assert (await reseller.get("/plans"))["data"] == [made]


INVALID_PLANS = [
    ("code", "No blanks"),
    ("price", -1),
    ("price", 1.001),
    ("currency", "USD"),
    ("interval", "week"),
    ("trial_days", 731),
    ("features", ["no_such_feature"]),
    ("features", ["stores"]),
    ("limits", {"stores": -1}),
]


async def test_create_refuses_invalid_fields(reseller, subtests):
    for field, value in INVALID_PLANS:
        with subtests.test(field=field, value=value):
            reply = await reseller.send("POST", "/reseller/plans", {**PRO, field: value})

            assert [name.partition(".")[0] for name in reply.errors] == [field]
            assert (await reseller.get("/plans"))["total"] == 0


async def test_code_is_unique_within_a_reseller(reseller):
    await reseller.post("/plans", PRO)

    reply = await reseller.send("POST", "/reseller/plans", PRO)

    assert reply.errors == {"code": ["The code pro is already in use."]}
    assert (await reseller.get("/plans"))["total"] == 1


async def test_features_and_limits_apply_to_customers_at_once(reseller):
    plan = await reseller.post("/plans", {**PRO, "trial_days": 7})
    customer = await reseller.customer()
    await reseller.subscribe(customer, plan)

    await reseller.send("PUT", f"/reseller/plans/{plan['id']}", {"features": ["webhooks"], "limits": {"stores": 9}})

    effective = await get_effective(customer.id)
    assert (effective["webhooks"].is_granted, effective["crm_suite"].is_granted) == (True, False)
    assert (effective["stores"].quota, effective["orders_per_month"].quota) == (9, 2000)


async def test_deactivated_plan_takes_no_new_subscriptions(reseller):
    plan = await reseller.plan()
    first, second = await reseller.customer(), await reseller.customer()
    found = await reseller.subscribe(first, plan)

    for _ in range(2):
        assert (await reseller.post(f"/plans/{plan['id']}/deactivate"))["active"] is False
    reply = await reseller.send(
        "POST", "/reseller/subscriptions", {"customer_id": second.id, "plan_code": plan["code"]}
    )

    assert list(reply.errors) == ["plan_code"]
    assert (await reseller.subscription(found))["status"] == "active"
    assert (await reseller.get("/plans?active=true"))["total"] == 0
    assert (await reseller.get("/plans?active=false"))["total"] == 1
