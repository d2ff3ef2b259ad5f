"""Fields of items and orders, and bodies of requests."""

from datetime import date
from enum import StrEnum
from operator import not_
from typing import Annotated, Any, Final, Literal

from comanda.contracts import Body, Count, Id, Name, Number, ShortText, example
from comanda.web import N_
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from comanda_pharmacy.models import ReleaseStatus

MAX_PHARMACISTS = 100
MIN_YEAR, MAX_YEAR = 2000, 2199


class AgeFields(BaseModel):
    """The minimum age in years at which an item may be bought."""

    age_min: Annotated[Count, Field(ge=1, le=120)] | None = None


class AgeConfirmation(BaseModel):
    """Whether the customer confirms to be old enough for every item; only true and false are accepted."""

    age_confirmed: Annotated[bool, Field(strict=True)] | None = Field(
        default=None, title=N_("I meet the minimum age for this order")
    )


class PackUnit(StrEnum):
    """What the content of a pack is counted or measured in."""

    PIECES = "pieces"
    TABLETS = "tablets"
    CAPSULES = "capsules"
    SACHETS = "sachets"
    DOSES = "doses"
    MILLILITRES = "ml"
    LITRES = "l"
    GRAMS = "g"
    KILOGRAMS = "kg"


UNIT_LABELS: Final = {
    PackUnit.PIECES: N_("pieces"),
    PackUnit.TABLETS: N_("tablets"),
    PackUnit.CAPSULES: N_("capsules"),
    PackUnit.SACHETS: N_("sachets"),
    PackUnit.DOSES: N_("doses"),
    PackUnit.MILLILITRES: N_("ml"),
    PackUnit.LITRES: N_("l"),
    PackUnit.GRAMS: N_("g"),
    PackUnit.KILOGRAMS: N_("kg"),
}
MAX_PACKS: Final = 100
Content = Annotated[Number, Field(gt=0, le=1_000_000)]
Unit = Annotated[
    PackUnit,
    Field(
        json_schema_extra={"x-choices": [{"value": str(unit), "label": label} for unit, label in UNIT_LABELS.items()]}
    ),
]


class PackContent(BaseModel):
    """What a variation contains, such as 20 tablets or 100 ml."""

    name: Name = Field(title=N_("Variation"))
    content: Content = Field(title=N_("Content"))
    unit: Unit = Field(title=N_("Unit"))


def _check_pack_names(packs: list[PackContent]) -> list[PackContent]:
    names = [pack.name.casefold() for pack in packs]
    if len(set(names)) < len(names):
        raise ValueError("must name each variation once")
    return packs


class MedicineFields(BaseModel):
    """How a medicine is sold; a field that says nothing is absent."""

    is_prescription_only: bool = Field(default=False, title=N_("Prescription only"), exclude_if=not_)
    max_per_order: Annotated[Count, Field(ge=1, le=1000)] | None = Field(
        default=None, title=N_("At most per order"), exclude_if=not_
    )
    is_sold_by_batch: bool = Field(default=False, title=N_("Sold by batch"), exclude_if=not_)
    pack_content: Content | None = Field(default=None, title=N_("Content of a pack"), exclude_if=not_)
    pack_unit: Unit | None = Field(default=None, title=N_("Unit"), exclude_if=not_)
    packs: Annotated[list[PackContent], Field(max_length=MAX_PACKS), AfterValidator(_check_pack_names)] = Field(
        default=[], title=N_("Packs"), exclude_if=not_
    )


def _require_date_text(value: Any) -> Any:
    if isinstance(value, int | float):
        raise ValueError("must be a date such as 2028-06-30")
    return value


def _require_plausible_year(day: date) -> date:
    if not MIN_YEAR <= day.year <= MAX_YEAR:
        raise ValueError(f"must lie in the years {MIN_YEAR} to {MAX_YEAR}")
    return day


Day = Annotated[date, BeforeValidator(_require_date_text), AfterValidator(_require_plausible_year)]
BatchNumber = Annotated[ShortText, Field(min_length=1, max_length=50)]
Packs = Annotated[Count, Field(le=1_000_000)]
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


class BatchShow(StrEnum):
    """Which batches to list."""

    LEFT = "left"
    EXPIRED = "expired"
    ALL = "all"


class BatchQuery(Body):
    """Filters of batches: those with packs left, unless ``show`` says otherwise; ``search`` in their numbers."""

    show: BatchShow = BatchShow.LEFT
    item_id: Id | None = None
    search: ShortText | None = None


class BatchItemQuery(Body):
    """Filters of items that are sold by batch: ``search`` in their names, or for the GTIN of a variation."""

    search: ShortText | None = None


class ReceiptBody(Body):
    """Packs of a batch that have come in. With ``is_in_stock`` they are a part of the stock that has no batch yet."""

    model_config = example({"item_id": 1, "number": "L2406", "best_before": "2028-06-30", "quantity": 20})

    item_id: Id
    variation: Id | None = None
    number: BatchNumber
    best_before: Day
    quantity: Annotated[Packs, Field(ge=1)]
    is_in_stock: bool = False


class BatchChange(Body):
    """How many packs of a batch there are, by count, and its date if that was wrong."""

    model_config = example({"quantity": 18})

    quantity: Packs
    best_before: Day | None = None
