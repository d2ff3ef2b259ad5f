"""The photo in a request: a part of a form, or text in JSON."""

from typing import Final

from comanda.contracts.calls import Call, Unvalidated
from comanda.photos.uploads import FORM_DATA, PHOTO_PART, get_max_body_bytes, parse_upload

from comanda_drivers.pictures import MAX_BYTES
from comanda_drivers.schemas.proofs import PodPhotoBody

__all__ = ["FORM_DATA", "MAX_BODY_BYTES", "PHOTO_PART", "photo_of"]

MAX_BODY_BYTES: Final = get_max_body_bytes(MAX_BYTES)


async def photo_of(call: Call, body: Unvalidated[PodPhotoBody]) -> tuple[str, bytes]:
    """Return the photo's bytes, and before them what a refusal of them is about.

    Raises ``BadRequest`` for a body that cannot be read; ``ValidationFailed`` for one without a photo, or with a photo
    that is too large.
    """
    found = await parse_upload(call, body, MAX_BYTES)
    return found.field, found.raw
