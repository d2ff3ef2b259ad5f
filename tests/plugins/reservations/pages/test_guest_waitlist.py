"""The pages on which guests join the waitlist and see their place."""

import asyncio
from uuid import uuid4

import pytest
from comanda.platform.db import sql

OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}
NUMBER = "+351912345678"


class WaitingGuest:
    """A guest at the door of a restaurant, with a telephone."""

    def __init__(self, store, slug):
        self.store, self.slug = store, slug

    async def read(self, path):
        response = await self.store.client.get(path)
        return response.status_code, await response.get_data(as_text=True)

    async def send(self, path, body, headers=OWN_PAGE):
        response = await self.store.client.post(path, json=body, headers=headers)
        return response.status_code, await response.get_json()

    async def join(self, headers=OWN_PAGE, **fields):
        body = {"guest_name": "Ana Silva", "phone": NUMBER, "party_size": 2, "client_uuid": str(uuid4()), **fields}
        return await self.send(f"/s/{self.slug}/waitlist/parties", body, headers)

    async def leave(self, page):
        return await self.send(page.replace("?", "/departure?"), {})


@pytest.fixture
async def guest(waitlist):
    await waitlist.restaurant.update_settings(has_public_waitlist=True)
    store = waitlist.store
    return WaitingGuest(store, await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id))


async def test_guest_joins_and_sees_place_call_and_table(waitlist, guest):
    await waitlist.add("Bea")
    status, form = await guest.read(f"/s/{guest.slug}/waitlist")

    joined, made = await guest.join(note="<b>Pram</b>")
    _, waiting = await guest.read(made["url"])
    party = (await waitlist.store.get("/waitlist"))["data"][1]
    await waitlist.act(party, "call")
    _, called = await guest.read(made["url"])
    await waitlist.act(party, "seat")
    _, seated = await guest.read(made["url"])

    assert (status, joined) == (200, 201)
    assert "Parties waiting: 1" in form
    assert "<strong>2</strong>" in waiting
    assert 'http-equiv="refresh"' in waiting
    assert "Please come to the entrance." in called
    assert 'http-equiv="refresh"' not in seated
    assert (party["source"], party["phone"], party["note"]) == ("website", NUMBER, "<b>Pram</b>")


async def test_guest_is_messaged_in_the_language_of_the_page(waitlist, guest, owner):
    await guest.join(headers={**OWN_PAGE, "Accept-Language": "de"})
    [party] = (await waitlist.store.get("/waitlist"))["data"]

    await waitlist.act(party, "call")

    text = await sql.fetch_value(
        "SELECT text FROM notifications_message WHERE owner_id = $1 AND purpose = 'reservations.table_ready'", owner.id
    )
    assert text.startswith("Ihr Tisch bei ")
    page = text[text.index("/reservations/waitlist/") :]
    assert (await guest.read(page))[0] == 200


async def test_guest_leaves_the_line_once(waitlist, guest):
    _, made = await guest.join()

    replies = [await guest.leave(made["url"]) for _ in range(2)]

    assert [status for status, _ in replies] == [200, 200]
    assert await waitlist.list_names() == []
    assert "Left the waitlist" in (await guest.read(made["url"]))[1]


async def test_guest_who_was_seated_cannot_leave(waitlist, guest):
    _, made = await guest.join()
    [party] = (await waitlist.store.get("/waitlist"))["data"]
    await waitlist.act(party, "seat")

    status, refusal = await guest.leave(made["url"])

    assert (status, refusal["message"]) == (409, "You are no longer on the waitlist.")


async def test_link_opens_one_party_only(guest):
    _, made = await guest.join()
    _, other = await guest.join(phone="+351912345679")
    path, _, query = made["url"].partition("?")

    for forged in (f"{other['url'].partition('?')[0]}?{query}", path, f"{path}?expires=x&signature=y"):
        assert (await guest.read(forged))[0] == 404
        assert (await guest.send(forged.replace("?", "/departure?"), {}))[0] in {404, 405}


async def test_number_joins_once_when_sent_at_once(waitlist, guest):
    replies = await asyncio.gather(*(guest.join(phone=phone) for phone in (NUMBER, "+351 912 345 678", NUMBER)))

    assert sorted(status for status, _ in replies) == [201, 409, 409]
    assert {refusal.get("reason") for status, refusal in replies if status == 409} == {"already_waiting"}
    assert await waitlist.list_names() == ["Ana Silva"]


async def test_form_sent_again_adds_nobody(waitlist, guest):
    same = str(uuid4())

    replies = [await guest.join(client_uuid=same) for _ in range(2)]

    assert [status for status, _ in replies] == [201, 201]
    assert len(await waitlist.list_names()) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"phone": "no number"}, {"phone": ""}, {"phone": None}, {"guest_name": " "}, {"party_size": 0},
        {"party_size": "x" * 5000}, {"guest_name": "x" * 256}, {"note": "x" * 2001},
        {"client_uuid": ""}, {"guest_name": {"a": 1}},
    ],
)  # fmt: skip
async def test_hostile_form_is_refused(waitlist, guest, fields):
    status, _ = await guest.join(**fields)

    assert status == 422
    assert await waitlist.list_names() == []


async def test_refusals_are_said_in_words_for_guests(waitlist, guest, monkeypatch):
    large = await guest.join(party_size=21)
    monkeypatch.setattr("comanda_reservations.services.waitlist.MAX_WAITING", 0)
    full = await guest.join()
    await waitlist.restaurant.update_settings(has_public_waitlist=False)
    off = await guest.join()

    assert [(status, refusal["reason"]) for status, refusal in (large, full, off)] == [
        (409, "party_too_large"), (409, "waitlist_full"), (409, "waitlist_off"),
    ]  # fmt: skip
    assert off[1]["message"] == "The waitlist is closed at the moment. Please ask our staff."
    assert (await guest.read(f"/s/{guest.slug}/waitlist"))[0] == 404


async def test_nobody_joins_while_the_restaurant_is_closed(waitlist, guest):
    hours = {day: [] for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}
    await waitlist.store.send("PUT", "/settings", {"timezone": "UTC", "hours": hours})

    status, refusal = await guest.join()

    assert (status, refusal["reason"]) == (409, "closed")
    assert "The restaurant is closed at the moment." in (await guest.read(f"/s/{guest.slug}/waitlist"))[1]


async def test_pages_of_other_sites_and_stores_add_nobody(waitlist, guest, owner):
    elsewhere = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", await owner.store("retail"))

    for headers in ({}, {"Origin": "http://evil.example"}, {**OWN_PAGE, "Sec-Fetch-Site": "cross-site"}):
        assert (await guest.join(headers=headers))[0] == 403
    for slug in (elsewhere, "nowhere"):
        assert (await WaitingGuest(guest.store, slug).join())[0] == 404
        assert (await guest.read(f"/s/{slug}/waitlist"))[0] == 404
    assert await waitlist.list_names() == []


async def test_joins_of_a_store_are_limited(guest, monkeypatch):
    monkeypatch.setattr("comanda_reservations.routes.guests.JOINS_PER_MINUTE", 1)

    replies = [await guest.join(phone=f"+35191234567{digit}") for digit in range(2)]

    assert [status for status, _ in replies] == [201, 429]


async def test_waitlist_of_a_suspended_owner_is_not_there(guest, owner):
    _, made = await guest.join()
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert (await guest.read(f"/s/{guest.slug}/waitlist"))[0] == 404
    assert (await guest.join(phone="+351912345679"))[0] == 404
    assert (await guest.read(made["url"]))[0] == 404
    assert (await guest.leave(made["url"]))[0] == 404
