"""Dates of occasions."""

from datetime import UTC, datetime

import pytest
from comanda_florist.services.delivery_calendar import get_next_date


@pytest.mark.parametrize(
    ("since", "expected"), [((2030, 2, 28), "2030-02-28"), ((2030, 3, 1), "2031-02-28"), ((2031, 3, 1), "2032-02-29")]
)
def test_29_february_has_a_date_every_year(since, expected):
    assert get_next_date(2, 29, datetime(*since, tzinfo=UTC).date()).isoformat() == expected
