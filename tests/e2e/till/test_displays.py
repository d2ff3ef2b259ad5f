"""The customer's display on another device: it follows the check of its till, and nothing of who the guest is."""

import pytest
from till_pages import choose_item, expect, open_drawer

TABLET = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture
def open_display(browser, store):
    """Return a function that opens the address of a display on a device of its own; its page must not complain."""
    opened = []

    def open_display(url, **options):
        context = browser.new_context(**{**TABLET, **options})
        page = context.new_page()
        page.wrong = []
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        opened.append((context, page))
        # The installation is not served at the address that it tells the public.
        page.goto(f"{store.url()}/till/display/{url.rpartition('/')[2]}")
        return page

    yield open_display
    for context, page in opened:
        context.close()
        assert page.wrong == []


def connect(till):
    till.locator("details.more summary").click()
    till.get_by_role("button", name="Customer display").click()
    dialog = till.get_by_role("dialog", name="Customer display")
    dialog.get_by_role("button", name="Connect another device").click()
    expect(dialog.locator(".display-link img")).to_be_visible()
    url = dialog.locator(".display-link a").get_attribute("href")
    dialog.get_by_role("button", name="Close").click()
    return url


def test_tablet_of_the_guest_follows_the_till_until_it_is_disconnected(open_till, store, open_display):
    open_drawer(store)
    till = open_till()
    till.get_by_role("button", name="Order", exact=True).click()
    display = open_display(connect(till))
    expect(display.get_by_role("heading", name="Till")).to_be_visible()
    expect(display.get_by_text("Welcome")).to_be_visible()
    till.get_by_role("textbox", name="Name (optional)").fill("Grace Hopper")
    choose_item(till, "Risotto")
    choose_item(till, "Risotto")
    expect(display.locator("[data-shown-lines]")).to_contain_text("2 \u00d7 Risotto")
    expect(display.locator("[data-shown-rows] .total").last).to_have_text("€28.00")
    till.get_by_role("button", name="Send and pay").click()
    till.get_by_role("button", name="€30.00").click()
    expect(display.locator("[data-shown-change]")).to_have_text("Change: €2.00")
    assert "Grace" not in display.content()

    till.get_by_role("button", name="New order").click()
    till.locator("details.more summary").click()
    till.get_by_role("button", name="Customer display").click()
    till.get_by_role("dialog").get_by_role("button", name="Disconnect").click()

    expect(display.get_by_text("This display is disconnected.")).to_be_visible()
    display.reload()
    expect(display.get_by_text("Welcome")).to_have_count(0)


def test_each_till_has_its_own_display_and_a_new_one_ends_the_old(open_till, open_display):
    till, other = open_till(), open_till()
    for each in (till, other):
        each.get_by_role("button", name="Order", exact=True).click()
    old = open_display(connect(till))
    beside = open_display(connect(other))
    choose_item(till, "Risotto")
    expect(old.locator("[data-shown-lines]")).to_contain_text("1 \u00d7 Risotto")
    expect(beside.get_by_text("Welcome")).to_be_visible()
    new = open_display(connect(till))

    expect(new.locator("[data-shown-lines]")).to_contain_text("1 \u00d7 Risotto")
    expect(old.get_by_text("This display is disconnected.")).to_be_visible()
    expect(beside.get_by_text("Welcome")).to_be_visible()
