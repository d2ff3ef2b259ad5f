"""When items are sold: compared with a model that looks at every minute, also where clocks change."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from comanda.contracts import Orderability
from comanda_item_times.services.orderability import find_orderability
from hypothesis import example, given, settings
from hypothesis import strategies as st

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
# Clocks change at night, at midnight (so that a day begins at one), across midnight (so that a day comes back), by half
# an hour, and never.
ZONES = {
    "Europe/Berlin": (date(2026, 3, 29), date(2026, 10, 25)),
    "Asia/Beirut": (date(2026, 3, 29), date(2026, 10, 24)),
    "America/Havana": (date(2026, 3, 8), date(2026, 11, 1)),
    "America/St_Johns": (date(2006, 4, 2), date(2006, 10, 29)),
    "Australia/Lord_Howe": (date(2026, 4, 5), date(2026, 10, 4)),
    "Asia/Kolkata": (date(2026, 2, 28), date(2028, 2, 29)),
}
times_of_day = st.one_of(
    st.sampled_from(["00:00", "00:01", "00:30", "01:00", "02:00", "02:30", "03:00", "23:01", "23:30", "23:59"]),
    st.times().map(lambda each: f"{each:%H:%M}"),
)
windows = st.fixed_dictionaries(
    {"from": times_of_day, "until": times_of_day}, optional={"days": st.lists(st.sampled_from(DAYS), unique=True)}
)
places = st.sampled_from([(zone, day) for zone, days in ZONES.items() for day in days])
nearby = st.integers(-3, 3)
bounds = st.one_of(st.none(), nearby)
moments = st.integers(-2 * 24 * 60, 2 * 24 * 60)


def is_sold(values, zone, moment):
    """Return whether an item is sold in a minute."""
    wall = moment.astimezone(zone).replace(tzinfo=None)
    for begins in (wall.date() - DAY, wall.date()):
        first, last = values.get("sold_from"), values.get("sold_until")
        if (first and begins < date.fromisoformat(first)) or (last and begins > date.fromisoformat(last)):
            continue
        for window in values.get("sold_at") or [{"from": "00:00", "until": "00:00"}]:
            start = datetime.combine(begins, time.fromisoformat(window["from"]))
            end = datetime.combine(begins, time.fromisoformat(window["until"]))
            if (not window.get("days") or DAYS[begins.weekday()] in window["days"]) and start <= wall < (
                end if end > start else end + DAY
            ):
                return True
    return False


def to_values(day, sold_at, first, last):
    values = {"sold_at": sold_at} if sold_at else {}
    values |= {"sold_from": (day + first * DAY).isoformat()} if first is not None else {}
    return values | ({"sold_until": (day + last * DAY).isoformat()} if last is not None else {})


@settings(max_examples=150, deadline=None)
@given(places, st.lists(windows, max_size=3), bounds, bounds, moments)
@example(("Europe/Berlin", date(2026, 10, 25)), [{"from": "02:15", "until": "02:45"}], None, None, -24 * 60)
@example(("America/St_Johns", date(2006, 10, 29)), [], 0, 0, -24 * 60)
@example(("Asia/Beirut", date(2026, 3, 29)), [{"from": "00:00", "until": "00:30"}], None, None, -60)
def test_the_answer_and_its_next_turn_are_those_of_every_minute(place, sold_at, first, last, minutes):
    zone, values = ZoneInfo(place[0]), to_values(place[1], sold_at, first, last)
    moment = datetime.combine(place[1], time(12), tzinfo=UTC) + minutes * MINUTE

    found = find_orderability(values, zone, moment)

    assert found.is_orderable is is_sold(values, zone, moment)
    following = (moment + number * MINUTE for number in range(1, 5 * 24 * 60))
    turn = next((each for each in following if is_sold(values, zone, each) is not found.is_orderable), None)
    if turn is not None or found.changes_at is None:
        assert found.changes_at == turn
    else:
        assert found.changes_at >= moment + 5 * DAY


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(list(ZONES)), st.lists(windows, max_size=3), st.integers(0, 900), st.integers(0, 900), st.data())
def test_nothing_changes_before_a_turn_that_is_far_away(name, sold_at, first, length, data):
    zone, day = ZoneInfo(name), date(2026, 6, 1)
    values = to_values(day, sold_at, first, first + length)
    moment = datetime.combine(day, time(), tzinfo=UTC) + data.draw(st.integers(0, 3 * 365 * 24 * 60)) * MINUTE

    found = find_orderability(values, zone, moment)

    end = moment + 400 * DAY if found.changes_at is None else found.changes_at
    if found.changes_at is not None:
        assert is_sold(values, zone, end) is not found.is_orderable
        assert is_sold(values, zone, end - MINUTE) is found.is_orderable
    between = int((end - moment) / MINUTE) - 1
    for minutes in data.draw(st.lists(st.integers(0, max(between, 0)), max_size=200)):
        assert is_sold(values, zone, moment + minutes * MINUTE) is found.is_orderable


LUNCH = {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "11:00", "until": "14:00"}


@pytest.mark.parametrize(
    ("values", "moment", "answer"),
    [
        ({"sold_at": [LUNCH]}, datetime(2026, 7, 31, 9, tzinfo=UTC),
         Orderability(True, datetime(2026, 7, 31, 12, tzinfo=UTC))),
        ({"sold_at": [LUNCH]}, datetime(2026, 7, 31, 12, tzinfo=UTC),
         Orderability(False, datetime(2026, 8, 3, 9, tzinfo=UTC))),
        ({"sold_from": "2027-04-15", "sold_until": "2027-06-24"}, datetime(2026, 7, 31, tzinfo=UTC),
         Orderability(False, datetime(2027, 4, 14, 22, tzinfo=UTC))),
        ({"sold_from": "2026-04-15", "sold_until": "2027-06-24"}, datetime(2026, 7, 31, tzinfo=UTC),
         Orderability(True, datetime(2027, 6, 24, 22, tzinfo=UTC))),
        ({"sold_until": "2026-06-24"}, datetime(2026, 7, 31, tzinfo=UTC), Orderability(False)),
        ({"sold_from": "2026-06-24"}, datetime(2026, 7, 31, tzinfo=UTC), Orderability(True)),
        ({"sold_at": [{"from": "08:00", "until": "08:00"}]}, datetime(2026, 7, 31, tzinfo=UTC), Orderability(True)),
        ({"sold_at": [LUNCH], "sold_from": "2026-08-01", "sold_until": "2026-08-02"}, datetime(2026, 7, 1, tzinfo=UTC),
         Orderability(False)),
        # A window that begins on the last day runs to its end.
        ({"sold_at": [{"from": "22:00", "until": "02:00"}], "sold_until": "2026-07-31"},
         datetime(2026, 7, 31, 22, 30, tzinfo=UTC), Orderability(True, datetime(2026, 8, 1, 0, tzinfo=UTC))),
        ({"sold_from": "2999-12-31"}, datetime(2026, 7, 31, tzinfo=UTC),
         Orderability(False, datetime(2999, 12, 30, 23, tzinfo=UTC))),
    ],
)  # fmt: skip
def test_items_are_sold_at_their_times(values, moment, answer):
    assert find_orderability(values, ZoneInfo("Europe/Berlin"), moment) == answer
