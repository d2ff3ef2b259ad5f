"""Which vehicles a part fits, on the wire."""

import unicodedata
from typing import Annotated, Any

from comanda.contracts.fields import Body, Count, Id, ShortText
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationInfo, field_validator

# The first motor car was built in one, and nobody sells parts for cars of the century after the other.
FIRST_YEAR, LAST_YEAR = 1886, 2100
MAX_FITMENTS = 500
MAX_TITLE = 100


def _not_blank(text: str) -> str:
    if not text:
        raise ValueError("must not be blank")
    return text


def _or_none(text: str) -> str | None:
    return text or None


def plain(text: str) -> str:
    """Reduce a make, model or the like to what it is compared by: letter case, width and spacing do not count."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def search_key(text: str) -> str:
    """Reduce a make or model to what searches compare, cut to what PostgreSQL keeps in an index."""
    return plain(text)[:MAX_TITLE]


Year = Annotated[Count, Field(ge=FIRST_YEAR, le=LAST_YEAR)]
Title = Annotated[ShortText, Field(max_length=MAX_TITLE), AfterValidator(_not_blank)]
Detail = Annotated[ShortText, Field(max_length=MAX_TITLE), AfterValidator(_or_none)]
Note = Annotated[ShortText, AfterValidator(_or_none)]


class Fitment(Body):
    """A range of vehicles that a part fits. Without ``year_to`` it fits every later year too."""

    make: Title
    model: Title
    year_from: Year
    year_to: Year | None = None
    engine: Detail | None = None
    trim: Detail | None = None
    note: Note | None = None

    @field_validator("year_to")
    @classmethod
    def _is_not_before(cls, year_to: int | None, info: ValidationInfo) -> int | None:
        year_from = info.data.get("year_from")
        if year_to is not None and year_from is not None and year_to < year_from:
            raise ValueError("must not be before year_from")
        return year_to

    def key(self) -> tuple[str, ...]:
        """Return what makes two fitments one."""
        values = (self.make, self.model, self.year_from, self.year_to, self.engine, self.trim, self.note)
        return tuple("" if value is None else plain(str(value)) for value in values)


def _listed(value: Any) -> Any:
    return [] if value is None else value


def _once_each(fitments: list[Fitment]) -> list[Fitment]:
    return list({fitment.key(): fitment for fitment in reversed(fitments)}.values())[::-1]


class FitmentFields(BaseModel):
    """The vehicles that a part fits; one that is named twice stands once, and ``null`` reads as none."""

    fitments: Annotated[
        list[Fitment], Field(max_length=MAX_FITMENTS), BeforeValidator(_listed), AfterValidator(_once_each)
    ] = []


class FitmentOut(BaseModel):
    """A range of vehicles, and the items that fit it."""

    id: int
    make: str
    model: str
    year_from: int
    year_to: int | None
    engine: str | None
    trim: str | None
    note: str | None
    item_ids: list[int]


class FitmentQuery(BaseModel):
    """Which fitments to list: of a ``make``, of a ``model``, whatever their letter case, and that hold a ``year``."""

    make: Annotated[ShortText, AfterValidator(search_key)] | None = None
    model: Annotated[ShortText, AfterValidator(search_key)] | None = None
    year: Year | None = None
    item_id: Id | None = None


class MakeOut(BaseModel):
    """A make, and the models of it that something fits."""

    make: str
    models: list[str]
