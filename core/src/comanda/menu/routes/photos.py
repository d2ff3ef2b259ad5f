"""Routes of item photos for owners."""

from typing import Any

from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Call, Unvalidated
from comanda.contracts.requests.routes import Routes
from comanda.menu import photo_uploads
from comanda.menu.photo_uploads import PictureUpload
from comanda.menu.reading.item_json import to_picture_json
from comanda.menu.schemas import PictureOut
from comanda.platform.photos.uploads import PHOTO_UPLOAD, parse_photo

routes = Routes("Menu")

PHOTOS_PATH = "/restaurants/{id}/menu/items/{itemId}/photos"


@routes.post(PHOTOS_PATH, scope="menu:write", answers=PictureOut, upload=PHOTO_UPLOAD)
async def upload_photo(
    caller: Caller, id: int, item_id: int, call: Call, body: Unvalidated[PictureUpload]
) -> dict[str, Any]:
    """Upload a photo: JPEG, PNG or WebP, as the part ``photo`` of a form or as Base64 in JSON, with an ``alt`` text.

    It is converted to WebP in up to four sizes, without metadata, and added to the end of the item's ``gallery``.
    Uploading it again leaves it where it is.
    """
    await photo_uploads.check_gallery_capacity(caller, id, item_id)
    return to_picture_json(await photo_uploads.add_photo(caller, id, item_id, await parse_photo(call, body)))


@routes.delete(PHOTOS_PATH + "/{photoId}", scope="menu:write")
async def delete_photo(caller: Caller, id: int, item_id: int, photo_id: int) -> None:
    """Remove a photo from an item's gallery."""
    await photo_uploads.delete_photo(caller, id, item_id, photo_id)
