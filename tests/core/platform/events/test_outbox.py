"""Publication of events."""

import pytest
from comanda.menu.events import MenuUpdated
from comanda.platform.db import sql
from comanda.platform.events import dispatcher, outbox
from comanda.platform.tasks import notifier


async def publish(owner, count=1):
    for number in range(count):
        event = MenuUpdated(restaurant_id=1, change="created", entity="item", id=number)
        await outbox.publish(event, owner_id=owner.id)


async def publish_and_fail(owner, count=1):
    async with sql.transaction():
        await publish(owner, count)
        raise RuntimeError


async def test_an_event_lives_and_dies_with_its_transaction(owner, published):
    with pytest.raises(RuntimeError):
        await publish_and_fail(owner)

    assert await published() == []
    async with sql.transaction():
        await publish(owner)
    assert [name for name, _ in await published()] == ["menu.updated"]


@pytest.fixture
def notified():
    """The notifications of this process."""
    heard = []
    with notifier.listen(outbox.CHANNEL, lambda: heard.append(outbox.CHANNEL)):
        yield heard


async def test_an_inner_transaction_that_fails_takes_its_events_with_it(owner, published, notified):
    async with sql.transaction():
        await publish(owner)
        with pytest.raises(RuntimeError):
            await publish_and_fail(owner, 2)
        assert notified == []

    assert len(await published()) == 1
    assert notified == [outbox.CHANNEL]


async def test_rollback_sends_no_notification(owner, notified):
    with pytest.raises(RuntimeError):
        await publish_and_fail(owner)

    assert notified == []


async def test_an_event_is_due_at_once_however_wrong_this_clock_is(owner, hearing, clock):
    async def hear(events):
        return None

    hearing(hear=hear)
    clock.advance(days=30)
    await publish(owner)

    assert await dispatcher.dispatch_batch() == 1
