"""Order participants: validation, reservation and cancellation by plugins."""

import asyncio
import dataclasses

from comanda.basics.errors import ValidationFailed
from comanda.contracts.orders.participants import Contribution, OrderParticipant, Problem, Reservation
from comanda.devkit.testing.stores import line
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.runtime import Runtime
from comanda.stores.services import bump_menu_version
from pydantic import BaseModel, Field


class Card(BaseModel):
    card_text: str | None = None


async def orders_of(store):
    return await sql.fetch_value("SELECT count(*) FROM core_order WHERE store_id = $1", store.id)


async def test_mode_fields_are_validated_stored_and_returned(market):
    store, _ = market
    tulip = await store.item("Tulip")

    refused = await store.place(line(tulip), type="gift")
    order = await store.order(line(tulip), type="gift", ribbon="red", unknown="ignored")
    plain = await store.order(line(tulip), type="counter", ribbon="red")

    assert refused.errors == {"ribbon": ["This field is required."]}
    assert (order["ribbon"], order["is_scented"], "unknown" in order) == ("red", False, False)
    assert (await store.get(f"/orders/{order['id']}"))["ribbon"] == "red"
    assert (await store.get("/orders"))["data"][1]["ribbon"] == "red"
    assert "ribbon" not in plain


async def test_participant_fields_are_added_to_mode_fields(market):
    store, joined = market
    joined(OrderParticipant("cards", fields=Card))
    tulip = await store.item("Tulip")

    wrong = await store.place(line(tulip), type="gift", ribbon="red", card_text=7)
    order = await store.order(line(tulip), type="gift", ribbon="red", card_text="Happy birthday")

    assert wrong.errors == {"card_text": ["Must be a string."]}
    assert (order["ribbon"], order["card_text"]) == ("red", "Happy birthday")


async def test_core_fields_cannot_be_overwritten(market):
    store, joined = market

    async def boast(request, loaded):
        return Reservation(attributes={"total": 0})

    joined(OrderParticipant("boaster", reserve=boast))

    assert (await store.order(line(await store.item(price=5)), type="counter"))["total"] == 5


async def test_participant_is_called_for_its_modes_only(market):
    store, joined = market
    asked = []

    def note(name):
        return lambda request, loaded: asked.append((name, request.body.type))

    joined(
        OrderParticipant("gifts", modes=("gift",), validate=note("gifts")),
        OrderParticipant("stalls", capability="stalls", validate=note("stalls")),
        OrderParticipant("rooms", capability="rooms", validate=note("rooms")),
    )
    tulip = await store.item("Tulip")

    await store.order(line(tulip), type="counter")
    assert asked == [("stalls", "counter")]
    await store.order(line(tulip), type="gift", ribbon="red")
    assert asked[-2:] == [("gifts", "gift"), ("stalls", "gift")]


async def test_participant_errors_are_returned_with_others(market):
    store, joined = market
    full = Contribution(problems=[Problem("type", "The counter is full.")])
    joined(OrderParticipant("door", validate=lambda request, loaded: full))
    tulip = await store.item("Tulip")

    refused = await store.place(line(tulip), line({"id": 404}), type="counter")

    assert refused.errors == {"type": ["The counter is full."], "items.1.item_id": ["This store has no item 404."]}
    assert await orders_of(store) == 0


async def test_loaded_data_is_cached_until_terms_change(market):
    store, joined = market
    loads = []

    async def load(terms):
        loads.append(terms.id)
        return len(loads)

    def validate(request, loaded):
        return Contribution(attributes={"loaded": loaded})

    joined(OrderParticipant("loader", load=load, validate=validate))
    tulip = await store.item("Tulip")

    first = [(await store.order(line(tulip), type="counter"))["loaded"] for _ in range(3)]
    async with sql.transaction():
        await bump_menu_version(store.owner.id, store.id)
    after = (await store.order(line(tulip), type="counter"))["loaded"]

    assert (first, after, loads) == ([1, 1, 1], 2, [store.id, store.id])


async def test_participants_with_one_function_share_what_it_loads(market):
    store, joined = market
    loads = []

    async def load(terms):
        loads.append(terms.id)
        return {"loaded": len(loads)}

    first, second = (OrderParticipant(name, load=load, validate=note_loaded(name)) for name in ("first", "second"))
    joined(first, second)

    order = await store.order(line(await store.item("Tulip")), type="counter")

    assert (order["first"], order["second"], loads) == (1, 1, [store.id])


def note_loaded(name):
    return lambda request, loaded: Contribution(attributes={name: loaded["loaded"]})


