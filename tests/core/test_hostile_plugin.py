"""A plugin that raises, hangs, lies and holds locks costs what it declares, while orders of others go on."""

import asyncio
from dataclasses import replace

import hostile_plugin
import pytest
import structlog
from comanda.composition import registry
from comanda.contracts.orders.participants import OrderParticipant
from comanda.contracts.registry import Plugin
from comanda.devkit.testing.mcp import McpClient
from comanda.devkit.testing.plugin import METRICS_TOKEN
from comanda.devkit.testing.polling import await_condition
from comanda.devkit.testing.stores import TestStore, line
from comanda.menu import snapshot
from comanda.orders.intake import placement_turns
from comanda.platform import deadlines, plugin_circuits
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.observability import PLUGIN_FAILURES
from comanda.platform.runtime import Runtime
from fake_plugins import serving
from hostile_plugin import MODES

ORDERS = 24


@pytest.fixture(scope="module")
def made(app):
    """The registry with the hostile plugin."""
    installed = runtime_module.registry().plugins
    return registry.gather([*installed, Plugin("hostile", "comanda-hostile", "1.0", (hostile_plugin,))])


@pytest.fixture
def client(runtime, made, monkeypatch):
    """Return a client of an application in which the hostile plugin is installed, with short time limits.

    They are long enough for what works on a busy machine.
    """
    monkeypatch.setattr(deadlines, "WATCH_AFTER_SECONDS", 0.05)
    monkeypatch.setattr(deadlines, "REPEAT_SECONDS", 0.1)
    monkeypatch.setattr(placement_turns, "MAX_WAIT_SECONDS", 1.0)
    settings = runtime.settings.model_copy(update={"request_timeout_seconds": 5, "plugin_step_timeout_seconds": 1})
    with serving(replace(runtime, settings=settings), made) as found:
        forget_failures()
        yield found
    forget_failures()


def forget_failures():
    snapshot._snapshots.clear()
    plugin_circuits._circuits.clear()


@pytest.fixture
async def scrapyard(client, owner):
    """Open a store of the hostile plugin's type."""
    return TestStore(client, owner, await owner.store("scrapyard"))


def count_failures():
    samples = next(iter(PLUGIN_FAILURES.collect())).samples
    return {
        sample.labels["step"]: sample.value
        for sample in samples
        if sample.labels["plugin"] == "hostile" and sample.name.endswith("_total")
    }


async def orders_of(store):
    return await sql.fetch_value(
        "SELECT count(*) FROM core_order WHERE store_id = $1 AND owner_id = $2", store.id, store.owner.id
    )


