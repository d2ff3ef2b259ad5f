"""The index of the search of guests finds what comparing all guests finds."""

from urllib.parse import quote

import pytest
from comanda.platform.db import sql
from comanda_customers.services.guest_list import index as guest_index
from comanda_customers.services.guest_list.index import find_candidates

GUESTS = [
    ("Ada Lovelace", "+351912000001"),
    ("Grace Hopper", "+351912000002"),
    ("Åsa Öström", "+46701234567"),
    ("Li", "+351912000104"),
]
TEXTS = [
    "love",
    "ace",
    "a l",
    "hopp",
    "asa",
    "ÖSTRÖM",
    "li",
    "9120000",
    "+351 912",
    "0912",
    "12",
    "70",
    "nobody",
    "%",
    "_",
]


@pytest.fixture
async def guests(store, order):
    for name, phone in GUESTS:
        await order(customer_name=name, phone=phone)
    return await store.get("/guests")


async def test_index_finds_what_comparing_finds(guests, list_guests, monkeypatch, subtests):
    queries = [f"search={quote(text)}" for text in TEXTS]
    found = [await list_guests(query) for query in queries]

    async def compare_all(*_):
        return None

    monkeypatch.setattr("comanda_customers.services.guest_list.guests.find_candidates", compare_all)

    for query, guests_found in zip(queries, found, strict=True):
        with subtests.test(query=query):
            assert await list_guests(query) == guests_found


async def test_candidates_are_the_guests_of_one_store(guests, owner, store):
    other = type(store)(store.client, owner, await owner.store())

    (candidate,) = await find_candidates(owner.id, store.id, "lovelace", "")

    assert candidate in {guest["id"] for guest in guests["data"]}
    assert await find_candidates(owner.id, other.id, "lovelace", "") == []


async def test_many_candidates_are_not_listed(guests, owner, store, monkeypatch):
    monkeypatch.setattr(guest_index, "SELECT_CANDIDATES", guest_index.SELECT_CANDIDATES.replace("5001", "2"))
    monkeypatch.setattr(guest_index, "MAX_CANDIDATES", 1)

    assert await find_candidates(owner.id, store.id, "3519120000", "3519120000") is None
    assert len(await find_candidates(owner.id, store.id, "lovelace", "")) == 1


async def test_grams_follow_the_name(guests, store, list_guests):
    (ada,) = await list_guests("search=lovelace")

    await store.send("PUT", f"/guests/{ada['id']}", {"name": "Countess"})

    assert await list_guests("search=lovelace") == []
    assert [guest["id"] for guest in await list_guests("search=ount")] == [ada["id"]]


async def test_guests_of_before_the_index_are_found_after_the_migration(guests, owner):
    """What the migration writes for the guests that are there is what the trigger writes."""
    kept = await sql.fetch(
        "SELECT guest_id, grams FROM customers_guest_search WHERE owner_id = $1 ORDER BY 1", owner.id
    )
    made = await sql.fetch(
        """SELECT id AS guest_id, customers_guest_grams(store_id, search, email, phone) AS grams
           FROM customers_guest WHERE owner_id = $1 ORDER BY 1""",
        owner.id,
    )

    assert [(row["guest_id"], set(row["grams"])) for row in kept] == [
        (row["guest_id"], set(row["grams"])) for row in made
    ]
    assert all(row["grams"] for row in kept)
