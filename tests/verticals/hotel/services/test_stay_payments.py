"""Nights that guests pay at the desk."""

import asyncio

import pytest
from comanda.basics import clock as clock_module
from comanda.devkit.testing.tasks import run_task
from comanda.platform.db import sql


@pytest.fixture
async def desk_stay(hotel):
    """Two nights from today, 160.00."""
    return await hotel.stay(await hotel.room_type(rooms=1), 0, 2)


@pytest.fixture
def take(hotel, desk_stay, dispatch):
    """Record a payment at the desk, and return the reply."""

    async def send(stay=desk_stay, key=None, method="cash", **fields):
        headers = {} if key is None else {"Idempotency_Key": key}
        reply = await hotel.send("POST", f"/stays/{stay['id']}/payments", {"method": method, **fields}, **headers)
        await dispatch()
        return reply

    return send


async def list_cash(hotel):
    query = "SELECT amount_minor FROM drawer_movement WHERE store_id = $1 AND kind IN ('payment', 'refund') ORDER BY id"
    return [row["amount_minor"] for row in await sql.fetch(query, hotel.id)]


async def list_figures(hotel, *days):
    found = [(await hotel.get(f"/day-report?from={day}&to={day}"))["figures"] for day in days]
    return [(each["prepayments"], each["prepaid_stays"]) for each in found]


async def test_guests_pay_in_parts_and_leave(hotel, desk_stay, take, clock, dispatch):
    first = await take(amount=60)
    assert (first.status, first["prepaid"], first["amount_due"]) == (201, 60, 100)
    assert (first["deposit"]["status"], first["deposit"]["amount"]) == ("paid", 60)
    rest = await take(method="card_external", reference="T-0481")
    assert (rest["prepaid"], rest["amount_due"], rest["deposit"]["amount"]) == (160, 0, 160)
    assert (await take()).status == 409

    await hotel.must_set(desk_stay, "checked_in")
    clock.advance(days=2)
    gone = await hotel.must_set(desk_stay, "checked_out")
    await dispatch()

    assert (gone["deposit"]["status"], gone["amount_due"]) == ("applied", 0)
    assert await list_cash(hotel) == [6000]
    prepayment = await hotel.get(f"/prepayments/{gone['deposit']['id']}")
    assert (prepayment["amount"], prepayment["paid"], prepayment["refunded"]) == (160, 160, 0)
    parts = [(each["method"], each["amount"], each["reference"]) for each in prepayment["payments"]]
    assert parts == [("cash", 60, None), ("card_external", 100, "T-0481")]


async def test_books_have_it_on_the_day_it_is_taken(hotel, desk_stay, take, clock, dispatch):
    days = [clock_module.now().date()]
    await take(amount=60)
    await hotel.must_set(desk_stay, "checked_in")
    clock.advance(days=2)
    days.append(clock_module.now().date())
    await hotel.must_set(desk_stay, "checked_out")
    # The rest is paid after the guests have left.
    await take()

    assert await list_figures(hotel, *days) == [(60, 0), (100, 160)]


async def test_deposit_paid_online_is_added_to(hotel, guest, pay, take):
    page = await pay(await hotel.room_type("Suite", rooms=1, first=201))
    stay = next(each for each in (await hotel.get("/stays"))["data"] if each["guest_name"] == "Ana Silva")

    assert (await take(stay))["prepaid"] == 160

    assert (await hotel.look(stay))["deposit"]["held"] == 160
    assert "Deposit paid" in (await guest.read(page))[1]


async def test_guest_who_was_to_pay_online_pays_at_the_desk(hotel, guest, bank, take):
    _, made = await guest.book(await hotel.room_type("Suite", rooms=1, first=201))
    url = await guest.start(made["url"])
    stay = next(each for each in (await hotel.get("/stays"))["data"] if each["guest_name"] == "Ana Silva")
    assert stay["status"] == "optional"

    taken = await take(stay, amount=20)
    assert (taken["deposit"]["status"], taken["deposit"]["amount"]) == ("paid", 20)

    # The page of the bank is closed: what is paid there is not collected.
    await bank.pay(url)
    await run_task("payments_reconcile")
    stay = await hotel.look(stay)
    assert (stay["status"], stay["prepaid"]) == ("confirmed", 20)
    assert list(await bank.list_collected()) == []


