"""When customers are reminded."""

from datetime import UTC, datetime, timedelta

import pytest
from comanda_reseller.services.invoices.reminder_schedule import get_next_reminder

DUE = datetime(2030, 1, 31, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(("after", "expected"), [(-30, -3), (-3, 1), (0, 1), (1, 7), (7, None), (400, None)])
def test_next_reminder_is_the_first_after_a_moment(runtime, after, expected):
    found = get_next_reminder(DUE, DUE + timedelta(days=after))

    assert found == (None if expected is None else DUE + timedelta(days=expected))
