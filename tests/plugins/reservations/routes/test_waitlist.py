"""The routes of the waitlist."""

import asyncio

import pytest

LEAVE = {"status": "left"}


async def test_party_has_all_its_fields(waitlist, noon):
    party = await waitlist.add(phone="+351 912 345 678", note="Pram", quoted_minutes=20)

    assert party == {
        "id": party["id"], "status": "waiting", "place": 1, "guest_name": "Ada Costa", "party_size": 2,
        "phone": "+351 912 345 678", "note": "Pram", "quoted_minutes": 20, "source": "staff",
        "joined_at": "2027-03-10T12:00:00+00:00", "calls": 0, "called_at": None, "messaged_at": None,
        "ended_at": None, "reservation_id": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [("GET", "", None), ("POST", "/call", {}), ("POST", "/seat", {}), ("PUT", "/status", LEAVE)],
)
async def test_party_of_another_owner_or_store_is_not_there(waitlist, owner, other_owner, client, method, path, body):
    party = await waitlist.add()
    own, second = f"/api/v1/restaurants/{waitlist.store.id}", f"/api/v1/restaurants/{await owner.store()}"

    for start, auth in ((own, other_owner.auth), (second, owner.auth)):
        response = await client.open(f"{start}/waitlist/{party['id']}{path}", method=method, headers=auth, json=body)
        assert response.status_code == 404

    assert (await waitlist.get(party))["status"] == "waiting"


@pytest.mark.parametrize(
    "fields",
    [
        {"party_size": 0}, {"party_size": 1001}, {"party_size": 1.5}, {"guest_name": ""}, {"guest_name": "x" * 256},
        {"phone": "1" * 51}, {"note": "x" * 2001}, {"quoted_minutes": -1}, {"quoted_minutes": 721},
        {"quoted_minutes": 10**30}, {"party_size": [2]}, {"guest_name": None},
    ],
)  # fmt: skip
async def test_hostile_party_is_refused(waitlist, fields):
    reply = await waitlist.request(**{"name": "Ada", **{"name" if key == "guest_name" else key: value
                                                       for key, value in fields.items()}})  # fmt: skip

    assert (reply.status, list(reply.errors)) == (422, list(fields))
    assert await waitlist.list_names() == []


async def test_two_who_take_a_party_out_both_succeed(waitlist):
    party = await waitlist.add()

    replies = await asyncio.gather(*(waitlist.act(party, "status", **LEAVE) for _ in range(2)))

    assert [reply.status for reply in replies] == [200, 200]


@pytest.mark.parametrize("status", ["waiting", "called", "seated", "x", None, 1])
async def test_other_statuses_cannot_be_set(waitlist, status):
    party = await waitlist.add()

    assert (await waitlist.act(party, "status", status=status)).status == 422
    assert (await waitlist.get(party))["status"] == "waiting"