async def test_key_records_once(hotel, desk_stay, take):
    replies = await asyncio.gather(*(take(key="desk-1", amount=60) for _ in range(4)))
    other = await take(key="desk-1", amount=70)

    assert {reply.status for reply in replies} == {201}
    assert [reply.headers.get("idempotent-replayed") for reply in replies].count("true") == 3
    assert (other["prepaid"], other.headers["idempotency-mismatch"]) == (60, "true")
    assert await list_cash(hotel) == [6000]


async def test_two_desks_take_no_more_than_is_due(hotel, desk_stay, take):
    replies = await asyncio.gather(*(take(amount=100) for _ in range(4)))

    assert sorted(reply.status for reply in replies) == [201, 422, 422, 422]
    assert (await hotel.look(desk_stay))["prepaid"] == 100


@pytest.mark.parametrize("by", ["hotel", "guest"])
async def test_cash_goes_back_where_somebody_can_give_it(hotel, guest, bank, take, by):
    _, made = await guest.book(await hotel.room_type("Suite", rooms=1, first=201))
    stay = next(each for each in (await hotel.get("/stays"))["data"] if each["guest_name"] == "Ana Silva")
    await take(stay, amount=50)

    if by == "hotel":
        await hotel.must_set(await hotel.look(stay), "cancelled")
        expected, cash = "refunded", [5000, -5000]
    else:
        assert (await guest.cancel(made["url"]))[0] == 200
        expected, cash = "paid", [5000]
    await run_task("payments_reconcile")

    deposit = (await hotel.look(stay))["deposit"]
    assert (deposit["status"], await list_cash(hotel)) == (expected, cash)
    if by == "guest":
        body = {"reason": "Cancelled in time", "amount": 20}
        part = await hotel.send("POST", f"/prepayments/{deposit['id']}/refund", body)
        assert (part.status, part["status"], part["refunded"]) == (200, "paid", 20)
        assert await list_cash(hotel) == [5000, -2000]


async def test_nights_that_are_not_used_go_back_in_cash(hotel, desk_stay, take, clock):
    await take()
    await hotel.must_set(desk_stay, "checked_in")
    clock.advance(days=1)

    gone = await hotel.must_set(desk_stay, "checked_out")

    assert (gone["total"], gone["prepaid"], gone["amount_due"]) == (80, 80, 0)
    assert (gone["deposit"]["status"], await list_cash(hotel)) == ("applied", [16000, -8000])


async def test_what_was_refunded_is_paid_again(hotel, desk_stay, take):
    deposit = (await take(key="desk-1"))["deposit"]
    await hotel.send("POST", f"/prepayments/{deposit['id']}/refund", {"reason": "Wrong room"})
    assert (await hotel.look(desk_stay))["deposit"]["status"] == "refunded"
    # A late repeat of the first request records nothing.
    assert (await take(key="desk-1"))["prepaid"] == 0

    again = await take(key="desk-2", amount=80)

    assert (again["deposit"]["status"], again["prepaid"], again["amount_due"]) == ("paid", 80, 80)
    assert await list_cash(hotel) == [16000, -16000, 8000]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"amount": 0}, 422),
        ({"amount": 160.01}, 422),
        ({"method": "gift_card"}, 422),
        ({"method": "demo"}, 422),
        ({"drawer": "Cellar"}, 422),
    ],
)
async def test_refused_payment_leaves_nothing(hotel, desk_stay, take, fields, status):
    assert (await take(**fields)).status == status

    assert (await hotel.look(desk_stay))["deposit"] is None
    assert (await hotel.get("/prepayments"))["total"] == 0


async def test_stay_that_is_cancelled_takes_none(hotel, desk_stay, take):
    await hotel.must_set(desk_stay, "cancelled")

    assert (await take()).status == 409
