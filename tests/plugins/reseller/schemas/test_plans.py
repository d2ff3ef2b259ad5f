"""Bodies of plans."""

import pytest
from comanda_reseller.schemas.plans import PlanBody, PlanLimits
from pydantic import ValidationError

PLAN = {"code": "pro", "name": "Pro", "price": 49}


def test_plan_without_limits_is_unlimited_and_monthly():
    body = PlanBody.model_validate(PLAN)

    assert (body.interval, body.trial_days, body.limits) == ("month", 0, PlanLimits())
    assert body.limits.stores is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("code", "Pro"),
        ("code", "-pro"),
        ("code", "p" * 51),
        ("currency", "eur"),
        ("trial_days", 731),
        ("price", -1),
        ("limits", {"stores": -1}),
        ("interval", "week"),
    ],
)
def test_invalid_field_is_refused(field, value):
    with pytest.raises(ValidationError) as failed:
        PlanBody.model_validate({**PLAN, field: value})

    assert failed.value.errors()[0]["loc"][0] == field
