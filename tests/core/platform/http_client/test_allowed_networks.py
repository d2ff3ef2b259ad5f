"""Networks that an operator's settings allow."""

import pytest
from comanda.platform.http_client import NetworkList
from pydantic import TypeAdapter, ValidationError


def test_networks_are_checked():
    networks = TypeAdapter(NetworkList)

    assert networks.validate_python("10.0.0.0/8, ::1/128") == ["10.0.0.0/8", "::1/128"]
    with pytest.raises(ValidationError):
        networks.validate_python(["10.0.0.0/99"])
