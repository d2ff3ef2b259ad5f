"""The fields of services, and bodies and queries of requests about orders and garments."""

from enum import StrEnum
from operator import not_
from typing import Annotated, Final

from comanda.contracts import Body, Count, Id, Text, example, is_null
from comanda.orders.amendments import LoweringBody
from comanda.stores import LocalDate
from comanda.web import N_
from pydantic import BaseModel, Field

from comanda_laundry.models import GarmentState

MAX_READY_DAYS: Final = 60
MAX_GRAMS: Final = 500_000
MAX_TAG: Final = 9999
# Garments that are tagged at once, which is more than anybody carries to a counter.
MAX_TAGGED: Final = 100


Days = Annotated[Count, Field(le=MAX_READY_DAYS)]
Note = Annotated[Text, Field(max_length=500)]


class ServiceFields(BaseModel):
    """How a service is sold, and after how many working days it is ready; 0 is for goods that are not cleaned.

    Without ``ready_days`` the store's setting holds. ``is_by_weight`` makes the price that of a kilogram.
    """

    is_by_weight: bool = Field(default=False, title=N_("Sold by the kilogram"), exclude_if=not_)
    ready_days: Days | None = Field(default=None, title=N_("Ready after, working days"), exclude_if=is_null)


class WeightBody(LoweringBody):
    """What a line weighs, in grams. ``refund`` is needed if it costs less than was paid."""

    model_config = example({"grams": 4350})

    grams: Annotated[Count, Field(ge=1, le=MAX_GRAMS)]


class ReadyBody(Body):
    """The day for which an order is promised."""

    model_config = example({"ready_on": "2030-01-09"})

    ready_on: LocalDate


class TagBody(Body):
    """The pieces of a line to tag; without a ``count`` those that are left of its quantity."""

    model_config = example({"line_id": 5120, "count": 2})

    line_id: Id
    count: Annotated[Count, Field(ge=1, le=MAX_TAGGED)] | None = None
    note: Note | None = None


class GarmentBody(Body):
    """Where a garment is. One that is lost or damaged needs a note; a note that is left out stays."""

    model_config = example({"state": "ready"})

    state: GarmentState
    note: Note | None = None


class GarmentsBody(Body):
    """Where all garments of an order are that are neither lost nor damaged."""

    model_config = example({"state": "returned"})

    state: GarmentState


class Due(StrEnum):
    """Open orders by the day for which they are promised; ``open`` are all."""

    OPEN = "open"
    TODAY = "today"
    OVERDUE = "overdue"


class LaundryQuery(BaseModel):
    """Which orders are listed: by the promised day, or the one with a garment of this tag."""

    due: Due = Due.OPEN
    tag: Annotated[int, Field(ge=1, le=MAX_TAG)] | None = None
