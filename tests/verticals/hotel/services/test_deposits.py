"""Deposits of stays that guests book on the hotel's page, and what becomes of them."""

import asyncio

import pytest
from comanda.basics import clock as clock_module
from comanda.devkit.testing.tasks import run_task
from comanda_hotel.services.deposits import calculate_deposit_minor
from comanda_hotel.store_settings import StayDeposits

from ..conftest import list_requests

# Two nights at 80.00, of which 30 percent are less than 50.00.
DEPOSIT = 5000


async def get_stay(hotel):
    [found] = (await hotel.get("/stays"))["data"]
    return await hotel.look(found)


@pytest.mark.parametrize(
    ("policy", "prices", "deposit"),
    [
        ({}, [8000, 8000], 0),
        ({"deposit_percent": 30}, [8000, 8000], 4800),
        ({"deposit_percent": 50}, [4001], 2001),
        ({"deposit_percent": 30, "deposit_amount": 60.5}, [8000, 8000], 6050),
        ({"deposit_amount": 500}, [8000], 8000),
        ({"deposit_percent": 10, "deposit_first_night": True}, [9000, 7000], 9000),
    ],
)
def test_deposit_is_the_largest_of_what_is_asked(policy, prices, deposit):
    assert calculate_deposit_minor(StayDeposits(**policy), prices, "EUR") == deposit


async def test_paid_deposit_confirms_the_stay(hotel, guest, pay):
    page = await pay(await hotel.room_type(rooms=1))

    stay = await get_stay(hotel)
    assert (stay["status"], stay["deposit"]["status"], stay["deposit"]["amount"]) == ("confirmed", "paid", 50)
    assert (stay["total"], stay["prepaid"], stay["amount_due"]) == (160, 50, 110)
    assert "Deposit paid" in (await guest.read(page))[1]
    [reservation] = (await hotel.get("/reservations"))["data"]
    assert (reservation["status"], reservation["deposit"]["id"]) == ("confirmed", stay["deposit"]["id"])


async def test_stays_of_the_front_desk_need_none(hotel, bank):
    stay = await hotel.stay(await hotel.room_type(rooms=1), 5)

    assert (stay["status"], stay["deposit"]) == ("confirmed", None)


async def test_room_is_free_again_if_nobody_pays_in_time(hotel, guest, bank, clock, dispatch):
    double = await hotel.room_type(rooms=1)
    await guest.book(double)
    stay = await get_stay(hotel)
    assert (stay["status"], stay["deposit"]["status"]) == ("optional", "open")
    assert (await hotel.change(stay, expires_at="2027-03-11T00:00:00Z")).status == 409

    clock.advance(minutes=31)
    await run_task("hotel_expire_holds")
    # The bank's page may still be open.
    assert await hotel.free(double, 5, 2) == "sold_out"
    await asyncio.gather(*(run_task("payments_reconcile") for _ in range(8)))
    await dispatch()

    stay = await get_stay(hotel)
    assert (stay["status"], stay["cancelled_by"], stay["deposit"]["status"]) == ("cancelled", "system", "cancelled")
    assert await hotel.free(double, 5, 2) == 1


@pytest.mark.parametrize(
    ("days", "by", "deposit", "refunded"),
    [(2, "guest", "refunded", [DEPOSIT]), (4, "guest", "kept", []), (4, "hotel", "refunded", [DEPOSIT])],
)
async def test_cancelled_stay_settles_its_deposit(hotel, guest, pay, bank, clock, days, by, deposit, refunded):
    page = await pay(await hotel.room_type(rooms=1))
    clock.advance(days=days)

    if by == "guest":
        assert ("not refunded any more" in (await guest.read(page))[1]) is (deposit == "kept")
        assert (await guest.cancel(page))[0] == 200
    else:
        await hotel.must_set(await get_stay(hotel), "cancelled")
    await run_task("payments_reconcile")

    assert (await get_stay(hotel))["deposit"]["status"] == deposit
    assert list(await bank.list_refunded()) == refunded


async def test_deposit_of_a_no_show_is_kept(hotel, pay, bank, clock):
    await pay(await hotel.room_type(rooms=1))
    clock.advance(days=5)

    await hotel.must_set(await get_stay(hotel), "no_show")

    stay = await get_stay(hotel)
    assert (stay["deposit"]["status"], stay["prepaid"]) == ("kept", 0)
    assert await bank.list_refunded() == []
    # Guests who come in the night after all have paid it.
    assert (await hotel.must_set(stay, "confirmed"))["prepaid"] == 50


async def test_deposit_pays_nights_and_the_rest_goes_back(hotel, pay, bank, clock):
    assert (await hotel.send("PUT", "/settings/hotel", {"deposit_percent": 100})).status == 200
    await pay(await hotel.room_type(rooms=1))
    clock.advance(days=5)
    await hotel.must_set(await get_stay(hotel), "checked_in")
    clock.advance(days=1)

    await hotel.must_set(await get_stay(hotel), "checked_out")
    await run_task("payments_reconcile")

    stay = await get_stay(hotel)
    assert (stay["total"], stay["prepaid"], stay["amount_due"]) == (80, 80, 0)
    assert (stay["deposit"]["status"], stay["deposit"]["order_id"]) == ("applied", None)
    assert list(await bank.list_refunded()) == [8000]


