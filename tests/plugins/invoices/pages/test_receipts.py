"""The page on which guests ask for the receipt of an order by e-mail."""

from uuid import uuid4

import pytest
from comanda.accounts import administration
from comanda.platform.db import sql

from ..conftest import OWN_PAGE

LINK = 'href="/receipt/'
SELECT_MESSAGES = """
    SELECT address AS recipient, subject, text FROM notifications_message
    WHERE owner_id = $1 AND purpose = 'invoices.receipt' ORDER BY id
"""


@pytest.fixture
def guest(client, new_guest, paid_order):
    return new_guest(paid_order)


@pytest.fixture
def ask(client):
    async def send(guest, email="ana@example.com", headers=OWN_PAGE, **fields):
        body = {"email": email, "client_uuid": str(uuid4()), **fields}
        response = await client.post(f"/receipt/{guest.token}/send", json=body, headers=headers)
        return response.status_code, await response.get_json()

    return send


@pytest.fixture
def messages(owner):
    async def read():
        return await sql.fetch(SELECT_MESSAGES, owner.id)

    return read


async def test_guest_gets_the_receipt(client, guest, ask, messages, set_seller):
    await set_seller(is_offered=False)
    assert f'{LINK}{guest.token}"' in await guest.track()
    form = await client.get(f"/receipt/{guest.token}")
    assert (form.status_code, form.headers["Cache-Control"]) == (200, "no-store")

    status, answer = await ask(guest)

    assert (status, answer) == (201, {"url": f"/receipt/{guest.token}?sent=1"})
    assert "is on its way" in await (await client.get(answer["url"])).get_data(as_text=True)
    (message,) = await messages()
    assert message["recipient"] == "ana@example.com"
    for text in (
        "Tasca do Mar Lda\nRua da Praia 7\n8600 Lagos\nTax number: PT501964843\n",
        "2 \u00d7 Soup: €20.00\n1 \u00d7 Tea: €3.00\nTip: €2.00\nTotal: €25.00\n",
        "\nTax at 6%: €0.17\nTax at 23%: €3.74\nCash: €25.00\n",
        f"/t/{guest.token}",
    ):
        assert text in message["text"], message["text"]


async def test_receipt_is_in_the_language_of_the_guest(guest, ask, messages):
    await ask(guest, headers={**OWN_PAGE, "Accept-Language": "de"})

    (message,) = await messages()
    assert message["subject"].startswith("Beleg der Bestellung")
    assert "Trinkgeld: 2,00\xa0€" in message["text"]


async def test_address_gets_it_once_until_something_is_refunded(guest, ask, messages, refund, paid_order):
    for email in ("ana@example.com", "ANA@example.com"):
        assert (await ask(guest, email))[0] == 201
    assert len(await messages()) == 1

    await refund(paid_order, amount=5)
    await ask(guest)

    assert "Refunded: €5.00" in (await messages())[-1]["text"]


async def test_one_order_sends_few_receipts_in_a_minute(guest, ask, messages):
    answers = [(await ask(guest, f"guest{number}@example.com"))[0] for number in range(4)]

    assert answers == [201, 201, 201, 429]
    assert len(await messages()) == 3


async def test_order_that_is_not_paid_has_none(client, new_order, new_guest, ask, messages):
    guest = new_guest(await new_order())

    assert LINK not in await guest.track()
    assert (await client.get(f"/receipt/{guest.token}")).status_code == 404
    assert (await ask(guest))[0] == 409
    assert await messages() == []


@pytest.mark.parametrize("email", ["", "nobody", "a@b@c", None])
async def test_address_that_takes_no_mail_is_refused(guest, ask, messages, email):
    status, answer = await ask(guest, email)

    assert (status, list(answer["errors"])) == (422, ["email"])
    assert await messages() == []


async def test_other_sites_and_other_tokens_get_nothing(guest, ask, messages):
    assert (await ask(guest, headers={"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}))[0] == 403
    guest.token = "x" * 43
    assert (await ask(guest))[0] == 404
    assert await messages() == []


async def test_suspended_owner_sends_none(client, guest, ask, owner):
    await administration.suspend_owner(owner.id, "Unpaid")

    assert (await client.get(f"/receipt/{guest.token}")).status_code == 404
    assert (await ask(guest))[0] == 404
