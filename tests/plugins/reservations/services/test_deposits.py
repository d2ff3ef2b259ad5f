"""Deposits of reservations: asked for by policy, and what becomes of them."""

import asyncio

import pytest
from comanda.devkit.testing.tasks import run_task


async def test_small_parties_pay_no_deposit(guest):
    await guest.reserve(party_size=2)

    found = await guest.get()

    assert (found["status"], found["deposit"]) == ("confirmed", None)


async def test_paid_deposit_confirms_the_reservation(guest, pay):
    page = await pay()

    found = await guest.get()
    assert (found["status"], found["deposit"]["status"], found["deposit"]["amount"]) == ("confirmed", "paid", 40)
    assert "Deposit paid" in await guest.read(page)


async def test_table_is_released_if_nobody_pays_in_time(guest, clock, dispatch):
    await guest.reserve()
    assert (await guest.reserve())[1]["reason"] == "fully_booked"

    clock.advance(minutes=31)
    await asyncio.gather(*(run_task("payments_reconcile") for _ in range(8)))
    await dispatch()

    found = await guest.get()
    assert (found["status"], found["cancelled_by"], found["deposit"]["status"]) == ("cancelled", "system", "cancelled")
    assert await guest.restaurant.list_seatings() == []


@pytest.mark.parametrize(
    ("hours", "by", "deposit", "refunded"),
    [(0, "guest", "refunded", [4000]), (40, "guest", "kept", []), (40, "store", "refunded", [4000])],
)
async def test_cancelled_reservation_settles_its_deposit(guest, pay, clock, hours, by, deposit, refunded):
    page = await pay()
    clock.advance(minutes=60 * hours)

    if by == "guest":
        assert (await guest.cancel(page))[0] == 200
    else:
        await guest.restaurant.update_status(await guest.get(), "cancelled")
    await run_task("payments_reconcile")

    found = await guest.get()
    assert (found["status"], found["deposit"]["status"]) == ("cancelled", deposit)
    assert list(await guest.bank.list_refunded()) == refunded


async def test_deposit_of_a_no_show_is_kept(guest, pay, clock):
    await pay()
    clock.advance(minutes=60 * 60)

    await guest.restaurant.update_status(await guest.get(), "no_show")

    assert (await guest.get())["deposit"]["status"] == "kept"
    assert await guest.bank.list_refunded() == []


async def test_what_is_paid_for_a_cancelled_reservation_goes_back(guest, dispatch, clock):
    _, made = await guest.reserve()
    await guest.bank.pay(await guest.start(made["url"]))
    await guest.cancel(made["url"])

    await run_task("payments_reconcile")
    await dispatch()
    await run_task("payments_reconcile")

    found = await guest.get()
    assert (found["status"], found["deposit"]["status"]) == ("cancelled", "refunded")
    assert list(await guest.bank.list_refunded()) == [4000]


async def test_restaurant_that_cannot_be_paid_online_asks_to_call(guest):
    [account] = (await guest.store.send_to("/api/v1/payment-accounts"))["data"]
    await guest.store.send_to(f"/api/v1/payment-accounts/{account['id']}", "DELETE")

    status, refusal = await guest.reserve()

    assert (status, refusal["reason"]) == (409, "no_online_payment")
    assert (await guest.store.get("/reservations"))["total"] == 0
    assert (await guest.reserve(party_size=2))[0] == 201
