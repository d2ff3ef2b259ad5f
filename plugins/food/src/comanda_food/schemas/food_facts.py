"""The fields of items and orders: what items contain with their choices, and what guests must not eat."""

import re
from collections.abc import Mapping
from operator import not_
from typing import Annotated, Any, Final

from comanda.contracts import Name, Number, ShortText
from comanda.web import N_
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from comanda_food.records import ADDITIVE_LABELS, ALLERGEN_LABELS, DIET_LABELS, Additive, Allergen, Diet

SEPARATORS: Final = re.compile(r"[,;|]")
MAX_CHOICES: Final = 400


def _split_codes(value: Any) -> Any:
    """Return the codes of a cell of a table, such as ``milk, wheat``."""
    if not isinstance(value, str):
        return value
    return [code for each in SEPARATORS.split(value) if (code := each.strip().lower().replace(" ", "_"))]


def _drop_repeats(values: list[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


def _to_choices(labels: Mapping[str, str]) -> Any:
    return Field(
        max_length=len(labels),
        json_schema_extra={"x-choices": [{"value": str(code), "label": label} for code, label in labels.items()]},
    )


Allergens = Annotated[
    list[Allergen], BeforeValidator(_split_codes), _to_choices(ALLERGEN_LABELS), AfterValidator(_drop_repeats)
]
Diets = Annotated[list[Diet], BeforeValidator(_split_codes), _to_choices(DIET_LABELS), AfterValidator(_drop_repeats)]
Additives = Annotated[
    list[Additive], BeforeValidator(_split_codes), _to_choices(ADDITIVE_LABELS), AfterValidator(_drop_repeats)
]
AlcoholPercent = Annotated[Number, Field(ge=0, le=100)]


class ChoiceFacts(BaseModel):
    """What a variation or an extra adds to its item. With it, the item stays suitable for ``diets`` alone."""

    name: Name = Field(title=N_("Variation or extra"))
    allergens: Allergens = Field(default=[], title=N_("Contains"), exclude_if=not_)
    may_contain: Allergens = Field(default=[], title=N_("May contain"), exclude_if=not_)
    diets: Diets = Field(default=[], title=N_("Suitable for"), exclude_if=not_)
    additives: Additives = Field(default=[], title=N_("Additives"), exclude_if=not_)
    alcohol_percent: AlcoholPercent | None = Field(default=None, title=N_("Alcohol, % by volume"), exclude_if=not_)


def _check_names(choices: list[ChoiceFacts]) -> list[ChoiceFacts]:
    names = [choice.name.casefold() for choice in choices]
    if len(set(names)) < len(names):
        raise ValueError("must name each variation and extra once")
    return choices


class FoodFields(BaseModel):
    """What an item contains, as its owner declares it; a field that says nothing is absent.

    Without ``has_allergen_information``, what is not named may be in it all the same.
    """

    has_allergen_information: bool = Field(default=False, title=N_("All allergens are named below"), exclude_if=not_)
    allergens: Allergens = Field(default=[], title=N_("Contains"), exclude_if=not_)
    may_contain: Allergens = Field(default=[], title=N_("May contain"), exclude_if=not_)
    is_vegetarian: bool = Field(default=False, title=N_("Vegetarian"), exclude_if=not_)
    is_kosher: bool = Field(default=False, title=N_("Kosher"), exclude_if=not_)
    is_gluten_free: bool = Field(default=False, title=N_("Gluten-free"), exclude_if=not_)
    is_lactose_free: bool = Field(default=False, title=N_("Lactose-free"), exclude_if=not_)
    additives: Additives = Field(default=[], title=N_("Additives"), exclude_if=not_)
    alcohol_percent: AlcoholPercent | None = Field(default=None, title=N_("Alcohol, % by volume"), exclude_if=not_)
    spiciness: Annotated[int, Field(ge=0, le=3)] = Field(default=0, title=N_("Spiciness, 0 to 3"), exclude_if=not_)
    choice_facts: Annotated[list[ChoiceFacts], Field(max_length=MAX_CHOICES), AfterValidator(_check_names)] = Field(
        default=[], title=N_("Variations and extras"), exclude_if=not_
    )


class RestrictionFields(BaseModel):
    """What the guest of an order must not eat, which is kept with consent alone.

    ``avoid_traces`` are allergens of which traces count too. Staff take over an order in spite of a conflict with the
    reason ``restrictions_override``.
    """

    avoid_allergens: Allergens = Field(default=[], title=N_("Must not contain"), exclude_if=not_)
    avoid_traces: Allergens = Field(default=[], title=N_("Not even traces of"), exclude_if=not_)
    required_diets: Diets = Field(default=[], title=N_("Must be"), exclude_if=not_)
    restrictions_consent: Annotated[bool, Field(strict=True)] = Field(
        default=False, title=N_("The store may keep this with the order"), exclude_if=not_
    )
    restrictions_override: Annotated[ShortText, Field(max_length=200)] | None = Field(
        default=None,
        title=N_("Make it in spite of this, because"),
        exclude_if=not_,
        json_schema_extra={"x-staff": True},
    )
