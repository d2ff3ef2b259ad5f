"""How guests pay is the owner's choice: online, before their order is made, or at the store."""

import asyncio
from datetime import datetime, timedelta

import pytest
from comanda.basics import clock as clock_module
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_payments import tasks
from comanda_payments.store_settings import SETTING_BY_MODE
from paying_first import end_time_to_pay, place_order, send_order, set_payments

FIELDS = {
    "takeaway": {},
    "on-table": {"table_number": "4"},
    "delivery": {"address": "Rua da Prata 8"},
}


async def read_status(store, order):
    return (await store.get(f"/orders/{order['id']}"))["status"]


@pytest.fixture
def paying_first(store, demo_account):
    """Have orders of a mode paid first."""

    async def set_required(mode="takeaway", **settings):
        await set_payments(store, **{SETTING_BY_MODE[mode]: "required", **settings})

    return set_required


@pytest.fixture
def track(store):
    async def read(order):
        return await (await store.client.get(f"/api/v1/track/{order['track_token']}")).get_json()

    return read


@pytest.mark.parametrize("mode", FIELDS)
@pytest.mark.parametrize("rule", ["optional", "required", "off"])
async def test_rule_holds_for_its_mode_alone(store, soup, demo_account, page_of, track, mode, rule):
    await set_payments(store, **{SETTING_BY_MODE[mode]: rule})

    for each, fields in FIELDS.items():
        holds = rule if each == mode else "optional"
        quoted = await send_order(store, line(soup), path="quote", type=each, **fields)
        order = await place_order(store, line(soup), type=each, **fields)
        seen = await page_of(order).read()
        assert (quoted["pays_online"], quoted["pays_first"]) == (holds != "off", holds == "required"), each
        assert ("pay_by" in order) == (holds == "required")
        assert ("pay_url" in await track(order)) == (holds != "off")
        assert ("This order is paid at the store." in seen) == (holds == "off")
        assert ("The store makes your order once it is paid." in seen) == (holds == "required")


async def test_required_order_leads_to_its_payment_and_waits_for_it(store, soup, paying_first, provider_fake, page_of):
    await paying_first()

    placed = await send_order(store, line(soup, 2))

    assert placed["continue_url"] == f"http://comanda.test/pay/{placed['track_token']}"
    order = (await store.get(f"/orders/{placed['id']}")).document
    pay_by = clock_module.now() + timedelta(minutes=20)
    assert abs(datetime.fromisoformat(order["pay_by"]) - pay_by) < timedelta(seconds=5)
    page = page_of(order)
    await provider_fake.pay(await page.press())
    await page.come_back()
    assert "Thank you!" in await page.read()
    assert (await store.get(f"/orders/{placed['id']}"))["is_paid"]


async def test_paid_order_is_not_cancelled(store, soup, paying_first, provider_fake, page_of, clock):
    await paying_first()
    order = await place_order(store, line(soup))
    page = page_of(order)
    await provider_fake.pay(await page.press())
    await page.come_back()

    await end_time_to_pay(clock)

    assert await read_status(store, order) == "new"
    assert await sql.fetch_value("SELECT count(*) FROM payments_deadline WHERE order_id = $1", order["id"]) == 0


async def test_unpaid_order_is_cancelled_in_time_and_its_page_closed(
    store, soup, paying_first, page_of, till_of, clock, published
):
    await paying_first(pay_minutes=10)
    order = await place_order(store, line(soup))
    await page_of(order).press()

    await end_time_to_pay(clock, minutes=9)
    assert await read_status(store, order) == "new"
    await end_time_to_pay(clock, minutes=2)

    assert await read_status(store, order) == "cancelled"
    assert [each["status"] for each in await till_of(order).payments()] == ["cancelled"]
    assert "This order was cancelled." in await page_of(order).read()
    changes = [data for name, data in await published() if name == "order.status_changed"]
    assert [(each["to"], each["actor"]) for each in changes] == [("cancelled", "payments")]
    await end_time_to_pay(clock)
    assert await read_status(store, order) == "cancelled"


async def test_two_workers_cancel_an_order_once(store, soup, paying_first, clock, published):
    await paying_first()
    await place_order(store, line(soup))
    clock.advance(minutes=21)

    await asyncio.gather(*(tasks.reconcile() for _ in range(4)))

    assert len([name for name, _ in await published() if name == "order.status_changed"]) == 1


