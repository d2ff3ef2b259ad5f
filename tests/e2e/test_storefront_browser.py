"""A guest with a phone, in a real Chromium: menu, options, cart, reload, order, and how it comes along."""

import gzip
import re
from urllib.request import Request, urlopen

import pytest
from chromium import hold
from comanda.devkit.testing import open_store

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PHOTO = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
expect = sync_api.expect
DISHES = 200
# The page and all scripts and styles that it loads, as they travel, without photos.
MOST_BYTES = 60_000

# A long menu as people write them: every dish described, pictured and marked, every other one with questions to answer.


def say_name(phone):
    """Fill in who orders, and wait for the quote that follows."""
    name = phone.get_by_role("dialog", name="Your order").get_by_label("Name")
    with phone.expect_response("**/quote"):
        name.fill("Ana")
        name.blur()


FILL = """
from comanda.contracts.requests.callers import Caller
from comanda.cli.session import call
from comanda.platform.db import sql
from comanda.menu.schemas import CategoryBody, ItemBody
from comanda.menu.services import create_category, create_item
from comanda.stores.services import create_store

WORDS = "roasted smoked pickled slow grilled with lemon basil thyme butter almonds from the oven river garden".split()

def groups(number):
    extras = [{"name": f"{WORDS[(number + place) % 15].title()} {place}", "price": place / 2} for place in range(6)]
    return [
        {"name": "Size", "min": 1, "max": 1, "extras": [{"name": "Small", "price": 0}, {"name": "Large", "price": 3}]},
        {"name": "Extras", "max": 3, "extras": extras},
    ]

async def work():
    owner_id = await sql.fetch_value("SELECT id FROM core_owner WHERE email = 'browser@example.com'")
    caller = Caller("owner", 0, owner_id, None, None, frozenset({"*"}), None)
    store_id = await create_store(owner_id, "Long", "restaurant")
    for section in range(10):
        category = await create_category(caller, store_id, CategoryBody(name=f"Section {section}"))
        for place in range(20):
            number = section * 20 + place
            await create_item(caller, store_id, ItemBody(
                name=f"Dish number {number}", price=5 + number / 10, category_id=category.id,
                description=" ".join(WORDS[(number * step + step) % 15] for step in range(1, 15)).capitalize() + ".",
                image_url=f"https://photos.example/dishes/{number}.jpg", is_vegan=number % 3 == 0,
                is_vegetarian=number % 2 == 0, calories=300 + number,
                extra_groups=groups(number) if number % 2 else [],
            ))

call(work)
"""

READ_CODE = """
from comanda.cli.session import call
from comanda.platform.db import sql
from comanda_storefront.services.table_codes import build_table_url

async def work():
    store = await sql.fetch_one("SELECT owner_id, slug FROM core_store_v1 WHERE id = $1", {store_id})
    return await build_table_url(store["owner_id"], {store_id}, store["slug"], "{table}")

print(call(work))
"""


@pytest.fixture(scope="session")
def store(installation, server):
    store = open_store(installation, lambda: server.url, "Browser")
    store.add_item("Bread", 2)
    category = store.send("GET", "/menu")[1][0]["id"]
    groups = [
        {"name": "Base", "min": 1, "max": 1, "extras": [{"name": "White", "price": 0}, {"name": "Red", "price": 1}]}
    ]
    store.send("POST", "/menu/items", {"name": "Pizza", "price": 9, "category_id": category, "extra_groups": groups})
    store.send("POST", "/menu/items", {"name": "Salad", "price": 6, "category_id": category, "is_vegan": True})
    return store


