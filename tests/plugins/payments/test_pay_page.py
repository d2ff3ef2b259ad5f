"""The page on which whoever holds an order's track token pays: once, whatever is pressed, and nobody else."""

import asyncio
import re

import pytest
from comanda.db import sql
from comanda_payments import tasks


class Page:
    """The page of one order, as a browser without scripts uses it."""

    def __init__(self, client, token):
        self.client, self.path = client, f"/pay/{token}"

    async def read(self, said=""):
        response = await self.client.get(self.path + said)
        assert response.status_code == 200
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", await response.get_data(as_text=True)))

    async def press(self, **fields):
        response = await self.client.post(f"{self.path}/start", form=fields)
        assert response.status_code == 303
        return response.headers["Location"]

    async def come_back(self):
        response = await self.client.get(f"{self.path}/return")
        assert (response.status_code, response.headers["Location"]) == (303, self.path)


@pytest.fixture
def page_of(client):
    return lambda order: Page(client, order["track_token"])


@pytest.fixture
def page(page_of, order):
    """The page of an order of 20.00."""
    return page_of(order)


async def test_a_guest_pays_what_is_left_and_comes_back(gateway, page, till, order, paid_events, settings):
    await till.pay("cash", 5)
    assert "To pay now €15.00 Pay €15.00" in await page.read()

    address = await page.press()

    assert address == f"{gateway.url}/pay/cs_1"
    assert (gateway.session["amount_total"], gateway.session["currency"]) == (1500, "eur")
    assert gateway.session["success_url"] == f"{settings.site_url}{page.path}/return"
    gateway.pay(gateway.session)
    await page.come_back()
    seen = await page.read()
    assert "Thank you!" in seen
    assert "Follow your order" in seen
    assert (await till.money(), len(await paid_events())) == (("paid", 20, 0), 1)
    assert await page.press() == page.path
    assert len(gateway.sessions) == 1


async def test_pressing_twice_or_going_back_is_one_payment(gateway, page, till):
    addresses = await asyncio.gather(*(page.press() for _ in range(6)))
    addresses.append(await page.press())

    assert set(addresses) == {f"{gateway.url}/pay/cs_1"}
    assert len(gateway.sessions) == len(await till.payments()) == 1
    assert "This payment is not finished yet." in await page.read()
    assert "Go on to payment" in await page.read()


async def test_a_guest_who_has_paid_and_presses_again_is_not_charged_again(gateway, page, till):
    await page.press()
    gateway.pay(gateway.session)

    assert await page.press() == page.path

    assert "is paid" in await page.read()
    assert (await till.money(), len(gateway.sessions)) == (("paid", 20, 0), 1)


async def test_a_page_that_has_expired_is_followed_by_another(gateway, page, till):
    await page.press()
    gateway.session["status"] = "expired"

    assert await page.press() == f"{gateway.url}/pay/cs_2"

    assert [payment["status"] for payment in await till.payments()] == ["pending", "failed"]


async def test_an_answer_that_is_lost_opens_no_second_payment(gateway, page, till):
    gateway.lose = 1

    assert await page.press() == f"{page.path}?said=away"
    assert "could not be opened" in await page.read("?said=away")

    assert await page.press() == f"{gateway.url}/pay/cs_1"
    assert len(gateway.sessions) == len(await till.payments()) == 1


async def test_a_gateway_that_refuses_is_told_on_the_page(gateway, page, till):
    gateway.refuse = 400

    assert await page.press() == f"{page.path}?said=refused"

    assert "was refused, and nothing was charged" in await page.read("?said=refused")
    assert await till.money() == ("unpaid", 0, 0)


async def test_what_is_being_paid_at_the_till_is_not_offered_again(gateway, page, till):
    await till.pay("gateway")

    assert "is being paid at this moment" in await page.read()
    assert await page.press() == page.path
    assert len(gateway.sessions) == 1


async def test_a_cancelled_order_is_not_paid(gateway, page, store, order, till):
    await store.set_status(order["id"], "cancelled")

    assert "There is nothing to pay." in await page.read()
    assert await page.press() == page.path
    assert await till.payments() == []


async def test_without_a_gateway_an_order_is_paid_at_the_store(page, till):
    assert "is paid at the store" in await page.read()
    assert await page.press() == page.path
    assert await till.payments() == []


async def test_a_stranger_finds_nothing_and_learns_nothing(gateway, client, page, order):
    wrong = Page(client, order["track_token"][:-1] + "~")

    assert (await client.get(wrong.path)).status_code == 404
    assert await wrong.press() == wrong.path
    await wrong.come_back()
    assert gateway.sessions == {}
    response = await client.get(page.path)
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["X-Robots-Tag"] == "noindex, nofollow"
    # Browsers hold the form to it also where it is redirected to.
    assert f"form-action 'self' https: {gateway.url}" in response.headers["Content-Security-Policy"]
    assert "Soup" not in await response.get_data(as_text=True)


@pytest.mark.parametrize("token", ["x%0d%0aSet-Cookie:%20a=b", "%ff", "é", "a" * 5000])
async def test_an_address_that_is_nonsense_leads_to_nothing(client, gateway, token):
    response = await client.post(f"/pay/{token}/start", data=b"method=%ff&method=\xff\x00")

    assert response.status_code == 303
    assert "Set-Cookie" not in response.headers
    assert (await client.get(f"/pay/{token}")).status_code == 404


async def test_the_page_of_a_suspended_owner_is_gone(gateway, client, page, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert (await client.get(page.path)).status_code == 404
    await page.press()
    assert gateway.sessions == {}


async def test_the_button_works_so_often_a_minute_and_not_more(gateway, page, monkeypatch):
    monkeypatch.setattr("comanda_payments.pages.routes.MAX_CALLS_PER_ORDER_AND_MINUTE", 2)

    addresses = [await page.press() for _ in range(4)]

    assert addresses[-1] == f"{page.path}?said=busy"
    assert "too often" in await page.read("?said=busy")
    assert len(gateway.sessions) == 1


async def test_a_payment_that_nobody_comes_back_from_still_counts(gateway, page, till, clock):
    await page.press()
    gateway.pay(gateway.session)
    clock.advance(minutes=2)

    await tasks.reconcile()

    assert await till.money() == ("paid", 20, 0)


async def test_the_public_record_says_where_to_pay_while_there_is_something_to_pay(
    gateway, client, page, order, till, settings
):
    async def tracked():
        return await (await client.get(f"/api/v1/track/{order['track_token']}")).get_json()

    assert (await tracked())["pay_url"] == f"{settings.site_url}{page.path}"
    await till.pay()
    assert "pay_url" not in await tracked()
    await till.refund()
    assert "pay_url" not in await tracked()


async def test_the_public_record_says_nothing_of_it_without_a_gateway(client, order):
    assert "pay_url" not in await (await client.get(f"/api/v1/track/{order['track_token']}")).get_json()
