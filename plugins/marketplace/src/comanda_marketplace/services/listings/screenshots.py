"""Screenshots of apps: re-encoded, without metadata, in the storage of photos."""

import hashlib
import re
from collections.abc import Sequence
from typing import Final

from comanda.basics import Conflict, ValidationFailed, clock, require_found
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.platform.photos import InvalidPicture, Rendering, Upload, get_storage, reencode
from comanda.platform.photos import Picture as RenderedPicture

from comanda_marketplace.models import App, Screenshot
from comanda_marketplace.records import Picture
from comanda_marketplace.schemas import ScreenshotBody
from comanda_marketplace.services.apps import app_rows
from comanda_marketplace.services.listings.screenshot_urls import to_file_name, to_picture

MAX_SCREENSHOTS: Final = 8
SIZES: Final = Rendering("WEBP", ((640, 640), (1600, 1600)))
FILE_NAME: Final = re.compile(r"app-([0-9a-f]{64})-([1-9][0-9]{0,4})\.webp", re.ASCII)
# The public has neither a token nor the developer's id.
SELECT_PUBLIC_SCREENSHOT: Final = """
    SELECT s.owner_id FROM marketplace_screenshot s JOIN core_owner_v1 o ON o.id = s.owner_id
    WHERE s.app_id = $1 AND s.hash = $2 AND NOT o.is_suspended
"""


async def add_screenshot(caller: Caller, app_id: int, upload: Upload[ScreenshotBody]) -> Picture:
    """Add a screenshot; the same one again stays as it is. It is published at once.

    Raises ``NotFound``; ``ValidationFailed`` for an invalid picture; ``Conflict`` beyond ``MAX_SCREENSHOTS``.
    """
    await app_rows.get_own_row(caller.owner_id, app_id)
    try:
        pictures = await reencode(upload.raw, SIZES)
    except InvalidPicture as error:
        raise ValidationFailed({upload.field: [str(error)]}) from error
    content_hash = hashlib.sha256(b"".join(picture.data for picture in pictures)).hexdigest()
    async with sql.transaction():
        row = await app_rows.get_own_row(caller.owner_id, app_id, is_locked=True)
        found = Screenshot.filter(owner_id=row.owner_id, app_id=row.id)
        same = await found.filter(hash=content_hash).first()
        if same is not None:
            return to_picture(same)
        if await found.count() >= MAX_SCREENSHOTS:
            raise Conflict(
                f"An app can have at most {MAX_SCREENSHOTS} screenshots.", extras={"reason": "too_many_photos"}
            )
        made = await Screenshot.create(
            owner_id=row.owner_id,
            app_id=row.id,
            hash=content_hash,
            sizes=[{"width": picture.width, "height": picture.height} for picture in pictures],
            alt=upload.body.alt,
            created_at=clock.now(),
        )
        await _store(row.owner_id, content_hash, pictures)
    return to_picture(made)


@sql.transaction()
async def delete_screenshot(caller: Caller, app_id: int, screenshot_id: int) -> None:
    """Delete a screenshot with its files. Raises ``NotFound``."""
    row = await app_rows.get_own_row(caller.owner_id, app_id, is_locked=True)
    shot = require_found(await Screenshot.get_or_none(id=screenshot_id, app_id=row.id, owner_id=row.owner_id))
    await shot.delete()
    await _delete_files_of(row.owner_id, shot)


async def delete_files(row: App) -> None:
    """Delete the files of all screenshots of an app, before its row is deleted."""
    for shot in await Screenshot.filter(owner_id=row.owner_id, app_id=row.id):
        await shot.delete()
        await _delete_files_of(row.owner_id, shot)


async def read_public_file(app_id: int, name: str) -> bytes:
    """Return one size of a screenshot. Raises ``NotFound``."""
    parsed = FILE_NAME.fullmatch(name)
    owner_id = None if parsed is None else await sql.fetch_value(SELECT_PUBLIC_SCREENSHOT, app_id, parsed[1])
    return require_found(None if owner_id is None else await get_storage().get(owner_id, name))


async def _store(owner_id: int, content_hash: str, pictures: Sequence[RenderedPicture]) -> None:
    for picture in pictures:
        await get_storage().put(owner_id, to_file_name(content_hash, picture.width), picture.data)


async def _delete_files_of(owner_id: int, shot: Screenshot) -> None:
    # Another app of the developer may show the same picture.
    if not await Screenshot.filter(owner_id=owner_id, hash=shot.hash).exists():
        names = [to_file_name(shot.hash, size["width"]) for size in shot.sizes]
        await get_storage().delete(owner_id, names)
