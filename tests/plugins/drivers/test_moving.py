"""How deliveries move: every step that a driver may make, every step that an owner may, and what is announced."""

import asyncio
from datetime import datetime
from itertools import product

import pytest
from comanda.contracts.order_status import DeliveryStatus
from comanda.db import sql

ALL = [status.value for status in DeliveryStatus]
ALLOWED = {
    ("assigned", "picked_up"), ("assigned", "out_for_delivery"), ("assigned", "delivered"), ("assigned", "failed"),
    ("picked_up", "out_for_delivery"), ("picked_up", "delivered"), ("picked_up", "failed"),
    ("out_for_delivery", "delivered"), ("out_for_delivery", "failed"),
}  # fmt: skip
EVENTS = {
    "assigned": "order.driver_assigned",
    "out_for_delivery": "order.out_for_delivery",
    "delivered": "order.delivered",
    "failed": "order.delivery_failed",
}


@pytest.mark.parametrize(("now", "to"), [*product(ALL[1:], ALL)], ids="-".join)
async def test_a_driver_moves_forwards_only(kitchen, rider, rows, announced, now, to):
    order = await kitchen.assigned(rider)
    await kitchen.override(order, now)
    before, said = await rows(), await announced()

    reply = await rider.set(order["id"], to)

    if now == to:
        assert (reply.status, reply["delivery_status"]) == (200, now)
        assert await rows() == before
    elif (now, to) in ALLOWED:
        assert (reply.status, reply["delivery_status"]) == (200, to)
        assert f"{to}_at" in reply["timeline"]
        assert await announced() == [*said, *([EVENTS[to]] if to in EVENTS else [])]
    else:
        assert list(reply.errors) == ["delivery_status"]
        assert await rows() == before


@pytest.mark.parametrize(("now", "to"), [*product(ALL, ALL)], ids="-".join)
@pytest.mark.parametrize("has_driver", [True, False], ids=["driver", "nobody"])
async def test_an_owner_sets_any_status_after_any(kitchen, rider, announced, now, to, has_driver):
    order = await (kitchen.assigned(rider) if has_driver else kitchen.delivery())
    await kitchen.override(order, now)
    said = await announced()

    reply = await kitchen.override(order, to, note="By phone")

    assert (reply.status, reply["delivery_status"]) == (200, to)
    assert await announced() == [*said, *([EVENTS[to]] if to in EVENTS and to != now else [])]
    is_theirs = has_driver and "pending" not in {now, to}
    assert reply["driver"] == ({"id": rider.id, "name": "Rui Costa", "phone": rider.phone} if is_theirs else None)
    assert await rider.ids() == ([order["id"]] if is_theirs else [])
    assert await rider.ids("/deliveries?active=1") == (
        [order["id"]] if is_theirs and to not in {"delivered", "failed"} else []
    )


async def test_the_history_says_who_and_why_and_the_event_too(kitchen, rider, published, clock):
    order = await kitchen.assigned(rider)

    await rider.set(order["id"], "out_for_delivery")
    reply = await rider.set(order["id"], "failed", note="Nobody opened.")

    assert reply.status == 200
    changes = await sql.fetch(
        "SELECT from_value, to_value, actor, note FROM core_order_change WHERE order_id = $1 ORDER BY id", order["id"]
    )
    assert [tuple(change) for change in changes] == [
        ("pending", "assigned", f"owner:{kitchen.owner.id}", None),
        ("assigned", "out_for_delivery", f"driver:{rider.id}", None),
        ("out_for_delivery", "failed", f"driver:{rider.id}", "Nobody opened."),
    ]
    assert (await published())[-1] == (
        "order.delivery_failed",
        {
            "order_id": order["id"],
            "restaurant_id": kitchen.id,
            "driver_id": rider.id,
            "delivery_status": "failed",
            "note": "Nobody opened.",
            "at": clock().isoformat(),
        },
    )


