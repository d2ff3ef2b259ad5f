"""Nutrition facts as guests and search engines read them."""

from comanda.web import use_language
from comanda_food.pages.nutrition_facts import describe_nutrition, list_nutrients, list_portion

SOUP = {"nutrition_basis": "portion", "energy_kj": 1255, "energy_kcal": 300, "fat_g": 7.5, "salt_g": 0.0}


def test_the_table_has_what_is_declared():
    assert list_nutrients(SOUP) == {
        "Nutrition facts for": "one portion", "Energy": "1,255 kJ / 300 kcal", "Fat": "7.5 g", "Salt": "0 g",
    }  # fmt: skip
    assert list_nutrients({"name": "Bread", "nutrition_basis": "100g", "portion_g": 50}) == {}


async def test_the_table_is_in_the_language_of_the_guest(client):
    with use_language("de"):
        assert list_nutrients(SOUP) == {
            "Nährwerte für": "eine Portion", "Energie": "1.255 kJ / 300 kcal", "Fett": "7,5 g", "Salz": "0 g",
        }  # fmt: skip


def test_portions_have_their_unit():
    assert list_portion({"portion_g": 350.0}) == ["Portion: 350 g"]
    assert list_portion({"portion_ml": 330}) == ["Portion: 330 ml"]
    assert list_portion({"name": "Bread"}) == ()


def test_search_engines_get_sodium():
    found = describe_nutrition({**SOUP, "portion_g": 400, "salt_g": 1.5})["nutrition"]

    assert found == {
        "@type": "NutritionInformation", "servingSize": "400 g", "calories": "300 kcal", "fatContent": "7.5 g",
        "sodiumContent": "600 mg",
    }  # fmt: skip
    assert describe_nutrition({"portion_g": 400}) == {}
