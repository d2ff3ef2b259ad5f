"""E-mails about webhook endpoints."""

import pytest
from comanda.platform.db import sql
from comanda.platform.events import publish
from comanda_notifications import settings
from comanda_webhooks.events import EndpointDisabled, EndpointFailing


@pytest.fixture
def read_emails(owner):
    async def read():
        return await sql.fetch("SELECT * FROM notifications_message WHERE owner_id = $1 ORDER BY id", owner.id)

    return read


async def test_owner_is_notified_of_endpoint_failures(owner, dispatch, read_emails):
    url = "https://hooks.example.com/in"
    await publish(EndpointFailing(endpoint_id=12, url=url, failure_count=14), owner_id=owner.id)
    await publish(EndpointDisabled(endpoint_id=12, url=url, reason="gone"), owner_id=owner.id)
    await publish(EndpointDisabled(endpoint_id=13, url=url, reason="failing"), owner_id=owner.id)

    await dispatch()

    failing, gone, failed = await read_emails()
    assert {row["address"] for row in (failing, gone, failed)} == {owner.email}
    assert failing["purpose"] == "webhook_endpoint.failing"
    assert f"your webhook endpoint 12 ({url}) has failed 14 times in a row." in failing["text"]
    assert "it answered 410" in gone["text"]
    assert "it has failed for too long." in failed["text"]
    assert "$" not in failing["text"] + gone["text"] + failed["text"]


async def test_repeated_event_sends_one_email(owner, dispatch, read_emails):
    await publish(EndpointDisabled(endpoint_id=1, url="https://a.example/", reason="gone"), owner_id=owner.id)
    await dispatch()
    await sql.execute("UPDATE core_outbox SET done_at = NULL, due_at = now() WHERE owner_id = $1", owner.id)

    await dispatch()

    assert len(await read_emails()) == 1


async def test_rate_limit_does_not_block_events(owner, dispatch, read_emails, monkeypatch):
    monkeypatch.setattr(settings.get_settings(), "max_per_address_per_hour", 1)
    for id in (1, 2):
        await publish(EndpointDisabled(endpoint_id=id, url="https://a.example/", reason="gone"), owner_id=owner.id)

    await dispatch()

    assert len(await read_emails()) == 1
    waiting = "SELECT count(*) FROM core_outbox WHERE owner_id = $1 AND done_at IS NULL"
    assert await sql.fetch_value(waiting, owner.id) == 0
