"""A guest orders on a phone, from a link and from the code of a table, with everything that can come in between."""

import base64
import re
from datetime import UTC, datetime, timedelta

import pytest
from comanda.devkit.testing import open_store, send_request
from photographs import picture
from storefront_guest import StorefrontGuest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

expect = sync_api.expect
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# Shifts below this are not seen; what a guest's input causes does not count.
MAX_SHIFT = 0.01


class Restaurant:
    """A restaurant with a pizza to configure, photographed twice, and a bread to add at once."""

    def __init__(self, store):
        self.store = store
        _, category = store.send("POST", "/menu/categories", {"name": "Everything"})
        base = {"name": "Base", "min": 1, "max": 1, "extras": [{"name": "White"}, {"name": "Red", "price": 1}]}
        more = {"name": "More", "max": 2, "extras": [{"name": "Olives", "price": 0.5}, {"name": "Capers", "price": 1}]}
        self.bread = self._add(category, name="Bread", price=2)
        self.soup = self._add(category, name="Soup", price=5, description="Hot and clear.")
        self.pizza = self._add(
            category, name="Pizza", price=9, description="Thin.", is_vegan=True, extra_groups=[base, more]
        )
        for colour in ("red", "green"):
            raw = base64.b64encode(picture(size=(1200, 900), colour=colour)).decode()
            status, added = store.send("POST", f"/menu/items/{self.pizza}/photos", {"image_base64": raw, "alt": colour})
            assert status == 201, added
        assert store.send("POST", "/coupons", {"code": "TENTH", "type": "percentage", "value": 10})[0] == 201
        assert store.send("PUT", "/settings/storefront", {"preparation_minutes": 20})[0] == 200

    def _add(self, category, **fields):
        status, item = self.store.send("POST", "/menu/items", {"category_id": category["id"], **fields})
        assert status == 201, item
        return item["id"]

    def set_sold_out(self, item_id, value):
        assert self.store.send("PUT", f"/menu/items/{item_id}", {"is_sold_out": value})[0] == 200

    def close_until_tomorrow(self):
        """Close the store today; it is open the whole day tomorrow and the day after, in the time of UTC."""
        tomorrow = datetime.now(UTC) + timedelta(days=1)
        week = {day: [] for day in DAYS}
        for moment in (tomorrow, tomorrow + timedelta(days=1)):
            week[DAYS[moment.weekday()]] = [{"open": "06:00", "close": "22:00"}]
        assert self.store.send("PUT", "/settings", {"timezone": "UTC", "hours": week})[0] == 200

    def open(self):
        assert self.store.send("PUT", "/settings", {"hours": None})[0] == 200

    def orders(self):
        return self.store.send("GET", "/orders")[1]["total"]

    def get_order(self, number):
        (found,) = [each for each in self.store.send("GET", "/orders")[1]["data"] if each["number"] == number]
        return self.store.send("GET", f"/orders/{found['id']}")[1]


@pytest.fixture(scope="session")
def restaurant(installation, server):
    # Photos have the host of the site's address.
    return Restaurant(open_store(installation, lambda: f"http://localhost:{server.port}", "Guest"))


@pytest.fixture
def guest_of(browser, restaurant):
    guests = []

    def guest_of(language="en"):
        guests.append(StorefrontGuest(browser, restaurant.store.url(), "guest", language))
        return guests[-1]

    yield guest_of
    for guest in guests:
        guest.close()


def get_digits(text):
    return re.sub(r"[^\d.,]", "", text).replace(",", ".").strip(".")


