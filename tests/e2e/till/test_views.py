"""The views of the till: who may see them, and whether everybody can use them on every screen."""

import pytest
from till_pages import PHONE, TABLET, expect, open_check


def test_kitchen_staff_are_refused(open_till):
    till = open_till(pin="7391")

    expect(till.locator("[data-problem]")).to_have_text("You may not take orders.")


@pytest.mark.parametrize("device", [TABLET, PHONE])
def test_sheets_and_payment_of_a_check_are_accessible(open_till, busy_store, device):
    axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")
    till = open_till(at=busy_store, **device)
    open_check(till, "Table N42")
    looks = [(device["viewport"], scheme) for scheme in ("light", "dark")]
    found = list(axe_rules.find_violations_in_looks(till, looks))

    for opens in (till.get_by_role("button", name="Edit check"), till.locator("[data-sent] .line").first):
        opens.click()
        expect(till.locator("[data-line-dialog]")).to_be_visible()
        found += list(axe_rules.find_violations_in_looks(till, looks))
        till.locator("[data-line-dialog]").get_by_role("button", name="Close").click()
    till.get_by_role("button", name="Pay", exact=True).click()
    expect(till.locator("[data-due]")).to_be_visible()
    found += list(axe_rules.find_violations_in_looks(till, looks))

    assert [(scheme, each["id"], [node["html"] for node in each["nodes"]]) for _, scheme, each in found] == []


@pytest.mark.parametrize("device", [TABLET, PHONE])
def test_every_view_is_accessible_and_fits(open_till, device):
    axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")
    till = open_till(**device)

    for view in ("tables", "order", "open", "drawer"):
        till.locator(f'[data-view="{view}"]').click()
        expect(till.locator(f'[data-view="{view}"]')).to_have_attribute("aria-pressed", "true")
        looks = [(device["viewport"], scheme) for scheme in ("light", "dark")]
        found = axe_rules.find_violations_in_looks(till, looks)
        assert [(scheme, each["id"], [node["html"] for node in each["nodes"]]) for _, scheme, each in found] == []
