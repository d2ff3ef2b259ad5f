"""How guests pay is the owner's choice: online, before their order is made, or at the store."""

from datetime import datetime, timedelta

import pytest
from comanda.basics import clock as clock_module
from comanda.devkit.testing import line
from comanda_payments.store_settings import SETTING_BY_MODE
from paying_first import place_order, send_order, set_payments

FIELDS = {
    "takeaway": {},
    "on-table": {"table_number": "4"},
    "delivery": {"address": "Rua da Prata 8"},
}


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


async def test_required_without_an_account_is_refused(store, soup):
    await set_payments(store, online_pickup="required")

    refused = await send_order(store, line(soup))

    assert (refused.status, refused["reason"]) == (422, "no_online_payment")
    assert (await store.get("/orders"))["total"] == 0


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