async def place_orders(store, item):
    """Place orders in four lanes and return the statuses."""

    async def lane():
        return [(await store.place(line(item))).status for _ in range(ORDERS // 4)]

    return [status for found in await asyncio.gather(*(lane() for _ in range(4))) for status in found]


async def repeat(act, outcomes, stopped):
    while not stopped.is_set():
        outcomes.append(await act())


async def test_orders_of_others_go_on(client, store, scrapyard):
    soup, scrap = await store.item("Soup"), await scrapyard.item("Scrap")
    await place_orders(store, soup)
    mcp = McpClient(client, "/mcp/catalog")

    async def get(path):
        return (await client.get(path)).status_code

    async def order(mode):
        return (await scrapyard.place(line(scrap), type=mode)).status

    async def call(tool):
        return (await mcp.error(tool))["code"] and 503

    acts = [
        *(lambda mode=mode: order(mode) for mode in MODES),
        *(lambda how=how: get(f"/api/v1/hostile/{how}") for how in ("hang", "stubborn", "exit", "fail", "unencodable")),
        lambda: get(f"/api/v1/hostile/lock?store={scrapyard.id}"),
        *(lambda path=path: get(path) for path in ("/hostile/hang", "/hostile/fail", f"/api/v1/menu/{scrapyard.id}")),
        lambda: call("hostile_hang"),
        lambda: call("hostile_fail"),
    ]
    outcomes, stopped = [[] for _ in acts], asyncio.Event()
    attacks = [asyncio.create_task(repeat(act, found, stopped)) for act, found in zip(acts, outcomes, strict=True)]
    async with asyncio.timeout(120):
        while not any(outcomes):  # noqa: ASYNC110 - the attacks have begun when one is over
            await asyncio.sleep(0.01)
    statuses = await place_orders(store, soup)
    stopped.set()
    async with asyncio.timeout(120):
        await asyncio.gather(*attacks)

    assert statuses == [201] * ORDERS
    # An order that a lock or a hang had reached would have run into the time limit of requests.
    assert await orders_of(store) == 2 * ORDERS
    assert all(outcomes)
    assert {status for found in outcomes for status in found} <= {200, 201, 500, 503}
    assert set(outcomes[-3]) == {200}


async def test_orders_of_others_get_connections_while_many_hang(client, store, scrapyard, owner):
    soup = await store.item("Soup")
    second = TestStore(client, owner, await owner.store("scrapyard"))
    stores = [(each, await each.item("Scrap")) for each in (scrapyard, second)]
    hanging = [
        asyncio.create_task(each.place(line(scrap), type="slow_reserve")) for each, scrap in stores for _ in range(20)
    ]
    await asyncio.sleep(0.2)  # those that get a connection have it

    statuses = await place_orders(store, soup)

    assert statuses == [201] * ORDERS
    # A quarter of the connections is held for each of the stores; the others wait in vain.
    assert [one.done() for one in hanging].count(False) >= 1
    assert {(await one).status for one in hanging} == {503}
    assert await orders_of(scrapyard) == 0


async def test_step_that_hangs_is_paused_where_it_hangs(client, owner, scrapyard):
    other = TestStore(client, owner, await owner.store("scrapyard"))
    scrap, other_scrap = await scrapyard.item("Scrap"), await other.item("Scrap")
    paused = {"plugin": "hostile", "step": "hostile slow reserve: reserve"}
    for _ in range(plugin_circuits.MAX_HANGS):
        assert (await scrapyard.place(line(scrap), type="slow_reserve")).status == 503
    failures = count_failures()["order"]

    refused = await scrapyard.place(line(scrap), type="slow_reserve")

    assert refused.status == 503
    assert int(refused.headers["retry-after"]) <= plugin_circuits.FIRST_PAUSE_SECONDS
    assert "hostile" in refused["message"]
    # Nobody called it.
    assert count_failures()["order"] == failures
    assert (await scrapyard.place(line(scrap), type="good")).status == 201
    ready = await client.get("/readyz", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
    assert (await ready.get_json())["paused_steps"] == [paused]
    assert (await other.place(line(other_scrap), type="slow_reserve")).status == 503
    assert count_failures()["order"] == failures + 1


@pytest.mark.parametrize(
    ("mode", "step"),
    [
        ("cannot_load", "load"),
        ("never_loads", "load"),
        *((mode, "order") for mode in MODES[3:]),
    ],
)
async def test_order_of_a_failing_mode_is_refused(scrapyard, mode, step):
    scrap = await scrapyard.item("Scrap", stock=5)
    before = count_failures().get(step, 0)

    with structlog.testing.capture_logs() as lines:
        refused = await scrapyard.place(line(scrap), type=mode, key=f"key-{mode}")

    assert (refused.status, refused.document["code"]) == (503, "unavailable")
    assert "internals" not in str(refused.document)
    assert count_failures()[step] > before
    assert [found["plugin"] for found in lines if found["log_level"] == "error"].count("hostile") >= 1
    assert {found["plugin"] for found in lines if found["log_level"] == "error"} == {"hostile"}
    assert await orders_of(scrapyard) == 0
    assert (await scrapyard.get(f"/menu/items/{scrap['id']}"))["stock"] == 5
    assert (await scrapyard.place(line(scrap), type="good")).status == 201


async def test_menu_is_shown_while_participants_cannot_load(scrapyard):
    await scrapyard.item("Scrap")

    assert await scrapyard.public_items() == ["Scrap"]
    await scrapyard.item("More scrap")
    assert await scrapyard.public_items() == ["Scrap", "More scrap"]


async def test_participant_is_loaded_again_in_the_background(scrapyard, monkeypatch):
    works = False

    async def load(terms):
        if not works:
            raise RuntimeError("not yet")
        return "loaded"

    current = runtime_module.current()
    recovering = OrderParticipant("hostile recovering", ("good",), load=load)
    monkeypatch.setattr("comanda.menu.reading.participant_loading.FIRST_PAUSE_SECONDS", 0.05)
    runtime_module.use(Runtime(current.settings, replace(current.registry, order_participants=(recovering,))))
    scrap = await scrapyard.item("Scrap")

    refused = await scrapyard.place(line(scrap), type="good")
    works = True

    async def is_placed():
        return (await scrapyard.place(line(scrap), type="good")).status == 201

    await await_condition(is_placed, "an order to be placed again")
    assert refused.status == 503


async def test_failing_sections_are_left_out(client, store):
    before = count_failures().get("section.load", 0)
    order = await store.order(line(await store.item("Soup", 5)))

    shown = await store.get(f"/orders/{order['id']}")
    changed = await store.set_status(order["id"], "preparing")
    tracked = await client.get(f"/api/v1/track/{order['track_token']}")

    assert (shown["mood"], shown["anger"], shown["lie"], shown["total"]) == (None, 0, 0, 5)
    assert (changed.status, changed["status"]) == (200, "preparing")
    assert tracked.status_code == 200
    assert "mood" not in await tracked.get_json()
    assert count_failures()["section.load"] >= before + 7


async def test_status_change_that_a_plugin_fails_is_rolled_back(scrapyard):
    order = await scrapyard.order(line(await scrapyard.item("Scrap")), type="good")

    refused = await scrapyard.set_status(order["id"], "preparing")

    assert refused.status == 503
    assert (await scrapyard.get(f"/orders/{order['id']}"))["status"] == "new"


@pytest.mark.parametrize(
    ("how", "status"), [("hang", 503), ("stubborn", 500), ("exit", 500), ("fail", 500), ("unencodable", 500)]
)
async def test_failing_route_answers_in_time(client, how, status):
    with structlog.testing.capture_logs() as lines:
        async with asyncio.timeout(120):
            response = await client.get(f"/api/v1/hostile/{how}")

    assert response.status_code == status
    assert [line["event"] for line in lines if line["log_level"] == "error"] == ["request_failed"]


async def test_hanging_route_ends_when_its_client_has_left(client):
    messages = [{"type": "http.request", "body": b"", "more_body": False}]
    sent = []

    async def receive():
        if messages:
            return messages.pop()
        await asyncio.sleep(0.1)
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "method": "GET",
        "path": "/api/v1/hostile/hang",
        "raw_path": b"/api/v1/hostile/hang",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 40000),
        "server": ("localhost", 80),
    }

    await client.app(scope, receive, send)

    # Its time limit would have made it 503.
    assert [message["status"] for message in sent if message["type"] == "http.response.start"] == [400]


async def test_lock_of_a_hanging_route_is_freed(client, store):
    soup = await store.item("Soup")
    attack = asyncio.create_task(client.get(f"/api/v1/hostile/lock?store={store.id}"))
    await asyncio.sleep(0.2)

    async with asyncio.timeout(120):
        changed = await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {"is_sold_out": False})

    assert changed.status == 200
    assert (await attack).status_code == 503


@pytest.mark.parametrize("tool", ["hostile_hang", "hostile_fail"])
async def test_failing_tool_is_an_error(client, tool):
    with structlog.testing.capture_logs() as lines:
        async with asyncio.timeout(120):
            error = await McpClient(client, "/mcp/catalog").error(tool)

    assert "hostile" not in error["message"]
    failed = [line for line in lines if line["event"] == "mcp_tool_failed"]
    assert [(line["tool"], line["log_level"]) for line in failed] == [(tool, "error")]
