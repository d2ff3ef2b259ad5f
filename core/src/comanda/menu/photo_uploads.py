"""Upload and removal of photos in item galleries."""

from typing import Final

from comanda.basics.errors import Conflict, NotFound, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.fields import example
from comanda.contracts.stores.menu_items import Picture
from comanda.menu import services
from comanda.menu.changes import gallery
from comanda.menu.events import Change, Entity
from comanda.menu.schemas import MAX_PICTURES, AltText
from comanda.platform.db import sql
from comanda.platform.photos import services as photos
from comanda.platform.photos.conversion import reencode
from comanda.platform.photos.pictures import InvalidPicture
from comanda.platform.photos.uploads import PhotoBody, Upload

SELECT_GALLERY: Final = """
    SELECT g.id, g.photo_id, g.position FROM core_gallery_picture g
    WHERE g.item_id = $1 AND g.owner_id = $2 ORDER BY g.position, g.id
"""
UPDATE_ALT: Final = "UPDATE core_gallery_picture SET alt = $3 WHERE id = $1 AND owner_id = $2"
DELETE_PICTURE: Final = "DELETE FROM core_gallery_picture WHERE item_id = $1 AND owner_id = $2 AND photo_id = $3"


async def check_gallery_capacity(caller: Caller, store_id: int, item_id: int) -> None:
    """Check that a gallery has room before the photo is parsed. Raises like ``add_photo``."""
    found = await services.get_item(caller, store_id, item_id)
    if len(found.item.gallery) >= MAX_PICTURES:
        raise _to_too_many_error()


class PictureUpload(PhotoBody):
    """A photo to add to an item, with its alt text."""

    model_config = example({"image_base64": "/9j/4AAQSkZJRgABAQ==", "alt": "A margherita, fresh from the oven"})

    alt: AltText | None = None


async def add_photo(caller: Caller, store_id: int, item_id: int, upload: Upload[PictureUpload]) -> Picture:
    """Add an uploaded photo to the end of an item's gallery and return it. Emits ``MenuUpdated``.

    A photo that is already in the gallery keeps its position, so uploads can be repeated. Raises ``NotFound``;
    ``ValidationFailed`` for an invalid picture; ``Conflict`` if the gallery is full; ``Unavailable`` if storing fails.
    """
    try:
        pictures = await reencode(upload.raw, photos.MENU_SIZES)
    except InvalidPicture as error:
        raise ValidationFailed({upload.field: [str(error)]}) from error
    photo_id = await photos.store_photo(caller.owner_id, pictures)
    async with sql.transaction():
        store = await services.get_owned_store(caller, store_id)
        await services.lock_item(store, item_id)
        if not await photos.claim_photos(store.owner_id, [photo_id]):
            raise NotFound
        rows = await sql.fetch(SELECT_GALLERY, item_id, store.owner_id)
        same = next((row for row in rows if row["photo_id"] == photo_id), None)
        alt = upload.body.alt
        if same is None:
            if len(rows) >= MAX_PICTURES:
                raise _to_too_many_error()
            position = rows[-1]["position"] + 1 if rows else 0
            await gallery.add_picture(store, item_id, position, alt, photo_id)
        elif alt is not None:
            await sql.execute(UPDATE_ALT, same["id"], store.owner_id, alt or None)
        await services.record_change(store, Change.UPDATED, Entity.ITEM, item_id)
    found = await services.get_item(caller, store_id, item_id)
    return next(picture for picture in found.item.gallery if picture.photo_id == photo_id)


async def delete_photo(caller: Caller, store_id: int, item_id: int, photo_id: int) -> None:
    """Remove an uploaded photo from an item's gallery; other items keep it. Emits ``MenuUpdated``.

    Raises ``NotFound``.
    """
    async with sql.transaction():
        store = await services.get_owned_store(caller, store_id)
        await services.lock_item(store, item_id)
        await gallery.release_photos(store.owner_id, [item_id])
        if not await sql.execute(DELETE_PICTURE, item_id, store.owner_id, photo_id):
            raise NotFound
        await services.record_change(store, Change.UPDATED, Entity.ITEM, item_id)


def _to_too_many_error() -> Conflict:
    return Conflict(
        Sentence("An item can have at most %(limit)s pictures.", limit=MAX_PICTURES),
        extras={"reason": "too_many_photos"},
    )
