"""Recurring charges: at the installation, every period, retried for a week, and once however many processes run."""

import asyncio

import pytest
from comanda.platform.db import sql
from comanda_entitlements import api as entitlements
from comanda_marketplace.services.billing import subscriptions
from comanda_marketplace.services.listings import review
from comanda_wallet import api as wallet

RECURRING = {"billing": "recurring", "price": 9.9}


@pytest.fixture(autouse=True)
async def nothing_else_is_due(app):
    """The task charges all owners: take out the charges that other tests have left."""
    await sql.execute("UPDATE marketplace_installation SET next_charge_at = NULL WHERE next_charge_at IS NOT NULL")


@pytest.fixture
def subscribe(developer, install, dispatch):
    """Install a recurring app, and let the handlers run."""

    async def run(**fields):
        installed = await install(await developer.publish(**RECURRING, **fields))
        await dispatch()
        return installed

    return run


@pytest.fixture
def read_charges(customer):
    async def read(installed):
        return (await customer.send("GET", f"/app-installations/{installed.id}/charges"))["data"]

    return read


@pytest.fixture
def has_feature(owner):
    async def check(installed):
        effective = await entitlements.get_effective(owner.id)
        return f"app:{installed.app['id']}" in effective

    return check


@pytest.fixture
def pass_days(clock, run_task):
    """Let days pass, with the task running on each."""

    async def run(days):
        for _ in range(days):
            clock.advance(days=1)
            await run_task("marketplace_charges")

    return run


async def test_first_period_is_charged_at_the_installation(
    subscribe, fund, read_balance, read_charges, developer, clock
):
    await fund(2000)

    installed = await subscribe()

    [charge] = await read_charges(installed)
    assert charge["amount"] == 9.9
    assert await read_balance() == 1010
    assert (await wallet.get_earnings(developer.owner.id)).balance_minor == 792
    row = await installed.read()
    assert (row["billing_status"], (row["period_end"] - row["period_start"]).days) == ("active", 30)


async def test_each_period_is_charged_once(subscribe, fund, read_balance, read_charges, pass_days, clock):
    await fund(5000)
    installed = await subscribe(period_days=10)

    await pass_days(30)

    charges = await read_charges(installed)
    assert len(charges) == 4
    assert await read_balance() == 5000 - 4 * 990
    assert [one["period_start"] for one in charges[:-1]] == [one["period_end"] for one in charges[1:]]


async def test_long_absence_is_caught_up(subscribe, fund, read_charges, clock, run_task):
    await fund(100_000)
    installed = await subscribe()

    clock.advance(days=365)
    await run_task("marketplace_charges")

    assert len(await read_charges(installed)) == 13


async def test_trial_is_free(subscribe, fund, read_balance, pass_days, has_feature, clock):
    await fund(1000)
    installed = await subscribe(trial_days=14)

    await pass_days(13)
    assert (await read_balance(), (await installed.read())["billing_status"]) == (1000, "trialing")
    assert await has_feature(installed)
    await pass_days(1)

    assert (await read_balance(), (await installed.read())["billing_status"]) == (10, "active")


async def test_failed_charge_is_retried_for_a_week_then_lapses(
    subscribe, has_feature, pass_days, sent_messages, owner, published, clock, fund, read_charges, customer
):
    installed = await subscribe()
    assert (await installed.read())["billing_status"] == "past_due"
    assert await has_feature(installed)
    assert [one.subject for one in await sent_messages() if one.to == owner.email] == [
        "Payment for Loyalty Cards failed"
    ]

    await pass_days(6)
    assert (await installed.read())["billing_status"] == "past_due"
    await pass_days(1)

    row = await installed.read()
    assert (row["billing_status"], row["failed_attempts"], row["next_charge_at"]) == ("lapsed", 4, None)
    assert not await has_feature(installed)
    assert row["uninstalled_at"] is None
    changes = [data["action"] for name, data in await published() if name == "entitlement.changed"]
    assert changes == ["granted", "revoked"]
    refused = await customer.send("POST", f"/app-installations/{installed.id}/pay")
    assert (refused.status, await read_charges(installed)) == (402, [])

    await pass_days(20)
    await fund(2000)
    paid = await customer.send("POST", f"/app-installations/{installed.id}/pay")

    assert (paid.status, paid["billing_status"]) == (200, "active")
    assert await has_feature(installed)
    [charge] = await read_charges(installed)
    assert charge["period_start"] == clock().isoformat()
    assert (await customer.send("POST", f"/app-installations/{installed.id}/pay")).status == 200
    assert len(await read_charges(installed)) == 1


