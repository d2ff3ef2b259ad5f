"""What a guest must not eat, asked and said at the till."""

import pytest
from till_pages import PHONE, choose_item, expect, list_orders, table_of


def answer_questions(till, *labels):
    till.get_by_role("button", name="Allergens and diets").click()
    dialog = till.locator("[data-line-dialog]")
    dialog.locator("summary", has_text="Must not contain").click()
    for label in labels:
        dialog.get_by_label(label).first.check()
    dialog.get_by_role("button", name="Save").click()


def test_lines_that_the_guest_must_not_eat_are_taken_over_with_a_reason(open_till, declared_store):
    till = open_till(at=declared_store)
    problem, override = till.locator("#check-problem"), till.locator("[data-override]")
    table_of(till, "5").click()
    choose_item(till, "Rice")
    choose_item(till, "Satay")

    answer_questions(till, "Peanuts")
    expect(problem).to_have_text("The guest has to agree that the store keeps what they must not eat.")
    expect(override).to_be_hidden()
    answer_questions(till, "The store may keep this with the order")
    expect(problem).to_have_text("Satay · Contains: Peanuts")
    expect(till.locator("[data-questions]")).to_contain_text("Must not contain: Peanuts")
    ruled_out = till.locator("[data-lines] .line[aria-describedby]")
    expect(ruled_out).to_have_text("Satay")
    till.get_by_role("button", name="Send", exact=True).click()
    expect(problem).to_have_text("Satay · Contains: Peanuts")
    assert list_orders(declared_store) == []
    override.click()
    dialog = till.locator("[data-line-dialog]")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_have_text("Give a reason.")
    dialog.get_by_label("Make it in spite of this, because").fill("Made without sauce")
    dialog.get_by_role("button", name="Save").click()
    expect(problem).to_be_empty()
    expect(ruled_out).to_have_count(0)
    till.get_by_role("button", name="Send", exact=True).click()

    expect(till.locator("[data-notice]")).to_contain_text("was sent")
    [order] = list_orders(declared_store)
    kept = {name: order[name] for name in ("avoid_allergens", "restrictions_consent", "restrictions_override")}
    assert kept == {
        "avoid_allergens": ["peanuts"],
        "restrictions_consent": True,
        "restrictions_override": "Made without sauce",
    }
    table_of(till, "5").click()
    expect(till.locator("[data-questions]")).to_contain_text("Must not contain: Peanuts")
    expect(till.get_by_role("button", name="Allergens and diets")).to_have_count(0)
    choose_item(till, "Rice")
    till.get_by_role("button", name="Add to check").click()
    expect(till.locator("[data-notice]")).to_contain_text("Added to order")


def test_line_that_is_added_is_not_taken_over_with_the_others(open_till, declared_store):
    till = open_till(at=declared_store)
    table_of(till, "6").click()
    answer_questions(till, "Peanuts", "The store may keep this with the order")
    choose_item(till, "Satay")
    till.locator("[data-override]").click()
    till.get_by_label("Make it in spite of this, because").fill("Made without sauce")
    till.locator("[data-line-dialog]").get_by_role("button", name="Save").click()
    expect(till.locator("#check-problem")).to_be_empty()

    choose_item(till, "Rice")

    expect(till.locator("#check-problem")).to_have_text("Satay · Contains: Peanuts")
    expect(till.locator("[data-questions]")).not_to_contain_text("Made without sauce")


def test_answers_stay_with_the_lines_of_their_table(open_till, declared_store):
    till = open_till(at=declared_store)
    asked = till.locator("[data-questions]")
    table_of(till, "6").click()
    answer_questions(till, "Peanuts", "The store may keep this with the order")

    till.get_by_role("button", name="Tables").click()
    till.get_by_label("Table that is not listed").fill("9")
    till.get_by_role("button", name="Open the table").click()
    expect(till.get_by_role("textbox", name="Table")).to_have_value("9")
    expect(asked).not_to_contain_text("Peanuts")
    till.get_by_role("button", name="Tables").click()
    expect(table_of(till, "6")).to_contain_text("not sent yet")
    table_of(till, "6").click()

    expect(asked).to_contain_text("Must not contain: Peanuts")


def test_till_asks_nothing_where_items_say_nothing(open_till, store):
    till = open_till()
    till.get_by_role("button", name="Order", exact=True).click()

    expect(till.locator(".items").get_by_role("button", name="Risotto")).to_be_visible()
    expect(till.locator("[data-questions]")).to_be_empty()


def test_questions_and_conflicts_are_accessible_on_a_phone(open_till, declared_store):
    axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")
    till = open_till(at=declared_store, **PHONE)
    looks = [(PHONE["viewport"], scheme) for scheme in ("light", "dark")]
    till.get_by_role("button", name="Order", exact=True).click()
    choose_item(till, "Satay")
    answer_questions(till, "Peanuts", "The store may keep this with the order")
    expect(till.locator("[data-override]")).to_be_visible()
    found = list(axe_rules.find_violations_in_looks(till, looks))

    for opens in (till.get_by_role("button", name="Allergens and diets"), till.locator("[data-override]")):
        opens.click()
        expect(till.locator("[data-line-dialog]")).to_be_visible()
        found += list(axe_rules.find_violations_in_looks(till, looks))
        till.locator("[data-line-dialog]").get_by_role("button", name="Cancel").click()

    assert [(scheme, each["id"], [node["html"] for node in each["nodes"]]) for _, scheme, each in found] == []
