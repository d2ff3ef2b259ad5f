"""Messages and tasks in tests of plugins."""

import pytest
from comanda.contracts.background.messaging import OutgoingMessage
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda_notifications import api


async def test_waiting_messages_are_sent_to_nobody(owner, sent_messages):
    message = OutgoingMessage("sms", "+351912345678", "Ready.")
    async with sql.transaction():
        await api.send(message, owner_id=owner.id, purpose="test")

    assert [(each.to, each.text) for each in await sent_messages()] == [(message.to, message.text)]
    assert len(await sent_messages()) == 1


async def test_messages_of_earlier_tests_are_not_listed(owner, sent_messages):
    assert await sent_messages() == []


async def test_task_runs_by_its_name(run_task, sent_messages, owner, clock):
    async with sql.transaction():
        await api.send(OutgoingMessage("sms", "+351912345678", "Old."), owner_id=owner.id, purpose="test")
    assert len(await sent_messages()) == 1
    clock.advance(days=60)

    await run_task("notifications_prune")

    assert await sql.fetch_value("SELECT count(*) FROM notifications_message WHERE owner_id = $1", owner.id) == 0


async def test_unknown_task_is_refused(run_task):
    assert "no_such_task" not in runtime.registry().tasks
    with pytest.raises(LookupError, match="no_such_task"):
        await run_task("no_such_task")
