"""The demo bank, whose page is used as by a browser without scripts."""

from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from comanda.devkit.testing import DisputeFake, PayoutFake, ReaderFake, line
from comanda.platform import runtime as runtime_module
from demo_bank import DemoBankFake


class DemoDisputeFake(DisputeFake):
    def __init__(self, bank):
        self.bank = bank

    async def dispute(self, url):
        assert await self.bank.answer(url, "dispute") == urlsplit(url).path

    async def decide(self, url, state):
        await self.bank.answer(url, {"won": "win", "lost": "lose"}[state])

    async def report(self, account, url):
        return None


class DemoPayoutFake(PayoutFake):
    def __init__(self, bank):
        self.bank = bank

    async def pay_out(self, url):
        assert await self.bank.answer(url, "payout") == urlsplit(url).path

    async def finish(self, url, state):
        await self.bank.answer(url, {"paid": "arrive", "failed": "return"}[state])

    async def report(self, account, url):
        return None


class DemoReaderFake(ReaderFake):
    def __init__(self, client):
        self.client = client

    async def answer(self, reader, answer):
        response = await self.client.post(f"/demobank-readers/{reader}/answer", form={"answer": answer})
        assert response.status_code == 303
        assert response.headers["Location"] == f"/demobank-readers/{reader}"

    async def pay(self, reader):
        await self.answer(reader, "pay")

    async def decline(self, reader):
        await self.answer(reader, "decline")

    async def unplug(self, reader):
        await self.answer(reader, "disconnect")


@pytest.fixture
def reader_fake(client):
    return DemoReaderFake(client)


@pytest.fixture
def provider_fake(client, owner):
    return DemoBankFake(client, owner)


@pytest.fixture
def dispute_fake(provider_fake):
    return DemoDisputeFake(provider_fake)


@pytest.fixture
def payout_fake(provider_fake):
    return DemoPayoutFake(provider_fake)


@pytest.fixture
def in_production(app):
    before = runtime_module.current()
    runtime_module.use(replace(before, settings=before.settings.model_copy(update={"development": False})))
    yield
    runtime_module.use(before)


@pytest.fixture
async def payment(store):
    """A payment that waits at the bank for its answer."""
    reply = await store.send_to("/api/v1/payment-accounts", "POST", {"provider": "demo"})
    assert (reply.status, reply["state"], reply["mode"]) == (201, "ready", "test"), reply
    order = await store.order(line(await store.item("Soup", 10)))
    reply = await store.send(
        "POST", f"/orders/{order['id']}/payments", {"method": "demo", "return_url": "https://a.example/b"}
    )
    assert (reply.status, reply["status"]) == (201, "pending"), reply
    return reply


@pytest.fixture
def read(client):
    """Return the status and the text of a page of the bank."""

    async def open_page(url):
        response = await client.get(url.removeprefix("http://comanda.test"))
        return response.status_code, await response.get_data(as_text=True)

    return open_page
