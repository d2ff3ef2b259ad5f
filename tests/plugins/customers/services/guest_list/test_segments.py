"""Guest segments."""

import pytest

BIG = "+351911111111"


@pytest.fixture
def get_segment(list_guests):
    """Tell the segment of a number."""

    async def read(phone="+351912345678"):
        return next(guest["segment"] for guest in await list_guests() if guest["phone"] == phone)

    return read


@pytest.mark.parametrize(
    ("days_ago", "expected"),
    [
        ([0], "new"), ([30], "new"), ([31], None), ([59], None), ([60], "at_risk"), ([120], "at_risk"),
        ([121], "lapsed"), ([400, 59], None), ([400, 0], None), ([40, 20, 0], "regular"), ([2, 1, 0], "regular"),
        ([89, 50, 50], "regular"), ([90, 50, 50], None), ([200, 100, 100], "at_risk"),
    ],
)  # fmt: skip
async def test_segment_depends_on_days_since_orders(order, get_segment, days_ago, expected):
    for days in days_ago:
        await order(days_ago=days)

    assert await get_segment() == expected


async def test_segment_changes_over_time_without_events(order, get_segment, clock):
    await order()
    is_handled = []
    for _ in range(5):
        is_handled.append(await get_segment())
        clock.advance(days=31)

    assert is_handled == ["new", None, "at_risk", "at_risk", "lapsed"]


async def test_vips_are_top_tenth_with_five_orders(order, get_segment, list_guests):
    for number in range(9):
        await order(phone=f"+35192000000{number}", soups=3)
    for _ in range(4):
        await order(phone=BIG, soups=10)
    assert await get_segment(BIG) == "regular"

    await order(phone=BIG)

    assert await get_segment(BIG) == "vip"
    assert [guest["phone"] for guest in await list_guests("segment=vip")] == [BIG]


async def test_two_of_eleven_guests_are_vips(order, get_segment):
    for number in range(8):
        await order(phone=f"+35192000000{number}")
    for phone, soups in ((BIG, 9), ("+351911111112", 8), ("+351911111113", 7)):
        for _ in range(5):
            await order(phone=phone, soups=soups)

    assert [await get_segment(f"+35191111111{number}") for number in (1, 2, 3)] == ["vip", "vip", "regular"]


async def test_absent_vip_is_at_risk(order, get_segment, clock):
    for _ in range(5):
        await order()
    assert await get_segment() == "vip"

    clock.advance(days=60)

    assert await get_segment() == "at_risk"


async def test_days_are_business_days_of_store(client, owner, store, handle_order_event, clock):
    """At 03:00 in Lisbon it is still yesterday for a store whose day begins at 04:00."""
    lisbon = type(store)(client, owner, await owner.store(timezone="Europe/Lisbon"))
    item = await lisbon.item()
    clock.set(clock().replace(month=1, day=10, hour=12, minute=0))
    await handle_order_event((await lisbon.order({"item_id": item["id"]}, phone="+351912345678"))["id"])

    clock.advance(days=59, hours=15)
    before = (await lisbon.get("/guests"))["data"][0]["segment"]
    clock.advance(hours=1)
    after = (await lisbon.get("/guests"))["data"][0]["segment"]

    assert (before, after) == (None, "at_risk")


async def test_summary_lists_count_and_spending_per_segment(store, order):
    await order(phone="+351920000004", days_ago=200, soups=7)
    await order(phone="+351920000003", days_ago=45)
    await order(phone="+351920000002", soups=2)
    await order(phone="+351920000001")

    page = await store.get("/guests/segments")

    assert (page["total"], page["last_page"], page["current_page"]) == (5, 1, 1)
    assert page["data"] == [
        {"key": "new", "label": "New", "count": 2, "total_spent": 30.0},
        {"key": "regular", "label": "Regular", "count": 0, "total_spent": 0.0},
        {"key": "vip", "label": "VIP", "count": 0, "total_spent": 0.0},
        {"key": "at_risk", "label": "At risk", "count": 0, "total_spent": 0.0},
        {"key": "lapsed", "label": "Lapsed", "count": 1, "total_spent": 70.0},
    ]
    assert [row["key"] for row in (await store.get("/guests/segments?per_page=2&page=3"))["data"]] == ["lapsed"]


async def test_filter_matches_summary(store, order, list_guests):
    for number, days in enumerate((130, 70, 45, 20, 0)):
        await order(phone=f"+35192000000{number}", days_ago=days)

    counts = {row["key"]: row["count"] for row in (await store.get("/guests/segments"))["data"]}

    assert counts == {"new": 2, "regular": 0, "vip": 0, "at_risk": 1, "lapsed": 1}
    for key, count in counts.items():
        found = await list_guests(f"segment={key}")
        assert [guest["segment"] for guest in found] == [key] * count
        assert (await store.get(f"/guests?segment={key}"))["total"] == count


async def test_store_without_guests_has_empty_segments(store):
    assert {row["count"] for row in (await store.get("/guests/segments"))["data"]} == {0}
    assert (await store.get("/guests"))["total"] == 0