async def test_payment_within_the_week_keeps_the_period(subscribe, fund, pass_days, read_charges, clock):
    began = clock()
    installed = await subscribe()
    await pass_days(2)
    await fund(2000)

    await pass_days(1)

    [charge] = await read_charges(installed)
    assert charge["period_start"] == began.isoformat()
    assert (await installed.read())["billing_status"] == "active"


async def test_parallel_workers_charge_a_period_once(subscribe, fund, read_balance, read_charges, clock):
    await fund(100_000)
    installed = await subscribe()
    clock.advance(days=31)

    await asyncio.gather(*(subscriptions.charge_due() for _ in range(8)))

    assert len(await read_charges(installed)) == 2
    assert await read_balance() == 100_000 - 2 * 990


async def test_charge_that_dies_before_the_commit_is_made_again(subscribe, fund, read_balance, monkeypatch, clock):
    await fund(5000)
    installed = await subscribe()
    clock.advance(days=30)
    charge = wallet.charge

    async def die(*arguments):
        await charge(*arguments)
        raise RuntimeError("killed")

    monkeypatch.setattr(wallet, "charge", die)
    assert await subscriptions.charge_due() == 0
    assert await read_balance() == 4010
    monkeypatch.setattr(wallet, "charge", charge)

    await subscriptions.charge_due()

    assert await read_balance() == 3020
    assert (
        await sql.fetch_value("SELECT count(*) FROM marketplace_charge WHERE installation_id = $1", installed.id) == 2
    )


async def test_uninstalled_app_is_not_charged(subscribe, fund, read_balance, pass_days, customer, clock):
    await fund(5000)
    installed = await subscribe()

    await customer.send("DELETE", f"/app-installations/{installed.id}")
    await pass_days(40)

    assert await read_balance() == 4010
    assert (await installed.read())["billing_status"] == "ended"


async def test_new_price_is_charged_once_it_is_accepted(
    subscribe, fund, developer, customer, pass_days, read_balance, clock
):
    await fund(10_000)
    installed = await subscribe()
    await developer.send("PATCH", f"/developer/apps/{installed.app['id']}", {"price": 20})
    await review.approve(installed.app["id"])

    await pass_days(30)
    assert await read_balance() == 10_000 - 2 * 990
    await customer.send("POST", f"/app-installations/{installed.id}/accept-terms")
    await pass_days(30)

    assert await read_balance() == 10_000 - 2 * 990 - 2000


@pytest.fixture
def reinstall(customer, install, dispatch):
    """Uninstall an app and install it again."""

    async def run(installed):
        assert (await customer.send("DELETE", f"/app-installations/{installed.id}")).status == 204
        await dispatch()
        again = await install(installed.app)
        await dispatch()
        return again

    return run


async def test_accepting_terms_restores_nothing_that_is_not_paid(subscribe, has_feature, pass_days, customer, clock):
    installed = await subscribe()
    await pass_days(7)
    assert not await has_feature(installed)

    accepted = await customer.send("POST", f"/app-installations/{installed.id}/accept-terms")

    assert (accepted.status, accepted["billing_status"]) == (200, "lapsed")
    assert not await has_feature(installed)


async def test_installing_again_begins_no_second_trial(subscribe, reinstall, fund, read_balance, pass_days, clock):
    await fund(1000)
    installed = await subscribe(trial_days=14)
    await pass_days(13)

    again = await reinstall(installed)

    row = await again.read()
    assert (row["billing_status"], await read_balance()) == ("trialing", 1000)
    await pass_days(1)
    assert ((await again.read())["billing_status"], await read_balance()) == ("active", 10)

    once_more = await reinstall(again)

    assert ((await once_more.read())["billing_status"], await read_balance()) == ("past_due", 10)


async def test_installing_again_grants_nothing_that_was_not_paid(
    subscribe, reinstall, fund, has_feature, pass_days, clock
):
    installed = await subscribe()
    await pass_days(2)

    again = await reinstall(installed)

    assert not await has_feature(again)
    await fund(990)
    await pass_days(2)
    assert (await again.read())["billing_status"] == "active"
    assert await has_feature(again)
