"""What a customer of a reseller sees of its subscription."""


async def test_customer_sees_plan_and_periods(reseller):
    plan = await reseller.plan(features=["webhooks"], limits={"stores": 2})
    customer = await reseller.customer()
    found = await reseller.subscribe(customer, plan)

    own = await reseller.send("GET", "/subscription", headers=customer.auth)

    assert own.status == 200
    assert {name: own[name] for name in found} == found
    assert own["features"] == ["webhooks"]
    assert own["limits"] == {"stores": 2, "items": None, "staff": None, "orders_per_month": None, "payment_fee": None}


async def test_customer_sees_what_it_uses(reseller):
    customer = await reseller.customer()
    await customer.store()
    await reseller.subscribe(customer, await reseller.plan(limits={"stores": 2}))

    page = await reseller.send("GET", "/subscription/usage?per_page=100", headers=customer.auth)

    usage = {row["feature"]: row for row in page["data"]}
    assert usage["stores"] == {"feature": "stores", "label": "Stores", "is_granted": True, "limit": 2, "used": 1}
    assert usage["webhooks"]["is_granted"] is False
    assert page["total"] == len(usage)


async def test_expired_subscription_is_still_shown(reseller):
    customer = await reseller.customer()
    found = await reseller.subscribe(customer, await reseller.plan())
    await reseller.post(f"/subscriptions/{found['id']}/cancel", {"now": True})

    assert (await reseller.send("GET", "/subscription", headers=customer.auth))["status"] == "expired"


async def test_owner_without_a_reseller_has_no_subscription(reseller, other_owner):
    assert (await reseller.send("GET", "/subscription", headers=other_owner.auth)).status == 404
    customer = await reseller.customer()
    assert (await reseller.send("GET", "/subscription", headers=customer.auth)).status == 404
