"""What owners read of their plan and its limits in the dashboard."""

from datetime import timedelta

from comanda.basics import clock as comanda_clock
from comanda_entitlements import api


async def test_an_owner_without_a_plan_has_everything(dashboard):
    page = await dashboard.get("/entitlements")

    assert "Your account has no plan" in page
    assert "Orders per month" in page
    assert "No limit" in page
    assert "Not included" not in page


async def test_a_plan_shows_its_limits_and_what_is_used(dashboard, store, plan):
    await plan(code="silver", stores=5, webhooks=3)

    page = await dashboard.get("/entitlements")

    assert "1 of 5" in page
    assert "Plan: <bdi>silver</bdi>" in page
    assert "Not included" in page
    assert "Your account has no plan" not in page
    assert "is reached" not in page


async def test_a_limit_that_is_reached_is_named(dashboard, store, plan):
    await plan(stores=1)

    page = await dashboard.get("/entitlements")

    assert "The limit of Stores is reached." in page


async def test_a_grant_shows_who_gave_it_and_until_when(dashboard, owner, plan):
    await plan()
    ends = comanda_clock.now() + timedelta(days=400)
    await api.set_source(owner.id, "admin", "crm_suite", {"crm_suite": None}, expires_at=ends)

    page = await dashboard.get("/entitlements")

    assert "Granted by the operator" in page
    assert f"until {ends.day} " in page


async def test_names_of_sources_are_text(dashboard, plan):
    await plan(code="<b>pro", stores=5)

    assert "Plan: <bdi>&lt;b&gt;pro" in await dashboard.get("/entitlements")


async def test_what_others_have_is_not_shown(dashboard, other_owner):
    await api.set_source(other_owner.id, "plan", "gold", {"stores": 1})

    page = await dashboard.get("/entitlements")

    assert "gold" not in page
    assert "Your account has no plan" in page
