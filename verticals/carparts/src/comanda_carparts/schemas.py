"""Fitments in requests and answers."""

import unicodedata
from typing import Annotated, Any

from comanda.contracts import NOT_BLANK, Body, Count, Id, ShortText
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationInfo, field_validator

# The first motor car was built in 1886; 2100 leaves room for open-ended ranges.
MIN_YEAR, MAX_YEAR = 1886, 2100
MAX_FITMENTS = 500
MAX_NAME_LENGTH = 100


def _to_optional(text: str) -> str | None:
    return text or None


def normalize(text: str) -> str:
    """Return a make, model or similar in the form that is compared: ignoring case, character width and spacing."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def to_search_key(text: str) -> str:
    """Return a make or model in the form that searches compare, cut to the length of the indexed column."""
    return normalize(text)[:MAX_NAME_LENGTH]


Year = Annotated[Count, Field(ge=MIN_YEAR, le=MAX_YEAR)]
VehicleName = Annotated[ShortText, Field(max_length=MAX_NAME_LENGTH), NOT_BLANK]
VehicleDetail = Annotated[ShortText, Field(max_length=MAX_NAME_LENGTH), AfterValidator(_to_optional)]
MechanicNote = Annotated[ShortText, AfterValidator(_to_optional)]


class Fitment(Body):
    """A range of vehicles that a part fits. Without ``year_to`` the range is open-ended."""

    make: VehicleName
    model: VehicleName
    year_from: Year
    year_to: Year | None = None
    engine: VehicleDetail | None = None
    trim: VehicleDetail | None = None
    note: MechanicNote | None = None

    @field_validator("year_to")
    @classmethod
    def _check_year_order(cls, year_to: int | None, info: ValidationInfo) -> int | None:
        year_from = info.data.get("year_from")
        if year_to is not None and year_from is not None and year_to < year_from:
            raise ValueError("must not be before year_from")
        return year_to

    def identity(self) -> tuple[str, ...]:
        """Return the values by which two fitments are equal."""
        values = (self.make, self.model, self.year_from, self.year_to, self.engine, self.trim, self.note)
        return tuple("" if value is None else normalize(str(value)) for value in values)


def _to_list(value: Any) -> Any:
    return [] if value is None else value


def _remove_duplicates(fitments: list[Fitment]) -> list[Fitment]:
    return list({fitment.identity(): fitment for fitment in reversed(fitments)}.values())[::-1]


class FitmentFields(BaseModel):
    """The vehicles that a part fits. Duplicates are dropped; ``null`` is an empty list."""

    fitments: Annotated[
        list[Fitment], Field(max_length=MAX_FITMENTS), BeforeValidator(_to_list), AfterValidator(_remove_duplicates)
    ] = []


class FitmentQuery(BaseModel):
    """Filters of fitments. ``make`` and ``model`` ignore letter case; ``year`` lies within the range."""

    make: Annotated[ShortText, AfterValidator(to_search_key)] | None = None
    model: Annotated[ShortText, AfterValidator(to_search_key)] | None = None
    year: Year | None = None
    item_id: Id | None = None
