"""The design system in a real Chromium: what its scripts do, what works without them, and that everybody can use it."""

import re

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
# The width at which pages must not scroll sideways (WCAG 1.4.10).
NARROW = {"width": 320, "height": 640}
LOOKS = ((PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark"))
TARGET_PX = 44
# How often the live part of the page asks for itself.
LIVE_SECONDS = 5
SMALL_TARGETS = """(least) =>
    [...document.querySelectorAll(".dashboard :is(button, .button, select), .side a, .tabs a")]
    .filter((each) => each.checkVisibility({visibilityProperty: true}) && !each.closest("dialog"))
    .map((each) => [each.outerHTML.slice(0, 90), Math.round(each.getBoundingClientRect().height)])
    .filter(([, height]) => height < least)"""


@pytest.fixture
def open_page(browser, server):
    """Open the page of the design system; at the end nothing may have failed in it."""
    contexts, problems = [], []

    def open_with(viewport=DESK, **options):
        context = browser.new_context(viewport=viewport, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
        page.goto(server.url + "/docs/design")
        return page

    yield open_with
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture(scope="module")
def watched_page(browser):
    """Return one page for tests that keep nothing in it, and what fails in it; a new one takes a second or so."""
    page, problems = browser.new_page(), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    return page, problems


@pytest.fixture
def visit(watched_page, server):
    """Show the page of the design system by day; at the end nothing may have failed in it."""
    page, problems = watched_page

    def visit_with(viewport=DESK, language="en"):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme="light", reduced_motion="reduce", forced_colors="none", media="screen")
        page.context.add_cookies([{"name": "comanda_language", "value": language, "url": server.url}])
        page.goto(server.url + "/docs/design")
        return page

    yield visit_with
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.context.clear_cookies()
    failed = problems.copy()
    problems.clear()
    assert failed == []


@pytest.mark.parametrize("language", ["en", "ar"])
def test_axe_finds_nothing(visit, language):
    page = visit(language=language)
    assert [
        (violation["id"], scheme, width, node["html"][:150])
        for width, scheme, violation in axe_rules.find_violations_in_looks(page, LOOKS, impacts=axe_rules.ALL_IMPACTS)
        for node in violation["nodes"]
    ] == []


@pytest.mark.parametrize("language", ["en", "ar"])
def test_page_does_not_scroll_sideways(visit, language):
    page = visit(NARROW, language)

    for viewport in (NARROW, PHONE, DESK):
        page.set_viewport_size(viewport)
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


def test_targets_are_large_enough_for_fingers(open_page):
    page = open_page(PHONE, has_touch=True)

    assert page.evaluate(SMALL_TARGETS, TARGET_PX) == []
    page.locator("[data-navigation]").click()
    assert page.evaluate(SMALL_TARGETS, TARGET_PX) == []


def test_palette_finds_a_page_and_goes_there(visit):
    page = visit()

    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Go to a page").fill("coup")
    assert page.locator("#palette").get_by_role("option").first.inner_text().startswith("Coupons")
    page.keyboard.press("Enter")

    page.wait_for_url("**/docs/design?page=tag")


def test_palette_says_that_nothing_was_found_and_closes(visit):
    page = visit()

    page.get_by_role("button", name="Go to a page").click()
    page.keyboard.type("zzzz")
    assert page.get_by_text("No results").is_visible()
    page.keyboard.press("Escape")

    assert not page.locator("#palette").is_visible()
    assert page.evaluate("document.activeElement.className") == "finder"


def test_shortcuts_go_to_pages_until_they_are_switched_off(visit):
    page = visit()

    page.keyboard.press("?")
    page.get_by_role("heading", name="Keyboard shortcuts").wait_for()
    keys = page.locator("#shortcuts dd[data-target]").all_inner_texts()
    assert len(keys) == len(set(keys)) == page.locator("#navigation nav a").count()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("g")
    page.keyboard.press("h")
    page.wait_for_url("**/docs/design?page=home")

    page.keyboard.press("?")
    page.get_by_label("Use shortcuts of single keys").click()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") != "search"


def test_question_is_asked_before_a_form_is_sent(visit):
    page = visit()
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.is_navigation_request() else None)
    button = page.get_by_role("main").get_by_role("button", name="Delete with a question")

    button.click()
    assert page.get_by_role("dialog", name="Delete the coupon SUMMER20?").is_visible()
    page.get_by_role("button", name="Cancel").click()
    assert sent == []

    button.click()
    with page.expect_navigation():
        page.locator("#question").get_by_role("button", name="Delete with a question").click()
    assert len(sent) == 1


def test_dialog_gives_the_focus_back(visit):
    page = visit()
    opener = page.get_by_role("link", name="Open a dialog")

    opener.click()
    assert page.evaluate("document.activeElement.id") == "dialog-price"
    page.keyboard.press("Escape")

    assert not page.locator("#sample-dialog").is_visible()
    assert opener.evaluate("each => each === document.activeElement")


def test_menu_is_used_with_the_keyboard(visit):
    page = visit()
    summary = page.locator("#buttons summary")

    summary.press("Enter")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == "Edit"
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.textContent") == "Delete"
    page.keyboard.press("Escape")

    assert not page.locator("#buttons .box").is_visible()
    assert summary.evaluate("each => each === document.activeElement")


def test_navigation_of_a_phone_keeps_the_focus_until_it_is_closed(visit):
    page = visit(PHONE)
    assert not page.locator("#navigation nav").is_visible()

    page.get_by_role("link", name="Menu", exact=True).click()
    assert page.locator("#navigation nav").is_visible()
    assert page.evaluate("document.querySelector('main').inert")
    page.keyboard.press("Escape")

    assert not page.locator("#navigation nav").is_visible()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Menu"


def test_list_is_sorted_with_the_keyboard_and_the_mouse(visit):
    page = visit()
    handle = page.get_by_role("button", name="Move Starters")

    with page.expect_navigation(url=re.compile("order=Pizza&order=Starters&order=Desserts")):
        handle.press("ArrowDown")

    page.get_by_role("button", name="Move Desserts").scroll_into_view_if_needed()
    box = page.get_by_role("button", name="Move Starters").bounding_box()
    last = page.get_by_role("button", name="Move Desserts").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + 5, last["y"] + last["height"] - 4, steps=8)
    with page.expect_request(re.compile("order=Pizza&order=Desserts&order=Starters")):
        page.mouse.up()


