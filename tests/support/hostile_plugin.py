"""A plugin that does everything wrong: it raises, hangs, lies, holds locks, ends its process and hoards memory.

Where its failures may reach is what ``tests/core/test_hostile_plugin.py`` and ``python -m benchmarks fuzz`` look at.
"""

import asyncio
import logging
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.background.events import EventHandler
from comanda.contracts.background.tasks import Task
from comanda.contracts.orders.fulfillment import FulfillmentMode
from comanda.contracts.orders.participants import OrderParticipant, Reservation
from comanda.contracts.orders.sections import Record, Section
from comanda.contracts.requests.calls import Call
from comanda.contracts.requests.mcp import Arguments, Tool
from comanda.contracts.requests.routes import PUBLIC, Routes
from comanda.contracts.stores.verticals import ItemCapability, Vertical, VerticalGroup
from comanda.contracts.web.pages import Pages
from comanda.orders.events import OrderCreated
from comanda.platform.db import sql
from pydantic import BaseModel
from quart import Blueprint
from tortoise.connection import get_connections

HOARD_BYTES = 32 * 1024 * 1024
hoard = []
MODES = ("good", "cannot_load", "never_loads", "bad_checks", "no_result", "bad_reserve", "slow_reserve", "bad_placed",
         "holds_lock", "exits", "bad_sql", "no_json", "commits", "commits_below")  # fmt: skip
hostile_routes = Routes("Hostile", callers=PUBLIC, is_documented=False)
blueprint = Blueprint("hostile", __name__)


async def hang(*_, **__):
    """Never answer."""
    await asyncio.Event().wait()


async def fail(*_, **__):
    """Raise what nobody expects."""
    logging.getLogger("hostile.client").error("something is wrong")
    raise RuntimeError("the internals of hostile")


def fail_at_once(*_, **__):
    """Raise what nobody expects, at once."""
    raise RuntimeError("the internals of hostile")


def leave(*_, **__):
    """End the process."""
    raise SystemExit(3)


async def hold_lock(order_request, loaded, new_order):
    """Lock the order's own store, and never let go."""
    await sql.execute("UPDATE core_store SET title = title WHERE id = $1", order_request.terms.id)
    await hang()


async def run_nonsense(order_request, loaded):
    """Run a statement that PostgreSQL does not know."""
    await sql.fetch_value("SELECT nonsense")


async def reserve_no_json(order_request, loaded):
    """Set an attribute that cannot be stored."""
    return Reservation(attributes={"thing": object()})


async def commit(order_request, loaded, new_order):
    """End the order's transaction."""
    await sql.execute("COMMIT")


async def commit_below(order_request, loaded):
    """End the order's transaction where nobody looks at statements."""
    await get_connections().get("default").execute_script("COMMIT")


async def ignore_cancellation():
    """Go on for a while, whoever cancels."""
    for _ in range(3):
        try:
            await hang()
        except asyncio.CancelledError:
            continue


@hostile_routes.get("/hostile/{how}")
async def show(call: Call, how: str) -> dict[str, object]:
    """Behave as badly as asked."""
    match how:
        case "hang":
            await hang()
        case "stubborn":
            await ignore_cancellation()
        case "exit":
            leave()
        case "lock":
            async with sql.transaction():
                await sql.execute("UPDATE core_store SET title = title WHERE id = $1", int(call.query["store"]))
                await hang()
        case "unencodable":
            return {"thing": object()}
    raise RuntimeError("the internals of hostile")


blueprint.add_url_rule("/hostile/hang", "hang", hang)
blueprint.add_url_rule("/hostile/fail", "fail", fail)


class Mood(BaseModel):
    mood: str | None = None


class Anger(BaseModel):
    anger: int = 0


class Lie(BaseModel):
    lie: int = 0


class Rust(BaseModel):
    rust: str | None = None


class Nothing(Arguments):
    """No arguments."""


class Said(BaseModel):
    said: str


async def lie(owner_id, order_ids):
    return {order_ids[0]: {"lie": "a number"}}


async def take_over(owner_id, order_ids):
    return {order_ids[0]: {"anger": 1, "total": 0}}


def lie_of_new_order(order_request, loaded, new_order):
    return {"hostile mood": {new_order.id: {"mood": "good", "total": 0}}}


def participants():
    return [
        OrderParticipant("hostile cannot load", ("cannot_load",), load=fail),
        OrderParticipant("hostile never loads", ("never_loads",), load=hang),
        OrderParticipant("hostile bad checks", ("bad_checks",), validate=fail_at_once),
        OrderParticipant("hostile no result", ("no_result",), validate=lambda *_: {}),
        OrderParticipant("hostile bad reserve", ("bad_reserve",), reserve=fail),
        OrderParticipant("hostile slow reserve", ("slow_reserve",), reserve=hang),
        OrderParticipant("hostile bad placed", ("bad_placed",), placed=fail),
        OrderParticipant("hostile holds lock", ("holds_lock",), placed=hold_lock),
        OrderParticipant("hostile exits", ("exits",), concerns=leave),
        OrderParticipant("hostile bad sql", ("bad_sql",), reserve=run_nonsense),
        OrderParticipant("hostile no json", ("no_json",), reserve=reserve_no_json),
        OrderParticipant("hostile commits", ("commits",), placed=commit),
        OrderParticipant("hostile commits below", ("commits_below",), reserve=commit_below),
        OrderParticipant("hostile moved", ("good",), moved=fail),
        OrderParticipant("hostile lies", ("good",), sections=lie_of_new_order),
    ]


async def hoard_memory():
    """Allocate memory once, and never end."""
    hoard.append(bytearray(HOARD_BYTES))
    await hang()


DECLARATIONS = {
    "register_fulfillment_modes": [FulfillmentMode(code, code) for code in MODES],
    "register_item_capabilities": [ItemCapability("rust", "Rust", Rust, saved=None, orderable_at=fail_at_once)],
    "register_verticals": [Vertical("scrapyard", "Scrapyard", VerticalGroup.GOODS, ("stock", "rust"), MODES)],
    "register_order_participants": participants(),
    "register_sections": [
        Section("hostile mood", Record.ORDER, Mood, fail),
        Section("hostile anger", Record.ORDER, Anger, take_over),
        Section("hostile lie", Record.ORDER, Lie, lie),
        Section("hostile tracking", Record.TRACKING, Mood, hang),
    ],
    "register_routes": [hostile_routes],
    "register_pages": [Pages(blueprint)],
    "register_mcp_tools": [
        Tool("hostile_hang", "Hang", "Hang.", ("catalog",), Nothing, Said, hang, is_read_only=True),
        Tool("hostile_fail", "Fail", "Fail.", ("catalog",), Nothing, Said, fail, is_read_only=True),
    ],
    "register_event_handlers": [
        EventHandler("hostile.fails", fail, (OrderCreated,)),
        EventHandler("hostile.hangs", hang, (OrderCreated,)),
    ],
    "register_tasks": [
        Task("hostile.fails", fail, every=timedelta(seconds=5)),
        Task("hostile.never_ends", hoard_memory, every=timedelta(seconds=5)),
    ],
}
for hook, declared in DECLARATIONS.items():
    globals()[hook] = hookimpl(lambda declared=declared: declared)
