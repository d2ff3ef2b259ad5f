"""The scopes that apps may ask for."""

import pytest
from comanda_oauth import scopes


def test_registry_spells_one_scope_in_the_singular():
    assert scopes.to_wire(["restaurants:read", "menu:read"]) == "menu:read restaurant:read"
    assert scopes.parse("restaurant:read menu:read") == ["restaurants:read", "menu:read"]


def test_repeats_are_dropped_and_unknown_scopes_kept_when_parsed():
    assert scopes.parse("menu:read  menu:read x:y") == ["menu:read", "x:y"]


def test_scope_that_apps_cannot_have_is_refused():
    with pytest.raises(ValueError, match="billing:write"):
        scopes.normalize(["menu:read", "billing:write"])


@pytest.mark.parametrize(
    ("held", "wanted", "is_included"),
    [
        (["menu:read"], ["menu:read"], True),
        (["menu:read"], ["menu:write"], False),
        (["menu:read"], [], True),
        (["x:y"], ["x:y"], False),
    ],
)
def test_wanted_scopes_must_be_known_and_held(held, wanted, is_included):
    assert scopes.includes(held, wanted) is is_included


def test_intersection_has_what_both_grant():
    assert scopes.intersect(["menu:read", "orders:read"], ["orders:read", "mcp:use"]) == ("orders:read",)