@pytest.mark.parametrize("status", ["new", "preparing", "ready", "delivered", "completed", "cancelled"])
async def test_what_has_arrived_has_left_the_kitchen(kitchen, rider, published, status):
    order = await kitchen.assigned(rider)
    await kitchen.set_status(order["id"], status)
    said = len(await published())

    assert (await rider.set(order["id"], "delivered")).status == 200

    is_lifted = status in {"new", "preparing", "ready"}
    assert (await kitchen.shown(order))["status"] == ("delivered" if is_lifted else status)
    names = [name for name, _ in (await published())[said:]]
    paid = ["order.paid"] if status != "cancelled" else []
    assert names == [*paid, *(["order.status_changed"] if is_lifted else []), "order.delivered"]


async def test_the_kitchen_delivers_nothing_and_a_failure_leaves_it_alone(kitchen, rider):
    order = await kitchen.assigned(rider)

    assert (await kitchen.set_status(order["id"], "completed"))["delivery_status"] == "assigned"
    assert (await kitchen.override(order, "failed"))["status"] == "completed"
    await kitchen.set_status(order["id"], "cancelled")
    # A cancelled order stays with whoever has it, who then need not know the customer any more.
    [shown] = (await rider.get("/deliveries"))["data"]
    assert (shown["status"], shown["customer"]) == ("cancelled", None)


async def test_another_try_goes_to_another_driver_and_the_first_loses_it(kitchen, rider, announced):
    other = await kitchen.rider("Eva", "+351961234568")
    order = await kitchen.assigned(rider)
    await rider.set(order["id"], "failed")

    reply = await kitchen.assign(order, other.id)

    assert (reply.status, reply["delivery_status"], reply["driver"]["id"]) == (200, "assigned", other.id)
    assert (await announced()).count("order.driver_assigned") == 2
    assert (await rider.ids(), await other.ids()) == ([], [order["id"]])
    for refused in (await rider.set(order["id"], "delivered"), await rider.claim(order["id"])):
        assert refused.status in {404, 409}
        assert (await kitchen.shown(order))["delivery_status"] == "assigned"
    assert (await rider.set(order["id"], "picked_up")).status == 404


@pytest.mark.parametrize("status", ALL)
async def test_any_delivery_is_assigned_again(kitchen, rider, announced, status):
    order = await kitchen.assigned(rider)
    await kitchen.override(order, status)
    said = await announced()

    reply = await kitchen.assign(order, rider.id)

    assert (reply.status, reply["delivery_status"], reply["driver"]["id"]) == (200, "assigned", rider.id)
    # The same driver of an order that is assigned is no news.
    assert await announced() == [*said, *([] if status == "assigned" else ["order.driver_assigned"])]
    assert await rider.ids("/deliveries?active=1") == [order["id"]]


async def test_given_to_another_while_assigned_it_is_assigned_anew(kitchen, rider, clock):
    order = await kitchen.assigned(rider)
    other = await kitchen.rider("Eva", "+351961234568")
    clock.advance(minutes=5)

    after = await kitchen.assign(order, other.id, note="Rui is ill")

    assert datetime.fromisoformat(after["timeline"]["assigned_at"]) == clock()
    statement = "SELECT from_value, to_value, note FROM core_order_change WHERE order_id = $1 ORDER BY id"
    assert [tuple(row) for row in await sql.fetch(statement, order["id"])] == [
        ("pending", "assigned", None), ("assigned", "assigned", "Rui is ill"),
    ]  # fmt: skip


