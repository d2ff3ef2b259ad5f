"""Creation of messages and hourly limits."""

import asyncio

import pytest
from comanda.basics import RateLimited, ValidationFailed
from comanda.contracts import OutgoingMessage
from comanda.platform.db import sql
from comanda_notifications import api, settings
from comanda_notifications.services import messages


async def test_new_message_is_pending(send, read_message, clock, store_id, owner):
    id = await send(store_id=store_id, purpose="orders.ready")

    stored = await read_message(id)
    assert (stored["owner_id"], stored["store_id"], stored["purpose"]) == (owner.id, store_id, "orders.ready")
    assert (stored["status"], stored["attempts"], stored["next_attempt_at"]) == ("pending", 0, clock())
    assert (stored["channel"], stored["address"], stored["text"]) == ("sms", "+351911111111", "Your table is ready.")


async def test_message_is_rolled_back_with_its_transaction(send, count_messages):
    async def fail():
        async with sql.transaction():
            await send()
            raise LookupError

    with pytest.raises(LookupError):
        await fail()

    assert await count_messages() == 0


async def test_once_key_is_unique_per_owner(send, count_messages, other_owner):
    first = await send(once="event:1")
    again = await send(once="event:1", to="+351922222222")
    theirs = await api.send(
        OutgoingMessage("sms", "+351911111111", "x"), owner_id=other_owner.id, purpose="t", once="event:1"
    )

    assert again == first
    assert theirs != first
    assert await count_messages() == 1


async def test_concurrent_once_key_creates_one_message(send, count_messages):
    assert len(set(await asyncio.gather(*(send(once="event:2") for _ in range(8))))) == 1
    assert await count_messages() == 1


async def test_store_of_other_owner_is_rejected(send, count_messages, other_owner):
    foreign = await other_owner.store()

    with pytest.raises(Exception, match="foreign key"):
        await send(store_id=foreign)

    assert await count_messages() == 0


async def test_messages_per_address_are_limited(send, count_messages, clock, monkeypatch):
    monkeypatch.setattr(settings.get_settings(), "max_per_address_per_hour", 2)
    await send(once="a")
    await send()

    with pytest.raises(RateLimited):
        await send()
    assert await send(once="a")
    await send(to="+351922222222")
    assert await count_messages() == 3
    clock.advance(minutes=61)
    await send()


async def test_messages_per_owner_are_limited(send, count_messages, monkeypatch, other_owner):
    monkeypatch.setattr(settings.get_settings(), "max_per_owner_per_hour", 2)
    await send(to="+351911111111")
    await send("email", "ana@example.com")

    with pytest.raises(RateLimited):
        await send(to="+351933333333")
    assert await count_messages() == 2
    assert await api.send(OutgoingMessage("sms", "+351911111111", "x"), owner_id=other_owner.id, purpose="test")


@pytest.mark.parametrize("options", [{"purpose": ""}, {"purpose": "p" * 101}, {"once": ""}, {"once": "o" * 201}])
async def test_purpose_and_once_lengths_are_limited(send, count_messages, options):
    with pytest.raises(ValidationFailed):
        await send(**options)
    assert await count_messages() == 0


async def test_list_is_limited(send):
    for _ in range(3):
        await send(to="+351977777777")

    assert len(await messages.list_latest_messages("+351977777777", 2)) == 2
