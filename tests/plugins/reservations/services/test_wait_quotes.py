"""The estimate of a wait: parties ahead, tables of the size, and how long guests sat."""

from datetime import UTC, datetime

import pytest
from comanda.platform.db import sql

NOON = datetime(2027, 3, 10, 12, tzinfo=UTC)
COMPLETE = """
    INSERT INTO reservations_reservation (owner_id, store_id, kind, status, guest_name, party_size, starts_at, ends_at,
        source, created_at, updated_at)
    SELECT owner_id, id, 'table', 'completed', 'x', 2, $2::timestamptz - interval '1 day' - n * interval '1 hour',
        $2, 'api', $2, $2::timestamptz - interval '1 day' - n * interval '1 hour' + $3 * interval '1 minute'
    FROM core_store_v1, generate_series(1, $4) AS n WHERE id = $1
"""


@pytest.fixture
def quote(waitlist):
    async def get(party_size=2):
        found = (await waitlist.store.get(f"/waitlist/quote?party_size={party_size}")).document
        return found["parties_ahead"], found["quoted_minutes"]

    return get


async def test_nobody_waits_while_a_table_is_free(waitlist, quote):
    assert await quote() == (0, 0)


async def test_each_party_waits_for_a_table_of_its_size(waitlist, quote):
    await waitlist.restaurant.create_table("2", seats=2)
    await waitlist.add()

    # Two tables seat two guests, one seats four: (1 + 1) parties, 90 minutes.
    assert await quote(2) == (1, 90)
    assert await quote(4) == (1, 180)


async def test_recent_parties_say_how_long_guests_sit(waitlist, quote):
    await sql.execute(COMPLETE, waitlist.store.id, NOON, 41, 4)
    await waitlist.add()
    few = await quote()
    await sql.execute(COMPLETE, waitlist.store.id, NOON, 41, 1)

    assert (few, await quote()) == ((1, 180), (1, 85))


async def test_store_without_tables_has_no_estimate(restaurant, store):
    found = (await store.get("/waitlist/quote")).document

    assert found == {"party_size": 2, "parties_ahead": 0, "quoted_minutes": None}


async def test_estimate_is_bounded(waitlist, quote):
    for _ in range(9):
        await waitlist.add()

    assert await quote() == (9, 720)
