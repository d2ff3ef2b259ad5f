"""The photo in a request: a part of a form, or text in JSON."""

import asyncio
import re
from base64 import b64decode
from io import BytesIO
from typing import Final

from comanda.errors import BadRequest, ValidationFailed
from comanda.http.call import Call, Unvalidated
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import MultiPartParser
from werkzeug.http import parse_options_header

from comanda_drivers.pictures import MAX_BYTES
from comanda_drivers.schemas.proofs import PodPhotoBody

FORM: Final = "multipart/form-data"
PART: Final = "photo"
# What Base64 makes of the largest photo, and what stands around it.
MAX_BODY_BYTES: Final = MAX_BYTES * 4 // 3 + 16_384
DATA_URL: Final = re.compile(r"\Adata:image/[a-z]+;base64,")
MAX_PARTS: Final = 10
MAX_BOUNDARY: Final = 200


async def photo_of(call: Call, body: Unvalidated[PodPhotoBody]) -> tuple[str, bytes]:
    """Return the photo's bytes, and before them what a refusal of them is about.

    Raises ``BadRequest`` for a body that cannot be read; ``ValidationFailed`` for one without a photo, or with a photo
    that is too large.
    """
    kind, options = parse_options_header(call.headers.get("content-type"))
    # Megabytes of either are read beside the loop that answers everybody else.
    if kind == FORM:
        field, raw = PART, await asyncio.to_thread(_of_form, call.body, options.get("boundary", ""))
    else:
        field, raw = "image_base64", await asyncio.to_thread(_of_text, body)
    if len(raw) > MAX_BYTES:
        raise ValidationFailed({field: [f"A photo may have at most {MAX_BYTES // 1024 // 1024} MB."]})
    return field, raw


def _of_form(body: bytes, boundary: str) -> bytes:
    if not boundary or len(boundary) > MAX_BOUNDARY or not boundary.isascii():
        raise BadRequest("The form's boundary cannot be read.")
    parser = MultiPartParser(
        max_form_memory_size=100_000, max_form_parts=MAX_PARTS, stream_factory=lambda *_, **__: BytesIO()
    )
    try:
        _, files = parser.parse(BytesIO(body), boundary.encode("ascii"), len(body))
    except (ValueError, RequestEntityTooLarge) as error:
        raise BadRequest("The form cannot be read.") from error
    if PART not in files:
        raise ValidationFailed({PART: ["Send the photo as a file in this part of the form."]})
    return files[PART].stream.read()


def _of_text(body: Unvalidated[PodPhotoBody]) -> bytes:
    # Browsers put the kind of the picture in front of it.
    text = DATA_URL.sub("", body.validated().image_base64, count=1)
    try:
        return b64decode(text.encode("ascii"), validate=True)
    except ValueError as error:
        raise ValidationFailed(image_base64=["Must be Base64."]) from error