async def test_payment_that_was_made_at_the_last_moment_counts(
    store, soup, paying_first, provider_fake, page_of, clock
):
    await paying_first()
    order = await place_order(store, line(soup))
    # The guest has paid and not come back.
    await provider_fake.pay(await page_of(order).press())

    await end_time_to_pay(clock)

    assert await read_status(store, order) == "new"
    assert (await store.get(f"/orders/{order['id']}"))["is_paid"]


async def test_order_that_staff_begin_is_not_cancelled(store, soup, paying_first, clock, track):
    await paying_first()
    order = await place_order(store, line(soup))
    await store.set_status(order["id"], "preparing")

    assert "pay_by" not in await track(order)
    await end_time_to_pay(clock)

    assert await read_status(store, order) == "preparing"


async def test_what_was_paid_by_gift_card_goes_back(store, soup, paying_first, card, till_of, clock):
    await paying_first()
    order = await place_order(store, line(soup, 2))
    await till_of(order).pay("gift_card", 15, code=card["code"])

    await end_time_to_pay(clock)

    assert await read_status(store, order) == "cancelled"
    assert (await till_of(order).money())[2] == 15


async def test_order_with_cash_on_it_is_left_to_staff(store, soup, paying_first, till_of, clock):
    await paying_first()
    order = await place_order(store, line(soup, 2))
    await till_of(order).pay("cash", 5)

    await end_time_to_pay(clock)

    assert await read_status(store, order) == "new"
    assert await till_of(order).money() == ("partially_paid", 5, 0)


async def test_free_order_has_nothing_to_wait_for(store, paying_first, clock):
    water = await store.item("Water", price=0)
    await paying_first()

    placed = await send_order(store, line(water))

    assert "/t/" in placed["continue_url"]
    await end_time_to_pay(clock)
    assert await read_status(store, placed) == "new"


async def test_required_without_an_account_is_refused(store, soup):
    await set_payments(store, online_pickup="required")

    refused = await send_order(store, line(soup))

    assert (refused.status, refused["reason"]) == (422, "no_online_payment")
    assert (await store.get("/orders"))["total"] == 0


async def test_till_and_owner_place_orders_as_before(store, soup, paying_first, clock):
    await paying_first()

    order = await store.order(line(soup))

    assert "pay_by" not in order
    await end_time_to_pay(clock)
    assert await read_status(store, order) == "new"


async def test_customers_cannot_pay_online_where_it_is_off(store, soup, demo_account, own_order, ada):
    path = f"/orders/{own_order['id']}/payments"
    await set_payments(store, online_pickup="off")

    refused = await ada("POST", path, {"method": "demo"})

    assert (refused.status, list(refused["errors"])) == (422, ["method"])
    await set_payments(store, online_pickup="optional")
    assert (await ada("POST", path, {"method": "demo"})).status == 201


async def test_page_starts_no_payment_where_it_is_off(store, soup, demo_account, page_of, till_of):
    order = await place_order(store, line(soup))
    await set_payments(store, online_pickup="off")
    page = page_of(order)

    assert await page.press() == page.path
    assert await till_of(order).payments() == []


async def test_tips_at_the_table_are_the_owners_choice(store, soup, demo_account, page_of, till_of):
    order = await place_order(store, line(soup), type="on-table", table_number="4")
    page = page_of(order)
    assert "10%" in await page.read()

    await set_payments(store, offers_tips=False)

    assert "10%" not in await page.read()
    await page.press(tip="10")
    assert [each["tip"] for each in await till_of(order).payments()] == [0]


async def test_other_owner_sets_nothing(store, other_store, soup, demo_account):
    refused = await other_store.send_to(
        f"/api/v1/restaurants/{store.id}/settings/payments", "PUT", {"online_pickup": "required"}
    )

    assert refused.status == 404
    await set_payments(other_store, online_pickup="required", offers_tips=False)
    assert "pay_by" not in await place_order(store, line(soup))


@pytest.mark.parametrize("change", [{"online_pickup": "maybe"}, {"pay_minutes": 4}, {"pay_minutes": 61}])
async def test_unknown_rules_are_refused(store, change):
    reply = await store.send("PUT", "/settings/payments", change)

    assert (reply.status, list(reply["errors"])) == (422, list(change))
