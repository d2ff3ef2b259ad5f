"""Loading of a plugin with its dependencies only."""


def test_plugin_is_loaded_with_dependencies_only(feature):
    vertical = '''

@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Register a store type with delivery."""
    return [Vertical("kiosk", "Kiosk", VerticalGroup.GOODS, (), ("delivery",))]
'''
    plugin = feature.file("plugin.py")
    plugin.write_text(plugin.read_text() + vertical)
    feature.edit(
        "plugin.py",
        "\n\nfrom comanda_my",
        "\nfrom comanda.contracts.stores.verticals import Vertical, VerticalGroup\n\nfrom comanda_my",
    )

    (found,) = feature.probe()

    assert found.rule == "starts"
    assert "names the fulfillment mode delivery, which no plugin declares" in found.sentence
    feature.edit("pyproject.toml", '    "comanda-core>=', '    "comanda-drivers",\n    "comanda-core>=')
    assert feature.probe() == []
