"""Deliveries that were given up, retried and discarded by administrators."""

import pytest
from comanda.basics import Conflict, NotFound
from comanda.contracts import PageRequest
from comanda.platform.db import sql
from comanda.platform.queue.dead_letters import list_dead_letters
from comanda_webhooks.services import dead_letters
from comanda_webhooks.services.sender import QUEUE


async def find_row(owner):
    found = (await list_dead_letters(QUEUE, PageRequest(1, 100))).data
    return next((row for row in found if row.owner_id == owner.id), None)


async def test_failed_delivery_is_listed_with_its_reason(failed_delivery, owner):
    row = await find_row(owner)

    assert (row.id, row.attempts, row.reason) == (failed_delivery[1]["id"], 5, "HTTP 500")
    assert row.title.count(".") == 1


async def test_retried_delivery_is_sent_with_its_id(failed_delivery, owner, inbox, sender, get_deliveries):
    endpoint, row = failed_delivery

    async with sql.transaction():
        await dead_letters.retry_delivery(owner.id, row["id"])

    assert await find_row(owner) is None
    assert await sender.process_all_due() == 1
    [stored] = await get_deliveries(endpoint)
    assert (stored["status"], stored["attempts"]) == ("delivered", 1)
    assert {received.id for received in inbox.received} == {row["message_id"]}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE webhooks_delivery SET body = NULL WHERE endpoint_id = $1", "pruned"),
        ("UPDATE webhooks_endpoint SET is_paused = true WHERE id = $1", "paused"),
    ],
)
async def test_delivery_that_cannot_be_sent_stays_a_dead_letter(failed_delivery, owner, change, reason):
    endpoint, row = failed_delivery
    await sql.execute(change, endpoint["id"])

    with pytest.raises(Conflict) as refused:
        await dead_letters.retry_delivery(owner.id, row["id"])

    assert refused.value.extras["reason"] == reason
    assert (await find_row(owner)).id == row["id"]


async def test_discarded_delivery_is_gone(failed_delivery, owner, other_owner, get_deliveries):
    endpoint, row = failed_delivery
    for act in (dead_letters.discard_delivery, dead_letters.retry_delivery):
        with pytest.raises(NotFound):
            await act(other_owner.id, row["id"])

    await dead_letters.discard_delivery(owner.id, row["id"])

    assert await get_deliveries(endpoint) == []
    with pytest.raises(NotFound):
        await dead_letters.discard_delivery(owner.id, row["id"])
