"""Photos of items, as owners upload them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Call, Unvalidated
from comanda.contracts.routes import Routes
from comanda.menu import photo_uploads
from comanda.menu.schemas import PictureOut, PictureUpload
from comanda.photos.uploads import FORM, MAX_BODY_BYTES, PART, parse_photo

routes = Routes("Menu")

ALL = "/restaurants/{id}/menu/items/{itemId}/photos"


@routes.post(
    ALL, scope="menu:write", answers=PictureOut, uploads=(FORM,), upload_part=PART, max_body_bytes=MAX_BODY_BYTES
)
async def upload_photo(
    caller: Caller, id: int, item_id: int, call: Call, body: Unvalidated[PictureUpload]
) -> dict[str, Any]:
    """Add a photo: JPEG, PNG or WebP, as the part ``photo`` of a form or as Base64 in JSON, with an ``alt`` text.

    It is made anew as WebP in up to three sizes, without what the camera wrote into it, and added to the end of the
    item's ``gallery``. Uploaded again it stays where it is.
    """
    await photo_uploads.check_room(caller, id, item_id)
    return await photo_uploads.add_photo(caller, id, item_id, await parse_photo(call, body))


@routes.delete(ALL + "/{photoId}", scope="menu:write")
async def delete_photo(caller: Caller, id: int, item_id: int, photo_id: int) -> None:
    """Take a photo out of an item's gallery."""
    await photo_uploads.delete_photo(caller, id, item_id, photo_id)
