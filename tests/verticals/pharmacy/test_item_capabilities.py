"""The age of items."""

import pytest
from comanda.devkit.testing import line
from comanda_pharmacy.item_capabilities import list_badges, list_facts


@pytest.mark.parametrize("age", [1, 18, 120, None])
async def test_age_is_shown_to_owner_and_on_the_menu(pharmacy, age):
    gum = await pharmacy.item("Gum", age_min=age)

    assert gum["age_min"] == age
    assert (await pharmacy.get(f"/menu/items/{gum['id']}"))["age_min"] == age
    assert [item["age_min"] for category in await pharmacy.public_menu() for item in category["items"]] == [age]


async def test_age_is_kept_until_changed_or_null(pharmacy):
    gum = await pharmacy.item("Gum", age_min=18)

    kept = await pharmacy.send("PUT", f"/menu/items/{gum['id']}", {"price": 6})
    gone = await pharmacy.send("PUT", f"/menu/items/{gum['id']}", {"age_min": None})

    assert (kept["age_min"], gone["age_min"]) == (18, None)
    assert (await pharmacy.place(line(gum), type="in_store")).status == 201


MEDICINE = {
    "is_prescription_only": True,
    "max_per_order": 2,
    "is_sold_by_batch": True,
    "pack_content": 20,
    "pack_unit": "tablets",
    "packs": [{"name": "Large", "content": 0.5, "unit": "l"}],
}


async def test_medicine_has_its_fields_and_others_have_none(pharmacy):
    tablets, plaster = await pharmacy.item("Tablets", **MEDICINE), await pharmacy.item("Plaster")

    assert {name: tablets[name] for name in MEDICINE} == MEDICINE
    assert not MEDICINE.keys() & plaster.keys()
    kept = await pharmacy.send("PUT", f"/menu/items/{tablets['id']}", {"max_per_order": None, "packs": []})
    assert kept["is_sold_by_batch"] is True
    assert not {"max_per_order", "packs"} & kept.document.keys()


def test_guests_read_contents_and_limits():
    facts = list_facts(MEDICINE)

    assert facts == ["Content: 20 tablets", "Large: 0.5 l", "At most 2 per order"]
    assert (list_facts({}), list_facts({"pack_content": 20})) == ([], [])
    assert (list_badges(MEDICINE), list_badges({})) == (["Prescription only"], [])
