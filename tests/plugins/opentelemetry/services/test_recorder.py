"""What a collector receives: spans of requests and of all that happens in them, without anybody's data."""

import dataclasses
from contextlib import asynccontextmanager

import asyncpg
import pytest
from comanda.basics.errors import NotFound
from comanda.contracts import SpanKind
from comanda.platform import observability, runtime, tracing
from comanda.platform.db.connections.pooled import PooledConnection
from comanda.platform.http_client import AllowedTargets, DocumentClient
from comanda.platform.runtime import Runtime
from comanda_opentelemetry.plugin import register_tracing
from comanda_opentelemetry.settings import OpentelemetrySettings

CALLER_TRACE = "0af7651916cd43dd8448eb211c80319c"
CALLER = {"traceparent": f"00-{CALLER_TRACE}-b7ad6b7169203331-01"}
SERVER, CLIENT = 2, 3


@pytest.fixture
def recording(app, monkeypatch, collector):
    """Record what happens in a block, all of which has arrived once the block has ended."""

    @asynccontextmanager
    async def record(**settings):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        made = runtime.current()
        chosen = {**made.registry.settings, OpentelemetrySettings: OpentelemetrySettings(**settings)}
        runtime.use(Runtime(made.settings, dataclasses.replace(made.registry, settings=chosen)))
        try:
            [declared] = register_tracing()
            async with tracing.recording(declared):
                yield
        finally:
            runtime.use(made)

    return record


def order(**more):
    return {"type": "takeaway", "customer_name": "Ada Lovelace", "customer_phone": "+351912345678", **more}


async def test_request_is_a_span_with_the_steps_of_plugins(recording, collector, store, client, owner):
    item = await store.item(price=9.50)

    async with recording():
        response = await client.post(
            f"/api/v1/restaurants/{store.id}/orders",
            json=order(items=[{"item_id": item["id"], "quantity": 1}]),
            headers=owner.auth,
        )

    assert response.status_code == 201
    [name] = {span.name for span in collector.spans if span.kind == SERVER}
    request = collector.find(name)
    assert name.startswith("POST /api/v1/restaurants/{")
    assert request.attributes["http.response.status_code"] == 201
    assert not request.has_failed
    parts = collector.list_parts(request)
    assert {part.trace_id for part in parts} == {request.trace_id}
    assert {"coupons: load"} <= {part.name for part in parts}
    assert set(collector.services) == {"comanda"}


async def test_nothing_of_people_or_secrets_is_sent(recording, collector, store, client, owner):
    item = await store.item("Bacalhau", 9.50)

    async with recording():
        placed = await client.post(
            f"/api/v1/restaurants/{store.id}/orders?debug=visible",
            json=order(items=[{"item_id": item["id"], "quantity": 1}], notes="ring twice"),
            headers=owner.auth,
        )
        token = (await placed.get_json())["track_token"]
        await client.get(f"/api/v1/track/{token}")
        await client.get(f"/track/{token}")

    sent = b"".join(collector.bodies)
    assert sent
    for secret in ["Lovelace", "912345678", "Bacalhau", "ring twice", "visible", token, owner.token]:
        assert secret.encode() not in sent, secret


async def test_page_is_named_by_its_rule(recording, collector, client):
    async with recording():
        await client.get("/sign-in")

    assert collector.find("GET /sign-in").attributes["http.route"] == "/sign-in"


async def test_unknown_paths_share_a_name(recording, collector, client):
    async with recording():
        await client.get("/api/v1/no-such-thing")
        await client.get("/no-such-page")

    assert [span.name for span in collector.spans if span.kind == SERVER] == ["GET unknown", "GET unknown"]


async def test_request_begins_a_trace_that_links_to_its_callers(recording, collector, client):
    async with recording():
        await client.get("/api/v1", headers=CALLER)

    span = collector.find("GET /api/v1")
    assert span.trace_id != CALLER_TRACE
    assert span.links == [CALLER_TRACE]


async def test_request_continues_the_trace_of_a_gateway(recording, collector, client):
    async with recording(continue_traces=True):
        await client.get("/api/v1", headers=CALLER)

    span = collector.find("GET /api/v1")
    assert (span.trace_id, span.parent_id, span.links) == (CALLER_TRACE, "b7ad6b7169203331", [])


@pytest.mark.parametrize("header", ["", "nonsense", "00-" + "0" * 32 + "-" + "0" * 16 + "-01", "x" * 5000])
async def test_nonsense_in_the_header_is_no_trace(recording, collector, client, header):
    async with recording(continue_traces=True):
        response = await client.get("/api/v1", headers={"traceparent": header})

    assert response.status_code == 200
    assert collector.find("GET /api/v1").parent_id == ""


async def test_failure_is_marked_with_its_kind_alone(recording, collector):
    async with recording():
        with pytest.raises(RuntimeError), tracing.span("rose: bloom"):
            raise RuntimeError("Ada's thorns")
        with pytest.raises(NotFound), tracing.span("rose: refuse"):
            raise NotFound

    failed = collector.find("rose: bloom")
    assert failed.has_failed
    assert failed.attributes == {"error.type": "RuntimeError"}
    assert not collector.find("rose: refuse").has_failed
    assert b"thorns" not in b"".join(collector.bodies)


async def test_statements_within_work_are_spans_without_values(recording, collector, database_url):
    async with recording():
        connection = await asyncpg.connect(database_url, connection_class=PooledConnection)
        await connection.fetchval("SELECT 1")
        with tracing.span("queue roses", SpanKind.BACKGROUND):
            await connection.fetchval("SELECT $1::text", "Ada Lovelace")
            with pytest.raises(asyncpg.DataError):
                await connection.fetchval("SELECT $1::text::int", "Lovelace")
        await connection.close()

    work = collector.find("queue roses")
    assert work.parent_id == ""
    statements = [span for span in collector.spans if span.kind == CLIENT]
    assert [(span.name, span.parent_id, span.attributes.get("error.type")) for span in statements] == [
        ("SELECT", work.id, None),
        ("SELECT", work.id, "InvalidTextRepresentationError"),
    ]
    assert statements[0].attributes["db.query.text"] == "SELECT $1::text"
    assert b"Lovelace" not in b"".join(collector.bodies)


async def test_outgoing_request_carries_the_trace_and_says_only_where_it_went(recording, collector):
    client = DocumentClient(allowed=AllowedTargets.parse(["127.0.0.0/8"]))

    async with recording():
        with tracing.span("rose: fetch"):
            await client.fetch(f"{collector.url}/hooks/secret-path?key=secret-key")

    caller = collector.find("rose: fetch")
    [request] = collector.list_parts(caller)
    assert collector.requests[0]["traceparent"].startswith(f"00-{caller.trace_id}-{request.id}-")
    assert collector.url in request.attributes["http.url"]
    assert b"secret" not in b"".join(collector.bodies)


async def test_log_lines_name_the_trace(recording, collector, capsys):
    async with recording():
        with tracing.span("rose: bloom"):
            line = observability._add_context(None, "info", {"event": "bloomed"})
        outside = observability._add_context(None, "info", {"event": "withered"})

    span = collector.find("rose: bloom")
    assert (line["trace_id"], line["span_id"]) == (span.trace_id, span.id)
    assert "trace_id" not in outside


async def test_nothing_is_recorded_without_a_collector(monkeypatch):
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)

    assert register_tracing() == []
    with tracing.span("rose: bloom"):
        assert tracing.get_ids() == {}
