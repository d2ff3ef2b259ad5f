"""The pages on which guests reserve a table."""

from uuid import uuid4

import pytest
from comanda.platform.db import sql

OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}
DAY = "2027-03-12"
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class TableGuest:
    """A guest at the pages of a restaurant."""

    def __init__(self, store, slug):
        self.store, self.slug = store, slug

    async def read(self, path):
        response = await self.store.client.get(path)
        return response.status_code, await response.get_data(as_text=True)

    async def send(self, path, body, headers=OWN_PAGE):
        response = await self.store.client.post(path, json=body, headers=headers)
        return response.status_code, await response.get_json()

    async def reserve(self, at="19:30", headers=OWN_PAGE, **fields):
        body = {
            "guest_name": "Ana Silva", "phone": "+351912345678", "party_size": 2, "starts_at": f"{DAY}T{at}:00Z",
            "client_uuid": str(uuid4()), **fields,
        }  # fmt: skip
        return await self.send(f"/s/{self.slug}/reservations", body, headers)

    async def count(self):
        return (await self.store.get("/reservations"))["total"]


@pytest.fixture
async def guest(restaurant):
    store = restaurant.store
    return TableGuest(store, await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id))


async def test_free_times_of_the_day_are_shown(restaurant, guest):
    await restaurant.create_table("1")
    hours = {day: [] for day in DAYS} | {"friday": [{"open": "19:00", "close": "21:00"}]}
    reply = await restaurant.store.send("PUT", "/settings", {"timezone": "UTC", "hours": hours})
    assert reply.status == 200, reply
    assert (await guest.reserve("19:00"))[0] == 201

    status, page = await guest.read(f"/s/{guest.slug}/tables?day={DAY}&party_size=2")

    assert status == 200
    times = [part.partition("<")[0] for part in page.split("required><span>")[1:]]
    assert times == ["20:30", "20:45"]
    assert "No table is free" in (await guest.read(f"/s/{guest.slug}/tables?day={DAY}&party_size=9"))[1]
    assert "please call" in (await guest.read(f"/s/{guest.slug}/tables?day={DAY}&party_size=21"))[1]


@pytest.mark.parametrize("query", ["day=x", "party_size=0", "party_size=x", "day=9999-99-99"])
async def test_wrong_search_is_explained(restaurant, guest, query):
    await restaurant.create_table("1")

    status, page = await guest.read(f"/s/{guest.slug}/tables?{query}")

    assert status == 200
    assert ("Day: " if "day" in query else "Number of guests: ") in page


async def test_reservation_is_found_by_its_link_alone(restaurant, guest):
    await restaurant.create_table("1")

    status, made = await guest.reserve(note="<b>Window</b>")

    assert status == 201, made
    assert "&lt;b&gt;Window&lt;/b&gt;" in (await guest.read(made["url"]))[1]
    path, _, query = made["url"].partition("?")
    for wrong in (path, f"{path}?{query[:-1]}0x", f"{path[:-1]}999?{query}", f"{path}?expires=1&signature=x"):
        assert (await guest.read(wrong))[0] == 404
        cancellation = wrong.replace("?", "/cancellation?") if "?" in wrong else f"{wrong}/cancellation"
        assert (await guest.send(cancellation, {}))[0] == 404


async def test_same_form_sent_again_reserves_once(restaurant, guest):
    await restaurant.create_table("1")
    key = str(uuid4())

    first, again = await guest.reserve(client_uuid=key), await guest.reserve(client_uuid=key)

    assert (first[0], again[0], await guest.count()) == (201, 201, 1)
    assert first[1]["url"].partition("?")[0] == again[1]["url"].partition("?")[0]


async def test_guest_cancels_until_the_reservation_begins(restaurant, guest, clock):
    await restaurant.create_table("1")
    await restaurant.create_table("2")
    _, first = await guest.reserve()
    _, second = await guest.reserve("12:00")

    assert (await guest.send(first["url"].replace("?", "/cancellation?"), {}))[0] == 200
    assert (await guest.send(first["url"].replace("?", "/cancellation?"), {}))[0] == 200
    listed = (await restaurant.store.get("/reservations"))["data"]
    assert {(each["status"], each["cancelled_by"]) for each in listed} == {
        ("cancelled", "customer"),
        ("confirmed", None),
    }
    reserved = next(each for each in listed if each["status"] == "confirmed")
    await restaurant.update_status(reserved, "seated")
    status, refusal = await guest.send(second["url"].replace("?", "/cancellation?"), {})
    assert (status, refusal["message"]) == (409, "This reservation can no longer be cancelled here. Please call.")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"starts_at": "2020-01-01T12:00:00Z"}, "past"),
        ({"starts_at": "2035-01-01T12:00:00Z"}, "too_far"),
        ({"party_size": 21}, "party_too_large"),
    ],
)
async def test_refusal_is_said_in_words_for_guests(restaurant, guest, fields, reason):
    await restaurant.create_table("1")

    status, refusal = await guest.reserve(**fields)

    assert (status, refusal["reason"]) == (409, reason)
    assert await guest.count() == 0


async def test_tables_that_are_taken_are_refused(restaurant, guest):
    await restaurant.create_table("1")
    await guest.reserve()

    status, refusal = await guest.reserve()

    assert (status, refusal["reason"]) == (409, "fully_booked")


async def test_pages_of_other_sites_reserve_nothing(restaurant, guest):
    await restaurant.create_table("1")

    for headers in ({}, {"Origin": "http://evil.example"}, {**OWN_PAGE, "Sec-Fetch-Site": "cross-site"}):
        assert (await guest.reserve(headers=headers))[0] == 403
    assert await guest.count() == 0


async def test_other_stores_reserve_no_tables(restaurant, guest, owner):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", await owner.store("retail"))

    for other in (slug, "nowhere"):
        elsewhere = TableGuest(restaurant.store, other)
        assert (await elsewhere.read(f"/s/{other}/tables"))[0] == 404
        assert (await elsewhere.reserve())[0] == 404


async def test_page_of_the_store_leads_there_once_it_has_tables(restaurant, guest):
    assert "/tables" not in (await guest.read(f"/s/{guest.slug}"))[1]

    await restaurant.create_table("1")

    assert f'href="/s/{guest.slug}/tables"' in (await guest.read(f"/s/{guest.slug}"))[1]


async def test_restaurant_of_a_suspended_owner_is_not_there(restaurant, guest, owner):
    await restaurant.create_table("1")
    _, made = await guest.reserve()
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert (await guest.read(f"/s/{guest.slug}/tables"))[0] == 404
    assert (await guest.read(made["url"]))[0] == 404
    assert (await guest.reserve("12:00"))[0] == 404
    assert (await guest.send(made["url"].replace("?", "/cancellation?"), {}))[0] == 404
