"""Sections that plugins add to the records of orders."""

import asyncio
import dataclasses

import pytest
import structlog
from comanda.contracts.orders.participants import OrderParticipant
from comanda.contracts.orders.sections import Record, Section
from comanda.devkit.testing.stores import line
from comanda.platform import runtime as runtime_module
from comanda.platform.runtime import Runtime
from pydantic import BaseModel


class Mood(BaseModel):
    mood: str | None = None


class Place(BaseModel):
    station_id: int | None = None


@pytest.fixture
def with_sections(runtime):
    """Return a function that replaces all sections of orders by ours, and all participants."""

    def use(*sections, participants=(), **settings):
        registry = dataclasses.replace(runtime.registry, sections=sections, order_participants=participants)
        runtime_module.use(Runtime(runtime.settings.model_copy(update=settings), registry))

    yield use
    runtime_module.use(runtime)


def section(record, fields, told, **options):
    asked = []

    async def load(owner_id, order_ids):
        asked.append((owner_id, tuple(order_ids)))
        return told(order_ids)

    return Section(f"test {record}", record, fields, load, **options), asked


async def test_order_and_lines_have_plugin_sections(store, owner, with_sections):
    order = await store.order(line(await store.item("Soup", 5)), line(await store.item("Tea", 2)))
    first, second = (each["id"] for each in order["items"])
    of_order, asked = section(Record.ORDER, Mood, lambda ids: {id: {"mood": "hungry"} for id in ids})
    of_line, _ = section(Record.LINE, Place, lambda ids: {second: {"station_id": 4}})
    with_sections(of_order, of_line)

    shown = await store.get(f"/orders/{order['id']}")

    assert shown["mood"] == "hungry"
    assert [(each["id"], each["station_id"]) for each in shown["items"]] == [(first, None), (second, 4)]
    assert asked == [(owner.id, (order["id"],))]


async def test_new_order_has_the_sections_read_later(store, with_sections):
    item = await store.item("Soup", 5)
    of_order, asked = section(Record.ORDER, Mood, lambda ids: {id: {"mood": "hungry"} for id in ids})
    with_sections(of_order)

    order = await store.order(line(item))

    assert order["mood"] == "hungry"
    assert len(asked) == 1
    assert (await store.get(f"/orders/{order['id']}")).document == order


@pytest.mark.parametrize("options", [{"is_set_by_participant": True}, {"wants": lambda row: False}])
async def test_new_order_has_defaults_without_a_query(store, with_sections, options):
    item = await store.item("Soup", 5)
    of_order, asked = section(Record.ORDER, Mood, lambda ids: {}, **options)
    with_sections(of_order)

    assert (await store.order(line(item)))["mood"] is None
    assert asked == []


async def test_failing_section_of_a_new_order_has_defaults(store, with_sections):
    item = await store.item("Soup", 5)

    async def load(owner_id, order_ids):
        raise RuntimeError("no answer")

    with_sections(Section("broken", Record.ORDER, Mood, load))

    assert (await store.order(line(item)))["mood"] is None
    assert (await store.get("/orders"))["total"] == 1


async def test_hanging_section_of_a_new_order_has_defaults(store, with_sections):
    item = await store.item("Soup", 5)

    async def load(owner_id, order_ids):
        await asyncio.Event().wait()

    with_sections(Section("hanging", Record.ORDER, Mood, load), plugin_step_timeout_seconds=0.05)

    with structlog.testing.capture_logs() as lines:
        order = await store.order(line(item))

    assert (order["mood"], order["total"]) == (None, 5)
    assert [(each["event"], each["step"]) for each in lines if each["log_level"] == "error"] == [
        ("plugin_failed", "section.load")
    ]


@pytest.mark.parametrize("values", [{"mood": "hungry", "total": 0}, {"mood": 7}])
async def test_section_of_a_new_order_that_breaks_its_model_has_defaults(store, with_sections, values):
    item = await store.item("Soup", 5)
    of_order, _ = section(Record.ORDER, Mood, lambda ids: dict.fromkeys(ids, values))
    with_sections(of_order)

    order = await store.order(line(item))

    assert (order["mood"], order["total"]) == (None, 5)


@pytest.mark.parametrize(
    ("name", "values", "mood"),
    [
        ("test order", {"mood": "hungry"}, "hungry"),
        ("test order", {"mood": "hungry", "total": 0}, None),
        ("test order", {"mood": 7}, None),
        ("of another plugin", {"mood": "hungry"}, None),
    ],
)
async def test_participant_describes_a_new_order_by_the_model_of_its_section(store, with_sections, name, values, mood):
    item = await store.item("Soup", 5)
    of_order, _ = section(Record.ORDER, Mood, lambda ids: {}, is_set_by_participant=True)
    participant = OrderParticipant("test", sections=lambda request, loaded, order: {name: {order.id: values}})
    with_sections(of_order, participants=(participant,))

    with structlog.testing.capture_logs() as lines:
        order = await store.order(line(item))

    assert (order["mood"], order["total"]) == (mood, 5)
    failed = [each["step"] for each in lines if each["event"] == "plugin_failed"]
    assert failed == ([] if mood else ["sections"])


async def test_unwanted_section_is_not_loaded(store, with_sections):
    order = await store.order(line(await store.item("Soup", 5)))
    of_order, asked = section(Record.ORDER, Mood, lambda ids: {}, wants=lambda state: state.type == "delivery")
    with_sections(of_order)

    assert (await store.get(f"/orders/{order['id']}"))["mood"] is None
    assert asked == []


async def test_the_public_reads_only_what_is_there(store, client, with_sections):
    order = await store.order(line(await store.item("Soup", 5)))
    said = {}
    of_public, _ = section(Record.TRACKING, Mood, lambda ids: said)
    with_sections(of_public)

    before = await (await client.get(f"/api/v1/track/{order['track_token']}")).get_json()
    said[order["id"]] = {"mood": "fed"}
    after = await (await client.get(f"/api/v1/track/{order['track_token']}")).get_json()

    assert "mood" not in before
    assert after["mood"] == "fed"
