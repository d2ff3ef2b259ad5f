"""A sheet of QR codes to print, cut out and put on tables: one document that loads nothing and runs nothing."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from typing import Final

import segno
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.stores.services import require_store
from jinja2 import Environment, PackageLoader

from comanda_storefront import qr
from comanda_storefront.links import store_url

STORE = "SELECT title, slug FROM core_store WHERE id = $1 AND owner_id = $2"
MAX_CARDS: Final = 200
CARDS_OF_PAGE: Final = 6
NAME_LENGTH: Final = 20
RANGE: Final = re.compile(r"([0-9]{1,6})\s*-\s*([0-9]{1,6})")
POLICY: Final = "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


async def sheet(caller: Caller, store_id: int, tables: str | None) -> Answer:
    """Draw a card for each of ``tables``, such as ``1-12, Terrace``; without them, one that leads to the store.

    Raises ``NotFound`` for another owner's store, ``ValidationFailed`` where nobody is served at a table, for a name
    that no table has, and for more than ``MAX_CARDS``.
    """
    store = await require_store(caller, store_id)
    if tables and not qr.serves_tables(store["store_type"]):
        raise ValidationFailed(tables=["This store takes no orders at tables."])
    row = await sql.fetch_one(STORE, store_id, caller.owner_id)
    if row is None:
        raise NotFound
    names = named(tables) if tables else [None]
    cards = [{"table": name, "code": _code(store_url(row["slug"], name))} for name in names]
    short = store_url(row["slug"]).partition("://")[2]
    pages = [cards[place : place + CARDS_OF_PAGE] for place in range(0, len(cards), CARDS_OF_PAGE)]
    styles = _styles()
    html = _templates().get_template("_sheet.html").render(title=row["title"], pages=pages, short=short, styles=styles)
    digest = b64encode(hashlib.sha256(styles.encode()).digest()).decode()
    return Answer(
        html.encode(),
        headers={
            "Content-Disposition": f'inline; filename="{row["slug"]}-codes.html"',
            "Content-Security-Policy": POLICY.format(digest),
        },
        content_type="text/html; charset=utf-8",
    )


def named(tables: str) -> list[str | None]:
    """List the tables that a text names, each once and in its order. Raises ``ValidationFailed``."""
    names: dict[str | None, None] = {}
    for name in _spelled(tables):
        names[name] = None
        if len(names) > MAX_CARDS:
            raise ValidationFailed(tables=[f"A sheet has at most {MAX_CARDS} cards."])
    if not names:
        raise ValidationFailed(tables=["Name tables, such as 1-12, Terrace."])
    return list(names)


def _spelled(tables: str) -> Iterator[str]:
    for part in filter(None, (each.strip() for each in tables.split(","))):
        found = RANGE.fullmatch(part)
        if found is None:
            if len(part) > NAME_LENGTH:
                raise ValidationFailed(tables=[f"The name of a table has at most {NAME_LENGTH} characters: {part}"])
            yield part
            continue
        first, last = int(found[1]), int(found[2])
        if first > last:
            raise ValidationFailed(tables=[f"{part} counts backwards."])
        yield from map(str, range(first, last + 1))


def _code(address: str) -> str:
    """Draw an address for paper, where more of it may be soiled than on a screen: a quarter."""
    drawn: str = segno.make_qr(address, error="q").svg_inline(
        border=qr.BORDER, omitsize=True, svgclass=None, lineclass=None
    )
    return drawn


@cache
def _templates() -> Environment:
    # Routes answer outside of the pages' application, which has templates of its own.
    return Environment(loader=PackageLoader("comanda_storefront", "pages/templates/storefront"), autoescape=True)


@cache
def _styles() -> str:
    return _templates().get_template("sheet.css").render()
