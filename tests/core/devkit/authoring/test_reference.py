"""The generated reference of the public packages."""

from comanda.devkit.authoring.public import list_packages
from comanda.devkit.authoring.reference import build_reference
from comanda.platform import runtime


def test_reference_has_signatures_and_docstrings():
    reference = build_reference()

    assert [name for name in list_packages() if f"\n## {name}\n" not in reference] == []
    assert [name for names in list_packages().values() for name in names if f"\n### {name}\n" not in reference] == []
    assert "\n### sql.fetch_one\n" in reference
    assert "async def add_charge(caller: Caller, store_id: int" in reference
    assert "    amount_minor: int\n    tax_rate_ppm: int | None = None\n" in reference
    assert "_add_to_bill" not in reference


async def test_reference_is_a_chapter_of_the_guide(app):
    assert runtime.registry().docs["reference"].text.startswith("Every public package")
