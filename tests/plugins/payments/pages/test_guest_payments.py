"""Guests pay online with the track token of their order, once, however often they press the button."""

import asyncio

import pytest
from comanda.devkit.testing.stores import line
from comanda.orders import create_table_token, queries


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
    await till.pay("stripe")

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


@pytest.fixture
async def table(store, page_of):
    """The page of an order of 30.00 at a table: a soup for 10.00 and two mains for 20.00."""
    soup, main = await store.item("Soup", 10), await store.item("Main", 10)
    placed = await store.order(line(soup), line(main, 2), type="on-table", table_number="4")
    table = page_of(placed)
    table.order, table.lines = placed, {each["name"]: each["id"] for each in placed["items"]}
    return table


def list_amounts(gateway):
    return [session["amount_total"] for session in gateway.sessions.values()]


async def test_guests_of_a_table_pay_their_shares_at_the_same_time(gateway, table, till_of, client):
    first = await table.press(share="lines", line=table.lines["Soup"], key="a")
    seen = await table.read()
    assert "Being paid by others €10.00 To pay now €20.00" in seen
    second = await table.press(share="equal", people="3", key="b")
    third = await table.press()

    assert len({first, second, third}) == 3
    assert list_amounts(gateway) == [1000, 1000, 1000]
    for session in list(gateway.sessions.values()):
        gateway.pay(session)
        await client.get(session["success_url"].removeprefix("http://comanda.test"))
    assert "Thank you!" in await table.read()
    assert await till_of(table.order).money() == ("paid", 30, 0)


async def test_guest_of_the_table_pays_a_share(gateway, table, till_of, client):
    first = await queries.get_tracking(table.order["track_token"])
    own = type(table)(client, await create_table_token(first))

    await own.press(share="lines", line=table.lines["Soup"], key="a")

    (session,) = gateway.sessions.values()
    assert table.order["track_token"] not in session["success_url"]
    gateway.pay(session)
    await client.get(session["success_url"].removeprefix("http://comanda.test"))
    assert "Paid €10.00" in await own.read()
    assert await till_of(table.order).money() == ("partially_paid", 10, 0)


async def test_a_guest_is_told_of_their_own_share_alone(gateway, table, client):
    await table.press(share="equal", people="3", key="a")
    await table.press(share="equal", people="3", key="b")
    other, own = gateway.sessions.values()
    other["status"] = "expired"
    gateway.pay(own)

    async def come_back(session):
        path = session["success_url"].removeprefix("http://comanda.test")
        return (await client.get(path)).headers["Location"]

    assert await come_back(own) == table.path
    assert "Paid €10.00" in await table.read()
    assert await come_back(other) == f"{table.path}?said=refused"


async def test_a_share_that_is_sent_twice_is_one_payment(gateway, table):
    addresses = await asyncio.gather(*(table.press(share="amount", amount="12,50", key="once") for _ in range(4)))
    again = await table.press(share="amount", amount="12,50", key="another")

    assert (len(set(addresses)), again != addresses[0]) == (1, True)
    assert list_amounts(gateway) == [1250, 1250]


@pytest.mark.parametrize(
    "fields",
    [
        {"share": "equal", "people": "0"},
        {"share": "equal", "people": "51"},
        {"share": "equal", "people": "two"},
        {"share": "lines"},
        {"share": "lines", "line": "999999999999"},
        {"share": "amount", "amount": "1,200"},
        {"share": "amount", "amount": "-5"},
        {"share": "amount", "amount": "0.001"},
        {"share": "amount", "amount": "9" * 40},
    ],
)
async def test_a_share_that_says_nothing_usable_is_asked_for_again(gateway, table, fields):
    assert await table.press(**fields) == f"{table.path}?said=share"
    assert "Say what you pay" in await table.read("?said=share")
    assert list_amounts(gateway) == []


async def test_a_share_never_exceeds_what_is_left(gateway, table, till_of):
    await till_of(table.order).pay("cash", 25)

    await table.press(share="equal", people="2", key="a")

    assert list_amounts(gateway) == [500]


async def test_an_order_for_one_is_not_shared(gateway, page):
    assert "Pay your part" not in await page.read()


async def test_guests_of_a_table_add_tips(gateway, table, till_of, client):
    assert "10% €3.00" in await table.read()

    await table.press(share="lines", line=table.lines["Soup"], tip="15", key="a")
    await table.press(share="equal", people="3", tip="amount", tip_amount="2,50", key="b")
    await table.press(tip="10")

    assert list_amounts(gateway) == [1150, 1250, 1100]
    assert [each["tip"] for each in await till_of(table.order).payments()] == [1, 2.5, 1.5]
    for session in list(gateway.sessions.values()):
        gateway.pay(session)
        await client.get(session["success_url"].removeprefix("http://comanda.test"))
    assert await till_of(table.order).money() == ("paid", 30, 0)


async def test_payment_that_waits_is_shown_with_its_tip(gateway, table):
    await table.press(tip="10")

    assert "To pay now €33.00 This payment is not finished yet." in await table.read()


@pytest.mark.parametrize("amount", ["", "two", "-1", "0.001", "9" * 40, "1000.01", "1,200"])
async def test_a_tip_that_says_nothing_usable_is_asked_for_again(gateway, table, amount):
    tip = {"tip": "amount", "tip_amount": amount}

    assert await table.press(**tip) == f"{table.path}?said=tip"
    assert await table.press(share="equal", people="3", key="a", **tip) == f"{table.path}?said=tip"
    assert "Enter the tip as an amount" in await table.read("?said=tip")
    assert list_amounts(gateway) == []


async def test_no_tip_is_taken_where_none_is_offered(gateway, page):
    assert "No tip" not in await page.read()

    await page.press(tip="15")

    assert list_amounts(gateway) == [2000]
