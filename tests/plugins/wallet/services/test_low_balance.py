"""The message of a low balance: once per crossing of the threshold."""

import pytest
from comanda.basics.clock import now
from comanda.contracts import StoredEvent
from comanda_wallet.event_handlers import notify_owners
from comanda_wallet.services import wallets


@pytest.fixture
async def threshold(wallet, owner):
    await wallet.top_up(1000)
    return await wallets.set_threshold(owner.id, 500)


@pytest.fixture
def read_messages(owner, sent_messages):
    """Return a function that returns what the owner was sent: events of earlier tests send messages to theirs."""

    async def of_owner():
        return [message for message in await sent_messages() if message.to == owner.email]

    return of_owner


async def test_owner_is_told_once_per_crossing(wallet, threshold, published, dispatch, read_messages):
    await wallet.charge(500)
    assert await published() == []
    entry = await wallet.charge(1)
    await wallet.charge(1)
    await dispatch()

    told = {"entry_id": entry.id, "balance": "4.99", "threshold": "5.00", "currency": "EUR"}
    assert await published() == [("wallet.low_balance", told)]
    [message] = await read_messages()
    assert (message.channel, message.subject) == ("email", "Your wallet is running low")
    assert "is 4.99 EUR, below the 5.00 EUR" in message.text

    await wallet.top_up(100)
    await wallet.charge(200)
    await dispatch()
    assert [data["balance"] for _, data in await published()] == ["4.99", "3.98"]
    assert len(await read_messages()) == 2


async def test_repeated_event_sends_nothing_twice(wallet, threshold, owner, read_messages):
    data = {"entry_id": 7, "balance": "4.99", "threshold": "5.00", "currency": "EUR"}
    event = StoredEvent(1, owner.id, None, "wallet.low_balance", data, now())

    await notify_owners([event])
    await notify_owners([event])

    assert len(await read_messages()) == 1


async def test_repeated_charge_announces_nothing(wallet, threshold, published):
    await wallet.charge(900, "same")
    await wallet.charge(900, "same")

    assert len(await published()) == 1


async def test_threshold_above_balance_is_not_announced(wallet, owner, published):
    changed = await wallets.set_threshold(owner.id, 500)
    await wallet.top_up(10)
    await wallet.charge(5)

    assert (changed.is_low, await published()) == (True, [])
