"""The photo in a request: a part of a form, or Base64 in JSON."""

import asyncio
import re
from base64 import b64decode
from dataclasses import dataclass
from io import BytesIO
from typing import Final, Generic, TypeVar

from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import MultiPartParser
from werkzeug.http import parse_options_header

from comanda import runtime
from comanda.contracts.calls import Call, Unvalidated
from comanda.contracts.fields import Body
from comanda.contracts.validation import parse_query
from comanda.errors import BadRequest, ValidationFailed
from comanda.settings import MAX_PHOTO_BYTES

FORM: Final = "multipart/form-data"
PART: Final = "photo"
DATA_URL: Final = re.compile(r"\Adata:image/[a-z]+;base64,")
MAX_PARTS: Final = 10
MAX_TEXT_BYTES: Final = 100_000
MAX_BOUNDARY: Final = 200


class PhotoBody(Body):
    """A photo as Base64, where it is not sent as the part ``photo`` of a form."""

    image_base64: str


B = TypeVar("B", bound=PhotoBody)


@dataclass(frozen=True, slots=True)
class Upload(Generic[B]):
    """A photo's bytes, the name under which a refusal of them is told, and what was said beside it."""

    field: str
    raw: bytes
    body: B


def max_body_bytes(max_bytes: int) -> int:
    """Return the size of a body for a photo of so many bytes, which Base64 makes larger."""
    return max_bytes * 4 // 3 + 16_384


# What a route that takes photos takes of a body, whatever the setting allows.
MAX_BODY_BYTES: Final = max_body_bytes(MAX_PHOTO_BYTES)


async def parse_photo(call: Call, body: Unvalidated[B]) -> Upload[B]:
    """Return the photo that a request brings, within the installation's limit. Raises as ``parse_upload``."""
    return await parse_upload(call, body, runtime.settings().photo_limit_bytes)


async def parse_upload(call: Call, body: Unvalidated[B], max_bytes: int) -> Upload[B]:
    """Return the photo that a request brings.

    Raises ``BadRequest`` for a body that cannot be read; ``ValidationFailed`` for one without a photo, or with a photo
    that is too large.
    """
    kind, options = parse_options_header(call.headers.get("content-type"))
    # Megabytes of either are read beside the loop that answers everybody else.
    if kind == FORM:
        found = await asyncio.to_thread(_from_form, call.body, options.get("boundary", ""), body.model)
    else:
        found = await asyncio.to_thread(_from_json, body)
    if len(found.raw) > max_bytes:
        raise ValidationFailed({found.field: [f"A photo may have at most {_megabytes(max_bytes)} MB."]})
    return found


def _from_form(body: bytes, boundary: str, model: type[B]) -> Upload[B]:
    if not boundary or len(boundary) > MAX_BOUNDARY or not boundary.isascii():
        raise BadRequest("The form's boundary cannot be read.")
    parser = MultiPartParser(
        max_form_memory_size=MAX_TEXT_BYTES, max_form_parts=MAX_PARTS, stream_factory=lambda *_, **__: BytesIO()
    )
    try:
        texts, files = parser.parse(BytesIO(body), boundary.encode("ascii"), len(body))
    except (ValueError, RequestEntityTooLarge) as error:
        raise BadRequest("The form cannot be read.") from error
    if PART not in files:
        raise ValidationFailed({PART: ["Send the photo as a file in this part of the form."]})
    said = parse_query(model, {**texts.to_dict(), "image_base64": ""})
    return Upload(PART, files[PART].stream.read(), said)


def _from_json(body: Unvalidated[B]) -> Upload[B]:
    validated = body.validated()
    # Browsers put the kind of the picture in front of it.
    text = DATA_URL.sub("", validated.image_base64, count=1)
    try:
        return Upload("image_base64", b64decode(text.encode("ascii"), validate=True), validated)
    except ValueError as error:
        raise ValidationFailed(image_base64=["Must be Base64."]) from error


def _megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f}".removesuffix(".0")
