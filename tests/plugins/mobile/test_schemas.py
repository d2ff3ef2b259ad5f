"""The body of a login."""

import pytest
from comanda_mobile.schemas import AppLoginBody
from pydantic import ValidationError

LOGIN = {"email": "ada@example.com", "password": "correct horse battery"}


def test_hints_can_be_left_out():
    body = AppLoginBody.model_validate(LOGIN)

    assert (body.device, body.account, body.restaurant_id, body.owner, body.otp) == (None,) * 5


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("account", "driver"),
        ("restaurant_id", 0),
        ("owner", 2**70),
    ],
)
def test_invalid_field_is_refused(field, value):
    with pytest.raises(ValidationError) as failed:
        AppLoginBody.model_validate({**LOGIN, field: value})

    assert failed.value.errors()[0]["loc"] == (field,)
