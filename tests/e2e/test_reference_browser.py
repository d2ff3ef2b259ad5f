"""The API reference and the guide in a real Chromium: for everybody, by keyboard, and with examples that run."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

import pytest
from comanda.api_reference.catalog import Catalog
from installed_plugins import get_registry

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")
expect = sync_api.expect
NODE = shutil.which("node")
CURL = shutil.which("curl")

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
NARROW = {"width": 320, "height": 640}
# Contrast differs between day and night, what fits between the widths: two runs see all four.
SOME_LOOKS = ((PHONE, "light"), (DESK, "dark"))
LOOKS = ((PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark"))

REGISTRY = get_registry()
PAGES = [
    "/docs/",
    "/docs/search?q=order",
    "/docs/guide/",
    *(f"/docs/{section.name}/" for section in Catalog(REGISTRY).sections),
    *(f"/docs/guide/{chapter.name}" for chapter in REGISTRY.docs.values()),
]

FILL = """
import json
from comanda import runtime
from comanda.accounts.services import create_owner, issue_owner_token
from comanda.cli.session import call
from comanda.stores.services import create_store

async def work():
    owner = await create_owner("reader@example.com", "Reader")
    store_id = await create_store(owner.id, "Trattoria Alba", "restaurant", timezone="Europe/Lisbon")
    token = await issue_owner_token(runtime.registry().caller_kinds["owner"], owner.id, ["*"], name="test")
    return {"token": token.secret, "store": store_id}

print(json.dumps(call(work)))
"""


@dataclass(frozen=True)
class Site:
    """A running server with one owner's store."""

    url: str
    token: str
    store: int


@pytest.fixture(scope="session")
def site(installation, server):
    return Site(server.url, **json.loads(installation.run_program(FILL)))


def watch(page):
    """Return a list of what fails in a page."""
    problems = []
    page.set_default_timeout(15_000)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    return problems


