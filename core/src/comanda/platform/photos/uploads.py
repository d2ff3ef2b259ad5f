"""Photos in requests: as a part of a form, or as Base64 in JSON."""

import asyncio
import re
from base64 import b64decode
from dataclasses import dataclass
from io import BytesIO
from typing import Final, Generic, TypeVar

from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import MultiPartParser
from werkzeug.http import parse_options_header

from comanda.basics.errors import BadRequest, ValidationFailed
from comanda.contracts.requests.calls import Call, Unvalidated
from comanda.contracts.requests.fields import Body
from comanda.contracts.requests.routes import FORM, FileUpload
from comanda.contracts.requests.validation import parse_query
from comanda.platform import runtime
from comanda.platform.settings import MAX_PHOTO_BYTES

PHOTO_PART: Final = "photo"
DATA_URL: Final = re.compile(r"\Adata:image/[a-z]+;base64,")
MAX_PARTS: Final = 10
MAX_TEXT_BYTES: Final = 100_000
MAX_BOUNDARY: Final = 200


class PhotoBody(Body):
    """A photo as Base64, if it is not sent as the part ``photo`` of a form."""

    image_base64: str


BodyT = TypeVar("BodyT", bound=PhotoBody)


@dataclass(frozen=True, slots=True)
class Upload(Generic[BodyT]):
    """A photo's bytes, the field name for errors about it, and the other fields of the body."""

    field: str
    raw: bytes
    body: BodyT


def get_max_body_bytes(max_bytes: int) -> int:
    """Return the largest body for a photo of ``max_bytes``, which Base64 makes larger."""
    return max_bytes * 4 // 3 + 16_384


def create_photo_upload(max_bytes: int) -> FileUpload:
    """Return what a route declares that takes a photo of up to ``max_bytes``."""
    return FileUpload((FORM,), PHOTO_PART, get_max_body_bytes(max_bytes))


# The limit of most routes that take photos; the setting may lower it.
MAX_BODY_BYTES: Final = get_max_body_bytes(MAX_PHOTO_BYTES)
PHOTO_UPLOAD: Final = create_photo_upload(MAX_PHOTO_BYTES)


async def parse_photo(call: Call, body: Unvalidated[BodyT]) -> Upload[BodyT]:
    """Return the photo in a request, within the installation's limit. Raises like ``parse_upload``."""
    return await parse_upload(call, body, runtime.settings().photo_limit_bytes)


async def parse_upload(call: Call, body: Unvalidated[BodyT], max_bytes: int) -> Upload[BodyT]:
    """Return the photo in a request.

    Raises ``BadRequest`` for a body that cannot be read; ``ValidationFailed`` if the photo is missing or too large.
    """
    kind, options = parse_options_header(call.headers.get("content-type"))
    # Megabytes are parsed in a thread, so that the event loop stays responsive.
    if kind == FORM:
        found = await asyncio.to_thread(_parse_form, call.body, options.get("boundary", ""), body.model)
    else:
        found = await asyncio.to_thread(_parse_json, body)
    if len(found.raw) > max_bytes:
        raise ValidationFailed({found.field: [f"A photo may have at most {_to_megabytes(max_bytes)} MB."]})
    return found


def _parse_form(body: bytes, boundary: str, model: type[BodyT]) -> Upload[BodyT]:
    if not boundary or len(boundary) > MAX_BOUNDARY or not boundary.isascii():
        raise BadRequest("The form's boundary cannot be read.")
    parser = MultiPartParser(
        max_form_memory_size=MAX_TEXT_BYTES, max_form_parts=MAX_PARTS, stream_factory=lambda *_, **__: BytesIO()
    )
    try:
        texts, files = parser.parse(BytesIO(body), boundary.encode("ascii"), len(body))
    except (ValueError, RequestEntityTooLarge) as error:
        raise BadRequest("The form cannot be read.") from error
    if PHOTO_PART not in files:
        raise ValidationFailed({PHOTO_PART: ["Send the photo as a file in this part of the form."]})
    fields = parse_query(model, {**texts.to_dict(), "image_base64": ""})
    return Upload(PHOTO_PART, files[PHOTO_PART].stream.read(), fields)


def _parse_json(body: Unvalidated[BodyT]) -> Upload[BodyT]:
    validated = body.validated()
    # Browsers prefix the data with its media type.
    text = DATA_URL.sub("", validated.image_base64, count=1)
    try:
        return Upload("image_base64", b64decode(text.encode("ascii"), validate=True), validated)
    except ValueError as error:
        raise ValidationFailed(image_base64=["Must be Base64."]) from error


def _to_megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f}".removesuffix(".0")
