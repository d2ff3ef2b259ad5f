"""Requests: the fields of items that are goods, and brands."""

from collections.abc import Mapping
from datetime import date
from operator import not_
from typing import Annotated, Any, Final, Literal

from comanda.contracts import Body, Count, Name, Number, ShortText, Url, example, is_null
from comanda.web import N_
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationInfo

# Directive 98/6/EC, article 2 (b): the prices of goods are compared by these units.
KILOGRAM, LITRE, METRE, SQUARE_METRE, PIECE = "kg", "l", "m", "m²", "piece"
# The codes of units, with the unit that prices are compared by and how many of them it has.
UNITS: Final[Mapping[str, tuple[str, int]]] = {
    "g": (KILOGRAM, 1000),
    "kg": (KILOGRAM, 1),
    "ml": (LITRE, 1000),
    "l": (LITRE, 1),
    "cm": (METRE, 100),
    "m": (METRE, 1),
    "m2": (SQUARE_METRE, 1),
    "piece": (PIECE, 1),
}
UNIT_LABELS: Final[Mapping[str, str]] = {**{code: code for code in UNITS}, "m2": SQUARE_METRE, PIECE: N_("pieces")}
DECIMALS: Final = 3
MAX_VARIATIONS: Final = 200
MAX_WEIGHT_G: Final = 1_000_000
MAX_TEXT_LENGTH: Final = 2000
NO_UNIT: Final = N_("Needs the unit of the content.")
TOO_MANY_DECIMALS: Final = N_("Must have at most three decimals.")

MIN_YEAR, MAX_YEAR = 1900, 2999


def _empty_to_none(text: str) -> str | None:
    return text or None


def _require_date_text(value: Any) -> Any:
    if isinstance(value, int | float):
        raise ValueError("must be a date such as 2026-02-28")
    return value


def _require_plausible_year(day: date) -> date:
    if not MIN_YEAR <= day.year <= MAX_YEAR:
        raise ValueError(f"must lie in the years {MIN_YEAR} to {MAX_YEAR}")
    return day


def _check_decimals(value: float) -> float:
    if round(value, DECIMALS) != value:
        raise ValueError(TOO_MANY_DECIMALS)
    return value


def _require_unit(value: float, info: ValidationInfo) -> float:
    if info.data.get("content_unit") is None:
        raise ValueError(NO_UNIT)
    return value


def _check_names(rows: list[Any]) -> list[Any]:
    names = [row.name.casefold() for row in rows]
    if len(set(names)) < len(names):
        raise ValueError("must name each variation once")
    return rows


def _declare(title: str) -> Any:
    return Field(default=None, title=title, exclude_if=is_null)


Unit = Annotated[
    Literal["g", "kg", "ml", "l", "cm", "m", "m2", "piece"],
    Field(json_schema_extra={"x-choices": [{"value": code, "label": label} for code, label in UNIT_LABELS.items()]}),
]
Content = Annotated[Number, Field(gt=0, le=1_000_000), AfterValidator(_check_decimals), AfterValidator(_require_unit)]
ContainerDeposit = Annotated[Number, Field(ge=0, le=1_000_000), AfterValidator(_check_decimals)]
LongText = Annotated[str, Field(max_length=MAX_TEXT_LENGTH)]
Day = Annotated[date, BeforeValidator(_require_date_text), AfterValidator(_require_plausible_year)]
Slug = Annotated[str, Field(max_length=100, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class BrandFields(BaseModel):
    """The brand of an item. An empty name means no brand."""

    brand: Annotated[ShortText, AfterValidator(_empty_to_none)] | None = None


class ExpiryFields(BaseModel):
    """The last day on which an item is sold, in the store's time zone."""

    expires_on: Day | None = None


class Packaging(BaseModel):
    """How much is in a package, and the deposit on its containers in the store's currency, such as on bottles.

    What a kilogram, a litre or a metre costs is computed from ``content`` and the price. A deposit finer than the
    currency is rounded.
    """

    content_unit: Unit | None = _declare(N_("Unit of the content"))
    content: Content | None = _declare(N_("Content"))
    container_deposit: ContainerDeposit | None = _declare(N_("Container deposit"))


class VariationPackaging(Packaging):
    """The packaging of the variation of this name."""

    name: Name = Field(title=N_("Variation"))


class PackagingFields(Packaging):
    """The packaging of an item, which is that of its variations without a row in ``variation_packaging``."""

    variation_packaging: Annotated[
        list[VariationPackaging], Field(max_length=MAX_VARIATIONS), AfterValidator(_check_names)
    ] = Field(default=[], title=N_("Variations"), exclude_if=not_)


class ByWeightFields(BaseModel):
    """An item whose price is that of a kilogram, and what one piece usually weighs, for those who cannot weigh it."""

    is_priced_per_kg: bool = Field(default=False, title=N_("The price is that of a kilogram"), exclude_if=not_)
    usual_weight_g: Annotated[Count, Field(ge=1, le=MAX_WEIGHT_G)] | None = _declare(N_("Usual weight in grams"))


class SafetyFields(BaseModel):
    """Who made a product and answers for it, and what its users are warned of.

    Regulation (EU) 2023/988, article 19, asks for these in an offer at a distance. Contacts are a postal address and an
    e-mail address or a website. ``eu_representative`` is needed for a manufacturer outside of the Union.
    """

    manufacturer: ShortText | None = _declare(N_("Manufacturer"))
    manufacturer_contact: LongText | None = _declare(N_("Manufacturer: address and e-mail"))
    eu_representative: ShortText | None = _declare(N_("Responsible person in the EU"))
    eu_representative_contact: LongText | None = _declare(N_("Responsible person: address and e-mail"))
    safety_warnings: LongText | None = _declare(N_("Warnings and safety information"))


class BrandBody(Body):
    """A brand to create before any item names it. Without a ``slug``, one is derived from the name."""

    model_config = example({"name": "Alba", "logo_url": "https://shop.example.com/alba.svg"})

    name: Name
    slug: Slug | None = None
    logo_url: Url | None = None


class BrandChange(Body):
    """Changes to a brand. A new name is written to every item of the brand; ``"logo_url": null`` removes the logo."""

    model_config = example({"name": "Alba"})

    name: Name | None = None
    slug: Slug | None = None
    logo_url: Url | None = None
