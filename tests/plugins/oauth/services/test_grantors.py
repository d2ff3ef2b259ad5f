"""Who is asked for access."""

import pytest
from comanda_oauth.services import grantors


@pytest.mark.parametrize(
    ("callers", "scope", "expected"),
    [
        (("customer",), "", grantors.CUSTOMER),
        (("customer",), "menu:read", grantors.CUSTOMER),
        (("owner",), "orders", grantors.OWNER),
        (("storefront",), "menu:read", grantors.OWNER),
        ((), "orders profile", grantors.CUSTOMER),
        ((), "orders menu:read", grantors.OWNER),
        ((), "", grantors.OWNER),
    ],
)
def test_resource_decides_and_then_the_scopes(callers, scope, expected):
    assert grantors.find_grantor(callers, scope) is expected


def test_nobody_grants_what_the_other_one_does():
    assert not grantors.OWNER.labels.keys() & grantors.CUSTOMER.labels.keys()
