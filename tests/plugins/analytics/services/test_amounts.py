"""Reports show the charges of orders, which are part of revenue."""

import dataclasses

import pytest
from comanda.contracts import DELIVERY_FEE, Charge, Contribution, OrderParticipant
from comanda.contracts.orders.charges import SERVICE_CHARGE
from comanda.devkit.testing import line
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.runtime import Runtime
from comanda_analytics.services import backfill, consistency_check

NONE = {"service_charge": 0, "delivery_fee": 0, "other": 0}
SELECT_DAILY_CHARGES = """
    SELECT sum(service_charge_minor)::int AS service_charge, sum(delivery_fee_minor)::int AS delivery_fee,
        sum(charges_minor)::int AS other
    FROM analytics_day WHERE store_id = $1 AND status <> 'cancelled'
"""


async def get_daily_charges(store):
    """Return the charges of daily totals alone, in minor units."""
    return dict(await sql.fetch_one(SELECT_DAILY_CHARGES, store.id))


@pytest.fixture
def new_charges(runtime):
    """A list of the charges that a plugin adds to new orders."""
    charges = []
    participant = OrderParticipant("boats", validate=lambda request, loaded: Contribution(charges=tuple(charges)))
    participants = (*runtime.registry.order_participants, participant)
    registry = dataclasses.replace(runtime.registry, order_participants=participants)
    runtime_module.use(Runtime(runtime.settings, registry))
    yield charges
    runtime_module.use(runtime)


@pytest.fixture
async def charged(shop, new_charges):
    """An order of 18.50: a soup, 1.00 of service charge, 2.50 of delivery fee, and a deposit of 5.00."""
    new_charges += [
        Charge(SERVICE_CHARGE, "Service", 100),
        Charge(DELIVERY_FEE, "By boat", 250),
        Charge("deposit", "Deposit", 500),
    ]
    order_id = await shop.place_order(line(shop.soup))
    new_charges.clear()
    return order_id


async def test_charges_are_part_of_revenue(shop, charged, prepare_totals):
    await shop.place_order(line(shop.cake))
    await prepare_totals()

    report = await shop.report("from=2030-05-15&by_day=true&compare=true")

    assert report["revenue"] == {"gross": 22.5, "paid": 0, "avg_order_value": 11.25}
    assert report["charges"] == {"service_charge": 1, "delivery_fee": 2.5, "other": 5}
    assert report["revenue"]["gross"] - sum(report["charges"].values()) == 10 + 4
    assert [day["charges"] for day in report["by_day"]] == [report["charges"]]
    assert report["compare"]["charges"] == NONE


async def test_charges_of_settings_are_counted(shop, prepare_totals):
    settings = {"service_charge_rate": 12.5, "service_charge_amount": 1, "service_charge_modes": ["on-table"]}
    assert (await shop.send("PUT", "/settings", settings)).status == 200
    await shop.place_order(line(shop.soup, 2), type="on-table", table_number="4")
    await prepare_totals()

    report = await shop.report()

    assert (report["revenue"]["gross"], report["charges"]) == (23.5, {**NONE, "service_charge": 3.5})


async def test_cancelled_orders_have_no_charges(shop, charged, prepare_totals):
    await prepare_totals()

    await shop.set_status(charged, "cancelled")
    pending = await shop.report()
    await shop.handle_events(charged)

    assert pending["charges"] == NONE
    assert await shop.report() == pending
    await shop.set_status(charged, "new")
    assert (await shop.report())["charges"]["other"] == 5


async def test_late_charge_is_shown_at_once(shop, charged, prepare_totals, dispatch):
    await shop.pay(charged)
    await prepare_totals()

    await shop.add_charge(charged, 999)
    pending = await shop.report("by_day=true")
    await dispatch()

    assert (pending["revenue"]["gross"], pending["revenue"]["paid"]) == (28.49, 18.5)
    assert pending["charges"] == {"service_charge": 1, "delivery_fee": 2.5, "other": 14.99}
    assert await shop.report("by_day=true") == pending
    assert await get_daily_charges(shop) == {"service_charge": 100, "delivery_fee": 250, "other": 1499}


async def test_late_charge_belongs_to_day_of_order(shop, charged, dispatch, clock):
    await dispatch()
    await shop.backfill_orders()
    clock.advance(days=1)

    await shop.add_charge(charged, 300)
    await dispatch()

    days = (await shop.report("from=2030-05-15&to=2030-05-16&by_day=true"))["by_day"]
    assert [day["charges"]["other"] for day in days] == [8, 0]


@pytest.mark.parametrize("column", ["service_charge_minor", "delivery_fee_minor", "charges_minor"])
async def test_check_finds_wrong_charges(shop, charged, dispatch, column):
    await dispatch()
    await shop.backfill_orders()
    right = await shop.report()
    await sql.execute(f"UPDATE analytics_day SET {column} = {column} + 1 WHERE store_id = $1", shop.id)
    assert await shop.report() != right

    await consistency_check.check_totals()

    assert await shop.report() == right
    assert await get_daily_charges(shop) == {"service_charge": 100, "delivery_fee": 250, "other": 500}


async def test_check_accepts_late_charges(shop, charged, dispatch, monkeypatch):
    await shop.pay(charged)
    await shop.backfill_orders()
    await shop.add_charge(charged, 300)
    await dispatch()
    await shop.pay(charged, 2)
    rebuilt = []

    async def rebuild(store_id):
        rebuilt.append(store_id)

    monkeypatch.setattr(backfill, "rebuild_totals", rebuild)

    await consistency_check.check_totals()

    assert shop.id not in rebuilt
    assert (await get_daily_charges(shop))["other"] == 800
