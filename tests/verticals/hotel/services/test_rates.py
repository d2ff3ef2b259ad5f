"""Nightly rates."""

import pytest

from ..conftest import day

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@pytest.fixture
async def double(hotel):
    return await hotel.room_type(rooms=1, max_adults=4, base_adults=2, extra_adult_price=20)


@pytest.fixture
def rate(hotel, double):
    async def put(**body):
        return await hotel.send("PUT", f"/room-types/{double['id']}/rates", body)

    return put


async def test_base_price_applies_without_rates(hotel, double):
    assert (await hotel.get(f"/room-types/{double['id']}/rates")).document == {
        "room_type_id": double["id"], "currency": "EUR", "base_price": 80.0, "extra_adult_price": 20.0,
        "weekdays": dict.fromkeys(WEEKDAYS), "nights": [],
    }  # fmt: skip


async def test_night_price_overrides_weekday_and_base(hotel, double, rate):
    # Today is a Wednesday.
    set_to = await rate(weekdays={"thursday": 90, "friday": 120}, nights=[{"from": day(2), "to": day(3), "price": 150}])

    assert set_to["weekdays"] == {**dict.fromkeys(WEEKDAYS), "thursday": 90.0, "friday": 120.0}
    assert set_to["nights"] == [{"from": day(2), "to": day(3), "price": 150.0}]
    (offer,) = await hotel.offers(0, 5, adults=2)
    assert [night["price"] for night in offer["nightly"]] == [80.0, 90.0, 150.0, 150.0, 80.0]
    assert offer["total"] == 550.0
    (for_three,) = await hotel.offers(0, 5, adults=3)
    assert [night["price"] for night in for_three["nightly"]] == [100.0, 110.0, 170.0, 170.0, 100.0]


async def test_omitted_rates_are_kept_and_null_removes(hotel, double, rate):
    await rate(weekdays={"friday": 120, "saturday": 130}, nights=[{"from": day(0), "to": day(9), "price": 99}])

    left = await rate(
        weekdays={"friday": None, "sunday": 70},
        nights=[{"from": day(3), "to": day(4), "price": None}, {"from": day(7), "to": day(7), "price": 5}],
    )

    assert left["weekdays"] == {**dict.fromkeys(WEEKDAYS), "saturday": 130.0, "sunday": 70.0}
    assert left["nights"] == [
        {"from": day(0), "to": day(2), "price": 99.0}, {"from": day(5), "to": day(6), "price": 99.0},
        {"from": day(7), "to": day(7), "price": 5.0}, {"from": day(8), "to": day(9), "price": 99.0},
    ]  # fmt: skip


async def test_price_of_zero_is_kept(hotel, double, rate):
    await rate(nights=[{"from": day(0), "to": day(0), "price": 0}])

    assert (await hotel.stay(double))["total"] == 0.0


async def test_booked_stays_keep_their_price(hotel, double, rate):
    made = await hotel.stay(double, 0, 2)

    await rate(nights=[{"from": day(0), "to": day(9), "price": 1}])
    await hotel.send("PUT", f"/room-types/{double['id']}", {"base_price": 2})

    assert (await hotel.look(made))["total"] == 160.0


@pytest.mark.parametrize(
    ("nights", "field"),
    [
        ({"from": day(1), "to": day(0), "price": 1}, "nights.0.to"),
        ({"from": day(-1), "to": day(0), "price": 1}, "nights.0.from"),
        ({"from": day(0), "to": "2099-01-01", "price": 1}, "nights.0.to"),
        ({"from": day(0), "to": day(0), "price": 0.001}, "nights.0.price"),
        ({"from": day(0), "to": day(0)}, "nights.0.price"),
    ],
)
async def test_invalid_rates_are_refused(hotel, double, rate, nights, field):
    reply = await rate(weekdays={"friday": 5}, nights=[nights])

    assert list(reply.errors) == [field]
    assert (await hotel.get(f"/room-types/{double['id']}/rates"))["weekdays"]["friday"] is None


async def test_yen_rates_have_no_decimals(client, owner, hotel):
    ryokan = type(hotel)(client, owner, await owner.store("hotel", currency="JPY"))
    double = await ryokan.room_type(rooms=1, base_price=12000)
    path = f"/room-types/{double['id']}/rates"

    assert (await ryokan.send("PUT", path, {"weekdays": {"friday": 9.5}})).errors.keys() == {"weekdays.friday"}
    assert (await ryokan.stay(double, 0, 2))["total"] == 24000
