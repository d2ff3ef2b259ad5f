"""Webhooks of apps: within the granted scopes, under their own secret, and app.uninstalled as the last."""

import json
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from comanda.devkit.testing import line, process_queue
from comanda.platform.db import sql
from comanda_webhooks.services import sender
from standardwebhooks import Webhook


class Inbox:
    """A receiver of webhooks on loopback."""

    def __init__(self):
        self.received, self.status = [], 204

    async def receive(self, request):
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.received.append((headers, await request.read()))
        return web.Response(status=self.status)

    @property
    def types(self):
        return [json.loads(body)["type"] for _, body in self.received]


@pytest.fixture
async def inbox(app):
    made = Inbox()
    server = web.Application()
    server.router.add_post("/{path:.*}", made.receive)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hooks"
    yield made
    await runner.cleanup()


@pytest.fixture
async def deliver(dispatch):
    """Deliver what waits; deliveries of other tests are given up."""
    await dispatch()
    await sql.execute(
        """UPDATE webhooks_delivery SET status = 'failed', finished_at = now(), next_attempt_at = NULL
           WHERE status = 'pending'"""
    )

    async def run():
        await dispatch()
        await process_queue(sender.QUEUE)

    return run


@pytest.fixture
async def installed(developer, install, inbox, deliver):
    app = await developer.publish(webhook_url=inbox.url, webhook_events=["*"], scopes=["orders:read"])
    made = await install(app)
    await deliver()
    return made


async def order(store):
    soup = await store.item("Soup", 10)
    return await store.order(line(soup))


async def test_app_receives_events_within_its_scopes_only(installed, store, inbox, deliver):
    # The menu's event needs menu:read, which was not granted.
    placed = await order(store)
    await deliver()

    assert inbox.types == ["order.created"]
    [(headers, raw)] = inbox.received
    Webhook(installed.app["webhook_secret"]).verify(raw, headers)
    body = json.loads(raw)
    assert set(body) == {"id", "type", "created_at", "data"}
    assert body["data"]["order_id"] == placed["id"]


async def test_only_subscribed_events_are_sent(developer, install, inbox, deliver, store):
    app = await developer.publish(webhook_url=inbox.url, webhook_events=["order.paid"])
    await install(app)
    await deliver()

    await order(store)
    await deliver()

    assert inbox.types == []


async def test_uninstalled_comes_last_although_the_installation_is_gone(
    installed, store, inbox, deliver, customer, owner
):
    await order(store)

    await customer.send("DELETE", f"/app-installations/{installed.id}")
    await order(store)
    await deliver()

    assert inbox.types[-1] == "app.uninstalled"
    assert inbox.types.count("app.uninstalled") == 1
    data = json.loads(inbox.received[-1][1])["data"]
    assert (data["installation_id"], data["app_id"], data["owner_id"]) == (installed.id, installed.app["id"], owner.id)
    assert data["client_id"] == installed.app["client_id"]
    seen = len(inbox.received)
    await order(store)
    await deliver()
    assert len(inbox.received) == seen


async def test_failed_uninstalled_is_retried(installed, inbox, deliver, customer, clock):
    inbox.status = 500
    await customer.send("DELETE", f"/app-installations/{installed.id}")
    await deliver()
    inbox.status = 200
    clock.advance(minutes=3)

    await deliver()

    assert inbox.types == ["app.uninstalled", "app.uninstalled"]
    assert len({headers["webhook-id"] for headers, _ in inbox.received}) == 1


async def test_another_apps_removal_is_not_told(installed, developer, install, inbox, deliver, customer):
    other = await install(await developer.publish(name="Other", scopes=["restaurant:read"]))
    await deliver()

    await customer.send("DELETE", f"/app-installations/{other.id}")
    await deliver()

    assert inbox.types == []


async def test_erasure_is_requested_after_two_days(installed, inbox, deliver, customer, clock, run_task, owner):
    await customer.send("DELETE", f"/app-installations/{installed.id}")
    await deliver()
    clock.advance(hours=47)
    await run_task("marketplace_erasures")
    await deliver()
    assert inbox.types == ["app.uninstalled"]

    clock.advance(hours=1)
    await run_task("marketplace_erasures")
    await run_task("marketplace_erasures")
    await deliver()

    assert inbox.types == ["app.uninstalled", "app.data_erasure"]
    data = json.loads(inbox.received[-1][1])["data"]
    assert (data["owner_id"], data["installation_id"]) == (owner.id, installed.id)
    clock.advance(days=1)
    await run_task("marketplace_erasures")
    secret = await sql.fetch_value("SELECT secret FROM webhooks_endpoint WHERE owner_id = $1", owner.id)
    assert secret == ""


async def test_no_erasure_is_requested_of_an_app_that_came_back(
    installed, install, inbox, deliver, customer, clock, run_task
):
    await customer.send("DELETE", f"/app-installations/{installed.id}")
    await install(installed.app)
    await deliver()

    clock.advance(hours=49)
    await run_task("marketplace_erasures")
    await deliver()

    assert inbox.types == ["app.uninstalled"]


async def test_rotated_secret_signs_beside_the_old_one(installed, developer, store, inbox, deliver, clock):
    rotated = await developer.send("POST", f"/developer/apps/{installed.app['id']}/rotate-webhook-secret")

    await order(store)
    await deliver()

    headers, raw = inbox.received[-1]
    assert len(headers["webhook-signature"].split(" ")) == 2
    for secret in (rotated["secret"], installed.app["webhook_secret"]):
        Webhook(secret).verify(raw, headers)


async def test_new_address_and_events_reach_installations(installed, developer, store, inbox, deliver):
    moved = urlsplit(inbox.url)._replace(path="/moved").geturl()
    change = {"webhook_url": moved, "webhook_events": ["order.status_changed"]}
    await developer.send("PATCH", f"/developer/apps/{installed.app['id']}", change)

    placed = await order(store)
    await store.set_status(placed["id"], "preparing")
    await deliver()
    assert inbox.types == ["order.status_changed"]

    await developer.send("PATCH", f"/developer/apps/{installed.app['id']}", {"webhook_url": None})
    await store.set_status(placed["id"], "ready")
    await deliver()
    assert len(inbox.received) == 1
