"""Endpoints of other plugins: their own body, scopes and secret, unseen by the owner, and a last event."""

import asyncio

import orjson
import pytest
from comanda.basics import NotFound, ValidationFailed, clock
from comanda.platform.db import sql
from comanda_webhooks import api

SCOPES = ("orders:read",)


@pytest.fixture
def put_endpoint(owner, inbox):
    """Create the endpoint of a plugin and return what it was created from."""

    async def put(reference=1, **fields):
        given = {"url": inbox.url, "events": ["*"], "scopes": SCOPES, "secret": api.generate_secret(), **fields}
        new = api.NewPluginEndpoint(plugin="apps", reference=reference, name_key="type", **given)
        await api.create_plugin_endpoint(owner.id, new)
        return new

    return put


@pytest.fixture
def send_last(owner):
    async def send(reference=1, name="ping"):
        event = api.PluginEvent(name, {"endpoint_id": 5, "message": "bye"}, clock.now(), is_last=True)
        await api.send_plugin_event(owner.id, "apps", reference, event)

    return send


async def test_delivery_has_the_type_instead_of_the_event(put_endpoint, inbox, emit_events, sender):
    new = await put_endpoint()

    await emit_events("order.created", order_id=7)
    await sender.process_all_due()

    [received] = inbox.received
    received.verify(new.secret)
    body = orjson.loads(received.body)
    assert list(body) == ["id", "type", "created_at", "data"]
    assert (body["type"], body["data"], body["id"]) == ("order.created", {"order_id": 7}, received.id)


async def test_events_outside_the_scopes_are_not_delivered(put_endpoint, inbox, emit_events, sender):
    await put_endpoint()

    await emit_events("menu.updated", restaurant_id=1)
    await emit_events("order.status_changed", order_id=1)
    await sender.process_all_due()

    assert [orjson.loads(one.body)["type"] for one in inbox.received] == ["order.status_changed"]


async def test_excluded_events_are_not_delivered(put_endpoint, inbox, emit_events, sender):
    await put_endpoint(events=["order.*"], excluded_events=["order.created"])

    await emit_events("order.created", order_id=1)
    await emit_events("order.status_changed", order_id=1)
    await sender.process_all_due()

    assert [orjson.loads(one.body)["type"] for one in inbox.received] == ["order.status_changed"]


async def test_owner_neither_sees_nor_changes_it(put_endpoint, client, owner, inbox):
    await put_endpoint()
    id = await sql.fetch_value("SELECT id FROM webhooks_endpoint WHERE owner_id = $1", owner.id)
    path = f"/api/v1/webhook-endpoints/{id}"

    listed = await client.get("/api/v1/webhook-endpoints", headers=owner.auth)

    assert (await listed.get_json())["data"] == []
    tries = ("GET ", "PATCH ", "DELETE ", "POST /rotate-secret", "POST /test", "GET /deliveries")
    for method, rest in (tried.split(" ") for tried in tries):
        options = {"json": {"paused": True}} if method == "PATCH" else {}
        assert (await client.open(path + rest, method=method, headers=owner.auth, **options)).status_code == 404
    assert await sql.fetch_value("SELECT NOT is_paused AND deleted_at IS NULL FROM webhooks_endpoint WHERE id = $1", id)


async def test_creation_is_repeatable_under_concurrency(put_endpoint, owner):
    await asyncio.gather(*(put_endpoint() for _ in range(8)))

    assert await sql.fetch_value("SELECT count(*) FROM webhooks_endpoint WHERE owner_id = $1", owner.id) == 1


async def test_last_event_supersedes_what_waits_and_is_the_last(put_endpoint, send_last, inbox, emit_events, sender):
    await put_endpoint()
    await emit_events("order.created", count=3)

    await send_last()
    await send_last()
    await emit_events("order.created", count=2)
    await sender.process_all_due()

    assert [orjson.loads(one.body)["type"] for one in inbox.received] == ["ping"]


async def test_last_event_reaches_a_disabled_endpoint(put_endpoint, send_last, owner, inbox, sender):
    await put_endpoint()
    await sql.execute(
        "UPDATE webhooks_endpoint SET is_paused = true, disabled_reason = 'failing' WHERE owner_id = $1", owner.id
    )

    await send_last()
    await sender.process_all_due()

    assert len(inbox.received) == 1


async def test_update_signs_with_both_secrets_while_the_old_one_is_valid(
    put_endpoint, owner, inbox, emit_events, sender
):
    first = await put_endpoint()
    later = (clock.now().replace(year=clock.now().year + 1)).isoformat()
    changed = api.NewPluginEndpoint(
        plugin="apps", reference=1, url=inbox.url, events=["order.created"], scopes=SCOPES, name_key="type",
        secret=api.generate_secret(), old_secrets=[api.OldSecret(secret=first.secret, expires_at=later)],
    )  # fmt: skip

    await api.update_plugin_endpoint(owner.id, changed)
    await emit_events("order.created")
    await sender.process_all_due()

    [received] = inbox.received
    received.verify(first.secret)
    received.verify(changed.secret)


async def test_deleted_or_foreign_endpoint_is_not_found(put_endpoint, send_last, owner, other_owner):
    new = await put_endpoint()

    with pytest.raises(NotFound):
        await api.update_plugin_endpoint(other_owner.id, new)
    await api.delete_plugin_endpoint(owner.id, "apps", 1)
    with pytest.raises(NotFound):
        await send_last()
    row = await sql.fetch_one("SELECT url, secret FROM webhooks_endpoint WHERE owner_id = $1", owner.id)
    assert tuple(row) == ("", "")


async def test_gone_receiver_is_disabled_without_an_event_for_the_owner(
    put_endpoint, owner, inbox, emit_events, sender, published
):
    inbox.status = 410
    await put_endpoint()

    await emit_events("order.created")
    await sender.process_all_due()

    assert (
        await sql.fetch_value("SELECT disabled_reason FROM webhooks_endpoint WHERE owner_id = $1", owner.id) == "gone"
    )
    assert "webhook_endpoint.disabled" not in [name for name, _ in await published()]


@pytest.mark.parametrize(
    "url", ["http://example.com/x", "https://10.0.0.1/x", "https://metadata.internal/x", "ftp://a.example"]
)
async def test_forbidden_targets_and_unknown_events_are_refused(app, url):
    with pytest.raises(ValidationFailed) as refused:
        await api.check_url(url)
    assert list(refused.value.errors) == ["url"]
    with pytest.raises(ValidationFailed):
        api.check_events(["order.eaten"])
    assert api.check_events(["order.*", "order.*"]) == ["order.*"]
