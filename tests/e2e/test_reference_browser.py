"""The API reference and the guide in a real Chromium: for everybody, by keyboard, and without a script."""

import pytest
from documentation_pages import JUDGED_PAGES

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")
expect = sync_api.expect

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
NARROW = {"width": 320, "height": 640}
# Contrast differs between day and night, what fits between the widths: two runs see all four.
LOOKS = ((PHONE, "light"), (DESK, "dark"))
# These are judged with everything unfolded.
UNFOLDED_PAGES = ("/docs/orders/", "/docs/events/", "/docs/guide/api")
TOKEN = "own_0123456789abcdef0123456789abcdef"
# Of elements of one parent that are of the same names, classes and attributes all the way down, three are enough for
# axe, which takes seconds for a page of thousands: two in a row, as style sheets may tell odd from even, and the last.
# What their texts and references say is tested without a browser.
REMOVE_REPEATED = """() => {
    const describe = (element) => {
        const children = new Map();
        for (const child of element.children) {
            const kind = describe(child);
            children.set(kind, [...children.get(kind) ?? [], child]);
        }
        for (const alike of children.values()) alike.slice(2, -1).forEach((each) => each.remove());
        const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
        const own = [element.localName, element.getAttribute("class"), element.getAttributeNames().sort(), hasText];
        return `${own.join()}(${[...children.keys()].sort()})`;
    };
    describe(document.querySelector("main"));
}"""


def watch(page):
    """Return a list of what fails in a page."""
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    return problems


