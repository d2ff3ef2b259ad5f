"""Garments: tags that are given once, states until they are back, and orders that wait for them."""

import asyncio

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql


@pytest.fixture
async def order(laundry):
    return await laundry.drop_off(line(laundry.shirt, 3), line(laundry.wash, 4))


async def set_state(laundry, garment, state, **fields):
    return await laundry.send("PUT", f"/laundry/garments/{garment['id']}", {"state": state, **fields})


async def test_pieces_of_a_line_get_running_tags(laundry, order):
    first = await laundry.tag(order)
    second = await laundry.tag(order, place=1, note="Blue bag")

    assert (first.status, [each["tag"] for each in first["tagged"]]) == (201, [1, 2, 3])
    assert [(each["tag"], each["name"], each["state"], each["note"]) for each in second["tagged"]][-1] == (
        4, "Wash and fold", "taken_in", "Blue bag",
    )  # fmt: skip
    refused = await laundry.tag(order)
    assert refused.errors == {"line_id": ["All pieces have tags. Say how many there are besides."]}
    assert [each["tag"] for each in (await laundry.tag(order, count=2))["tagged"]][-2:] == [5, 6]


async def test_tags_are_never_given_twice(laundry):
    orders = [await laundry.drop_off(line(laundry.shirt, 3)) for _ in range(8)]

    answers = await asyncio.gather(*(laundry.tag(order) for order in orders))

    assert [answer.status for answer in answers] == [201] * 8
    tags = [each["tag"] for answer in answers for each in answer["tagged"]]
    assert sorted(tags) == list(range(1, 25))


async def test_numbers_begin_again_with_those_that_are_free(laundry, order):
    await laundry.tag(order)
    await sql.execute("UPDATE laundry_tag_counter SET last_tag = 9998 WHERE owner_id = $1", laundry.owner.id)

    tagged = (await laundry.tag(order, count=3))["tagged"]

    assert [each["tag"] for each in tagged][-3:] == [9999, 4, 5]


async def test_no_tag_is_left(laundry, order):
    await laundry.tag(order)
    await sql.execute(
        """INSERT INTO laundry_garment (owner_id, store_id, order_id, line_id, tag, name, created_at, updated_at)
        SELECT $1, $2, $3, $4, tag, 'Shirt', now(), now() FROM generate_series(4, 9998) AS tag""",
        laundry.owner.id, laundry.id, order["id"], order["items"][0]["id"],
    )  # fmt: skip

    refused = await laundry.tag(order, count=2)

    assert refused.errors == {"count": ["Only 1 tags are free."]}
    assert await sql.fetch_value("SELECT count(*) FROM laundry_garment WHERE owner_id = $1", laundry.owner.id) == 9998


async def test_garment_goes_from_intake_to_return(laundry, order):
    garment = (await laundry.tag(order, count=1))["tagged"][0]

    for state in ("in_work", "ready", "returned"):
        answer = await set_state(laundry, garment, state)
        assert (answer.status, answer["tagged"][0]["state"]) == (200, state)
    assert (answer["garments"], answer["garments_ready"], answer["garments_returned"]) == (1, 1, 1)


@pytest.mark.parametrize("state", ["lost", "damaged"])
async def test_lost_garment_needs_a_note(laundry, order, state):
    garment = (await laundry.tag(order, count=1))["tagged"][0]

    refused = await set_state(laundry, garment, state)

    assert refused.errors == {"note": ["Write down what happened to it."]}
    assert (await laundry.intake(order))["tagged"][0]["state"] == "taken_in"
    assert (await set_state(laundry, garment, state, note="Torn at the collar"))["tagged"][0]["note"]


@pytest.mark.parametrize("status", ["completed", "cancelled"])
async def test_order_waits_for_its_garments(laundry, order, status):
    shirts = (await laundry.tag(order))["tagged"]
    await laundry.weigh(order, 4000, place=1)
    await set_state(laundry, shirts[0], "returned")
    await set_state(laundry, shirts[1], "lost", note="Not found on the rail")

    refused = await laundry.set_status(order["id"], status)

    assert refused.errors == {"status": ["Not returned yet: 3 Shirt."]}
    assert refused["reason"] == "garments_left"
    assert (await laundry.read(order))["status"] == "new"
    await set_state(laundry, shirts[2], "returned")
    assert (await laundry.set_status(order["id"], status)).status == 200


