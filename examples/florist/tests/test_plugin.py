"""The chapter and the wheel."""

from importlib.resources import files

from comanda.platform import runtime


async def test_chapter_names_every_route_and_field(app):
    chapter = runtime.registry().docs["florists"].text
    routes = [route for route in runtime.registry().routes if "/florist/" in route.full_path]

    assert len(routes) == 9
    for route in routes:
        assert f"{route.method} {route.path}" in chapter
    for field in ("stem_count", "care_notes", "season_months", "recipient_name", "card_message", "delivery_day"):
        assert f"`{field}`" in chapter


def test_wheel_has_templates_static_files_and_docs():
    for path in ("templates/florist/shop.html", "static/florist.css", "docs/florists.md", "py.typed"):
        assert files("comanda_florist").joinpath(path).is_file()
