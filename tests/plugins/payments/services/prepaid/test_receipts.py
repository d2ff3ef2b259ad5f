"""Receipts by e-mail."""

import re

from comanda.devkit.testing.payment_providers import reconcile


async def test_buyer_gets_the_code_by_mail_once(payer, selling, clock, dispatch, sent_messages, till, store):
    await payer.bank.pay((await payer.buy(30, "bea@example.com"))["url"])
    await reconcile(clock)
    await dispatch()
    await reconcile(clock)
    await dispatch()

    [message] = [each for each in await sent_messages() if each.to == "bea@example.com"]
    code = re.search(r"[A-Z2-9]{4}(-[A-Z2-9]{4}){3}", message.text).group()
    assert "€30.00" in message.text
    paid = await till.pay("gift_card", 20, code=code)
    assert (paid.status, paid["payment_status"]) == (201, "paid")


async def test_guest_gets_a_receipt_of_the_deposit_in_the_own_language(paid_deposit, dispatch, sent_messages):
    await paid_deposit(4000, email="carl@example.com")

    await dispatch()

    [message] = [each for each in await sent_messages() if each.to == "carl@example.com"]
    assert "Anzahlung von 40,00\N{NO-BREAK SPACE}€" in message.text
    assert "http://comanda.test/reservations/1?expires=2" in message.text
