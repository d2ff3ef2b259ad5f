"""The demo bank's card readers pass what all card readers have to pass, and are pages that a person uses."""

import pytest
from comanda.devkit.testing import CardReaderSuite, line

ACCOUNTS = "/api/v1/payment-accounts"


class TestDemoReaders(CardReaderSuite):
    pass


@pytest.fixture
async def account(store):
    return (await store.send_to(ACCOUNTS, "POST", {"provider": "demo"})).document


@pytest.fixture
async def reader(store, account):
    return (await store.send_to(f"{ACCOUNTS}/{account['id']}/readers", "POST", {"name": "Bar"})).document


async def test_page_asks_for_the_card_of_a_guest(store, reader, reader_fake, read):
    assert "Ready for a card" in (await read(reader["url"]))[1]
    order = await store.order(line(await store.item("Soup", 10)))
    body = {"method": "demo", "reader": reader["reference"], "tip": 1}
    payment = await store.send("POST", f"/orders/{order['id']}/payments", body)
    status, page = await read(reader["url"])
    assert (status, "€11.00" in page, "no money moves" in page) == (200, True, True)

    await reader_fake.answer(reader["reference"], "leave")

    assert "Ready for a card" in (await read(reader["url"]))[1]
    path = f"/orders/{order['id']}/payments/{payment['id']}"
    checked = await store.send("POST", f"{path}/check")
    assert (checked["status"], checked["failure"]) == ("failed", "The payment was given up.")


async def test_unplugged_reader_is_connected_again(store, account, reader, reader_fake, read):
    await reader_fake.answer(reader["reference"], "disconnect")
    assert "Not connected" in (await read(reader["url"]))[1]
    [found] = (await store.send_to(f"{ACCOUNTS}/{account['id']}/readers")).document
    assert found["is_online"] is False

    await reader_fake.answer(reader["reference"], "connect")

    assert "Ready for a card" in (await read(reader["url"]))[1]


async def test_production_has_no_readers(reader, read, client, in_production):
    assert (await read(reader["url"]))[0] == 404
    response = await client.post(f"/demobank-readers/{reader['reference']}/answer", form={"answer": "pay"})
    assert response.headers["Location"] == "/"


@pytest.mark.parametrize("reference", ["x", "1-2", "9" * 400, "1-" + "0" * 32])
async def test_unknown_reader_is_not_found(read, client, reference):
    assert (await read(f"/demobank-readers/{reference}"))[0] == 404
    response = await client.post(f"/demobank-readers/{reference}/answer", form={"answer": "pay"})
    assert response.headers["Location"] == "/"
