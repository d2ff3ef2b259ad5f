"""Rendering of drawings as photos: ``PYTHONPATH=docs python -m drawings verticals/*/src/*/demo``.

A folder contains ``drawings.svg``, a template with a macro per picture; the pictures are written beside it, into
``photos``, in two widths. Needs Playwright and Chromium (``CHROMIUM``, by default ``/usr/bin/chromium``).
"""

import os
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from comanda.operations.demo_data.photos import DEMO_HEIGHT, DEMO_WIDTH, THUMBNAIL_WIDTH, to_photo_name
from jinja2 import Environment, StrictUndefined
from jinja2.runtime import Macro
from PIL import Image

from drawings import shapes

if TYPE_CHECKING:
    from playwright.sync_api import Page

SOURCE: Final = "drawings.svg"
# The largest size in bytes that a picture of a width may have, and the qualities of WebP that are tried.
MAX_BYTES: Final = {THUMBNAIL_WIDTH: 3_600, DEMO_WIDTH: 9_200}
QUALITIES: Final = range(80, 14, -6)
FRAME: Final = (
    f'<svg xmlns="http://www.w3.org/2000/svg" width="{DEMO_WIDTH}" height="{DEMO_HEIGHT}" '
    f'viewBox="0 0 {DEMO_WIDTH} {DEMO_HEIGHT}">%s</svg>'
)


def read_drawings(folder: Path) -> dict[str, str]:
    """Return the drawings of a folder as SVG, by name; macros that take parameters are parts of them."""
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=True)
    environment.globals.update(
        at=shapes.to_place,
        blob=shapes.to_blob,
        scatter=shapes.list_places,
        shade=shapes.to_shade,
        strands=shapes.list_noodles,
    )
    kit = Path(__file__).with_name("kit.svg").read_text(encoding="utf-8")
    own = (folder / SOURCE).read_text(encoding="utf-8")
    known = vars(environment.from_string(kit).module)
    module: dict[str, Any] = vars(environment.from_string(kit + own).module)
    return {
        name.replace("_", "-"): FRAME % (module["definitions"]() + drawing())
        for name, drawing in module.items()
        if isinstance(drawing, Macro) and name not in known and not drawing.arguments
    }


def encode(image: Image.Image, max_bytes: int) -> bytes:
    """Return a picture as WebP, in the best quality that fits."""
    content = b""
    for quality in QUALITIES:
        written = BytesIO()
        image.save(written, "WEBP", quality=quality, method=6)
        content = written.getvalue()
        if len(content) <= max_bytes:
            break
    return content


def write_photos(page: "Page", folder: Path) -> None:
    """Render the drawings of a folder into its ``photos``."""
    target = folder / "photos"
    target.mkdir(exist_ok=True)
    drawings = read_drawings(folder)
    for old in target.glob("*.webp"):
        old.unlink()
    for name, drawing in drawings.items():
        page.set_content(f"<body style='margin:0'>{drawing}</body>")
        image = Image.open(BytesIO(page.screenshot())).convert("RGB")
        for width in (THUMBNAIL_WIDTH, DEMO_WIDTH):
            size = (width, width * DEMO_HEIGHT // DEMO_WIDTH)
            resized = image.resize(size, Image.Resampling.LANCZOS)
            (target / to_photo_name(name, width)).write_bytes(encode(resized, MAX_BYTES[width]))


def main() -> None:
    """Render the drawings of all folders that the arguments name and that have some."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only developers have it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"))
        page = browser.new_page(viewport={"width": DEMO_WIDTH, "height": DEMO_HEIGHT}, device_scale_factor=2)
        for folder in map(Path, sys.argv[1:]):
            if (folder / SOURCE).exists():
                write_photos(page, folder)
                click.echo(f"{folder}: {sum(file.stat().st_size for file in (folder / 'photos').iterdir())} bytes")
        browser.close()


if __name__ == "__main__":
    main()