async def test_sentence_names_ten_garments(laundry):
    order = await laundry.drop_off(line(laundry.shirt, 12))
    await laundry.tag(order)

    (text,) = (await laundry.set_status(order["id"], "completed")).errors["status"]

    assert text.startswith("Not returned yet: 1 Shirt, 2 Shirt, ")
    assert text.endswith("10 Shirt and 2 more.")


async def test_tags_are_given_back_with_the_order(laundry):
    order = await laundry.drop_off(line(laundry.shirt, 2))
    garment = (await laundry.tag(order))["tagged"][0]
    await laundry.send("PUT", f"/laundry/orders/{order['id']}/garments", {"state": "returned"})
    await laundry.set_status(order["id"], "completed")
    await sql.execute("UPDATE laundry_tag_counter SET last_tag = 0 WHERE owner_id = $1", laundry.owner.id)

    other = await laundry.drop_off(line(laundry.shirt))
    assert [each["tag"] for each in (await laundry.tag(other))["tagged"]] == [1]

    assert (await set_state(laundry, garment, "ready"))["reason"] == "order_closed"
    await laundry.set_status(order["id"], "ready")
    assert (await set_state(laundry, garment, "ready"))["reason"] == "tag_given_back"
    assert [each["tag"] for each in (await laundry.tag(order, count=1))["tagged"]] == [1, 2, 2]


async def test_all_garments_change_at_once_but_lost_ones(laundry, order):
    shirts = (await laundry.tag(order))["tagged"]
    await set_state(laundry, shirts[0], "lost", note="Not found")

    changed = await laundry.send("PUT", f"/laundry/orders/{order['id']}/garments", {"state": "ready"})

    assert [each["state"] for each in changed["tagged"]] == ["lost", "ready", "ready"]
    refused = await laundry.send("PUT", f"/laundry/orders/{order['id']}/garments", {"state": "lost"})
    assert list(refused.errors) == ["state"]


async def test_what_the_driver_brings_is_returned(laundry):
    order = await laundry.drop_off(line(laundry.shirt, 2), type="delivery", address="Rua 1")
    shirts = (await laundry.tag(order))["tagged"]
    await set_state(laundry, shirts[0], "ready")

    await laundry.set_status(order["id"], "delivered")

    assert [each["state"] for each in (await laundry.intake(order))["tagged"]] == ["returned", "taken_in"]


async def test_garment_is_found_by_its_tag(laundry, order):
    await laundry.drop_off(line(laundry.shirt))
    await laundry.tag(order)

    found = (await laundry.get("/laundry/orders?tag=2"))["data"]

    assert [(each["order_id"], each["garments"]) for each in found] == [(order["id"], 3)]
    assert (await laundry.get("/laundry/orders?tag=77"))["data"] == []
    assert (await laundry.send("GET", "/laundry/orders?tag=0")).status == 422


async def test_garments_of_another_owner_are_not_found(laundry, foreign_laundry):
    theirs = await foreign_laundry.drop_off(line(foreign_laundry.shirt))
    garment = (await foreign_laundry.tag(theirs))["tagged"][0]

    assert (await laundry.tag(theirs)).status == 404
    assert (await set_state(laundry, garment, "lost", note="Stolen")).status == 404
    tried = type(laundry)(laundry.client, laundry.owner, foreign_laundry.id)
    for method, path, body in (
        ("GET", "/laundry/orders", None),
        ("GET", f"/laundry/orders/{theirs['id']}", None),
        ("PUT", f"/laundry/orders/{theirs['id']}/garments", {"state": "returned"}),
        ("PUT", f"/laundry/orders/{theirs['id']}/ready-day", {"ready_on": "2030-01-01"}),
        ("PUT", f"/laundry/garments/{garment['id']}", {"state": "returned"}),
    ):
        assert (await tried.send(method, path, body)).status == 404, path
    assert (await foreign_laundry.intake(theirs))["tagged"] == [garment]


async def test_line_of_another_order_is_not_tagged(laundry, order):
    other = await laundry.drop_off(line(laundry.shirt))

    answer = await laundry.send("POST", f"/laundry/orders/{other['id']}/garments", {"line_id": order["items"][0]["id"]})

    assert answer.status == 404
