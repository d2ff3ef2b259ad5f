"""Messages that were given up, retried and discarded by administrators."""

from datetime import timedelta

import pytest
from comanda.basics import Conflict, NotFound
from comanda.contracts import PageRequest, Undeliverable
from comanda.platform.db import sql
from comanda.platform.queue.dead_letters import list_dead_letters
from comanda_notifications.services import dead_letters
from comanda_notifications.services.sender import QUEUES


@pytest.fixture
def fail(send, senders, carrier):
    """Return a function that sends a message that no transport can deliver."""

    async def fail(**options):
        id = await send(**options)
        carrier.error = Undeliverable("No such number.")
        await senders["sms"].process_all_due()
        carrier.error = None
        return id

    return fail


async def list_rows(owner):
    [queue] = [queue for queue in QUEUES if queue.name.endswith("sms")]
    return [row for row in (await list_dead_letters(queue, PageRequest(1, 100))).data if row.owner_id == owner.id]


async def test_undeliverable_message_is_listed_without_its_address(fail, owner):
    id = await fail()

    [row] = await list_rows(owner)

    assert (row.id, row.title, row.attempts, row.reason) == (id, "test", 1, "No such number.")
    assert "+351911111111" not in repr(row)


async def test_retried_message_is_sent(fail, owner, senders, carrier, read_message, read_attempts):
    id = await fail()

    async with sql.transaction():
        await dead_letters.retry_message(owner.id, id)
    await senders["sms"].process_all_due()

    assert (await read_message(id))["status"] == "sent"
    assert await read_attempts(id) == [(1, "carrier", None)]
    assert [message.text for message in carrier.sent] == ["Your table is ready."]
    assert await list_rows(owner) == []


async def test_message_whose_text_is_erased_or_that_expired_is_not_retried(
    production, fail, owner, clock, read_message
):
    secret = await fail(secret=True)
    expired = await fail(to="+351922222222", expires_at=clock() + timedelta(minutes=5))
    clock.advance(minutes=6)

    for id, reason in ((secret, "erased"), (expired, "expired")):
        with pytest.raises(Conflict) as refused:
            await dead_letters.retry_message(owner.id, id)
        assert refused.value.extras["reason"] == reason
        assert (await read_message(id))["status"] == "undeliverable"


async def test_discarded_message_is_gone(fail, owner, other_owner, read_message):
    id = await fail()
    for act in (dead_letters.discard_message, dead_letters.retry_message):
        with pytest.raises(NotFound):
            await act(other_owner.id, id)
    assert await read_message(id) is not None

    await dead_letters.discard_message(owner.id, id)

    assert await read_message(id) is None
    with pytest.raises(NotFound):
        await dead_letters.retry_message(owner.id, id)
