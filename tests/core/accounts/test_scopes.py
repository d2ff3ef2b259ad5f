"""The scope rules of the interface, as a table."""

import pytest
from comanda.composition import plugin_loader
from comanda.composition import registry as registry_module
from comanda.contracts import scopes

RESOURCES = ("restaurants", "menu", "orders", "customers", "analytics", "drivers", "webhooks")
OWNER_SCOPES = [*scopes.COARSE, *(f"{resource}:{action}" for resource in RESOURCES for action in scopes.ACTIONS)]
# For what the interface leaves to plugins, which its scopes do not reach.
OF_PLUGINS = [
    *("apps:read", "apps:write", "billing:read", "billing:write", "entitlements:read"),
    *("payments:read", "payments:write", "themes:read", "themes:write"),
    *("tokens:read", "tokens:write"),
    *("wallet:read", "wallet:write"),
]
GRANTED = [
    # Rule 1: read is every read; write is every write and every read.
    (["read"], "orders:read", True),
    (["read"], "webhooks:read", True),
    (["read"], "orders:write", False),
    (["write"], "orders:write", True),
    (["write"], "orders:read", True),
    (["write"], "drivers:write", True),
    # Rule 2: scoped entries reach their own resource.
    (["orders:read"], "orders:read", True),
    (["orders:read"], "orders:write", False),
    (["orders:read"], "menu:read", False),
    (["orders:write"], "menu:write", False),
    (["orders:write"], "menu:read", False),
    # Rule 3: * is everything, what is yet to come included; a write includes its own read.
    (["*"], "orders:write", True),
    (["*"], "gardens:write", True),
    (["orders:write"], "orders:read", True),
    (["menu:write"], "orders:read", False),
    # Several together.
    (["orders:read", "analytics:read"], "analytics:read", True),
    (["orders:read", "analytics:read"], "customers:read", False),
    (["read", "menu:write"], "menu:write", True),
    (["read", "menu:write"], "orders:write", False),
    # Nothing grants nothing, and nothing is read into spellings.
    ([], "orders:read", False),
    (["orders"], "orders:read", False),
    (["orders:*"], "orders:read", False),
    (["*:read"], "orders:read", False),
    (["ORDERS:READ"], "orders:read", False),
    (["orders:read "], "orders:read", False),
    (["order:read"], "orders:read", False),
]


@pytest.mark.parametrize(("held", "needed", "granted"), GRANTED)
def test_what_grants_what(held, needed, granted):
    assert scopes.is_granted(held, needed) is granted
    assert scopes.is_granted(frozenset(held), needed) is granted


def test_every_scope_grants_itself_and_no_other_resource():
    for resource in RESOURCES:
        for action in scopes.ACTIONS:
            held = [f"{resource}:{action}"]
            for other in RESOURCES:
                for needed in scopes.ACTIONS:
                    expected = other == resource and (action == "write" or needed == "read")
                    assert scopes.is_granted(held, f"{other}:{needed}") is expected


def test_oauth_spells_a_resource_in_the_singular():
    assert scopes.normalize_scopes(["restaurant:read", "menu:read", "menu:read"], OWNER_SCOPES) == [
        "restaurants:read",
        "menu:read",
    ]


def test_the_coarse_scopes_may_be_written_as_what_they_mean():
    assert scopes.normalize_scopes(["*:read", "*:write"], OWNER_SCOPES) == ["read", "write"]


def test_an_unknown_scope_is_named():
    with pytest.raises(ValueError, match=r"Unknown scope: orders:delete, gold\. Known are: \*, analytics:read"):
        scopes.normalize_scopes(["orders:delete", "menu:read", "gold"], OWNER_SCOPES)


def test_owner_tokens_carry_the_scopes_of_the_interface_and_those_of_plugins():
    registry = registry_module.gather(plugin_loader.load())

    assert sorted({*registry.list_scopes("owner")} - {*OWNER_SCOPES}) == OF_PLUGINS
    assert {*OWNER_SCOPES} <= {*registry.list_scopes("owner")}
