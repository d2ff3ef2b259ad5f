"""Which names a new plugin may have."""

import pytest
from comanda.devkit.authoring.names import InvalidPluginName, create_names


def test_all_names_derive_from_plugin_name():
    names = create_names("flower_shop", ())

    assert (names.package, names.distribution) == ("comanda_flower_shop", "comanda-flower-shop")
    assert (names.slug, names.title) == ("flower-shop", "Flower shop")


@pytest.mark.parametrize(
    "name", ["", "Flower", "flower-shop", "1st", "_a", "a_", "a__b", "flöwer", "a b", "../a", "class", "lambda", "a\n"]
)
def test_invalid_name_is_rejected(name):
    with pytest.raises(InvalidPluginName, match="is not a valid plugin name: use lower-case letters"):
        create_names(name, ())


@pytest.mark.parametrize("name", ["core", "restaurant", "kds", "migrations", "testing", "mcp_admin"])
def test_reserved_name_is_rejected(name):
    with pytest.raises(InvalidPluginName, match=f"^{name} is reserved by Comanda"):
        create_names(name, ())


def test_an_installed_plugins_name_is_refused():
    with pytest.raises(InvalidPluginName, match="A plugin florist is already installed"):
        create_names("florist", ["florist"])


@pytest.mark.parametrize(("name", "installed"), [("florist_extra", "florist"), ("florist", "florist_extra")])
def test_conflicting_table_prefix_is_rejected(name, installed):
    with pytest.raises(InvalidPluginName, match="tables of florist_extra would start with florist_"):
        create_names(name, [installed])


def test_a_name_leaves_room_for_the_names_of_tables():
    assert create_names("a" * 24, ()).name == "a" * 24
    with pytest.raises(InvalidPluginName, match="has 25 characters"):
        create_names("a" * 25, ())


def test_installed_plugins_are_checked_by_default():
    with pytest.raises(InvalidPluginName, match="The tables of webhooks_extra would start with webhooks_"):
        create_names("webhooks_extra")
