"""A kitchen in a rush, in a real Chromium: how much of the work is readable at once, and nothing that wraps."""

import pytest
from comanda.devkit.testing import open_store

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

expect = sync_api.expect
PIN = "4826"
DISHES = (
    "Wiener Schnitzel mit Kartoffelsalat",
    "Rinderfilet mit Rosmarinkartoffeln",
    "Kürbissuppe",
    "Käsespätzle",
    "Gemischter Salat",
    "Apfelstrudel mit Vanillesoße",
)
SIZES = (2, 3, 1, 4, 2, 3, 2)
LANGUAGES = ("en", "de", "fr", "es", "pt", "ar")
# A ticket is readable if all of it is on the screen, and none of its lines is cut off.
COUNT_READABLE = """() => [...document.querySelectorAll(".board > .ticket")].filter((ticket) => {
  const box = ticket.getBoundingClientRect();
  const list = ticket.querySelector("ul");
  const isWhole = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  return isWhole && list.scrollHeight <= list.clientHeight + 1;
}).length"""
LIST_OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(".board > .ticket")].map((each) => each.getBoundingClientRect());
  const isOver = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) => isOver(one, other)));
}"""
LIST_WRAPPED = """() => [
  ...document.querySelectorAll(".bar button, .ticket header > *, .foot button"),
].filter((each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  const tops = [...range.getClientRects()].map((box) => box.top);
  return Math.max(...tops) - Math.min(...tops) > parseFloat(getComputedStyle(each).fontSize);
}).map((each) => each.outerHTML)"""

LIST_COVERED = """() => [...document.querySelectorAll(".ticket header")].filter((header) => {
  const texts = [header.querySelector("time"), header.querySelector(".whole")];
  if (texts.includes(null)) return false;
  const [age, label] = texts.map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  });
  return age.left < label.right && label.left < age.right;
}).map((each) => each.textContent)"""

DRAW = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="session")
def rush(installation, server):
    """A store with 26 orders: second rounds, notes, and something that was voided."""
    store = open_store(installation, lambda: server.url, "Gasthaus")
    assert store.send("POST", "/staff", {"name": "Ada", "role": "kitchen", "pin": PIN})[0] == 201
    for name in ("Warme Küche", "Kalte Küche"):
        assert store.send("POST", "/stations", {"name": name})[0] == 201
    dishes = [store.add_item(name, 9) for name in DISHES]
    placed = [place_order(store, dishes, number) for number in range(26)]
    for order in placed[:2]:
        body = {"items": [{"item_id": dishes[2], "course": 2, "seat": 3}, {"item_id": dishes[5]}]}
        assert store.send("POST", f"/orders/{order['id']}/lines", body)[0] == 201
    path = f"/orders/{placed[3]['id']}/lines/{placed[3]['items'][0]['id']}/void"
    assert store.send("POST", path, {"reason": "Changed mind"})[0] == 201
    return store


def place_order(store, dishes, number):
    size = SIZES[number % len(SIZES)]
    items = [
        {
            "item_id": dishes[(number + place) % len(dishes)],
            "quantity": 1 + place % 2,
            **({"note": "ohne Zwiebeln"} if (number + place) % 5 == 0 else {}),
        }
        for place in range(size)
    ]
    body = {"type": "on-table", "table_number": str(number + 1), "items": items}
    if number % 6 == 5:
        body = {"type": "takeaway", "customer_name": "Katharina Müller", "items": items}
    status, placed = store.send("POST", "/orders", body)
    assert status == 201, placed
    return placed


@pytest.fixture
def open_board(browser, rush):
    """Return a function that opens the board of the rush in a language and size."""
    contexts = []

    def open_it(language, width=1280, height=800, **options):
        context = browser.new_context(locale=language, viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{rush.url()}/kitchen/?store={rush.id}")
        page.locator("#pin").fill(PIN)
        page.locator("[data-login] [type=submit]").click()
        expect(page.locator(".board > .ticket").first).to_be_visible()
        return page

    yield open_it
    for context in contexts:
        context.close()


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_eight_whole_tickets_of_26_are_readable(open_board, language):
    page = open_board(language)
    page.locator("[data-stations] button").first.wait_for()

    assert page.evaluate(COUNT_READABLE) >= 8
    assert page.evaluate(LIST_OVERLAPS) == []


def test_header_and_buttons_stay_on_one_line_in_every_language(open_board, rush):
    page = open_board("en")

    def check(language):
        for width in (1280, 1024):
            page.set_viewport_size({"width": width, "height": 800})
            page.evaluate(DRAW)
            assert (language, width, page.evaluate(LIST_WRAPPED)) == (language, width, [])
            assert (language, width, page.evaluate(LIST_COVERED)) == (language, width, [])
            acts = page.locator("[data-acts]").bounding_box()
            assert acts["x"] >= 0
            assert acts["x"] + acts["width"] <= width

    for language in LANGUAGES:
        page.context.add_cookies([{"name": "comanda_language", "value": language, "url": rush.url()}])
        page.goto(f"{rush.url()}/kitchen/?store={rush.id}")
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.locator("[data-stations] button").first.wait_for()
        page.locator("[data-station='']").click()
        page.locator(".board > .ticket").first.wait_for()
        check(language)
        page.locator("[data-station=pass]").click()
        page.locator(".ticket.waits").first.wait_for()
        check(language)


@pytest.mark.parametrize(("size", "readable"), [("roomy", 5), ("normal", 8), ("dense", 10)])
def test_size_of_tickets_is_kept_on_the_screen(open_board, size, readable):
    page = open_board("de")
    page.locator("[data-open-options]").click()
    page.locator(f"[name=density][value={size}]").check()
    page.reload()
    page.locator(".board > .ticket").first.wait_for()

    assert page.evaluate(COUNT_READABLE) >= readable
    assert page.evaluate(LIST_COVERED) == []
    assert page.evaluate(LIST_OVERLAPS) == []
    page.locator("[data-station=pass]").click()
    page.locator(".ticket.waits").first.wait_for()
    assert page.evaluate(LIST_OVERLAPS) == []