@pytest.fixture
def phone(browser):
    """Open a phone's page that must not complain, nor ask anybody else for anything."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("console", lambda message: page.wrong.append(message.text) if message.type == "error" else None)
    page.asked = set()
    page.on("request", lambda request: page.asked.add(request.url.split("/")[2]))
    yield page
    context.close()


def test_a_guest_orders_at_the_table_and_sees_the_kitchen_work(store, phone):
    phone.goto(f"{store.url()}/s/browser?table=4")
    phone.get_by_role("button", name="Add Bread").click()
    phone.get_by_role("button", name="Choose Pizza").click()
    dialog = phone.get_by_role("dialog")
    expect(dialog.get_by_label("Red")).to_be_visible()
    dialog.get_by_role("button", name="Add ·").click()
    expect(dialog.get_by_text("Required: choose one.")).to_be_visible()
    dialog.get_by_label("Red").check()
    dialog.get_by_role("button", name="One more").click()
    dialog.get_by_role("button", name="Add · €20.00").click()
    expect(phone.get_by_text("Pizza is in your order.")).to_be_visible()

    phone.reload()

    phone.get_by_role("button", name="View your order (3) €22.00").click()
    order = phone.get_by_role("dialog", name="Your order")
    expect(order.get_by_text("Table 4")).to_be_visible()
    expect(order.locator("input[name=table_number], input[name=type]")).to_have_count(0)
    order.get_by_role("button", name="One less Pizza").click()
    order.get_by_role("button", name="Order · €12.00").click()
    phone.wait_for_url("**/t/*")
    expect(phone.get_by_text("We have your order.")).to_be_visible()
    expect(phone.get_by_text("table 4")).to_be_visible()
    token = phone.url.rpartition("/")[2]
    [placed] = [each for each in store.send("GET", "/orders")[1]["data"] if each["track_token"] == token]
    for status, said in (("preparing", "is being prepared"), ("ready", "is ready"), ("completed", "Thank you!")):
        store.send("PUT", f"/orders/{placed['id']}/status", {"status": status})
        expect(phone.locator("#progress").get_by_text(said)).to_be_visible()
    phone.goto(f"{store.url()}/s/browser")
    expect(phone.get_by_role("button", name="View your order")).to_be_hidden()
    assert (placed["total"], placed["table_number"], placed["source"]) == (12, "4", "storefront")
    assert phone.wrong == []
    assert phone.asked == {store.url().split("/")[2]}


def read_code(installation, store, table):
    """Return what a phone reads from the card of a table."""
    program = READ_CODE.format(store_id=store.id, table=table)
    path = installation.run_program(program).strip().partition("/s/")[2]
    return f"{store.url()}/s/{path}"


def test_second_guest_opens_the_check_by_the_code_and_adds_a_round(installation, store, phone):
    store.send("PUT", "/settings/storefront", {"opens_checks": True, "allows_rounds": True})
    menu = {item["name"]: item["id"] for each in store.send("GET", "/menu")[1] for item in each["items"]}
    body = {"items": [{"item_id": menu["Salad"], "note": "For Ada"}], "type": "on-table", "table_number": "44"}
    first = store.send("POST", "/orders", body)[1]

    phone.goto(read_code(installation, store, "44"))

    notice = phone.locator(".table-checks")
    expect(notice.get_by_text("Table 44 has an open check")).to_be_visible()
    expect(notice.get_by_text("To pay: €6.00")).to_be_visible()
    assert phone.url == f"{store.url()}/s/browser?table=44"
    phone.get_by_role("button", name="Add Bread").click()
    phone.get_by_role("button", name="View your order (1)").click()
    order = phone.get_by_role("dialog", name="Your order")
    expect(order.get_by_label(f"Order {first['number']} of this table")).to_be_checked()
    expect(order.locator("[data-tip], [name=coupon_code]").first).to_be_hidden()
    order.get_by_role("button", name="Order ·").click()
    phone.wait_for_url("**/t/*")
    expect(phone.get_by_text("Bread")).to_be_visible()
    expect(phone.get_by_text("For Ada")).to_have_count(0)
    found = store.send("GET", f"/orders/{first['id']}")[1]
    assert (found["total"], [line["round"] for line in found["items"]]) == (8, [1, 2])

    # Whoever is there sees the next round at once, and adds one from the order's own page.
    store.send("POST", f"/orders/{first['id']}/lines", {"items": [{"item_id": menu["Salad"], "quantity": 3}]})
    expect(phone.get_by_text("3 \N{MULTIPLICATION SIGN} Salad")).to_be_visible()
    phone.goto(f"{store.url()}/t/{first['track_token']}")
    phone.get_by_role("link", name="Order more").click()
    phone.get_by_role("button", name="Add Bread").click()
    phone.get_by_role("button", name="View your order (1)").click()
    order.get_by_role("button", name="Order ·").click()
    phone.wait_for_url(f"**/t/{first['track_token']}")
    assert store.send("GET", f"/orders/{first['id']}")[1]["total"] == 28

    # Without the card on the table, nobody learns that there is a check.
    phone.evaluate("sessionStorage.clear()")
    phone.goto(f"{store.url()}/s/browser?table=44")
    expect(phone.get_by_role("button", name="Add Bread")).to_be_visible()
    phone.goto(read_code(installation, store, "45"))
    expect(phone.get_by_role("button", name="Add Bread")).to_be_visible()
    expect(notice).to_have_count(0)
    assert phone.wrong == []


def test_a_link_brings_a_cart_and_opens_the_order(store, phone):
    phone.goto(f"{store.url()}/s/browser")
    phone.get_by_role("button", name="Choose Pizza").click()
    phone.get_by_label("Red").check()
    phone.get_by_role("dialog").get_by_role("button", name="Add ·").click()
    bread = phone.locator("[data-item]", has_text="Bread").first.get_attribute("data-item")

    phone.goto(f"{store.url()}/s/browser?items={bread}:3,999999:1,x&mode=takeaway&coupon=NONE")

    order = phone.get_by_role("dialog", name="Your order")
    expect(order.get_by_role("button", name="One less Bread")).to_be_visible()
    expect(order.get_by_role("button", name="One less Pizza")).to_have_count(0)
    assert phone.url == f"{store.url()}/s/browser"
    order.get_by_role("button", name="One less Bread").click()
    phone.reload()
    expect(phone.get_by_role("button", name="View your order (2)")).to_be_attached()
    assert phone.wrong == []


# Browsers take a step back in their own time, a busy phone's after the page has given up waiting for it.
LATE_BACK = """() => {
  history.back = () => setTimeout(() => History.prototype.back.call(history), 1500);
  addEventListener("popstate", () => (window.isBack = true));
}"""


def test_what_is_added_before_its_options_are_here_is_asked_for_again(store, phone):
    phone.goto(f"{store.url()}/s/browser")
    held = hold(phone, "**/items/*/details")

    with phone.expect_request("**/items/*/details"):
        phone.get_by_role("button", name="Choose Pizza").click()
    dialog = phone.get_by_role("dialog")
    dialog.get_by_role("button", name="Add ·").click()
    expect(dialog.get_by_text("The options are not loaded yet.")).to_be_visible()
    held[0].continue_()

    expect(dialog.get_by_label("Red")).to_be_visible()
    expect(dialog.get_by_text("The options are not loaded yet.")).to_be_hidden()
    dialog.get_by_label("Red").check()
    dialog.get_by_role("button", name="Add ·").click()
    expect(phone.get_by_text("Pizza is in your order.")).to_be_visible()


def test_a_late_step_back_does_not_close_the_next_dialog(store, phone):
    phone.goto(f"{store.url()}/s/browser?table=4")
    phone.evaluate(LATE_BACK)
    phone.get_by_role("button", name="Choose Pizza").click()
    phone.get_by_label("Red").check()
    phone.get_by_role("dialog").get_by_role("button", name="Add ·").click()

    phone.get_by_role("button", name="View your order").click()
    phone.wait_for_function("() => window.isBack")

    order = phone.get_by_role("dialog", name="Your order")
    expect(order).to_be_visible()
    phone.go_back()
    expect(order).to_be_hidden()
    assert phone.wrong == []


def test_a_guest_finds_dishes_by_word_and_by_diet(store, phone):
    phone.goto(f"{store.url()}/s/browser")
    phone.get_by_label("Search the menu").fill("PÍZZA")
    expect(phone.locator("[data-found]")).to_have_text("1 of 3 found.")
    expect(phone.get_by_role("heading", name="Bread", exact=True)).to_be_hidden()

    phone.get_by_label("Search the menu").fill("")
    phone.get_by_label("Vegan").check()

    expect(phone.get_by_role("heading", name="Salad")).to_be_visible()
    expect(phone.get_by_role("heading", name="Pizza")).to_be_hidden()


def test_what_is_sold_out_meanwhile_is_said_at_its_line_and_nothing_is_ordered(store, phone):
    count = store.send("GET", "/orders")[1]["total"]
    item_id = store.add_item("Cake", 4)
    phone.goto(f"{store.url()}/s/browser")
    phone.get_by_role("button", name="Add Cake").click()
    phone.get_by_role("button", name="View your order").click()
    order = phone.get_by_role("dialog", name="Your order")
    expect(order.get_by_label("Takeaway")).to_be_checked()
    expect(order.get_by_role("button", name="Order · €4.00")).to_be_visible()
    say_name(phone)
    store.send("PUT", f"/menu/items/{item_id}", {"is_sold_out": True})

    order.get_by_role("button", name="Order · €4.00").click()

    expect(order.locator("li", has_text="Cake").get_by_role("alert")).to_have_text("Cake is sold out.")
    expect(order.get_by_role("button", name="Remove and go on")).to_be_focused()
    assert store.send("GET", "/orders")[1]["total"] == count


def test_a_price_that_changed_meanwhile_is_shown_before_it_is_agreed_to(store, phone):
    item_id = store.add_item("Cider", 4)
    phone.goto(f"{store.url()}/s/browser")
    phone.get_by_role("button", name="Add Cider").click()
    phone.get_by_role("button", name="View your order").click()
    order = phone.get_by_role("dialog", name="Your order")
    expect(order.get_by_label("Takeaway")).to_be_checked()
    expect(order.get_by_role("button", name="Order · €4.00")).to_be_visible()
    say_name(phone)
    store.send("PUT", f"/menu/items/{item_id}", {"price": 5})

    order.get_by_role("button", name="Order · €4.00").click()

    expect(order.get_by_role("button", name="Order · €5.00")).to_be_visible()
    expect(order.get_by_text("Prices have changed: the total is €5.00 now.")).to_be_visible()
    order.get_by_role("button", name="Order · €5.00").click()
    phone.wait_for_url("**/t/*")
    expect(phone.get_by_text("To pay: €5.00")).to_be_visible()


def test_a_mistake_is_said_at_its_field_until_it_is_mended(store, phone):
    phone.goto(f"{store.url()}/s/browser?table=4")
    phone.get_by_role("button", name="Add Bread").click()
    phone.get_by_role("button", name="View your order").click()
    order = phone.get_by_role("dialog", name="Your order")
    order.get_by_role("button", name="Change").click()
    expect(order.get_by_label("Dine in")).to_be_focused()
    table = order.locator("input[name=table_number]")
    expect(table).to_have_value("4")
    table.fill("")

    order.get_by_role("button", name="Order ·").click()

    expect(order.get_by_text("Table number is required for dine-in orders.")).to_be_visible()
    expect(table).to_be_focused()
    with phone.expect_response("**/quote"):
        order.get_by_label("Phone").fill("+351 210 000 000")
        order.get_by_label("Name").focus()
    expect(order.get_by_text("Table number is required for dine-in orders.")).to_be_visible()
    table.fill("5")
    order.get_by_label("Name").focus()
    expect(order.get_by_text("Table number is required for dine-in orders.")).to_be_hidden()
    expect(order.get_by_role("button", name="Order · €2.00")).to_be_visible()


def test_photos_at_other_hosts_are_loaded_when_a_guest_asks_for_them_and_remembered(store, phone):
    elsewhere = "https://photos.example/salad.jpg"
    salad = next(each for each in store.send("GET", "/menu")[1][0]["items"] if each["name"] == "Salad")
    store.send("PUT", f"/menu/items/{salad['id']}", {"image_url": elsewhere})
    phone.route(elsewhere, lambda route: route.fulfill(content_type="image/svg+xml", body=PHOTO))
    phone.goto(f"{store.url()}/s/browser")
    assert "photos.example" not in phone.asked

    phone.get_by_role("button", name="Show photos").click()

    expect(phone.get_by_role("img", name="Salad")).to_be_visible()
    phone.reload()
    expect(phone.get_by_role("img", name="Salad")).to_be_visible()
    assert "photos.example" in phone.asked
    assert phone.wrong == []
    store.send("PUT", f"/menu/items/{salad['id']}", {"image_url": None})


def test_a_lost_answer_is_no_second_order(store, phone):
    count = store.send("GET", "/orders")[1]["total"]
    phone.goto(f"{store.url()}/s/browser")
    phone.get_by_role("button", name="Add Bread").click()
    phone.get_by_role("button", name="View your order").click()
    order = phone.get_by_role("dialog", name="Your order")
    expect(order.get_by_role("button", name="Order · €2.00")).to_be_visible()
    say_name(phone)

    def lose(route):
        route.fetch()
        route.abort()

    phone.route("**/s/browser/orders", lose, times=1)
    order.get_by_role("button", name="Order · €2.00").click()
    expect(order.get_by_text("The order could not be sent.")).to_be_visible()
    order.get_by_role("button", name="Order · €2.00").click()

    phone.wait_for_url("**/t/*")
    assert store.send("GET", "/orders")[1]["total"] == count + 1


def test_what_is_typed_after_the_press_is_not_ordered(store, phone):
    phone.goto(f"{store.url()}/s/browser")
    phone.get_by_role("button", name="Add Bread").click()
    phone.get_by_role("button", name="View your order").click()
    order = phone.get_by_role("dialog", name="Your order")
    expect(order.get_by_role("button", name="Order · €2.00")).to_be_visible()
    name = order.get_by_label("Name")
    name.fill("Pressed")
    held = hold(phone, "**/s/browser/quote")

    # The press leaves the field, which asks for a quote that the order waits for.
    with phone.expect_request("**/s/browser/quote"):
        order.get_by_role("button", name="Order · €2.00").click()
    name.fill("Typed later")
    held[0].continue_()

    phone.wait_for_url("**/t/*")
    newest = max(store.send("GET", "/orders?per_page=100")[1]["data"], key=lambda each: each["id"])
    assert newest["customer_name"] == "Pressed"


def test_the_menu_reads_without_scripts(store, browser):
    context = browser.new_context(**PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{store.url()}/s/browser")

    expect(page.get_by_text("Ordering on this page needs JavaScript.")).to_be_visible()
    expect(page.get_by_role("heading", name="Pizza")).to_be_visible()
    expect(page.locator("header, main").get_by_role("button")).to_have_count(0)
    page.get_by_text("Choices").click()
    expect(page.get_by_text("(required, choose one): White, Red +€1.00")).to_be_visible()
    context.close()


@pytest.fixture(scope="session")
def long_menu(installation, store):
    """Give the address of a store with a long menu."""
    installation.run_program(FILL)
    return f"{store.url()}/s/long"


def test_a_long_menu_is_whole_in_one_small_answer(long_menu):
    with urlopen(Request(long_menu, headers={"Accept-Encoding": "gzip"}), timeout=120) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        page = gzip.decompress(answer.read()).decode()

    named = re.findall(r"<h3[^>]*>Dish number (\d+)</h3>", page)
    assert sorted(map(int, named)) == list(range(DISHES))
    assert page.count('<p class="quiet" data-photos>') == 1
    assert page.count("(choose up to 3)") == DISHES // 2


def test_a_long_menu_with_all_that_it_loads_is_small(long_menu, phone):
    sizes = {}

    # Without headers, which HTTP/2 packs to a few bytes.
    def count(request):
        sizes[request.url] = request.sizes()["responseBodySize"]

    phone.on("requestfinished", count)

    phone.goto(long_menu)
    phone.wait_for_load_state("networkidle")

    assert 5 < len(sizes) <= 10
    assert min(sizes.values()) > 0
    assert sum(sizes.values()) <= MOST_BYTES, sizes


def test_a_long_menu_can_be_ordered_from_at_once_and_asks_nobody_else(long_menu, phone):
    phone.goto(long_menu, wait_until="commit")
    phone.get_by_role("button", name="Add Dish number 198").click()
    phone.get_by_label("Search the menu").fill("number 150")

    expect(phone.locator("[data-found]")).to_have_text("1 of 200 found.")
    expect(phone.get_by_role("button", name="View your order (1) €24.80")).to_be_visible()
    assert phone.wrong == []
    assert phone.asked == {long_menu.split("/")[2]}
