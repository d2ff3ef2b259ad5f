"""Schemas of proof of delivery."""

from datetime import datetime
from typing import Annotated

from comanda.contracts import Body, example, is_null
from comanda.platform.photos import PhotoBody
from pydantic import BaseModel, Field

from comanda_drivers.records.deliveries import ProofPhoto


class PodCodeBody(Body):
    """The code from the customer; if omitted, a code is sent to them."""

    model_config = example({"code": "4829"})

    code: Annotated[str, Field(max_length=20)] | None = None


class PodCodeAnswer(BaseModel):
    """Confirmation that a code was sent, valid for ``expires_in`` seconds, or that the code was correct."""

    sent: bool | None = Field(None, exclude_if=is_null)
    expires_in: int | None = Field(None, exclude_if=is_null)
    verified: bool | None = Field(None, exclude_if=is_null)


class PodPhotoBody(PhotoBody):
    """A photo as Base64, if it is not sent as the form part ``photo``."""

    model_config = example({"image_base64": "/9j/4AAQSkZJRgABAQ=="})


class ProofOut(BaseModel):
    """The proof of delivery of an order. Photos are deleted after 30 days."""

    code_verified_at: datetime | None
    photos: list[ProofPhoto]


class PodPhotoQuery(BaseModel):
    """The query parameters of a link to a photo."""

    expires: str = ""
    signature: str = ""
