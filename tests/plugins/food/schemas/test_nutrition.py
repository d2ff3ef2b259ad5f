"""Nutrition facts, as requests and files write them."""

import pytest
from comanda_food.schemas.nutrition import NutritionFields
from pydantic import ValidationError


def test_the_other_energy_is_computed():
    from_kcal = NutritionFields(nutrition_basis="portion", energy_kcal=200).model_dump(exclude_unset=True)
    from_kj = NutritionFields(nutrition_basis="portion", energy_kj=838).model_dump(exclude_unset=True)

    assert from_kcal == {"nutrition_basis": "portion", "energy_kj": 837, "energy_kcal": 200}
    assert from_kj == {"nutrition_basis": "portion", "energy_kj": 838, "energy_kcal": 200}
    assert NutritionFields.model_validate(from_kj).model_dump(exclude_none=True) == from_kj


def test_nothing_is_absent_and_zero_is_a_fact():
    assert NutritionFields(fat_g=None).model_dump(mode="json") == {}
    assert NutritionFields(nutrition_basis="100 ML", salt_g=0).model_dump(mode="json") == {
        "nutrition_basis": "100ml", "salt_g": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"fat_g": 3, "nutrition_basis": None}, "fat_g", "Needs a choice"),
        ({"nutrition_basis": "cup"}, "nutrition_basis", ""),
        ({"fat_g": 3, "saturates_g": 3.01}, "saturates_g", "more than the fat"),
        ({"carbohydrate_g": 3, "sugars_g": 4}, "sugars_g", "more than the carbohydrate"),
        ({"fat_g": 50, "carbohydrate_g": 30, "protein_g": 20, "salt_g": 0.1}, "salt_g", "weigh more than the food"),
        ({"nutrition_basis": "portion", "portion_g": 20, "fat_g": 21}, "fat_g", "weigh more than the food"),
        ({"energy_kcal": 901}, "energy_kcal", "pure fat"),
        ({"energy_kj": 3767}, "energy_kj", "pure fat"),
        ({"energy_kj": 790, "energy_kcal": 200}, "energy_kcal", "Leave one of the two empty"),
        ({"fat_g": -1}, "fat_g", ""),
        ({"fat_g": 1.234}, "fat_g", "at most two decimals"),
        ({"fat_g": "much"}, "fat_g", ""),
        ({"portion_g": 0}, "portion_g", ""),
        ({"portion_g": 300, "portion_ml": 300}, "portion_ml", "not both"),
        ({"nutrition_basis": "portion", "energy_kj": 100_001}, "energy_kj", ""),
    ],
)
def test_implausible_facts_are_refused(fields, field, sentence):
    with pytest.raises(ValidationError) as refused:
        NutritionFields.model_validate({"nutrition_basis": "100g", **fields})

    (error,) = refused.value.errors()
    assert error["loc"] == (field,)
    assert sentence in error["msg"]


def test_what_just_fits_is_accepted():
    NutritionFields(nutrition_basis="100g", energy_kcal=900, fat_g=33.3, saturates_g=33.3, protein_g=33.3, fibre_g=33.4)
    NutritionFields(nutrition_basis="100ml", carbohydrate_g=110, sugars_g=110)
    NutritionFields(nutrition_basis="portion", fat_g=300, protein_g=200)


def test_energies_of_a_label_may_differ_as_their_factors_do():
    label = NutritionFields(nutrition_basis="100g", energy_kj=2252, energy_kcal=539)

    assert (label.energy_kj, label.energy_kcal) == (2252, 539)
