"""The pictures of a store: its logo, and the cover of its page."""

from enum import StrEnum

from comanda.basics.errors import ValidationFailed, require_found
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.fields import example
from comanda.platform.db import sql
from comanda.platform.photos import services as photos
from comanda.platform.photos.conversion import reencode
from comanda.platform.photos.pictures import InvalidPicture
from comanda.platform.photos.uploads import PhotoBody, Upload
from comanda.stores import services
from comanda.stores.records import GeneralSettings


class PictureKind(StrEnum):
    """What a picture of a store is for."""

    LOGO = "logo"
    COVER = "cover"

    @property
    def column(self) -> str:
        """The column of the store with the picture's photo."""
        return f"{self.value}_hash"


def parse_kind(text: str) -> PictureKind:
    """Return a kind by its name in a path. Raises ``NotFound``."""
    return require_found(next((kind for kind in PictureKind if kind == text), None))


class StorePictureUpload(PhotoBody):
    """A picture of a store."""

    model_config = example({"image_base64": "/9j/4AAQSkZJRgABAQ=="})


async def set_picture(
    caller: Caller, store_id: int, kind: PictureKind, upload: Upload[StorePictureUpload]
) -> GeneralSettings:
    """Replace a picture of a store and return its settings.

    Raises ``NotFound`` like ``require_store``; ``ValidationFailed`` for an invalid picture; ``Unavailable`` if storing
    fails.
    """
    await services.require_store(caller, store_id)
    try:
        pictures = await reencode(upload.raw, photos.MENU_SIZES)
    except InvalidPicture as error:
        raise ValidationFailed({upload.field: [str(error)]}) from error
    photo_id = await photos.store_photo(caller.owner_id, pictures)
    await _replace(caller, store_id, kind, photo_id)
    return await services.get_settings(caller, store_id)


async def remove_picture(caller: Caller, store_id: int, kind: PictureKind) -> None:
    """Remove a picture of a store, if it has one. Raises ``NotFound`` like ``require_store``."""
    await _replace(caller, store_id, kind, None)


async def _replace(caller: Caller, store_id: int, kind: PictureKind, photo_id: int | None) -> None:
    await services.require_store(caller, store_id)
    known = await services.find_store(caller.owner_id, store_id)
    before: str | None = None if known is None else getattr(known, kind.column)
    if before is not None:
        # The sweep leaves it alone as long as the store has it.
        await photos.release_photo(caller.owner_id, before)
    async with sql.transaction():
        photo_hash = None
        if photo_id is not None:
            # Before the store, as galleries do.
            claimed = await photos.claim_photos(caller.owner_id, [photo_id])
            photo_hash = require_found(claimed.get(photo_id))
        store = await services.lock_store(caller, store_id)
        replaced: str | None = getattr(store, kind.column)
        store.update_from_dict({kind.column: photo_hash})
        await services.save_store(store, [kind.column])
    if replaced is not None and replaced != before:
        await photos.release_photo(caller.owner_id, replaced)
