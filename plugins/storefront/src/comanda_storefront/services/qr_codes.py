"""QR codes that lead guests to a store's page."""

from functools import lru_cache
from io import BytesIO

import segno
from comanda.basics import Sentence, ValidationFailed, require_found
from comanda.contracts import Answer, Caller
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.stores import find_vertical, require_store

from comanda_storefront.services import table_codes
from comanda_storefront.services.links import build_store_url

SELECT_STORE_SLUG = "SELECT slug FROM core_store_v1 WHERE id = $1 AND owner_id = $2"
CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
# Scanners need a quiet zone around the code.
PIXELS_PER_MODULE = 10
QUIET_ZONE_MODULES = 4


async def get_qr_code(caller: Caller, store_id: int, table: str | None, kind: str) -> Answer:
    """Return the QR code of a store's page, or of one of its tables, as ``svg`` or ``png``.

    Raises ``NotFound`` for another owner's store, ``ValidationFailed`` for a table if the store has no table service.
    """
    store = await require_store(caller, store_id)
    if table and not has_table_service(store["store_type"]):
        raise ValidationFailed(table=[Sentence("This store has no table service.")])
    slug = require_found(await sql.fetch_value(SELECT_STORE_SLUG, store_id, caller.owner_id))
    address = (
        await table_codes.build_table_url(caller.owner_id, store_id, slug, table) if table else build_store_url(slug)
    )
    return Answer(
        draw_qr_code(address, kind),
        headers={"Content-Disposition": f'inline; filename="{_to_file_name(slug, table)}.{kind}"'},
        content_type=CONTENT_TYPES[kind],
    )


@lru_cache(maxsize=200)
def draw_qr_code(address: str, kind: str) -> bytes:
    """Return the image of a QR code that stays readable with up to 15 % damage."""
    file = BytesIO()
    segno.make_qr(address, error="m").save(file, kind=kind, scale=PIXELS_PER_MODULE, border=QUIET_ZONE_MODULES)
    return file.getvalue()


def has_table_service(store_type: str) -> bool:
    """Return whether stores of a type have table service."""
    vertical, modes = find_vertical(store_type), runtime.registry().fulfillment_modes
    required = [modes[code].required_fields for code in vertical.fulfillment_modes] if vertical else []
    return any(name == "table_number" for fields in required for name, _ in fields)


def _to_file_name(slug: str, table: str | None) -> str:
    safe = "".join(mark for mark in table or "" if mark.isascii() and (mark.isalnum() or mark in "-_"))
    return f"{slug}-table-{safe}" if safe else slug
