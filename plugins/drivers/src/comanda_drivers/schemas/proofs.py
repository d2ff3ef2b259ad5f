"""Proof of delivery, on the wire."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Body, example
from comanda.photos.uploads import PhotoBody
from pydantic import BaseModel, Field


class PodCodeBody(Body):
    """The code that the customer told; without it, one is sent to them."""

    model_config = example({"code": "4829"})

    code: Annotated[str, Field(max_length=20)] | None = None


class PodCodeAnswer(BaseModel):
    """That a code was sent, which is good for ``expires_in`` seconds; or that the customer's code was right."""

    sent: bool | None = None
    expires_in: int | None = None
    verified: bool | None = None


class PodPhotoBody(PhotoBody):
    """A photo as Base64, where it is not sent as the part ``photo`` of a form."""

    model_config = example({"image_base64": "/9j/4AAQSkZJRgABAQ=="})


class PodPhoto(BaseModel):
    """A photo of a delivery; ``url`` shows it to whoever has the link, until ``expires_at``."""

    id: int
    taken_at: datetime
    url: str
    expires_at: datetime


class ProofOut(BaseModel):
    """What proves that an order arrived. Photos are forgotten after 30 days."""

    code_verified_at: datetime | None
    photos: list[PodPhoto]


class PodPhotoQuery(BaseModel):
    """What the link to a photo carries."""

    expires: str = ""
    signature: str = ""
