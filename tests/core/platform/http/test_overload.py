"""Requests that could not be served in time are answered with 503 at once; health checks never are."""

import orjson
import pytest
from comanda.composition.app import create_app
from comanda.platform.db import sql
from comanda.platform.db.connections.pool import FairPool
from comanda.platform.http import overload
from comanda.platform.http.overload import MAX_RETRY_AFTER_SECONDS, MAX_WAIT_SECONDS, URGENT_PATHS, LoadShedder
from comanda.web.api_reference.discovery import operations
from prometheus_client import REGISTRY


def shedder_with(wait_seconds):
    return LoadShedder(lambda: wait_seconds)


def count_shed():
    return REGISTRY.get_sample_value("comanda_http_requests_shed_total")


@pytest.mark.parametrize("wait_seconds", [0.0, MAX_WAIT_SECONDS])
def test_request_that_can_be_served_in_time_is_begun(wait_seconds):
    before = count_shed()

    assert shedder_with(wait_seconds).find_refusal("/api/v1/me") is None
    assert count_shed() == before


@pytest.mark.parametrize(("wait_seconds", "retry_after"), [(2.01, 3), (3.0, 3), (1000.0, MAX_RETRY_AFTER_SECONDS)])
def test_refusal_says_when_to_come_back(wait_seconds, retry_after):
    before = count_shed()

    refusal = shedder_with(wait_seconds).find_refusal("/api/v1/me")

    assert refusal.status == 503
    assert refusal.headers["Retry-After"] == str(retry_after)
    assert count_shed() == before + 1


async def test_pages_of_other_origins_get_their_preflight_and_can_read_the_refusal(runtime, wire):
    busy = create_app(runtime, with_background=False, shedder=shedder_with(1000.0))
    headers = [
        (b"host", b"localhost"),
        (b"origin", b"https://shop.example"),
        (b"access-control-request-method", b"GET"),
    ]

    allowed, preflight, _ = await wire("OPTIONS", "/api/v1/menu/1", headers=headers, to=busy)
    refused, readable, _ = await wire("GET", "/api/v1/menu/1", headers=headers[:2], to=busy)

    assert (allowed, preflight["access-control-allow-origin"]) == (204, "*")
    assert (refused, readable["access-control-allow-origin"]) == (503, "*")
    assert "Retry-After" in readable["access-control-expose-headers"]


def test_operations_are_never_refused():
    refusals = [shedder_with(1000.0).find_refusal(route.full_path) for route in operations]

    assert refusals == [None, None, None]
    assert {route.full_path for route in operations} == URGENT_PATHS


def test_overload_is_logged_once_in_a_while(monkeypatch):
    lines = []
    monkeypatch.setattr(overload.log, "warning", lambda event, **values: lines.append((event, values)))
    shedder = shedder_with(2.5)

    for _ in range(5):
        shedder.find_refusal("/api/v1/me")

    assert lines == [("requests_shed", {"expected_wait_seconds": 2.5})]


async def test_shed_request_gets_the_envelope_and_its_body_is_not_read(wire, app, monkeypatch):
    await sql.fetch_value("SELECT 1")  # the pool is opened at its first use
    monkeypatch.setattr(FairPool, "expected_wait_seconds", 1000.0)

    # The client never sends a body, and whoever read it would wait for ever.
    status, headers, body = await wire("POST", "/api/v1/restaurants/1/orders", messages=())
    alive, _, _ = await wire("GET", "/healthz")

    assert (status, alive) == (503, 200)
    assert headers["retry-after"] == str(MAX_RETRY_AFTER_SECONDS)
    assert headers["content-length"] == str(len(body))
    assert "connection" not in headers
    assert orjson.loads(body)["code"] == "unavailable"