async def test_reservation_is_rolled_back_on_later_error(market):
    store, joined = market
    tulip = await store.item("Tulip", stock=3)

    async def reserve(request, loaded):
        await sql.execute("UPDATE core_store SET title = 'Reserved' WHERE id = $1", request.terms.id)

    async def placed(request, loaded, order):
        assert order.total_minor == 500
        assert await sql.fetch_value("SELECT number FROM core_order WHERE id = $1", order.id) == order.number == 1
        raise ValidationFailed(type=["Too late."])

    joined(OrderParticipant("late", reserve=reserve, placed=placed))
    title = (await store.get())["title"]

    refused = await store.place(line(tulip), type="counter")

    assert refused.errors == {"type": ["Too late."]}
    assert await orders_of(store) == 0
    assert (await store.get())["title"] == title
    assert (await store.get(f"/menu/items/{tulip['id']}"))["stock"] == 3


async def test_reservation_sets_schedule_and_attributes(market):
    store, joined = market

    async def reserve(request, loaded):
        return Reservation(scheduled_for=request.scheduled_for.replace(hour=9), attributes={"slot": "morning"})

    joined(OrderParticipant("slots", reserve=reserve))

    order = await store.order(line(await store.item()), type="counter", scheduled_for="2030-01-01T08:00:00Z")

    assert (order["scheduled_for"], order["slot"]) == ("2030-01-01T09:00:00+00:00", "morning")
    assert (await store.get(f"/orders/{order['id']}"))["scheduled_for"] == "2030-01-01T09:00:00+00:00"


async def test_participants_run_by_priority(market, runtime):
    _, joined = market
    joined()
    late, early = OrderParticipant("a", priority=200), OrderParticipant("z", priority=10)
    made = dataclasses.replace(runtime.registry, order_participants=(early, late))

    assert [one.name for one in made.participants(runtime.registry.verticals["retail"], "ship")] == ["z", "a"]


async def test_cancelled_and_reopened_get_order_attributes(market):
    store, joined = market
    told = []

    def remember(what):
        async def step(order):
            told.append((what, order.id, order.type, order.attributes.get("ribbon")))

        return step

    joined(OrderParticipant("memory", cancelled=remember("cancelled"), reopened=remember("reopened")))
    order = await store.order(line(await store.item()), type="gift", ribbon="red")

    for status in ("preparing", "cancelled", "cancelled", "ready", "new"):
        assert (await store.set_status(order["id"], status)).status == 200

    assert told == [("cancelled", order["id"], "gift", "red"), ("reopened", order["id"], "gift", "red")]


async def test_a_refused_reopening_leaves_the_order_cancelled(market):
    store, joined = market

    async def full(order):
        raise ValidationFailed(status=["Its place is taken."])

    joined(OrderParticipant("full", reopened=full))
    order = await store.order(line(await store.item()), type="counter")
    await store.set_status(order["id"], "cancelled")

    refused = await store.set_status(order["id"], "new")

    assert refused.errors == {"status": ["Its place is taken."]}
    assert (await store.get(f"/orders/{order['id']}"))["status"] == "cancelled"


async def test_a_repeat_with_the_same_key_reserves_once(market):
    store, joined = market
    reserved = []

    async def placed(request, loaded, order):
        reserved.append(order.id)

    joined(OrderParticipant("counter", placed=placed))
    tulip = await store.item("Tulip")

    replies = await asyncio.gather(*[store.place(line(tulip), type="counter", key="once") for _ in range(8)])

    assert {reply["id"] for reply in replies} == {replies[0]["id"]}
    assert await orders_of(store) == 1
    assert replies[0]["id"] in reserved


class Return(BaseModel):
    returned_on: str = Field(alias="returnedOn")


async def test_aliases_of_fields_are_honoured(market):
    store, joined = market
    joined(OrderParticipant("rental", fields=Return))
    drill = await store.item("Drill")

    refused = await store.place(line(drill), type="counter", returned_on="2030-01-02")
    order = await store.order(line(drill), type="counter", returnedOn="2030-01-02")

    assert refused.errors == {"returnedOn": ["This field is required."]}
    assert order["returnedOn"] == "2030-01-02"
    assert (await store.get(f"/orders/{order['id']}")).document == order


async def test_required_field_of_a_mode_keeps_its_sentence(market):
    store, _ = market
    modes = runtime_module.registry().fulfillment_modes
    gift = dataclasses.replace(modes["gift"], required_fields=(("ribbon", "A gift needs a ribbon."),))
    registry = dataclasses.replace(runtime_module.registry(), fulfillment_modes={**modes, "gift": gift})
    runtime_module.use(Runtime(runtime_module.settings(), registry))

    refused = await store.place(line(await store.item("Tulip")), type="gift")

    assert refused.errors == {"ribbon": ["A gift needs a ribbon."]}
