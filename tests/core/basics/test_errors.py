"""Errors of the API."""

import pytest
from comanda.basics.errors import NotFound, require_found


@pytest.mark.parametrize("value", [0, "", (), "row"])
def test_value_that_was_found_is_returned(value):
    assert require_found(value) is value


def test_nothing_found_is_not_found():
    with pytest.raises(NotFound):
        require_found(None)
