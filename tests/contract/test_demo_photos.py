"""Photos of the demo stores: every item has one, they are small, and they are what their drawings show."""

from importlib import import_module
from io import BytesIO
from pathlib import Path

import pytest
from comanda.devkit.testing.stores import TestStore
from comanda.operations.demo_data.builder import DemoBuilder
from comanda.operations.demo_data.photos import DEMO_WIDTH, THUMBNAIL_WIDTH, to_photo_name
from comanda.platform.db import sql
from drawings.__main__ import read_drawings
from PIL import Image

ROOT = Path(__file__).parents[2]
FOLDERS = {path.parents[1].name: path.parent for path in sorted(ROOT.glob("verticals/*/src/*/demo/drawings.svg"))}
MAX_BYTES = {THUMBNAIL_WIDTH: 6_000, DEMO_WIDTH: 12_000}
MAX_TOTAL_BYTES = 1_500_000


def test_all_verticals_have_drawings():
    assert list(FOLDERS) == [path.parents[1].name for path in sorted(ROOT.glob("verticals/*/src/*/demo/__init__.py"))]


@pytest.mark.parametrize("name", FOLDERS)
def test_each_drawing_is_rendered_in_both_widths(name):
    photos = FOLDERS[name] / "photos"
    expected = {to_photo_name(drawing, width) for drawing in read_drawings(FOLDERS[name]) for width in MAX_BYTES}

    assert {path.name for path in photos.iterdir()} == expected
    for width, max_bytes in MAX_BYTES.items():
        for path in photos.glob(f"*-{width}.webp"):
            assert path.stat().st_size <= max_bytes, path
            with Image.open(path) as picture:
                assert picture.size == (width, width * 3 // 4), path


def test_photos_of_all_verticals_are_small_together():
    photos = [path for folder in FOLDERS.values() for path in (folder / "photos").iterdir()]
    assert sum(path.stat().st_size for path in photos) <= MAX_TOTAL_BYTES


@pytest.mark.parametrize("name", FOLDERS)
async def test_each_item_of_a_demo_store_shows_photos_of_its_own_host(name, client, owner):
    demo = import_module(f"{name}.demo")
    free_slug = "UPDATE core_store SET slug = slug || '-' || id WHERE slug = $1"
    await sql.execute(free_slug, demo.STORE.slug)
    showcase = DemoBuilder({"owner": owner.id})
    await demo.fill(showcase)
    await sql.execute(free_slug, demo.STORE.slug)

    menu = (await TestStore(client, owner, showcase.stores[0]["id"]).get("/menu")).document
    items = [item for category in menu for item in category["items"]]
    shown = {size["url"] for item in items for picture in item["gallery"] for size in picture["sizes"]}

    assert [item["name"] for item in items if not item["gallery"]] == []
    assert len(shown) == 2 * len(read_drawings(FOLDERS[name]))
    for url in sorted(shown)[:4]:
        answer = await client.get(url.removeprefix("http://comanda.test"))
        assert answer.status_code == 200
        assert Image.open(BytesIO(await answer.get_data())).format == "WEBP"
