"""Photos of items: uploaded into a gallery, and taken out of it."""

from typing import Any, Final

from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.menu import gallery, services
from comanda.menu.events import Change, Entity
from comanda.menu.schemas import MAX_PICTURES, PictureUpload
from comanda.photos import services as photos
from comanda.photos.conversion import reencode
from comanda.photos.pictures import NotAPicture
from comanda.photos.uploads import Upload

SELECT_GALLERY: Final = """
    SELECT g.id, g.photo_id, g.position FROM core_gallery_picture g
    WHERE g.item_id = $1 AND g.owner_id = $2 ORDER BY g.position, g.id
"""
UPDATE_ALT: Final = "UPDATE core_gallery_picture SET alt = $3 WHERE id = $1 AND owner_id = $2"
DELETE: Final = "DELETE FROM core_gallery_picture WHERE item_id = $1 AND owner_id = $2 AND photo_id = $3"


async def check_room(caller: Caller, store_id: int, item_id: int) -> None:
    """Refuse before a photo is read what would be refused after it. Raises as ``add_photo``."""
    found = await services.get_item(caller, store_id, item_id)
    if len(found["gallery"]) >= MAX_PICTURES:
        raise _too_many()


async def add_photo(caller: Caller, store_id: int, item_id: int, upload: Upload[PictureUpload]) -> dict[str, Any]:
    """Add an uploaded photo to the end of an item's gallery, and return it as it stands there. Emits ``MenuUpdated``.

    A photo that is there already stays in its place, so an upload may be repeated. Raises ``NotFound``;
    ``ValidationFailed`` for what is no picture; ``Conflict`` for one too many; ``Unavailable`` where it cannot be kept.
    """
    try:
        pictures = await reencode(upload.raw, photos.MENU_SIZES)
    except NotAPicture as error:
        raise ValidationFailed({upload.field: [str(error)]}) from error
    photo_id = await photos.store_photo(caller.owner_id, pictures)
    async with sql.transaction():
        store = await services.own_store(caller, store_id)
        await services.find_item(store, item_id)
        if not await gallery.claim_photo(store.owner_id, photo_id):
            raise NotFound
        rows = await sql.fetch(SELECT_GALLERY, item_id, store.owner_id)
        same = next((row for row in rows if row["photo_id"] == photo_id), None)
        alt = upload.body.alt
        if same is None:
            if len(rows) >= MAX_PICTURES:
                raise _too_many()
            position = rows[-1]["position"] + 1 if rows else 0
            await gallery.add_picture(store, item_id, position, alt, photo_id)
        elif alt is not None:
            await sql.execute(UPDATE_ALT, same["id"], store.owner_id, alt or None)
        await services.changed(store, Change.UPDATED, Entity.ITEM, item_id)
    record = await services.get_item(caller, store_id, item_id)
    return next(picture for picture in record["gallery"] if picture.get("id") == photo_id)


async def delete_photo(caller: Caller, store_id: int, item_id: int, photo_id: int) -> None:
    """Take an uploaded photo out of an item's gallery; other items keep theirs. Emits ``MenuUpdated``.

    Raises ``NotFound``.
    """
    async with sql.transaction():
        store = await services.own_store(caller, store_id)
        await services.find_item(store, item_id)
        await gallery.release_photos(store.owner_id, [item_id])
        if not await sql.execute(DELETE, item_id, store.owner_id, photo_id):
            raise NotFound
        await services.changed(store, Change.UPDATED, Entity.ITEM, item_id)


def _too_many() -> Conflict:
    return Conflict(f"An item has at most {MAX_PICTURES} pictures.", extras={"reason": "too_many_photos"})
