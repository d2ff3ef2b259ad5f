"""Card payments end to end: page, callback, check, refund."""

import pytest


@pytest.fixture
async def merchant(shop, cardpay):
    reply = await shop.send("PUT", "/settings/cardpay", {"statement_text": "Clean Shirts"})
    assert reply.status == 200, reply
    account = {"provider": "cardpay", "restaurant_id": shop.id, "credentials": {"merchant": "00012345"}}
    reply = await shop.send_to("/api/v1/payment-accounts", "POST", account)
    assert (reply.status, reply["state"], reply["mode"]) == (201, "ready", "test"), reply


@pytest.mark.usefixtures("merchant")
async def test_payment_counts_once_the_callback_says_so(cardpay, pay, call_back, money):
    started = await pay(return_url="https://shop.example/thanks")
    assert (started.status, started["status"]) == (201, "pending")
    assert started["redirect_url"] == f"{cardpay.url}/pay/page-1"
    sent = {name: cardpay.page[name] for name in ("merchant", "amount", "currency", "text", "return_url")}
    assert sent == {
        "merchant": "00012345",
        "amount": 1200,
        "currency": "EUR",
        "text": "Clean Shirts",
        "return_url": "https://shop.example/thanks",
    }
    assert await money() == ("unpaid", 0, 0)

    cardpay.pay()
    for _ in range(2):
        received = await call_back()
        assert received.status_code == 200

    assert await money() == ("paid", 12, 0)


@pytest.mark.usefixtures("cardpay")
async def test_method_is_not_offered_without_an_account(pay):
    reply = await pay()

    assert "cardpay" not in reply.errors["method"][0]


@pytest.mark.usefixtures("cardpay")
async def test_unknown_merchant_is_refused(shop):
    body = {"provider": "cardpay", "credentials": {"merchant": "99"}}

    reply = await shop.send_to("/api/v1/payment-accounts", "POST", body)

    assert reply.errors == {"credentials": ["Unknown merchant."]}
    assert (await shop.send_to("/api/v1/payment-accounts"))["data"] == []


@pytest.mark.usefixtures("merchant")
@pytest.mark.parametrize(
    "forged",
    [{"secret": "guessed"}, {"age": 301}, {"age": -301}, {"signature": "t=1,v1=00"}, {"signature": "none"}],
)
async def test_callback_without_a_valid_signature_changes_nothing(cardpay, pay, call_back, money, forged):
    await pay()
    cardpay.pay()

    response = await call_back(**forged)

    assert (response.status_code, (await response.get_json())["code"]) == (401, "unauthenticated")
    assert await money() == ("unpaid", 0, 0)


@pytest.mark.usefixtures("merchant")
@pytest.mark.parametrize(
    "other",
    [{"key": "payment-1-999999999"}, {"id": "page-of-another"}, {"key": "nonsense"}, {"merchant": "00099999"}],
)
async def test_callback_about_another_payment_changes_nothing(cardpay, pay, call_back, money, other):
    await pay()
    cardpay.pay()

    response = await call_back({**cardpay.page, **other})

    assert response.status_code == 200
    assert await money() == ("unpaid", 0, 0)


@pytest.mark.usefixtures("merchant", "cardpay")
async def test_callback_about_nothing_is_refused(pay, call_back):
    await pay()

    assert (await call_back({"id": "page-1"})).status_code == 400


@pytest.mark.usefixtures("merchant")
async def test_cancelled_payment_closes_the_page(shop, order, cardpay, pay, money):
    started = await pay()

    reply = await shop.send("POST", f"/orders/{order['id']}/payments/{started['id']}/cancel")

    assert (reply.status, reply["status"]) == (200, "cancelled")
    assert cardpay.page["state"] == "closed"
    assert await money() == ("unpaid", 0, 0)


@pytest.mark.usefixtures("merchant")
async def test_refund_goes_back_to_the_card(shop, order, cardpay, pay, call_back, money):
    await pay()
    cardpay.pay()
    await call_back()

    reply = await shop.send("POST", f"/orders/{order['id']}/refunds", {"amount": 5, "reason": "A stain stayed"})

    assert reply.status == 201, reply
    [refund] = cardpay.refunds.values()
    assert (refund["payment"], refund["amount"]) == ("pay-of-page-1", 500)
    assert (await money())[2] == 5
