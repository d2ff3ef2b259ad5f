"""Subscriptions and plans of a reseller in the dashboard."""


async def test_a_subscription_is_started_changed_paused_and_ended(reseller, dashboard):
    customer = await reseller.customer()
    small = await reseller.plan("small", name="Small")
    await reseller.plan("large", name="Large", price=90)
    fields = {"customer_id": customer.id, "plan_code": small["code"]}

    to = await dashboard.post("/reseller/subscriptions/new", fields)
    [found] = (await reseller.get("/subscriptions"))["data"]
    path = f"/reseller/subscriptions/{found['id']}"
    begun = await dashboard.get(path)
    await dashboard.post(f"{path}/change-plan", {"plan_code": "large"})
    await dashboard.post(f"{path}/pause")
    paused = await dashboard.get("/reseller/subscriptions?status=paused")
    await dashboard.post(f"{path}/resume")
    await dashboard.post(f"{path}/cancel")
    cancelled = await dashboard.get(path)
    await dashboard.post(f"{path}/cancel", {"now": "true"})
    ended = await dashboard.get(path)

    assert to == f"/reseller/customers/{customer.id}"
    assert "Change the plan" in begun
    assert "Large" in paused
    assert "Ends with its period" in cancelled
    assert "End now" not in ended
    assert (await reseller.subscription(found))["status"] == "expired"


async def test_a_refused_start_says_why(reseller, dashboard):
    customer = await reseller.customer(funds_minor=0)
    await reseller.plan("pro")

    to = await dashboard.post("/reseller/subscriptions/new", {"customer_id": customer.id, "plan_code": "pro"})

    assert to == f"/reseller/customers/{customer.id}"
    assert (await reseller.get("/subscriptions"))["data"] == []
