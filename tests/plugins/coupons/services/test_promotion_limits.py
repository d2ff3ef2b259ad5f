"""When a promotion with limits is over."""

import pytest
from comanda_coupons.services.promotion_limits import is_over, was_over

NOTHING = dict.fromkeys(("usage_limit", "budget_minor", "max_discount_minor")) | {"used_count": 0, "spent_minor": 0}


@pytest.mark.parametrize(
    ("state", "over"),
    [
        ({}, False),
        ({"used_count": 9}, False),
        ({"usage_limit": 3, "used_count": 2}, False),
        ({"usage_limit": 3, "used_count": 3}, True),
        ({"budget_minor": 1000, "max_discount_minor": 400, "spent_minor": 600}, False),
        ({"budget_minor": 1000, "max_discount_minor": 400, "spent_minor": 601}, True),
    ],
)
def test_promotion_is_over_when_its_limit_is(state, over):
    assert is_over(NOTHING | state) is over


def test_state_before_a_change_is_known():
    last = NOTHING | {"usage_limit": 3, "used_count": 2}
    given_back = NOTHING | {"budget_minor": 1000, "max_discount_minor": 400, "spent_minor": 300}

    assert (is_over(last), was_over(last, 1, 0)) == (False, True)
    assert (is_over(given_back), was_over(given_back, 0, 400)) == (False, True)
