"""Windows of time in forms of the dashboard."""

from comanda.web import use_language
from comanda.web.dashboard import list_weekdays, take_windows

FRIDAY = {"days": ["fri"], "from": "18:00", "until": "02:00"}


def test_windows_that_nobody_filled_in_are_left_out():
    assert take_windows([FRIDAY, {"days": [], "from": None, "until": None}]) == [FRIDAY]
    assert take_windows(None) == []


def test_days_without_times_are_whole_days():
    found = take_windows([{"days": ["sat", "sun"], "from": None, "until": None}])

    assert found == [{"days": ["sat", "sun"], "from": "00:00", "until": "00:00"}]


def test_window_with_one_of_both_times_is_left_to_the_route():
    half = {"days": [], "from": "18:00", "until": None}

    assert take_windows([half]) == [half]


def test_weekdays_are_in_the_language_of_the_page():
    with use_language("de"):
        days = list_weekdays()

    assert (days[0], days[-1]) == (("mon", "Montag"), ("sun", "Sonntag"))
