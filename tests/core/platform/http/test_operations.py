"""Metrics, and what stands behind readiness, are for the operator; anybody may ask whether the process is ready."""

from dataclasses import replace

import pytest
from comanda.basics.startup_errors import InvalidSettings
from comanda.devkit.testing.plugin import METRICS_TOKEN
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.settings import Settings, read_settings
from pydantic import SecretStr

LOCAL = {"client": ("127.0.0.1", 40000)}
TOKEN = {"Authorization": f"Bearer {METRICS_TOKEN}"}


@pytest.fixture
def with_settings(runtime):
    """Change settings for the test."""

    def use(**changed):
        runtime_module.use(replace(runtime, settings=runtime.settings.model_copy(update=changed)))

    yield use
    runtime_module.use(runtime)


@pytest.fixture(autouse=True)
async def no_old_events(app):
    """Leave no event of earlier tests, which nobody dispatches and which would be too old after some minutes."""
    await sql.execute("UPDATE core_outbox SET done_at = now() WHERE done_at IS NULL")


@pytest.fixture
def ask(client):
    """Ask for metrics and readiness; return the status of the one and the keys of the other."""

    async def ask(scope=LOCAL, **headers):
        metrics = await client.get("/metrics", headers=headers, scope_base=scope)
        ready = await client.get("/readyz", headers=headers, scope_base=scope)
        assert ready.status_code == 200
        return metrics.status_code, sorted(await ready.get_json())

    return ask


CLOSED = (401, ["status"])
OPEN = (200, ["database", "handlers", "outbox", "paused_steps", "status", "version"])


async def test_with_a_token_set_details_need_it_wherever_one_comes_from(ask):
    assert await ask() == CLOSED
    assert await ask(**TOKEN) == OPEN
    assert await ask(Authorization=f"bearer {METRICS_TOKEN}") == OPEN
    for wrong in (
        METRICS_TOKEN,
        "Bearer",
        "Bearer x",
        f"Bearer {METRICS_TOKEN}x",
        f"Basic {METRICS_TOKEN}",
        "Bearer \xe9",
    ):
        assert await ask(Authorization=wrong) == CLOSED


async def test_an_owners_token_shows_no_details(ask, owner):
    assert await ask(**owner.auth) == CLOSED


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1"])
async def test_without_a_token_this_machine_sees_details(ask, with_settings, address):
    with_settings(metrics_token=None, public_url=None)

    assert await ask({"client": (address, 40000)}) == OPEN


@pytest.mark.parametrize("scope", [{"client": ("198.51.100.7", 40000)}, {"client": None}, {"client": ("10.0.0.5", 1)}])
async def test_without_a_token_nobody_else_does(ask, with_settings, scope):
    with_settings(metrics_token=None, public_url=None)

    assert await ask(scope) == CLOSED


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Proto", "x-forwarded-host"]
)
async def test_proxied_request_is_not_local(ask, with_settings, header):
    with_settings(metrics_token=None, public_url=None)

    assert await ask(**{header: "127.0.0.1"}) == CLOSED


@pytest.mark.parametrize("changed", [{"trusted_proxies": 1}, {"public_url": "https://orders.example.com"}])
async def test_settings_of_a_proxy_close_details(ask, with_settings, changed):
    with_settings(metrics_token=None, **{"public_url": None, **changed})

    assert await ask() == CLOSED


async def test_unready_process_hides_reason_from_strangers(client, monkeypatch):
    async def queue_age():
        return 5, 1000.0

    monkeypatch.setattr("comanda.platform.events.dispatcher.measure_queue", queue_age)

    stranger = await client.get("/readyz")
    operator = await client.get("/readyz", headers=TOKEN)

    assert (stranger.status_code, operator.status_code) == (503, 503)
    assert (await stranger.get_json())["message"] == "This process is not ready."
    assert "is a worker running?" in (await operator.get_json())["message"]


def test_a_short_token_stops_the_start_and_is_not_shown(monkeypatch):
    monkeypatch.setenv("COMANDA_METRICS_TOKEN", "short-one")

    with pytest.raises(InvalidSettings, match="COMANDA_METRICS_TOKEN") as caught:
        read_settings(Settings)
    assert "short-one" not in str(caught.value)
    assert METRICS_TOKEN not in repr(read_settings(Settings, metrics_token=SecretStr(METRICS_TOKEN)))
