"""Durations as people write them."""

from datetime import timedelta

import pytest
from comanda.platform.test_clock.durations import parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"), [("40d", 3_456_000), ("1w2d", 777_600), ("2h30m", 9000), ("90s", 90), ("0001m", 60)]
)
def test_duration_is_parsed(text, seconds):
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "40", "d", "1y", "-1d", "1 d", "1d ", "1.5h", "٤d", "99999999d", "1d" * 6])
def test_other_text_is_refused(text):
    with pytest.raises(ValueError, match="written like 40d"):
        parse_duration(text)
