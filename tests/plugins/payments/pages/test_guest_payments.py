"""Guests pay online with the track token of their order, once, however often they press the button."""

import asyncio


async def test_guest_pays_amount_due(gateway, page, till, order, paid_events, settings):
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


async def test_repeated_start_creates_one_payment(gateway, page, till):
    addresses = await asyncio.gather(*(page.press() for _ in range(6)))
    addresses.append(await page.press())

    assert set(addresses) == {f"{gateway.url}/pay/cs_1"}
    assert len(gateway.sessions) == len(await till.payments()) == 1
    assert "This payment is not finished yet." in await page.read()
    assert "Go on to payment" in await page.read()


async def test_paid_guest_is_not_charged_again(gateway, page, till):
    await page.press()
    gateway.pay(gateway.session)

    assert await page.press() == page.path

    assert "is paid" in await page.read()
    assert (await till.money(), len(gateway.sessions)) == (("paid", 20, 0), 1)


async def test_expired_page_is_replaced(gateway, page, till):
    await page.press()
    gateway.session["status"] = "expired"

    assert await page.press() == f"{gateway.url}/pay/cs_2"

    assert [payment["status"] for payment in await till.payments()] == ["pending", "failed"]


async def test_lost_response_creates_no_second_payment(gateway, page, till):
    gateway.lose = 1

    assert await page.press() == f"{page.path}?said=away"
    assert "could not be opened" in await page.read("?said=away")

    assert await page.press() == f"{gateway.url}/pay/cs_1"
    assert len(gateway.sessions) == len(await till.payments()) == 1


async def test_refusal_is_shown(gateway, page, till):
    gateway.refuse = 400

    assert await page.press() == f"{page.path}?said=refused"

    assert "was refused, and nothing was charged" in await page.read("?said=refused")
    assert await till.money() == ("unpaid", 0, 0)


async def test_payment_at_till_blocks_online_payment(gateway, page, till):
    await till.pay("gateway")

    assert "is being paid at this moment" in await page.read()
    assert await page.press() == page.path
    assert len(gateway.sessions) == 1


async def test_cancelled_order_cannot_be_paid(gateway, page, store, order, till):
    await store.set_status(order["id"], "cancelled")

    assert "There is nothing to pay." in await page.read()
    assert await page.press() == page.path
    assert await till.payments() == []


async def test_without_gateway_order_is_paid_at_store(page, till):
    assert "is paid at the store" in await page.read()
    assert await page.press() == page.path
    assert await till.payments() == []
