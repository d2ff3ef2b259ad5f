"""Windows of time, over zones, clock changes and moments of all kinds."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from comanda.contracts import TimeWindow, time_windows
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

ZONES = [ZoneInfo(name) for name in ("Europe/Lisbon", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe")]
times = st.builds("{:02}:{:02}".format, st.integers(0, 23), st.sampled_from([0, 15, 30, 45]))
windows = st.lists(
    st.fixed_dictionaries(
        {"from": times, "until": times},
        optional={"days": st.lists(st.sampled_from([str(day) for day in time_windows.Weekday]), max_size=3)},
    ),
    min_size=1,
    max_size=3,
)
moments = st.integers(0, 2 * 365 * 24 * 60).map(
    lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)


def is_inside(found, zone, moment):
    """Return whether the local time is within a window that begins on this local day or the day before."""
    wall = moment.astimezone(zone).replace(tzinfo=None)
    for days_ago in (0, 1):
        midnight = datetime.combine(wall.date(), time()) - timedelta(days=days_ago)
        for window in found:
            days = window.get("days")
            if days and [*time_windows.Weekday][midnight.weekday()] not in days:
                continue
            start, end = (
                midnight + timedelta(hours=int(window[name][:2]), minutes=int(window[name][3:]))
                for name in ("from", "until")
            )
            if start <= wall < (end if end > start else end + timedelta(days=1)):
                return True
    return False


@given(windows, st.sampled_from(ZONES), moments)
def test_moment_is_inside_if_its_local_time_is(found, zone, moment):
    assert time_windows.find_state(time_windows.to_weekly_times(found), zone, moment).is_orderable == is_inside(
        found, zone, moment
    )


@given(windows, st.sampled_from(ZONES), moments)
def test_state_holds_until_it_changes(found, zone, moment):
    state = time_windows.find_state(time_windows.to_weekly_times(found), zone, moment)

    if state.changes_at is None:
        assert all(is_inside(found, zone, moment + timedelta(hours=hour)) for hour in range(24 * 8))
    else:
        assert state.changes_at > moment
        assert is_inside(found, zone, state.changes_at - timedelta(seconds=1)) is state.is_orderable
        assert is_inside(found, zone, state.changes_at) is not state.is_orderable


def test_without_windows_it_is_always():
    state = time_windows.find_state(time_windows.to_weekly_times([]), ZONES[0], datetime(2026, 7, 1, tzinfo=UTC))

    assert (state.is_orderable, state.changes_at) == (True, None)


def test_days_of_a_window_are_sorted_and_times_checked():
    window = TimeWindow.model_validate({"days": ["sun", "mon", "sun"], "from": "22:00", "until": "01:00"})

    assert window.model_dump(mode="json") == {"days": ["mon", "sun"], "from": "22:00", "until": "01:00"}
    for wrong in ("24:00", "7:00", "07:60"):
        with pytest.raises(ValidationError):
            TimeWindow.model_validate({"from": wrong, "until": "08:00"})