def test_chosen_colours_are_seen_at_once_and_kept(visit):
    page = visit()
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")

    page.locator("summary[aria-label='Language and colours']").click()
    with page.expect_response("**/theme"):
        page.get_by_role("button", name="Dark").click()

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"


def wait_for_refresh(page, seconds):
    """Advance the clock of a page to when its live part is asked for again."""
    with page.expect_response("**/docs/design/live"):
        page.clock.fast_forward(seconds * 1000)


def test_live_part_is_refreshed_and_keeps_the_focus(open_page):
    page = open_page()
    changed = '<output id="live-time">changed</output><button id="live-button">Still here</button>'
    page.route("**/docs/design/live", lambda route: route.fulfill(content_type="text/html", body=changed))
    page.clock.install()
    page.reload()
    page.locator("#live-button").focus()

    wait_for_refresh(page, LIVE_SECONDS)
    page.get_by_text("changed", exact=True).wait_for()

    assert page.evaluate("document.activeElement.textContent") == "Still here"


def test_live_part_is_refreshed_when_the_server_sends_an_event(open_page):
    page = open_page()
    often, once = 'data-every="5"', 'data-every="600" data-events="/docs/design/events" data-event-names="order"'

    def add_events(route):
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace(often, once))

    page.route("**/docs/design", add_events)
    page.route("**/docs/design/live", lambda route: route.fulfill(content_type="text/html", body="told by an event"))
    page.route("**/docs/design/events", lambda route: route.fulfill(
        content_type="text/event-stream", body="retry: 60000\n\nevent: order\ndata: {}\n\n"
    ))  # fmt: skip
    page.reload()

    page.get_by_text("told by an event").wait_for()


def test_page_says_when_the_connection_is_lost_and_recovers(open_page):
    page = open_page()
    is_lost = [True]
    page.route("**/docs/design/live", lambda route: route.fulfill(status=304 if is_lost[0] else 200, body="here again"))
    page.clock.install()
    page.reload()

    for _ in range(2):
        wait_for_refresh(page, LIVE_SECONDS)
    page.locator("#toasts").get_by_text("The connection is lost.").wait_for()
    assert "stale" in page.locator("[data-live]").get_attribute("class")
    is_lost[0] = False
    # After a second failure it asks half as often.
    wait_for_refresh(page, 2 * LIVE_SECONDS)
    page.get_by_text("here again").wait_for()

    assert "stale" not in (page.locator("[data-live]").get_attribute("class") or "")


def test_navigation_menus_and_dialogs_work_without_scripts(open_page):
    page = open_page(PHONE, java_script_enabled=False)
    assert not page.locator(".finder").is_visible()

    page.get_by_role("link", name="Menu", exact=True).click()
    assert page.locator("#navigation nav").is_visible()
    page.get_by_role("link", name="Close the menu").click()
    assert not page.locator("#navigation nav").is_visible()
    page.get_by_role("link", name="Open a dialog").click()
    assert page.locator("#sample-dialog").is_visible()


def test_forced_colours_and_print_show_everything(visit):
    page = visit()

    page.emulate_media(forced_colors="active")
    assert page.locator(".side a[aria-current]").evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
    page.emulate_media(forced_colors="none", media="print")
    assert not page.locator(".top").is_visible()
    assert page.get_by_role("main").is_visible()