@pytest.fixture
def open_page(browser, server):
    """Open a page of the documentation; at the end nothing may have failed in it."""
    contexts, problems = [], []

    def open_with(path, viewport=DESK, **options):
        context = browser.new_context(viewport=viewport, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        problems.append(watch(page))
        page.goto(server.url + path)
        return page

    yield open_with
    for context in contexts:
        context.close()
    assert not any(problems)


@pytest.fixture(scope="module")
def watched_page(browser):
    """Return one page for tests that keep nothing in it, and what fails in it; a new one takes a second or so."""
    page = browser.new_page()
    return page, watch(page)


@pytest.fixture
def visit(watched_page, server):
    """Show a page of the documentation; at the end nothing may have failed in it."""
    page, problems = watched_page

    def visit_with(path, viewport=DESK):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.goto(server.url + path)
        return page

    yield visit_with
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    failed = problems.copy()
    problems.clear()
    assert failed == []


def judge(page, looks=LOOKS, exclude=""):
    """Return what axe finds grave about a page, and where it is wider than the screen."""
    return [
        (violation["id"], scheme, width, [node["html"][:150] for node in violation["nodes"]])
        for width, scheme, violation in axe_rules.find_violations_in_looks(page, looks, exclude)
    ]


def fits(page):
    """Return whether a page is no wider than any screen."""
    widths = []
    for viewport in (NARROW, PHONE, DESK):
        page.set_viewport_size(viewport)
        widths.append(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    return max(widths) <= 0


@pytest.mark.parametrize("path", [path for path in JUDGED_PAGES if path not in UNFOLDED_PAGES])
def test_every_kind_of_page_is_for_everybody(visit, path):
    page = visit(path, PHONE)
    assert fits(page)
    page.evaluate(REMOVE_REPEATED)
    # The list of pages is the same on all of them; tests below judge it. What differs at night is the contrast.
    assert judge(page, [(PHONE, "light")], exclude="#navigation") == []
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="dark")
    assert axe_rules.find_low_contrast(page, exclude="#navigation") == []


@pytest.mark.parametrize("path", UNFOLDED_PAGES)
def test_pages_are_as_good_with_everything_unfolded(visit, path):
    page = visit(path)
    page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
    assert fits(page)
    page.evaluate(REMOVE_REPEATED)
    assert judge(page) == []


def test_one_pale_text_among_thousands_is_found(visit):
    page = visit("/docs/orders/")
    # What is found is not of a kind that passed before, and what was found once is found again.
    assert axe_rules.find_low_contrast(page) == []
    for fault in (
        "text.style.color = '#bbb'",
        "text.style.color = '#bbb'",
        "text.parentElement.style.backgroundColor = '#777'",
        "text.closest('section').style.opacity = 0.4",
    ):
        page.evaluate(
            "{ const texts = [...document.querySelectorAll('main section p')].filter((p) => p.innerText.length > 30);"
            f"const text = texts[texts.length >> 1]; {fault} }}"
        )
        assert [violation["id"] for violation in axe_rules.find_low_contrast(page)] == ["color-contrast"], fault
        page.evaluate("for (const each of document.querySelectorAll('[style]')) each.removeAttribute('style')")


@pytest.mark.parametrize("path", ["/docs/", "/docs/coupons/", "/docs/guide/start"])
def test_pages_are_for_everybody_in_arabic(open_page, path):
    page = open_page(path, locale="ar")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    assert judge(page) == []


def test_search_by_keyboard(visit):
    page = visit("/docs/guide/start")
    page.keyboard.press("/")
    field = page.get_by_role("combobox", name="Search the documentation")
    expect(field).to_be_focused()
    page.keyboard.type("place an ord")
    options = page.get_by_role("option")
    expect(options.first).to_contain_text("Place an order")
    expect(field).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", "found-1")
    assert judge(page, [(DESK, "light")]) == []
    page.keyboard.press("ArrowUp")
    href = options.first.get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{href}")
    name = href.partition("#")[2]
    expect(page.locator(f"#{name}")).to_be_in_viewport()

    page.keyboard.press("/")
    page.keyboard.type("orders")
    expect(options.first).to_be_visible()
    page.keyboard.press("Escape")
    expect(options.first).to_be_hidden()
    expect(field).to_be_focused()


def test_what_no_name_has_is_searched_in_the_texts(visit):
    page = visit("/docs/")
    page.keyboard.press("/")
    page.keyboard.type("Idempotent-Replayed")
    page.get_by_role("option", name="Search in all texts").click()
    page.wait_for_url("**/docs/search?q=Idempotent-Replayed")

    page.get_by_role("link", name="Repeating a request").click()
    expect(page.get_by_role("heading", name="Repeating a request")).to_be_in_viewport()


def test_the_language_of_examples_is_remembered(visit):
    page = visit("/docs/orders/")
    order = page.locator("#place-order")
    expect(order.locator("[data-language=curl]")).to_be_visible()
    page.get_by_role("radio", name="curl").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Python")).to_be_checked()
    expect(order.locator("[data-language=python]")).to_be_visible()
    expect(order.locator("[data-language=curl]")).to_be_hidden()

    page.goto(page.url.replace("orders", "menu"))
    expect(page.get_by_role("radio", name="Python")).to_be_checked()
    expect(page.locator("#create-item [data-language=python]")).to_be_visible()


def test_a_token_stays_in_its_tab(open_page, server):
    page = open_page("/docs/orders/")
    token = TOKEN
    requests = []
    page.on("request", lambda request: requests.append((request.url, request.headers, request.post_data)))
    page.get_by_label("Your token, for the examples").fill(token)
    for language in ("curl", "python", "javascript"):
        expect(page.locator(f"#place-order [data-language={language}] code")).to_contain_text(f"Bearer {token}")

    page.goto(page.url.replace("orders", "menu"))
    expect(page.locator("#create-item [data-language=curl] code")).to_contain_text(f"Bearer {token}")
    # A token of an owner is of no use where customers call.
    page.goto(page.url.replace("menu", "customer"))
    expect(page.locator("#get-me [data-language=curl] code")).to_contain_text("Bearer cus_YOUR_TOKEN")
    page.goto(page.url.replace("docs/customer/", "docs/guide/start"))
    expect(page.locator(".code", has_text="/me -H").first).to_contain_text(f"Bearer {token}")
    assert requests
    assert [sent for sent in requests if token in str(sent)] == [], "the token is sent nowhere"
    assert page.evaluate("JSON.stringify(localStorage)").find(token) == -1

    other = page.context.new_page()
    other.goto(server.url + "/docs/orders/")
    expect(other.locator("#place-order [data-language=curl] code")).to_contain_text("Bearer own_YOUR_TOKEN")


def test_what_is_no_token_is_not_inserted(visit, subtests):
    page = visit("/docs/orders/")
    field = page.get_by_label("Your token, for the examples")
    for text in ("hello", "own_a b", 'own_"; rm -rf /', "<img src=x>"):
        with subtests.test(text=text):
            field.fill("")
            expect(field).not_to_have_attribute("aria-invalid", "true")
            field.fill(text)

            expect(page.get_by_text("No kind of token begins like this.")).to_be_visible()
            expect(field).to_have_attribute("aria-invalid", "true")
            expect(page.locator("#place-order [data-language=curl] code")).to_contain_text("Bearer own_YOUR_TOKEN")


def test_code_is_copied(open_page):
    page = open_page("/docs/orders/", permissions=["clipboard-read", "clipboard-write"])
    button = page.locator("#place-order [data-language=curl]").get_by_role("button", name="Copy: curl")
    button.focus()
    page.keyboard.press("Enter")

    expect(page.get_by_text("Copied.")).to_be_visible()
    expect(button).to_be_focused()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#place-order [data-language=curl] code").text_content()


def test_links_of_the_old_reference_lead_to_the_operation(open_page):
    page = open_page("/docs/#/Orders/post_restaurants_id_orders")

    page.wait_for_url("**/docs/orders/#post_restaurants_id_orders")
    expect(page.locator("#place-order h2")).to_be_in_viewport()


def test_where_the_reader_is_stands_in_the_list(open_page):
    page = open_page("/docs/orders/#place-order")

    expect(page.locator("#navigation [aria-current=location]")).to_contain_text("Place an order")
    page.locator("#change-status").scroll_into_view_if_needed()
    page.locator("#navigation").get_by_role("link", name="Set the kitchen status").click()
    expect(page.locator("#navigation [aria-current=location]")).to_contain_text("Set the kitchen status")


def test_the_list_of_pages_on_a_phone(visit):
    page = visit("/docs/orders/", PHONE)
    side = page.locator("#navigation")
    expect(side).to_be_hidden()
    opener = page.get_by_role("link", name="Menu", exact=True)
    opener.click()
    expect(side).to_be_visible()
    expect(page.get_by_role("link", name="Close the menu")).to_be_focused()
    assert judge(page, [(PHONE, "light")]) == []
    page.keyboard.press("Escape")
    expect(side).to_be_hidden()
    expect(opener).to_be_focused()

    opener.click()
    side.get_by_role("link", name="Set the kitchen status").click()
    expect(side).to_be_hidden()
    expect(page.locator("#change-status h2")).to_be_in_viewport()


def test_contents_of_a_chapter_are_beside_it_or_folded(visit):
    page = visit("/docs/guide/api", PHONE)
    expect(page.get_by_role("complementary").get_by_role("link", name="Errors")).to_be_hidden()
    page.get_by_role("complementary").locator("summary").click()
    expect(page.get_by_role("complementary").get_by_role("link", name="Errors")).to_be_visible()
    page.set_viewport_size(DESK)
    link = page.get_by_role("complementary").get_by_role("link", name="Errors")
    link.click()
    expect(page.get_by_role("heading", name="Errors")).to_be_in_viewport()
    expect(link).to_have_attribute("aria-current", "location")


@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_pages_are_read_without_a_script(open_page, viewport):
    page = open_page("/docs/orders/", viewport, java_script_enabled=False)
    if viewport == PHONE:
        page.get_by_role("link", name="Menu", exact=True).click()
        expect(page.locator("#navigation")).to_be_visible()
        page.locator("#navigation").get_by_role("link", name="Close the menu").click()
    page.locator("label", has_text="Python").click()
    expect(page.locator("#place-order [data-language=python]")).to_be_visible()
    expect(page.locator("#place-order [data-language=curl]")).to_be_hidden()
    page.locator("#place-order summary", has_text="LineBody").click()
    expect(page.locator("#place-order").get_by_text("quantity", exact=True).first).to_be_visible()
    expect(page.get_by_label("Your token, for the examples")).to_be_hidden()

    page.get_by_label("Search the documentation").fill("sold out")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Mark an item as sold out").first.click()
    expect(page.locator("#set-sold-out h2")).to_be_in_viewport()
