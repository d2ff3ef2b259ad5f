"""Fields of items and orders, and bodies of requests."""

from typing import Annotated, Any, Literal

from comanda.contracts import Body, Count, Id, ShortText, example
from comanda.web import N_
from pydantic import BaseModel, Field

from comanda_pharmacy.models import ReleaseStatus

MAX_PHARMACISTS = 100


def _is_empty(value: Any) -> bool:
    return not value


class AgeFields(BaseModel):
    """The minimum age in years at which an item may be bought."""

    age_min: Annotated[Count, Field(ge=1, le=120)] | None = None


class AgeConfirmation(BaseModel):
    """Whether the customer confirms to be old enough for every item; only true and false are accepted."""

    age_confirmed: Annotated[bool, Field(strict=True)] | None = Field(
        default=None, title=N_("I meet the minimum age for this order")
    )


class MedicineFields(BaseModel):
    """How a medicine is sold; a field that says nothing is absent."""

    is_prescription_only: bool = Field(default=False, title=N_("Prescription only"), exclude_if=_is_empty)
    max_per_order: Annotated[Count, Field(ge=1, le=1000)] | None = Field(
        default=None, title=N_("At most per order"), exclude_if=_is_empty
    )


Note = Annotated[ShortText, Field(max_length=200)]


class ReleaseBody(Body):
    """What a pharmacist decides about an order: ``released``, or ``refused`` with a ``note`` that says why.

    A refused order is cancelled; with ``line_id`` only that line is taken off, and the order still waits.
    """

    model_config = example({"status": "released", "note": "Prescription 4711 seen."})

    status: Literal[ReleaseStatus.RELEASED, ReleaseStatus.REFUSED]
    note: Note | None = None
    line_id: Id | None = None


class ReleaseQuery(Body):
    """Which orders to list."""

    status: ReleaseStatus = ReleaseStatus.WAITING


class PharmacistsBody(Body):
    """The members of staff who may release orders, in place of those before."""

    model_config = example({"staff_ids": []})

    staff_ids: Annotated[list[Id], Field(max_length=MAX_PHARMACISTS)]