# Other tests order at a table in English and in Arabic.
@pytest.mark.parametrize(
    ("language", "table"), [("en", None), ("pt", "4"), ("ar", None)], ids=["en-link", "pt-table", "ar-link"]
)
def test_guest_orders_with_everything_in_between(restaurant, guest_of, language, table):
    guest = guest_of(language).open(**({"table": table} if table else {}))
    page, before = guest.page, restaurant.orders()
    assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")

    # The photo is there, and more of them; a choice that is missing is asked for.
    item = guest.open_item(restaurant.pizza)
    expect(item.locator(".strip img")).to_have_count(2)
    expect(item.locator(".strip img").first).not_to_have_js_property("naturalWidth", 0)
    item.locator(".gallery .after").click()
    expect(item.locator(".position")).to_have_text("2 / 2")
    guest.submit_item()
    expect(item.locator("fieldset[data-group='0'] .problem")).not_to_be_empty()
    expect(item.locator("fieldset[data-group='0'] input").first).to_be_focused()
    # Back closes the dialog and stays in the store, and what was chosen does not get into the order.
    page.go_back()
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert "/s/guest" in page.url

    guest.open_item(restaurant.pizza)
    guest.choose_options()
    guest.item.locator("input[type=checkbox]").first.check()
    guest.item.locator("#line-note").fill("Sliced")
    guest.submit_item()
    expect(page.locator("[data-toast]")).to_contain_text("Pizza")
    guest.add(restaurant.bread)
    guest.add(restaurant.bread)
    expect(guest.card(restaurant.bread).locator("[data-add]")).to_have_attribute("data-ordered", "2")
    expect(page.locator("[data-bar] [data-subtotal]")).to_contain_text(re.compile(r"13[.,]50"))

    order = guest.open_order()
    expect(guest.submit).to_contain_text(re.compile(r"13[.,]50"))
    if table:
        expect(order.locator("input[name=type], input[name=table_number]")).to_have_count(0)
    else:
        expect(order.locator('input[name="type"][value="takeaway"]')).to_be_checked()
        expect(order.locator("[data-ready]")).to_contain_text(re.compile(r"\d\d:\d\d"))
    guest.fill(customer_name="Ada", phone="+351 210 000 000", note="At the window")
    guest.choose("tip", "10")
    expect(guest.submit).to_contain_text(re.compile(r"14[.,]85"))
    guest.apply_coupon("NOTHING")
    expect(order.locator("[data-problem-of=coupon_code]")).not_to_be_empty()
    guest.fill(coupon_code="tenth")
    order.locator("[data-coupon] .joined button").click()
    expect(order.locator("[data-coupon] .badge")).to_contain_text(re.compile(r"1[.,]35"))
    expect(guest.submit).to_contain_text(re.compile(r"13[.,]50"))

    # A reload keeps the drawer and all that is in it.
    page.reload()
    expect(order).to_be_visible()
    expect(order.locator("[name=customer_name]")).to_have_value("Ada")
    expect(order.locator("[name=note]")).to_have_value("At the window")
    expect(order.locator('input[name="tip"][value="10"]')).to_be_checked()
    expect(order.locator("[data-coupon] .badge")).to_contain_text(re.compile(r"1[.,]35"))
    expect(guest.submit).to_contain_text(re.compile(r"13[.,]50"))

    # A line is edited from the order; Back leads to the order again, and one further to the menu.
    order.locator('[data-step="0:edit"]').click()
    expect(guest.item.locator("input[type=checkbox]").first).to_be_checked()
    page.go_back()
    expect(guest.item).to_have_count(0)
    expect(order).to_be_visible()
    order.locator('[data-step="0:edit"]').click()
    guest.item.locator("input[type=checkbox]").first.uncheck()
    guest.submit_item()
    expect(order.locator("[data-lines] li").first).not_to_contain_text("Olives")
    page.go_back()
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert "/s/guest" in page.url
    guest.open_order()

    # The bread is sold out on the way: one tap, and the rest is ordered.
    restaurant.set_sold_out(restaurant.bread, True)
    guest.wait_for_quote()
    guest.submit.click()
    expect(order.locator("li.gone")).to_have_count(1)
    order.locator("[data-problem] button").click()
    restaurant.set_sold_out(restaurant.bread, False)
    expect(order.locator("[data-lines] li")).to_have_count(1)
    expect(guest.submit).to_contain_text(re.compile(r"9[.,]00"))
    assert restaurant.orders() == before

    # The store closes on the way: guests who fetch their order take it tomorrow, those at the table wait.
    restaurant.close_until_tomorrow()
    guest.submit.click()
    expect(order.locator("[data-problem]")).not_to_be_empty()
    assert restaurant.orders() == before
    if table:
        expect(order.locator("[data-problem] button")).to_have_count(0)
        restaurant.open()
    else:
        order.locator("[data-problem] button").click()
        expect(order.locator('input[name="scheduled_for"]:checked')).to_have_count(1)
        expect(order.locator("[data-problem]")).to_be_empty()
    guest.wait_for_quote()

    token = guest.finish(clicks=2)

    restaurant.open()
    assert restaurant.orders() == before + 1
    number = restaurant.store.send("GET", "/orders")[1]["data"][0]["number"]
    placed = restaurant.get_order(number)
    assert placed["track_token"] == token
    assert (placed["total"], placed["tip_amount"], placed["discount_total"]) == (9, 0.9, 0.9)
    assert (placed["customer_name"], placed["note"], placed["coupon_code"]) == ("Ada", "At the window", "TENTH")
    (line,) = placed["items"]
    assert (line["name"], line["note"], [extra["name"] for extra in line["extras"]]) == ("Pizza", "Sliced", ["White"])
    if table:
        assert (placed["type"], placed["table_number"], placed["scheduled_for"]) == ("on-table", "4", None)
    else:
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
        assert (placed["type"], placed["scheduled_for"][:10]) == ("takeaway", tomorrow)

    # Back from the order leads to the menu, whose cart is empty.
    page.go_back()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator("[data-bar]")).to_be_hidden()
    assert guest.hosts == {f"localhost:{restaurant.store.url().rsplit(':', 1)[1]}"}
    # On a slow network the total may have changed since the guest saw it, which is asked about.
    assert [each for each in guest.wrong if not re.search("409|422", each)] == []


