"""No request reaches a database that is being closed."""

import asyncio

import pytest
from comanda.composition.app import create_app
from comanda.platform.http import admission
from comanda.platform.http.admission import Admission
from tortoise import context as tortoise_context


@pytest.fixture
async def stopped_app(runtime):
    """Make an application that has been started and stopped, and leave the session's database as it was."""
    before = tortoise_context._global_context
    other = create_app(runtime, with_background=False)
    tortoise_context._global_context = None
    await other.startup()
    await other.shutdown()
    tortoise_context._global_context = None
    yield other
    tortoise_context._global_context = before


async def test_a_request_after_the_stop_is_asked_to_come_back(stopped_app, wire):
    status, headers, body = await wire("GET", "/api/v1/menu/1", to=stopped_app)

    assert status == 503
    assert headers["connection"] == "close"
    assert headers["retry-after"] == "1"
    assert b'"code":"unavailable"' in body


async def test_closing_waits_for_requests_in_progress():
    gate = Admission()
    with gate.request():
        closing = asyncio.create_task(gate.close())
        await asyncio.sleep(0.01)
        assert gate.is_closed
        assert not closing.done()
    await asyncio.wait_for(closing, 120)


async def test_closing_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr(admission, "DRAIN_SECONDS", 0.01)
    gate = Admission()
    with gate.request():
        await asyncio.wait_for(gate.close(), 120)
