"""Card readers at the till, and what never arrives with them: the card."""

import re

import pytest
from comanda.accounts.services import issue_token
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_staff.caller_kinds import STAFF

ACCOUNTS = "/api/v1/payment-accounts"
READERS = "/api/v1/staff/card-readers"
# 13 to 19 digits in a row, or in groups as they are printed.
CARD_NUMBER = re.compile(r"(?<![0-9a-f-])[3-6][0-9]{3}(?:[ -]?[0-9]{4}){2}[ -]?[0-9]{1,7}(?![0-9a-f-])")


def has_card_number(text):
    """Return whether a text has a number that passes the check of card numbers (Luhn)."""
    return any(_is_luhn(re.sub(r"[ -]", "", found)) for found in CARD_NUMBER.findall(text))


def _is_luhn(number):
    digits = [int(digit) for digit in reversed(number)]
    return sum(digits[::2] + [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]) % 10 == 0


@pytest.mark.parametrize("number", ["4242424242424242", "4000 0566 5566 5556", "378282246310005"])
def test_numbers_of_cards_are_recognized(number):
    assert has_card_number(f'{{"card": "{number}"}}')
    assert not has_card_number(number[:-1] + str((int(number[-1]) + 1) % 10))


@pytest.fixture
async def account(store):
    return (await store.send_to(ACCOUNTS, "POST", {"provider": "demo"})).document


@pytest.fixture
async def reader(store, account):
    return (await store.send_to(f"{ACCOUNTS}/{account['id']}/readers", "POST", {"name": "Bar"})).document


@pytest.fixture
def list_readers(client, owner):
    """List the readers as staff of a store with some permissions."""

    async def send(store_id, *permissions):
        token = await issue_token(STAFF, owner.id, permissions, name="x", store_id=store_id, subject_id=7)
        response = await client.get(READERS, headers={"Authorization": f"Bearer {token.secret}"})
        return response.status_code, await response.get_json()

    return send


async def test_till_lists_the_readers_of_its_store(list_readers, owner, store, account, reader):
    assert await list_readers(store.id, "orders") == (200, [{**reader, "method": "demo"}])
    assert (await list_readers(store.id, "kitchen"))[0] == 403

    other = await owner.store()
    assert await list_readers(other, "orders") == (200, [{**reader, "method": "demo"}])
    await store.send_to(ACCOUNTS, "POST", {"provider": "demo", "restaurant_id": other})
    assert await list_readers(other, "orders") == (200, [])


async def test_reader_needs_a_method_with_readers(store, reader):
    order = await store.order(line(await store.item("Soup", 10)))

    for method in ("cash", "card_external", "stripe", "barter"):
        body = {"method": method, "reader": reader["reference"]}
        reply = await store.send("POST", f"/orders/{order['id']}/payments", body)
        assert (reply.status, reply.errors) == (422, {"method": ["With a card reader, must be one of: demo."]})


async def test_no_number_of_a_card_reaches_comanda(client, owner, store, reader, published, capfd):
    """Everything that is answered, announced, stored or logged while guests pay by card, and get money back."""
    said = []
    order = await store.order(line(await store.item("Soup", 10)))
    path = f"/orders/{order['id']}/payments"
    for body in ({"method": "demo", "amount": 4}, {"method": "demo", "reader": reader["reference"]}):
        payment = await store.send("POST", path, body)
        assert payment["status"] == "pending", payment
        page = payment["redirect_url"] or reader["url"]
        response = await client.get(page.removeprefix("http://comanda.test"))
        said.append(await response.get_data(as_text=True))
        await client.post(f"{page.removeprefix('http://comanda.test')}/answer", form={"answer": "pay"})
        said.append(str((await store.send("POST", f"{path}/{payment['id']}/check")).document))
    refund = await store.send("POST", f"/orders/{order['id']}/refunds", {"reason": "Cold"})
    assert refund.status == 201
    said += [str((await store.get(f"/orders/{order['id']}")).document), str((await store.get(path)).document)]
    said += [str(event) for event in await published()]
    for table in ("payments_payment", "payments_refund_part", "demobank_charge", "demobank_refund", "core_outbox"):
        said += [str(dict(row)) for row in await sql.fetch(f"SELECT * FROM {table} WHERE owner_id = $1", owner.id)]
    said += list(capfd.readouterr())

    assert "'paid_total': 10.0" in "".join(said)
    assert [text for text in said if has_card_number(text)] == []