def test_page_does_not_shift(restaurant, guest_of):
    guest = guest_of()
    # Slow enough for the page to be shown before its scripts are there.
    guest.slow_down(latency_ms=150, bytes_per_second=200_000)
    guest.open()
    guest.page.wait_for_load_state("networkidle")

    total, shifts = guest.shift

    assert total < MAX_SHIFT, shifts
    guest.add(restaurant.bread)
    guest.page.reload()
    guest.page.wait_for_load_state("networkidle")
    total, shifts = guest.shift
    assert total < MAX_SHIFT, shifts


def test_item_that_was_deleted_keeps_its_name_and_blocks_nothing(restaurant, guest_of):
    item_id = restaurant.store.add_item("Cider", 4)
    guest = guest_of().open()
    guest.add(item_id)
    guest.add(restaurant.bread)
    restaurant.store.send("DELETE", f"/menu/items/{item_id}")

    guest.page.reload()

    order = guest.open_order()
    gone = order.locator("li.gone")
    expect(gone.get_by_role("alert")).to_have_text("Cider is no longer available.")
    expect(guest.submit).to_contain_text("€2.00")
    order.get_by_role("button", name="Remove and go on").click()
    expect(guest.submit).to_be_focused()
    guest.wait_for_quote()
    guest.finish()


def test_removed_line_comes_back(restaurant, guest_of):
    guest = guest_of().open()
    guest.add(restaurant.bread)
    guest.add(restaurant.soup)
    order = guest.open_order()

    order.get_by_role("button", name="Remove Bread").click()

    expect(order.get_by_text("Bread was removed.")).to_be_visible()
    undo = order.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    undo.press("Enter")
    expect(order.locator("[data-lines] b")).to_have_text(["Bread", "Soup"])
    expect(order.get_by_role("button", name="Remove Bread")).to_be_focused()
    order.get_by_role("button", name="One less Soup").click()
    expect(order.get_by_text("Soup was removed.")).to_be_visible()


