"""QR codes that lead guests to a store's page, drawn when an owner asks for one."""

from functools import lru_cache
from io import BytesIO

import segno
from comanda import runtime
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.stores.records import find_vertical
from comanda.stores.services import require_store

from comanda_storefront.links import store_url

SLUG = "SELECT slug FROM core_store WHERE id = $1 AND owner_id = $2"
CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
# Pixels of a module, and modules of the quiet zone around the code that scanners need.
SCALE = 10
BORDER = 4


async def code(caller: Caller, store_id: int, table: str | None, kind: str) -> Answer:
    """Draw the code of a store's page, or of one of its tables, as ``svg`` or ``png``.

    Raises ``NotFound`` for another owner's store, ``ValidationFailed`` for a table where nobody is served at one.
    """
    store = await require_store(caller, store_id)
    if table and not serves_tables(store["store_type"]):
        raise ValidationFailed(table=["This store takes no orders at tables."])
    slug = await sql.fetch_value(SLUG, store_id, caller.owner_id)
    if slug is None:
        raise NotFound
    return Answer(
        drawn(store_url(slug, table), kind),
        headers={"Content-Disposition": f'inline; filename="{_file_name(slug, table)}.{kind}"'},
        content_type=CONTENT_TYPES[kind],
    )


@lru_cache(maxsize=200)
def drawn(address: str, kind: str) -> bytes:
    """Draw an address; some 15 % of the code may be soiled before it can no longer be read."""
    file = BytesIO()
    segno.make_qr(address, error="m").save(file, kind=kind, scale=SCALE, border=BORDER)
    return file.getvalue()


def serves_tables(store_type: str) -> bool:
    """Tell whether a kind of store takes orders at tables."""
    vertical, modes = find_vertical(store_type), runtime.registry().fulfillment_modes
    required = [modes[code].required_fields for code in vertical.fulfillment_modes] if vertical else []
    return any(name == "table_number" for fields in required for name, _ in fields)


def _file_name(slug: str, table: str | None) -> str:
    safe = "".join(mark for mark in table or "" if mark.isascii() and (mark.isalnum() or mark in "-_"))
    return f"{slug}-table-{safe}" if safe else slug
