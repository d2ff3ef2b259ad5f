"""What guests read about services."""

import pytest
from comanda_laundry.pages.service_facts import list_service_badges

BY_WEIGHT = "Price per kg. Order as many kg as you expect; we weigh it when we take it in."


@pytest.mark.parametrize(
    ("values", "badges"),
    [
        ({}, []),
        ({"ready_days": 0}, []),
        ({"ready_days": 1}, ["Ready in 1 working day"]),
        ({"is_by_weight": True, "ready_days": 2}, [BY_WEIGHT, "Ready in 2 working days"]),
    ],
)
def test_badges_of_a_service(values, badges):
    assert list_service_badges(values) == badges
