"""A printable sheet of QR codes for tables: one HTML document without external resources or scripts."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from typing import Final

import segno
from comanda.basics import Sentence, ValidationFailed
from comanda.contracts import Answer, Caller
from comanda.platform.db import sql
from comanda.stores import require_store
from comanda.web import add_translations, current_language
from jinja2 import Environment, PackageLoader

from comanda_storefront.services import qr_codes, table_codes
from comanda_storefront.services.links import build_store_url

SELECT_STORE = "SELECT title, slug FROM core_store_v1 WHERE id = $1 AND owner_id = $2"
MAX_CARDS: Final = 200
CARDS_PER_PAGE: Final = 6
MAX_NAME_LENGTH: Final = 20
TABLE_RANGE: Final = re.compile(r"([0-9]{1,6})\s*-\s*([0-9]{1,6})")
CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


async def get_qr_sheet(caller: Caller, store_id: int, tables: str | None) -> Answer:
    """Return a sheet with a card for each of ``tables``, such as ``1-12, Terrace``, or one card for the store.

    Raises ``NotFound`` for another owner's store, ``ValidationFailed`` for a store without table service, an invalid
    table name, and more than ``MAX_CARDS`` tables.
    """
    store = await require_store(caller, store_id)
    if tables and not qr_codes.has_table_service(store["store_type"]):
        raise ValidationFailed(tables=[Sentence("This store has no table service.")])
    row = await sql.require_one(SELECT_STORE, store_id, caller.owner_id)
    names = parse_table_names(tables) if tables else [None]
    store_url = build_store_url(row["slug"])
    cards = [
        {
            "table": name,
            "code": _draw_inline(
                await table_codes.build_table_url(caller.owner_id, store_id, row["slug"], name) if name else store_url
            ),
        }
        for name in names
    ]
    short = store_url.partition("://")[2]
    pages = [cards[place : place + CARDS_PER_PAGE] for place in range(0, len(cards), CARDS_PER_PAGE)]
    styles = _get_styles()
    language = current_language()
    html = (
        _get_templates()
        .get_template("_sheet.html")
        .render(title=row["title"], pages=pages, short=short, styles=styles, language=language)
    )
    digest = b64encode(hashlib.sha256(styles.encode()).digest()).decode()
    return Answer(
        html.encode(),
        headers={
            "Content-Disposition": f'inline; filename="{row["slug"]}-codes.html"',
            "Content-Security-Policy": CONTENT_SECURITY_POLICY.format(digest),
        },
        content_type="text/html; charset=utf-8",
    )


def parse_table_names(tables: str) -> list[str | None]:
    """Parse a list of table names and ranges, without duplicates. Raises ``ValidationFailed``."""
    names: dict[str | None, None] = {}
    for name in _parse_names(tables):
        names[name] = None
        if len(names) > MAX_CARDS:
            raise ValidationFailed(tables=[Sentence("A sheet can have at most %(limit)s cards.", limit=MAX_CARDS)])
    if not names:
        raise ValidationFailed(tables=[Sentence("Must contain at least 1 table, such as 1-12, Terrace.")])
    return list(names)


def _parse_names(tables: str) -> Iterator[str]:
    for part in filter(None, (each.strip() for each in tables.split(","))):
        found = TABLE_RANGE.fullmatch(part)
        if found is None:
            if len(part) > MAX_NAME_LENGTH:
                raise ValidationFailed(
                    tables=[
                        Sentence(
                            "A table name can have at most %(limit)s characters: %(part)s",
                            limit=MAX_NAME_LENGTH,
                            part=part,
                        )
                    ]
                )
            yield part
            continue
        first, last = int(found[1]), int(found[2])
        if first > last:
            raise ValidationFailed(tables=[Sentence("%(part)s is not an ascending range.", part=part)])
        yield from map(str, range(first, last + 1))


def _draw_inline(address: str) -> str:
    """Return an inline SVG for print, which stays readable with up to 25 % damage."""
    drawn: str = segno.make_qr(address, error="q").svg_inline(
        border=qr_codes.QUIET_ZONE_MODULES, omitsize=True, svgclass=None, lineclass=None
    )
    return drawn


@cache
def _get_templates() -> Environment:
    # API routes run outside the pages' application and its templates.
    templates = Environment(loader=PackageLoader("comanda_storefront", "pages/templates/storefront"), autoescape=True)
    add_translations(templates)
    return templates


@cache
def _get_styles() -> str:
    return _get_templates().get_template("sheet.css").render()
