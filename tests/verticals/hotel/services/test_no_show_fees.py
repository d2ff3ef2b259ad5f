"""The fees of guests who did not come and have paid no deposit."""

import asyncio

import pytest
from comanda.devkit.testing.tasks import run_task
from comanda_hotel.models import Stay
from comanda_hotel.services.no_show_fees import calculate_fee_minor
from comanda_hotel.store_settings import StayDeposits

from ..conftest import list_requests

# Of two nights at 80.00.
FEE = 8000


@pytest.mark.parametrize(
    ("policy", "prices", "fee"),
    [
        ({}, [8000, 8000], 0),
        ({"no_show_percent": 50}, [4001], 2001),
        ({"no_show_first_night": True}, [9000, 7000], 9000),
        ({"no_show_percent": 80, "no_show_first_night": True}, [9000, 7000], 12800),
        ({"deposit_percent": 100}, [8000], 0),
    ],
)
def test_fee_is_the_larger_of_what_is_asked(policy, prices, fee):
    stay = Stay(nightly=[{"date": "", "price_minor": each} for each in prices], total_minor=sum(prices))
    assert calculate_fee_minor(StayDeposits(**policy), stay) == fee


@pytest.fixture
async def policy(hotel, bank):
    settings = {"deposit_percent": 0, "deposit_amount": None, "no_show_percent": 30, "no_show_first_night": True}
    assert (await hotel.send("PUT", "/settings/hotel", settings)).status == 200


@pytest.fixture
async def no_show(hotel, policy, sent_messages):
    """A stay of the front desk whose guests did not come, and the path of its page from the mail to them."""
    booked = await hotel.stay(await hotel.room_type(rooms=1), 0, 2, email="ada@example.com")
    stay = await hotel.must_set(booked, "no_show")
    [mail] = list_requests(await sent_messages())
    stay["page"] = mail.text.partition("http://comanda.test")[2].split()[0]
    return stay


async def return_from_bank(guest, dispatch):
    await run_task("payments_reconcile")
    for _ in range(2):
        await dispatch()


async def test_guest_pays_the_fee_which_is_kept(hotel, guest, bank, no_show, dispatch, clock):
    deposit = (await hotel.look(no_show))["deposit"]
    assert (deposit["status"], deposit["amount"]) == ("open", 80)
    assert "Pay the no-show fee" in (await guest.read(no_show["page"]))[1]

    await bank.pay(await guest.start(no_show["page"]))
    clock.advance(minutes=2)
    await return_from_bank(guest, dispatch)

    stay = await hotel.look(no_show)
    assert (stay["status"], stay["deposit"]["status"], stay["deposit"]["held"]) == ("no_show", "kept", 80)
    assert "Pay the no-show fee" not in (await guest.read(no_show["page"]))[1]
    day = no_show["check_in"]
    figures = (await hotel.get(f"/day-report?from={day}&to={day}"))["figures"]
    assert (figures["kept_deposits"], figures["sales_total"]) == (80, 0)
    # Guests who come in the night after all have paid it.
    assert (await hotel.must_set(stay, "confirmed"))["prepaid"] == 80


async def test_fee_is_withdrawn_when_the_guests_come_after_all(hotel, guest, bank, no_show, dispatch, clock):
    await hotel.must_set(no_show, "confirmed")
    await run_task("payments_reconcile")
    await dispatch()

    stay = await hotel.look(no_show)
    assert (stay["status"], stay["deposit"]["status"], stay["amount_due"]) == ("confirmed", "cancelled", 160)
    # A second no-show owes it again.
    assert (await hotel.must_set(stay, "no_show"))["deposit"]["status"] == "open"


async def test_paying_and_withdrawing_at_once_lose_no_money(hotel, guest, bank, no_show, dispatch, clock):
    url = await guest.start(no_show["page"])

    await asyncio.gather(
        bank.pay(url), hotel.set(no_show, "confirmed"), *(run_task("payments_reconcile") for _ in range(4))
    )
    for _ in range(4):
        clock.advance(minutes=2)
        await return_from_bank(guest, dispatch)

    stay = await hotel.look(no_show)
    held = sum(await bank.list_collected()) - sum(await bank.list_refunded())
    assert stay["status"] == "confirmed"
    assert held == FEE * (stay["deposit"]["status"] in ("paid", "kept"))
    assert stay["amount_due"] == 160 - held / 100


async def test_deposit_that_was_paid_is_the_fee(hotel, pay, bank, clock, policy, sent_messages):
    settings = {"deposit_percent": 30, "deposit_amount": None, "no_show_percent": 100}
    assert (await hotel.send("PUT", "/settings/hotel", settings)).status == 200
    await pay(await hotel.room_type(rooms=1), email="ana@example.com")
    clock.advance(days=5)
    [stay] = (await hotel.get("/stays"))["data"]

    stay = await hotel.must_set(stay, "no_show")

    assert (stay["deposit"]["status"], stay["deposit"]["amount"]) == ("kept", 48)
    assert list_requests(await sent_messages()) == []


async def test_hotel_that_cannot_be_paid_online_asks_for_none(hotel, policy, sent_messages):
    [account] = (await hotel.send_to("/api/v1/payment-accounts"))["data"]
    await hotel.send_to(f"/api/v1/payment-accounts/{account['id']}", "DELETE")
    booked = await hotel.stay(await hotel.room_type(rooms=1), 0, email="ada@example.com")

    stay = await hotel.must_set(booked, "no_show")

    assert stay["deposit"] is None
    assert list_requests(await sent_messages()) == []
