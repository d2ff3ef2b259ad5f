"""The tables of a store."""

import pytest
from comanda.devkit.testing.stores import line


async def test_a_table_is_added_shown_changed_and_removed(restaurant):
    made = await restaurant.table(7, 4, area="Terrace", position=2)

    assert made == {
        "id": made["id"],
        "number": "7",
        "seats": 4,
        "area": "Terrace",
        "is_active": True,
        "position": 2,
    }
    path = f"/tables/{made['id']}"
    changed = await restaurant.store.send("PUT", path, {"seats": 6, "area": "", "is_active": None})
    assert changed.document == {**made, "seats": 6, "area": None}
    assert (await restaurant.store.get(path)).document == changed.document
    assert (await restaurant.store.send("DELETE", path)).status == 204
    assert (await restaurant.store.send("GET", path)).status == 404
    assert (await restaurant.store.get("/tables"))["data"] == []


async def test_tables_stand_in_the_owner_s_order(restaurant):
    for number, position in (("1", 5), ("2", 1), ("3", 5)):
        await restaurant.table(number, position=position)

    listed = await restaurant.store.get("/tables")

    assert [table["number"] for table in listed["data"]] == ["2", "1", "3"]
    assert (listed["total"], listed["per_page"]) == (3, 100)


async def test_a_number_is_one_table_s_within_a_store(restaurant, owner, client):
    made, other = await restaurant.table("1"), await restaurant.table("2")

    again = await restaurant.store.send("POST", "/tables", {"number": " 1 ", "seats": 2})
    renamed = await restaurant.store.send("PUT", f"/tables/{other['id']}", {"number": 1, "seats": 2})
    elsewhere = await restaurant.store.send_to(
        f"/api/v1/restaurants/{await owner.store()}/tables", "POST", {"number": "1", "seats": 2}
    )

    assert again.errors == renamed.errors == {"number": ["There is a table 1 already."]}
    assert elsewhere.status == 201
    assert (await restaurant.store.get("/tables"))["data"] == [made, other]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"number": "", "seats": 2}, "number"),
        ({"number": "x" * 21, "seats": 2}, "number"),
        ({"number": "1"}, "seats"),
        ({"number": "1", "seats": 0}, "seats"),
        ({"number": "1", "seats": True}, "seats"),
        ({"number": "1", "seats": 101}, "seats"),
        ({"number": "1", "seats": 2, "position": -1}, "position"),
    ],
)
async def test_what_is_no_table_is_refused(restaurant, body, field):
    reply = await restaurant.store.send("POST", "/tables", body)

    assert list(reply.errors) == [field]
    assert (await restaurant.store.get("/tables"))["total"] == 0


async def test_a_reserved_table_stays_and_takes_its_guests_along_to_a_new_number(restaurant):
    made = await restaurant.table("1")
    over, reserved = await restaurant.reserve(hours=2), await restaurant.reserve(hours=6)
    await restaurant.set_status(over, "cancelled")
    path = f"/tables/{made['id']}"

    removed = await restaurant.store.send("DELETE", path)
    await restaurant.store.send("PUT", path, {"number": "Window"})

    assert (removed.status, removed["reason"]) == (409, "reserved")
    assert (await restaurant.shown(reserved))["table_numbers"] == ["Window"]
    assert (await restaurant.shown(over))["table_numbers"] == ["1"]


async def test_a_table_whose_guests_must_have_gone_can_be_removed(restaurant, noon):
    made = await restaurant.table("1")
    forgotten = await restaurant.reserve()
    noon.advance(days=1)

    assert (await restaurant.store.send("DELETE", f"/tables/{made['id']}")).status == 204
    assert (await restaurant.shown(forgotten))["table_numbers"] == ["1"]


async def test_a_table_out_of_use_is_given_to_nobody_but_keeps_who_has_it(restaurant):
    made = await restaurant.table("1")
    reserved = await restaurant.reserve()
    await restaurant.store.send("PUT", f"/tables/{made['id']}", {"is_active": False})

    refused = await restaurant.ask(hours=9)

    assert list(refused.errors) == ["party_size"]
    assert await restaurant.seatings() == [(reserved["id"], "1")]


async def test_an_order_is_for_a_table_in_use_or_for_any_where_none_is_defined(restaurant):
    soup = line(await restaurant.store.item())

    async def place(number, type="on-table"):
        return await restaurant.store.place(soup, type=type, table_number=number)

    assert (await place("4")).status == 201
    first, _ = await restaurant.table("1"), await restaurant.table("2", is_active=False)
    assert (await place(1)).status == 201
    for number in ("2", "4"):
        assert (await place(number)).errors == {"table_number": [f"There is no table {number} in use."]}
    # Whoever takes the dish away may have sat anywhere.
    assert (await place("4", type="takeaway")).status == 201
    assert list((await restaurant.store.place(soup, type="on-table")).errors) == ["table_number"]
    await restaurant.store.send("PUT", f"/tables/{first['id']}", {"number": "4"})
    assert [(await place(number)).status for number in ("1", "4")] == [422, 201]
    await restaurant.store.send("DELETE", f"/tables/{first['id']}")
    assert (await place("4")).status == 422


async def test_a_store_has_two_hundred_tables_at_the_most(restaurant, monkeypatch):
    monkeypatch.setattr("comanda_reservations.tables.MAX_TABLES", 1)
    await restaurant.table("1")

    reply = await restaurant.store.send("POST", "/tables", {"number": "2", "seats": 2})

    assert (reply.status, reply["limits"]) == (409, {"tables": 1})
    assert (await restaurant.store.get("/tables"))["total"] == 1