async def test_drivers_of_others_and_of_nobody_look_alike_and_change_nothing(kitchen, foreign, rider, rows):
    stranger, gone = await foreign.rider(), await kitchen.rider("Eva", "+351961234568")
    assert (await kitchen.send_to(f"/api/v1/drivers/{gone.id}", "DELETE")).status == 204
    order = await kitchen.assigned(rider)
    before = await rows()

    replies = [await kitchen.assign(order, driver_id) for driver_id in (stranger.id, gone.id, 987_654_321)]

    assert {(reply.status, reply["code"], reply["message"]) for reply in replies} == {(404, "not_found", "Not found.")}
    assert list((await kitchen.send("POST", f"/orders/{order['id']}/assign", {})).errors) == ["driver_id"]
    assert await rows() == before


async def test_only_a_delivery_is_delivered(kitchen, rider, rows):
    order = (await kitchen.place({"item_id": kitchen.pizza["id"]})).document
    before = await rows()

    for reply in (await kitchen.assign(order, rider.id), await kitchen.override(order, "pending")):
        assert list(reply.errors) == ["delivery_status"]
    for body in ({"delivery_status": "eaten"}, {"delivery_status": None}, {}, {"status": "new"}):
        reply = await kitchen.send("PUT", f"/orders/{order['id']}/delivery-status", body)
        assert reply.status == 422
    assert await rows() == before


async def test_the_status_may_be_called_status(kitchen):
    order = await kitchen.delivery()

    reply = await kitchen.send("PUT", f"/orders/{order['id']}/delivery-status", {"status": "picked_up"})

    assert (reply.status, reply["delivery_status"]) == (200, "picked_up")


async def test_moves_of_many_at_once_end_in_one_state_with_one_history(kitchen, rider):
    other = await kitchen.rider("Eva", "+351961234568")
    order = await kitchen.assigned(rider)

    replies = await asyncio.gather(
        *(kitchen.assign(order, who) for who in (rider.id, other.id) * 5),
        *(kitchen.override(order, status) for status in ALL * 2),
        *(rider.set(order["id"], status) for status in ALL * 2),
        *(other.claim(order["id"]) for _ in range(5)),
    )

    assert {reply.status for reply in replies} <= {200, 404, 409, 422}
    standing = await sql.fetch(
        "SELECT driver_id, ended_at FROM drivers_assignment WHERE order_id = $1 AND released_at IS NULL", order["id"]
    )
    shown = await kitchen.shown(order)
    assert len(standing) == (shown["driver"] is not None)
    if standing:
        assert shown["driver"]["id"] == standing[0]["driver_id"]
        assert (standing[0]["ended_at"] is not None) == (shown["delivery_status"] in {"delivered", "failed"})
    changes = await sql.fetch(
        """SELECT from_value, to_value FROM core_order_change
           WHERE order_id = $1 AND field = 'delivery_status' ORDER BY id""",
        order["id"],
    )
    assert [change["from_value"] for change in changes[1:]] == [change["to_value"] for change in changes[:-1]]


async def test_owners_list_deliveries_by_status_and_driver(kitchen, rider, foreign):
    await kitchen.place({"item_id": kitchen.pizza["id"]})
    free, mine, done = await kitchen.delivery(), await kitchen.assigned(rider), await kitchen.assigned(rider)
    await rider.set(done["id"], "delivered")
    await foreign.delivery()

    async def ids(query=""):
        return [each["id"] for each in (await kitchen.get(f"/deliveries?{query}"))["data"]]

    assert await ids() == [done["id"], mine["id"], free["id"]]
    assert await ids("delivery_status=delivered") == [done["id"]]
    assert await ids(f"driver_id={rider.id}") == [done["id"], mine["id"]]
    assert await ids(f"driver_id={rider.id}&delivery_status=assigned") == [mine["id"]]
    assert await ids("driver_id=987654321") == []
    assert list((await kitchen.send("GET", "/deliveries?delivery_status=eaten")).errors) == ["delivery_status"]
    page = await kitchen.get("/deliveries")
    assert (page["per_page"], page["total"]) == (30, 3)
    assert page["data"][0]["driver"] == {"id": rider.id, "name": "Rui Costa", "phone": rider.phone}
    assert page["data"][2]["driver"] is None