def test_price_that_changed_is_named_at_its_line(restaurant, guest_of):
    item_id = restaurant.store.add_item("Tea", 3)
    guest = guest_of().open()
    guest.add(item_id)
    restaurant.store.send("PUT", f"/menu/items/{item_id}", {"price": 4})

    order = guest.open_order()

    order.get_by_role("button", name="One more Tea").click()
    expect(order.get_by_text("The price is €4.00 now. It was €3.00.")).to_be_visible()
    expect(guest.submit).to_contain_text("€8.00")


def test_guest_chooses_day_and_time_with_the_keyboard(restaurant, guest_of):
    guest = guest_of().open()
    page = guest.page
    page.locator(f'[data-item="{restaurant.soup}"] [data-details]').focus()
    page.keyboard.press("Enter")
    expect(guest.item.locator("[data-options]:not([aria-busy])")).to_have_count(1)
    guest.item.locator("[type=submit]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(f'[data-item="{restaurant.soup}"] [data-details]')).to_be_focused()
    order = guest.open_order()

    order.locator('input[name="when"][value="now"]').focus()
    page.keyboard.press("ArrowRight")
    # Late in the evening tomorrow is the first day.
    tomorrow = order.locator("label", has_text="Tomorrow").locator('input[name="day"]')
    expect(order.locator('input[name="day"]').first).to_be_checked()
    order.locator('input[name="day"]:checked').focus()
    if not tomorrow.is_checked():
        page.keyboard.press("ArrowRight")
    expect(tomorrow).to_be_checked()
    expect(order.locator('[data-time] [aria-busy="true"]')).to_have_count(0)
    order.locator('input[name="scheduled_for"]:checked').focus()
    page.keyboard.press("ArrowRight")

    chosen = order.locator('input[name="scheduled_for"]:checked').get_attribute("value")
    # The first times of tomorrow depend on how late it is.
    assert chosen == order.locator('input[name="scheduled_for"]').nth(1).get_attribute("value")
    page.reload()
    expect(order.locator('input[name="scheduled_for"]:checked')).to_have_value(chosen)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert "/s/guest" in page.url


def test_category_that_is_read_is_marked_and_its_link_in_view(restaurant, guest_of):
    names = [f"A rather long category {number}" for number in range(8)]
    for name in names:
        _, category = restaurant.store.send("POST", "/menu/categories", {"name": name})
        for number in range(4):
            body = {"name": f"{name} {number}", "price": 1, "category_id": category["id"]}
            restaurant.store.send("POST", "/menu/items", body)
    guest = guest_of().open()
    current = guest.page.locator(".sections [aria-current]")
    expect(current).to_have_count(1)

    guest.page.get_by_role("heading", name=names[6], exact=True).scroll_into_view_if_needed()
    guest.page.mouse.wheel(0, 500)

    expect(current).to_have_text(re.compile("A rather long category [67]"))
    expect(current).to_be_in_viewport(ratio=1)


def test_guest_pays_before_the_order_is_made(browser, installation, server):
    store = open_store(installation, lambda: f"http://localhost:{server.port}", "Prepaid")
    soup = store.add_item("Soup", 5)
    assert store.send("PUT", "/settings/payments", {"online_pickup": "required"})[0] == 200
    status, account = send_request("POST", f"{store.url()}/api/v1/payment-accounts", store.token, {"provider": "demo"})
    assert status == 201, account
    guest = StorefrontGuest(browser, store.url(), "prepaid")
    guest.open()
    guest.add(soup)
    guest.open_order()
    guest.fill(customer_name="Ana")
    guest.wait_for_quote()
    expect(guest.order.get_by_text("The store makes your order once it is paid.")).to_be_visible()

    guest.submit.click()

    page = guest.page
    page.wait_for_url("**/pay/*")
    expect(page.get_by_text("Pay by")).to_be_visible()
    token = page.url.rsplit("/", 1)[-1]
    page.get_by_role("button", name="Pay €5.00").click()
    page.wait_for_url("**/demobank/*")
    page.get_by_role("button", name="Pay now").click()
    page.wait_for_url("**/pay/*")
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    page.goto(f"{store.url()}/t/{token}")
    expect(page.locator(".headline")).not_to_contain_text("Waiting")
    assert not guest.wrong
    guest.close()
