"""The reference of Liquid."""

from comanda_themes.services.liquid import reference
from comanda_themes.services.liquid.parser import ThemeEnvironment


def test_reference_and_parser_have_same_tags_and_filters():
    environment = ThemeEnvironment()
    ours = {name for name, entry in reference.load_filters().items() if entry["group"] in {"store", "files"}}

    verbatim = {"raw", "schema"}
    assert {*environment.tags} - {"#", "content", "output", "illegal"} == {*reference.load_tags()} - verbatim
    assert {*environment.filters} == {*reference.load_filters()} - ours


def test_every_property_type_is_known():
    plain = {
        "text",
        "integer",
        "amount",
        "boolean",
        "moment",
        "any",
        "theme_settings",
        "section_settings",
        "block_settings",
    }
    for found in reference.load_objects().values():
        for one in found.properties:
            kind = one.type.removeprefix("list of ")
            assert kind in plain or kind in reference.load_objects(), f"{found.name}.{one.name}"