async def test_pay_cancel_and_lapse_at_once_take_money_once_or_not(hotel, guest, bank, clock, dispatch):
    double = await hotel.room_type(rooms=6)
    pages = [(await guest.book(double))[1]["url"] for _ in range(6)]
    urls = [await guest.start(page) for page in pages]
    clock.advance(minutes=29, seconds=59)
    acts = [bank.pay(url) for url in urls] + [guest.cancel(page) for page in pages[:3]]
    clock.advance(seconds=2)

    await asyncio.gather(*acts, *(run_task("payments_reconcile") for _ in range(4)))
    for _ in range(4):
        clock.advance(minutes=2)
        await run_task("payments_reconcile")
        await dispatch()

    stays = [await hotel.look(each) for each in (await hotel.get("/stays"))["data"]]
    paid = [stay for stay in stays if stay["deposit"]["held"]]
    assert {(stay["status"], stay["deposit"]["status"]) for stay in paid} <= {("confirmed", "paid")}
    assert {stay["status"] for stay in stays if stay not in paid} <= {"cancelled"}
    kept = sum(await bank.list_collected()) - sum(await bank.list_refunded())
    assert kept == DEPOSIT * len(paid)


async def test_hotel_that_cannot_be_paid_online_asks_to_call(hotel, guest, bank):
    [account] = (await hotel.send_to("/api/v1/payment-accounts"))["data"]
    await hotel.send_to(f"/api/v1/payment-accounts/{account['id']}", "DELETE")

    status, refusal = await guest.book(await hotel.room_type(rooms=1))

    assert (status, refusal["reason"]) == (409, "no_online_payment")
    assert (await hotel.get("/stays"))["total"] == 0


async def test_booking_page_says_what_is_paid_and_until_when_it_is_refunded(hotel, guest, bank):
    double = await hotel.room_type(rooms=1)

    _, early = await guest.search("check_in=2027-03-15&check_out=2027-03-17", f"/{double['id']}")
    _, late = await guest.search("check_in=2027-03-11&check_out=2027-03-12", f"/{double['id']}")

    assert (
        "A deposit of €50.00 is paid online to book. You get it back if you cancel until 13 Mar 2027, 15:00." in early
    )
    assert "It is not refunded if you cancel." in late


async def test_prepaid_nights_are_owed_until_the_guests_leave(hotel, pay, clock, dispatch):
    assert (await hotel.send("PUT", "/settings/hotel", {"deposit_percent": 100})).status == 200
    await pay(await hotel.room_type(rooms=1))
    days = [clock_module.now().date()]
    clock.advance(days=5)
    await hotel.must_set(await get_stay(hotel), "checked_in")
    clock.advance(days=1)
    days.append(clock_module.now().date())

    await hotel.must_set(await get_stay(hotel), "checked_out")
    await run_task("payments_reconcile")
    await dispatch()

    figures = [(await hotel.get(f"/day-report?from={day}&to={day}"))["figures"] for day in days]
    assert [each["prepayments"] for each in figures] == [160, -80]
    assert [each["prepaid_stays"] for each in figures] == [0, 80]
    assert {each["sales_total"] for each in figures} == {0}


@pytest.fixture
async def desk_stay(hotel, bank):
    return await hotel.stay(await hotel.room_type(rooms=1), 0, 2, email="ada@example.com")


@pytest.fixture
def ask(hotel, desk_stay, sent_messages):
    """Request payment of the front desk's stay, and return the reply and the path of the page in the mail."""

    async def send(**body):
        reply = await hotel.send("PUT", f"/stays/{desk_stay['id']}/deposit", body)
        mails = list_requests(await sent_messages())
        return reply, mails[-1].text.partition("http://comanda.test")[2].split()[0] if mails else None

    return send


async def test_desk_asks_for_a_part_of_the_nights(hotel, guest, bank, desk_stay, ask, dispatch, clock):
    reply, page = await ask(amount=60)
    assert (reply.status, reply["status"], reply["deposit"]["amount"]) == (200, "confirmed", 60)

    await bank.pay(await guest.start(page))
    clock.advance(minutes=2)
    await run_task("payments_reconcile")
    await dispatch()

    stay = await hotel.look(desk_stay)
    assert (stay["status"], stay["deposit"]["status"], stay["prepaid"], stay["amount_due"]) == (
        "confirmed",
        "paid",
        60,
        100,
    )


async def test_guests_who_have_left_pay_their_nights(hotel, guest, bank, desk_stay, ask, dispatch, clock):
    await hotel.must_set(await hotel.must_set(desk_stay, "checked_in"), "checked_out", charge_unused_nights=True)
    _, page = await ask()

    await bank.pay(await guest.start(page))
    clock.advance(minutes=2)
    await run_task("payments_reconcile")
    await dispatch()

    stay = await hotel.look(desk_stay)
    assert (stay["status"], stay["deposit"]["status"], stay["amount_due"]) == ("checked_out", "applied", 0)


@pytest.mark.parametrize(
    ("first", "again", "status"), [(60, 60, 200), (60, 50, 409), (None, None, 200), (0, 60, 200), (160.01, 160, 200)]
)
async def test_guest_is_asked_once(hotel, desk_stay, ask, sent_messages, first, again, status):
    refused = first in (0, 160.01)
    assert (await ask(amount=first))[0].status == (422 if refused else 200)

    replies = await asyncio.gather(
        *(hotel.send("PUT", f"/stays/{desk_stay['id']}/deposit", {"amount": again}) for _ in range(4))
    )

    assert {reply.status for reply in replies} == {status}
    assert len(list_requests(await sent_messages())) == 1
    prepayments = (await hotel.get("/prepayments"))["data"]
    assert [each["amount"] for each in prepayments] == [(again if refused else first) or 160]


async def test_stay_that_is_cancelled_is_not_asked_for(hotel, guest, desk_stay, ask, dispatch):
    _, page = await ask()
    await hotel.must_set(desk_stay, "cancelled")
    await run_task("payments_reconcile")
    await dispatch()

    assert (await hotel.look(desk_stay))["deposit"]["status"] == "cancelled"
    assert (await ask())[0].status == 409
    assert "Pay the deposit" not in (await guest.read(page))[1]
