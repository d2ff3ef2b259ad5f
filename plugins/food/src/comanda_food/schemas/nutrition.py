"""The fields of items that say what a portion weighs and what it is worth as food."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self

from comanda.contracts import Count, Number, is_null
from comanda.web import N_
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationInfo, field_validator, model_validator

# Regulation (EU) No 1169/2011: the conversion of annex I, and 9 kcal for a gram of fat of annex XIV, the most there is.
KJ_PER_KCAL: Final = 4.184
MAX_KCAL_PER_100: Final = 900
MAX_ENERGY: Final = {"energy_kj": round(MAX_KCAL_PER_100 * KJ_PER_KCAL), "energy_kcal": MAX_KCAL_PER_100}
# Labels add up each energy from its own factors of annex XIV, which differ the most for fibre: 8 kJ and 2 kcal.
ENERGY_TOLERANCE: Final = 0.05
DECIMALS: Final = 2
PORTION, PER_100_G, PER_100_ML = "portion", "100g", "100ml"
BASIS_LABELS: Final[Mapping[str, str]] = {PORTION: N_("one portion"), PER_100_G: N_("100 g"), PER_100_ML: N_("100 ml")}
# Syrups and honey are heavier than water.
MAX_GRAMS: Final = {PER_100_G: 100.0, PER_100_ML: 150.0}
# Each is a part of another one, or weighs by itself.
PARTS: Final = {"saturates_g": "fat_g", "sugars_g": "carbohydrate_g"}
MASSES: Final = ("fat_g", "carbohydrate_g", "fibre_g", "protein_g", "salt_g")

NO_BASIS: Final = N_("Needs a choice of what it is for: one portion, 100 g or 100 ml.")
TWO_PORTIONS: Final = N_("Must be in grams or in millilitres, not both.")
OTHER_ENERGY: Final = N_("Must be the energy in kilojoules. Leave one of the two empty to have it computed.")
TOO_MUCH_ENERGY: Final = N_("Must not be more than pure fat has.")
TOO_HEAVY: Final = N_("Must not weigh more than the food, with fat, carbohydrate, fibre, protein and salt together.")
TOO_MANY_DECIMALS: Final = N_("Must have at most two decimals.")
MORE_THAN_WHOLE: Final = {
    "saturates_g": N_("Must not be more than the fat."),
    "sugars_g": N_("Must not be more than the carbohydrate."),
}


def _check_decimals(value: float) -> float:
    if round(value, DECIMALS) != value:
        raise ValueError(TOO_MANY_DECIMALS)
    return value


def _join_words(value: Any) -> Any:
    """Return the basis as a cell of a table may have it, such as ``100 g``."""
    return value.lower().replace(" ", "") if isinstance(value, str) else value


def _declare(title: str) -> Any:
    return Field(default=None, title=title, exclude_if=is_null)


Basis = Annotated[
    Literal["portion", "100g", "100ml"],
    BeforeValidator(_join_words),
    Field(json_schema_extra={"x-choices": [{"value": code, "label": label} for code, label in BASIS_LABELS.items()]}),
]
Energy = Annotated[Count, Field(le=100_000)]
Grams = Annotated[Number, Field(ge=0, le=10_000), AfterValidator(_check_decimals)]
PortionSize = Annotated[Grams, Field(gt=0)]


class NutritionFields(BaseModel):
    """What a portion weighs, and the nutrition declaration of Regulation (EU) No 1169/2011, annex XV.

    The values are for one ``nutrition_basis``. Of the two energies one is enough.
    """

    portion_g: PortionSize | None = _declare(N_("Portion, g"))
    portion_ml: PortionSize | None = _declare(N_("Portion, ml"))
    nutrition_basis: Basis | None = _declare(N_("Nutrition facts for"))
    energy_kj: Energy | None = _declare(N_("Energy, kJ"))
    energy_kcal: Energy | None = _declare(N_("Energy, kcal"))
    fat_g: Grams | None = _declare(N_("Fat, g"))
    saturates_g: Grams | None = _declare(N_("of which saturates, g"))
    carbohydrate_g: Grams | None = _declare(N_("Carbohydrate, g"))
    sugars_g: Grams | None = _declare(N_("of which sugars, g"))
    fibre_g: Grams | None = _declare(N_("Fibre, g"))
    protein_g: Grams | None = _declare(N_("Protein, g"))
    salt_g: Grams | None = _declare(N_("Salt, g"))

    @field_validator("portion_ml")
    @classmethod
    def _check_portion(cls, value: float | None, info: ValidationInfo) -> float | None:
        if value is not None and info.data.get("portion_g") is not None:
            raise ValueError(TWO_PORTIONS)
        return value

    @field_validator("energy_kj", "energy_kcal", *MASSES, *PARTS)
    @classmethod
    def _check_nutrient(cls, value: float | None, info: ValidationInfo) -> float | None:
        if value is not None:
            _check_plausibility(info.field_name or "", value, info.data)
        return value

    @model_validator(mode="after")
    def _complete_energy(self) -> Self:
        if self.energy_kj is None and self.energy_kcal is not None:
            self.energy_kj = round(self.energy_kcal * KJ_PER_KCAL)
        elif self.energy_kcal is None and self.energy_kj is not None:
            self.energy_kcal = round(self.energy_kj / KJ_PER_KCAL)
        return self


def _check_plausibility(name: str, value: float, before: Mapping[str, Any]) -> None:
    """Raise ``ValueError`` for a value that contradicts the fields before it; invalid ones are not among them."""
    basis = before.get("nutrition_basis", "")
    if basis is None:
        raise ValueError(NO_BASIS)
    if basis in MAX_GRAMS and value > MAX_ENERGY.get(name, value):
        raise ValueError(TOO_MUCH_ENERGY)
    if name == "energy_kcal" and not _is_same_energy(before.get("energy_kj"), value):
        raise ValueError(OTHER_ENERGY)
    if name in PARTS and (whole := before.get(PARTS[name])) is not None and value > whole:
        raise ValueError(MORE_THAN_WHOLE[name])
    limit = MAX_GRAMS.get(basis) or before.get("portion_g")
    if name in MASSES and limit and round(value + sum(before.get(each) or 0 for each in MASSES), DECIMALS) > limit:
        raise ValueError(TOO_HEAVY)


def _is_same_energy(kj: int | None, kcal: float) -> bool:
    return kj is None or abs(kj - kcal * KJ_PER_KCAL) <= max(kj * ENERGY_TOLERANCE, KJ_PER_KCAL)
