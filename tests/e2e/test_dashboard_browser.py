"""A new owner in a real Chromium, on a phone: from an empty database to an order that is cooked, driven and paid."""

import re
import shutil
from urllib.request import urlopen

import pytest
from chromium import hold
from comanda.devkit.testing import Installation, create_migrated_data_folder

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")

expect = sync_api.expect
SETUP_LINK = re.compile(r"/setup/\S+")
PASSWORD = "correct horse battery"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
LOOKS = ((PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark"))
# All kinds of lists, forms and figures are on these, below the address of the store.
MAIN_PAGES = ("", "/orders", "/orders/new", "/menu", "/menu/items/new", "/reports")
# To these the navigation has no link.
FORMS = (
    "/orders/new", "/menu/items/new", "/menu/categories/new", "/menu/import", "/menu/prices", "/menu/fields/item_times",
    "/settings/hours",
)  # fmt: skip
DRIVERS_PHONE = "+351961234567"
MAX_TABS = 150
# A field with its unit has one outline around both.
HAS_OUTLINE = "element => [element, element.parentElement].some(each => getComputedStyle(each).outlineStyle !== 'none')"


@pytest.fixture(scope="module")
def server():
    data = create_migrated_data_folder()
    installation = Installation(data, {"COMANDA_LOG_LEVEL": "warning", "COMANDA_DEVELOPMENT": "true"})
    try:
        with installation.running("serve") as running:
            yield running
    finally:
        shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="module")
def page(server, browser):
    opened = browser.new_page(viewport=PHONE)
    problems = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    yield opened
    assert problems == []


def press(page, name):
    page.get_by_role("main").get_by_role("button", name=name, exact=True).first.click()


def follow(page, name):
    page.get_by_role("main").get_by_role("link", name=name, exact=True).first.click()


@pytest.fixture(scope="module")
def taken(server, page):
    """Set up the installation, the store and its menu, and take an order: all on a phone, without a command."""
    page.goto(server.url + SETUP_LINK.search(server.printed())[0])
    page.get_by_label("Your name or your company's").fill("Alba")
    page.get_by_label("E-mail").fill("alba@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Name of the store").fill("Trattoria")
    page.get_by_label("Type of store").select_option("restaurant")
    page.get_by_label("Currency").select_option("EUR")
    page.get_by_label("Time zone").select_option("Europe/Lisbon")
    press(page, "Create account and store")
    page.wait_for_url("**/dashboard/stores/*")
    store = page.url

    page.goto(f"{store}/menu/categories/new")
    page.locator("#field-name").fill("Pasta")
    page.get_by_role("main").locator("form button[type=submit]").first.click()
    page.wait_for_url(lambda url: not url.endswith("/new"))
    page.goto(f"{store}/menu/items/new")
    page.locator("#field-name").fill("Carbonara")
    page.locator("#field-price").fill("12.50")
    page.locator("#field-category_id").select_option(label="Pasta")
    press(page, "Create item")
    page.wait_for_url(lambda url: not url.endswith("/new"))

    page.goto(f"{store}/orders/new")
    page.get_by_role("listitem").filter(has_text="Carbonara").get_by_role("button").click()
    page.get_by_label("Quantity").first.wait_for()
    page.get_by_role("main").get_by_label("Type").select_option("delivery")
    press(page, "Update price")
    page.get_by_role("textbox", name="Address", exact=True).fill("Rua da Prata 8, Lisboa")
    page.get_by_label("Name", exact=True).fill("Ada")
    page.get_by_label("Phone", exact=True).fill("+351912345678")
    press(page, "Place order")
    page.wait_for_url(re.compile(r"/orders/\d+$"))
    return store


def test_the_first_order_stands_on_the_board(page, taken):
    page.goto(f"{taken}/orders/board")

    page.get_by_text("Ada").first.wait_for()


def test_presses_that_come_before_the_answer_are_made_after_it(page, taken):
    page.goto(f"{taken}/orders/new")
    add = page.get_by_role("listitem").filter(has_text="Carbonara").get_by_role("button")
    held = hold(page, "**/orders/new")
    with page.expect_request("**/orders/new"):
        add.click()

    add.click()
    add.click()
    held[0].continue_()

    expect(page.get_by_label("Quantity").first).to_have_value("3")


def test_the_order_is_cooked_driven_paid_and_reported(page, taken, server):
    page.goto(f"{taken}/drivers/new")
    page.get_by_role("main").get_by_label("Name").fill("Rui Costa")
    page.get_by_role("main").get_by_label("Phone").fill(DRIVERS_PHONE)
    press(page, "Create driver")
    page.get_by_role("heading", name="Rui Costa can start").wait_for()

    page.goto(f"{taken}/orders")
    page.locator("main a").and_(page.locator("[href*='/orders/']")).filter(has_text=re.compile(r"\d")).first.click()
    page.wait_for_url(re.compile(r"/orders/\d+$"))
    assert "€12.50" in page.get_by_role("main").inner_text()
    order = page.url
    page.get_by_role("button", name="Preparing").first.click()
    page.wait_for_load_state()
    page.get_by_role("button", name="Ready").first.click()
    page.wait_for_load_state()
    assert page.get_by_role("main").get_by_text("Ready").count() > 0
    press(page, "Assign")
    expect(page.get_by_role("main").get_by_text("Rui Costa").first).to_be_visible()

    drive(page.context.browser, server)

    page.goto(order)
    expect(page.get_by_role("main").get_by_text("Paid").first).to_be_visible()
    page.goto(f"{taken}/reports")
    expect(page.get_by_role("main").get_by_text("€12.50").first).to_be_visible()
    page.goto(f"{taken}/drivers/all")
    expect(page.get_by_role("row").filter(has_text="Rui Costa").get_by_text("€12.50")).to_be_visible()


def drive(browser, server):
    """Bring the order as the driver, on the phone of the driver, and collect the cash."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    phone = context.new_page()
    phone.goto(f"{server.url}/driver/")
    phone.get_by_label("Phone").fill(DRIVERS_PHONE)
    phone.get_by_role("button", name="Send me a code").tap()
    phone.get_by_label("Code from the message").wait_for()
    with urlopen(f"{server.url}/outbox/?to={DRIVERS_PHONE.removeprefix('+')}") as answer:
        code = re.search(r"\b\d{6}(?= (?:is|é))", answer.read().decode())[0]
    phone.get_by_label("Code from the message").fill(code)
    phone.get_by_role("button", name="Log in").tap()
    errand = phone.get_by_role("article", name=re.compile("^Order"))
    for act in ("Picked up", "On my way", "Delivered"):
        errand.get_by_role("button", name=act, exact=True).tap()
    phone.get_by_role("dialog").get_by_role("button", name="Delivered", exact=True).tap()
    expect(errand).to_have_count(0)
    context.close()


def test_nobody_goes_back_in_after_signing_out(page, taken, server):
    context = page.context.browser.new_context()
    other = context.new_page()
    other.goto(taken)

    assert "/sign-in" in other.url
    context.close()


def tab_to(page, target):
    """Press Tab until an element has the focus, as somebody does who has no mouse; it must be shown that it has it."""
    for _ in range(MAX_TABS):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            assert target.evaluate(HAS_OUTLINE)
            return
    raise AssertionError(f"Tab does not lead to {target}.")


def test_the_main_ways_work_by_keyboard_alone(page, taken, server):
    context = page.context.browser.new_context(viewport=DESK)
    desk = context.new_page()
    keys, main = desk.keyboard, desk.get_by_role("main")
    desk.goto(f"{server.url}/sign-in")
    tab_to(desk, desk.get_by_label("E-mail"))
    keys.type("alba@example.com")
    tab_to(desk, desk.get_by_label("Password"))
    keys.type(PASSWORD)
    keys.press("Enter")
    desk.wait_for_url("**/dashboard/stores/*")

    # Past the navigation, and with the palette to a page.
    tab_to(desk, desk.get_by_role("link", name="Skip to the content"))
    keys.press("Enter")
    assert desk.url.endswith("#content")
    keys.press("Control+k")
    keys.type("Menu")
    keys.press("Enter")
    desk.wait_for_url("**/menu")
    keys.press("n")
    desk.wait_for_url("**/menu/items/new")
    tab_to(desk, desk.locator("#field-name"))
    keys.type("Tiramisu")
    tab_to(desk, desk.locator("#field-price"))
    keys.type("6")
    tab_to(desk, desk.locator("#field-category_id"))
    keys.type("Pasta")
    tab_to(desk, main.get_by_role("button", name="Create item", exact=True))
    keys.press("Enter")
    desk.wait_for_url(lambda url: not url.endswith("/new"))

    desk.goto(f"{taken}/orders/new")
    tab_to(desk, desk.get_by_role("button", name="Add Tiramisu"))
    keys.press("Enter")
    desk.get_by_label("Quantity").wait_for()
    tab_to(desk, main.get_by_label("Type"))
    keys.type("Takeaway")
    tab_to(desk, desk.get_by_label("Name", exact=True))
    keys.type("Grace")
    tab_to(desk, main.get_by_role("button", name="Place order", exact=True))
    keys.press("Enter")
    desk.wait_for_url(re.compile(r"/orders/\d+$"))
    tab_to(desk, main.get_by_role("button", name="Start preparing").first)
    keys.press("Enter")
    expect(main.get_by_text("Preparing").first).to_be_visible()
    context.close()


def list_faults(page, looks, exclude=""):
    """Return what axe finds grave about the page in some looks, and where it is wider than the screen."""
    return [
        (page.url, width, scheme, each["id"], node["target"])
        for width, scheme, each in axe_rules.find_violations_in_looks(page, looks, exclude)
        for node in each["nodes"]
    ]


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("ar", "rtl")])
def test_axe_finds_nothing_grave_on_the_main_pages(page, taken, server, language, direction):
    page.context.add_cookies([{"name": "comanda_language", "value": language, "url": server.url}])
    found = []
    try:
        for path in MAIN_PAGES:
            page.goto(taken + path)
            assert page.evaluate("document.documentElement.dir") == direction
            found += list_faults(page, LOOKS)
    finally:
        page.context.clear_cookies(name="comanda_language")
    assert found == [], "\n".join(map(str, found))


def test_axe_finds_nothing_grave_on_the_other_pages_of_the_navigation(page, taken):
    page.goto(taken)
    links = page.eval_on_selector_all(".side a", "links => links.map(link => link.href)")
    assert len(links) >= 8
    main = {taken + path for path in MAIN_PAGES}
    pages = {*links, *(taken + path for path in FORMS)}
    assert main <= pages
    found = []
    for url in sorted(pages - main):
        page.goto(url)
        # The navigation is the same on all pages; it is judged with the main ones.
        found += list_faults(page, [(PHONE, "light")], exclude=".side")
        # What differs at night is the contrast, and what differs on a desk and from right to left is the layout.
        page.set_viewport_size(DESK)
        page.emulate_media(color_scheme="dark")
        found += [(url, "dark", each["nodes"]) for each in axe_rules.find_low_contrast(page, exclude=".side")]
        found += [(url, "too wide", direction) for direction in ("ltr", "rtl") if not fits(page, direction)]
        page.set_viewport_size(PHONE)
        if not fits(page, "rtl"):
            found.append((url, "too wide for a phone", "rtl"))
    assert found == [], "\n".join(map(str, found))


def fits(page, direction):
    """Return whether the page, read in a direction, is no wider than the screen."""
    return page.evaluate(
        "direction => (document.documentElement.dir = direction, document.documentElement.scrollWidth <= innerWidth)",
        direction,
    )