@pytest.fixture
def open_page(browser, site):
    """Open a page of the documentation; at the end nothing may have failed in it."""
    contexts, problems = [], []

    def open_with(path, viewport=DESK, **options):
        context = browser.new_context(viewport=viewport, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        problems.append(watch(page))
        page.goto(site.url + path)
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
def visit(watched_page, site):
    """Show a page of the documentation; at the end nothing may have failed in it."""
    page, problems = watched_page

    def visit_with(path, viewport=DESK):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.goto(site.url + path)
        return page

    yield visit_with
    failed = problems.copy()
    problems.clear()
    assert failed == []


def judge(page, looks=LOOKS, exclude=""):
    """Return what axe finds grave about a page, and where it is wider than the screen."""
    return [
        (violation["id"], scheme, width, [node["html"][:150] for node in violation["nodes"]])
        for width, scheme, violation in axe_rules.find_violations_in_looks(page, looks, exclude)
    ]


def is_within_screen(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_for_everybody(visit, path):
    page = visit(path, PHONE)
    # The list of pages is the same on all of them; tests below judge it. What differs at night is the contrast.
    assert judge(page, [(PHONE, "light")], exclude="#navigation") == []
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="dark")
    assert axe_rules.find_low_contrast(page, exclude="#navigation") == []
    assert is_within_screen(page)
    page.set_viewport_size(NARROW)
    assert is_within_screen(page)


@pytest.mark.parametrize("path", ["/docs/orders/", "/docs/events/", "/docs/guide/api"])
def test_pages_are_as_good_with_everything_unfolded(visit, path):
    page = visit(path)
    page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
    assert judge(page) == []


@pytest.mark.parametrize(
    "fault",
    [
        "text.style.color = '#bbb'",
        "text.parentElement.style.backgroundColor = '#777'",
        "text.closest('section').style.opacity = 0.4",
    ],
)
def test_one_pale_text_among_thousands_is_found(visit, fault):
    page = visit("/docs/orders/")
    # What is found is not of a kind that passed before.
    assert axe_rules.find_low_contrast(page) == []
    page.evaluate(
        "{ const texts = [...document.querySelectorAll('main section p')].filter((p) => p.innerText.length > 30);"
        f"const text = texts[texts.length >> 1]; {fault} }}"
    )

    for _ in range(2):
        assert [violation["id"] for violation in axe_rules.find_low_contrast(page)] == ["color-contrast"]


@pytest.mark.parametrize("path", ["/docs/", "/docs/coupons/", "/docs/guide/start"])
def test_pages_are_for_everybody_in_arabic(open_page, path):
    page = open_page(path, locale="ar")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    assert judge(page, SOME_LOOKS) == []


def test_search_by_keyboard(open_page):
    page = open_page("/docs/guide/start")
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


def test_what_no_name_has_is_searched_in_the_texts(open_page):
    page = open_page("/docs/")
    page.keyboard.press("/")
    page.keyboard.type("Idempotent-Replayed")
    page.get_by_role("option", name="Search in all texts").click()
    page.wait_for_url("**/docs/search?q=Idempotent-Replayed")

    page.get_by_role("link", name="Repeating a request").click()
    expect(page.get_by_role("heading", name="Repeating a request")).to_be_in_viewport()


def test_the_language_of_examples_is_remembered(open_page):
    page = open_page("/docs/orders/")
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


def test_a_token_stays_in_its_tab(open_page, site):
    page = open_page("/docs/orders/")
    token = site.token
    requests = []
    page.on("request", lambda request: requests.append((request.url, request.headers, request.post_data)))
    page.get_by_label("Your token, for the examples").fill(token)
    expect(page.locator("#place-order [data-language=curl] code")).to_contain_text(f"Bearer {token}")

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
    other.goto(site.url + "/docs/orders/")
    expect(other.locator("#place-order [data-language=curl] code")).to_contain_text("Bearer own_YOUR_TOKEN")


@pytest.mark.parametrize("text", ["hello", "own_a b", 'own_"; rm -rf /', "<img src=x>"])
def test_what_is_no_token_is_not_inserted(open_page, text):
    page = open_page("/docs/orders/")
    page.get_by_label("Your token, for the examples").fill(text)

    expect(page.get_by_text("No kind of token begins like this.")).to_be_visible()
    expect(page.get_by_label("Your token, for the examples")).to_have_attribute("aria-invalid", "true")
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


def test_the_list_of_pages_on_a_phone(open_page):
    page = open_page("/docs/orders/", PHONE)
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


def test_contents_of_a_chapter_are_beside_it_or_folded(open_page):
    page = open_page("/docs/guide/api", PHONE)
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


# Operations whose examples work in a store that is new, in this order, and what they answer.
RUNNABLE = (
    ("account", "get-caller", "owner"),
    ("stores", "list-stores", "Trattoria Alba"),
    ("menu", "create-category", "position"),
    ("menu", "list-categories", "position"),
    ("orders", "list-orders", "current_page"),
    ("webhooks", "list-events", "order.created"),
    ("public", "get-public-menu", ""),
)


@pytest.fixture
def read_example(visit, site):
    """Return a function that reads an example off its page, with the reader's token in it."""

    def read(section, anchor, language):
        page = visit(f"/docs/{section}/")
        page.get_by_label("Your token, for the examples").fill(site.token)
        code = page.locator(f"#{anchor} [data-language={language}] code").text_content()
        page.evaluate("sessionStorage.clear()")
        assert site.url.replace("127.0.0.1", "localhost") in code.replace("127.0.0.1", "localhost")
        # The first store has another number where tests before made some.
        return re.sub(r"(/restaurants|/menu)/1\b", rf"\1/{site.store}", code)

    return read


@pytest.mark.parametrize(("section", "anchor", "shown"), RUNNABLE)
def test_examples_in_python_run(read_example, section, anchor, shown):
    done = subprocess.run(
        [sys.executable, "-c", read_example(section, anchor, "python")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "NO_PROXY": "*"},
    )

    assert done.returncode == 0, done.stderr
    assert shown in done.stdout


@pytest.mark.skipif(CURL is None, reason="curl is not installed")
@pytest.mark.parametrize(("section", "anchor", "shown"), RUNNABLE)
def test_examples_in_curl_run(read_example, section, anchor, shown):
    code = read_example(section, anchor, "curl").replace("curl", f"{CURL} -sS --fail --noproxy '*'", 1)
    done = subprocess.run(["sh", "-c", code], capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stderr
    assert shown in done.stdout
    json.loads(done.stdout)


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
@pytest.mark.parametrize(("section", "anchor", "shown"), RUNNABLE)
def test_examples_in_javascript_run(read_example, section, anchor, shown):
    code = read_example(section, anchor, "javascript")
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", code], capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stderr
    assert shown in done.stdout


@pytest.mark.skipif(CURL is None, reason="curl is not installed")
def test_a_refused_example_says_which_fields_are_wrong(read_example):
    code = read_example("orders", "place-order", "curl").replace("curl", f"{CURL} -sS --noproxy '*'", 1)
    done = subprocess.run(["sh", "-c", code], capture_output=True, text=True, timeout=60, check=False)

    # The example's item is not on this menu; everything before that check has gone well.
    answer = json.loads(done.stdout)
    assert answer["code"] == "validation_failed"
    assert list(answer["errors"]) == ["items.0.item_id"]
