"""The views of the till: who may see them, and whether everybody can use them on every screen."""

import pytest
from comanda.devkit.testing import open_store
from till_pages import PHONE, PIN, TABLET, expect, open_check, open_drawer


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


def test_what_is_typed_at_the_drawer_stays_while_its_cash_changes(open_till, installation, server):
    store = open_store(installation, lambda: server.url, "Busy drawer")
    assert store.send("POST", "/staff", {"name": "Ada", "role": "cashier", "pin": PIN})[0] == 201
    open_drawer(store)
    till = open_till(at=store)
    till.get_by_role("button", name="Drawer", exact=True).click()
    till.get_by_label("Cash counted").fill("12")
    [shift] = store.send("GET", "/shifts?status=open")[1]["data"]
    assert store.send("POST", f"/shifts/{shift['id']}/movements", {"kind": "paid_in", "amount": 20})[0] == 201

    till.get_by_role("button", name="Drawer", exact=True).click()

    expect(till.get_by_text("€120.00")).to_be_visible()
    expect(till.get_by_label("Cash counted")).to_have_value("12")
