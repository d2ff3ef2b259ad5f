"""Periods: days of the store's calendar, and their limits."""

from datetime import UTC, datetime, timedelta

from comanda.devkit.testing import line


async def test_days_follow_calendar_of_store(client, owner, shop, clock):
    clock.set(datetime(2030, 3, 31, 12, tzinfo=UTC))
    there = type(shop)(client, owner, await owner.store(timezone="America/Sao_Paulo"))
    soup = await there.item("Soup", 10)
    # Midnight in São Paulo is three o'clock in UTC.
    moments = [datetime(2030, 3, day, 3, tzinfo=UTC) for day in (10, 12)]
    for moment in moments:
        await there.place_order(line(soup), at=moment)
        await there.place_order(line(soup), at=moment - timedelta(microseconds=1))
    for _ in range(2):
        report = await there.report("from=2030-03-10&to=2030-03-11&by_day=true")
        assert [(day["date"], day["orders"]) for day in report["by_day"]] == [("2030-03-10", 1), ("2030-03-11", 1)]
        assert report["orders"]["total"] == 2
        await there.backfill_orders()
        assert await there.is_complete()


async def test_today_begins_at_midnight_of_store(client, owner, shop, clock):
    clock.set(datetime(2030, 5, 15, 23, 30, tzinfo=UTC))
    tokyo = type(shop)(client, owner, await owner.store(timezone="Asia/Tokyo"))

    assert (await tokyo.report())["range"] == {"from": "2030-04-17", "to": "2030-05-16"}
    assert (await tokyo.report("to=2030-03-01"))["range"] == {"from": "2030-01-31", "to": "2030-03-01"}
    assert (await tokyo.report("from=2030-05-16"))["range"] == {"from": "2030-05-16", "to": "2030-05-16"}


async def test_day_of_clock_change_is_complete(client, owner, shop, clock):
    clock.set(datetime(2030, 12, 1, tzinfo=UTC))
    lisbon = type(shop)(client, owner, await owner.store(timezone="Europe/Lisbon"))
    soup = await lisbon.item("Soup", 10)
    # 27 October 2030 has 25 hours there: from 26 October, 23:00 in UTC, to midnight in UTC.
    for hour in range(25):
        await lisbon.place_order(line(soup), at=datetime(2030, 10, 26, 23, tzinfo=UTC) + timedelta(hours=hour))
    for _ in range(2):
        assert (await lisbon.report("from=2030-10-27&to=2030-10-27"))["orders"]["total"] == 25
        await lisbon.backfill_orders()


INVALID_PERIODS = [
    ("from=2030-05-16", "from"),
    ("from=2030-05-11&to=2030-05-10", "from"),
    ("from=2029-05-14&to=2030-05-15", "from"),
    ("from=yesterday", "from"),
    ("to=2030-02-30", "to"),
    ("to=20300210", "to"),
    ("to=1", "to"),
    ("to=2030-05-15T00:00:00Z", "to"),
    ("to=0000-01-01", "to"),
    ("from=0001-01-01&to=0001-01-02&compare=true", "from"),
    ("from=9999-12-30&to=9999-12-31", "from"),
    ("by_day=perhaps", "by_day"),
]


async def test_invalid_period_is_refused_by_field(shop, subtests):
    for query, field in INVALID_PERIODS:
        with subtests.test(query=query, field=field):
            reply = await shop.send("GET", f"/analytics?{query}")

            assert field in reply.errors


async def test_period_has_at_most_366_days(shop):
    assert (await shop.report("from=2029-05-15&to=2030-05-15"))["range"]["from"] == "2029-05-15"
