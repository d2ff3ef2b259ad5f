"""A driver with a phone, in a real Chromium: from the code in a message to the photo at the door and what it earned."""

import io
import re
import shutil
from urllib.request import urlopen

import pytest
from comanda.devkit.testing.live import open_store, send_request
from comanda.devkit.testing.processes import Installation, create_data_folder
from PIL import Image

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

HERE = {"latitude": 38.7135, "longitude": -9.1400}
PHONE = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "locale": "en-GB",
    "geolocation": HERE, "permissions": ["geolocation"],
}  # fmt: skip
DRIVERS_PHONE = "+351961234567"
OTHER_PHONE = "+351962345678"
CUSTOMERS_PHONE = "+351912345678"
expect = sync_api.expect
# The page asks every five seconds what is new.
expect.set_options(timeout=15_000)


@pytest.fixture(scope="module")
def store():
    data = create_data_folder()
    installation = Installation(data, {"COMANDA_LOG_LEVEL": "warning", "COMANDA_DEVELOPMENT": "1"})
    with installation.running("serve") as running:
        opened = open_store(installation, lambda: running.url, "Trattoria")
        address = {"address": "Rua Augusta 1, Lisboa", "phone": "+351210000000"}
        assert opened.send("PUT", "/settings", address)[0] == 200
        driver = {"name": "Rui Costa", "phone": DRIVERS_PHONE}
        status, answer = send_request("POST", f"{running.url}/api/v1/drivers", opened.token, driver)
        assert status == 201, answer
        yield opened
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="module")
def pizza(store):
    return store.add_item("Pizza", 12.5)


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def page(browser, store):
    """Open the driver's page on a phone; it must not complain, nor ask anybody else."""
    context = browser.new_context(**PHONE)
    opened = context.new_page()
    opened.set_default_timeout(15_000)
    wrong, asked = [], set()
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", lambda request: asked.add(request.url.split("/")[2]))
    opened.goto(f"{store.url()}/driver/")
    yield opened
    context.close()
    assert wrong == []
    assert asked == {store.url().split("/")[2]}


def code_for(store, phone, digits):
    """Read the newest code that a phone was sent, as the outbox of a development machine shows it."""
    with urlopen(f"{store.url()}/outbox/?to={phone.removeprefix('+')}") as answer:
        return re.search(rf"\b\d{{{digits}}}(?= (?:is|é))", answer.read().decode())[0]


def asked_for_code(page, store, phone=DRIVERS_PHONE):
    page.get_by_label("Phone").fill(phone)
    page.get_by_role("button", name="Send me a code").tap()
    # Before that the newest message is an older one.
    expect(page.get_by_label("Code from the message")).to_be_visible()
    return code_for(store, phone, 6)


def log_in(page, store):
    code = asked_for_code(page, store)
    page.get_by_label("Code from the message").fill(code)
    page.get_by_role("button", name="Log in").tap()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def turn_on(page):
    shift = page.get_by_role("switch")
    if shift.get_attribute("aria-checked") != "true":
        shift.tap()
    expect(shift).to_have_attribute("aria-checked", "true")


def order(store, pizza, **fields):
    body = {
        "type": "delivery", "items": [{"item_id": pizza, "quantity": 2}], "address": "Rua da Prata 8, Lisboa",
        "address_lat": 38.7101, "address_lng": -9.1371, "address_instructions": "Third floor, left",
        "customer_name": "Ada Lovelace", "phone": CUSTOMERS_PHONE, "note": "Ring twice", "tip_amount": 2, **fields,
    }  # fmt: skip
    status, placed = store.send("POST", "/orders", body)
    assert status == 201, placed
    return placed


def shown(store, placed):
    return store.send("GET", f"/orders/{placed['id']}")[1]


def card(page, placed):
    return page.locator(f"article[data-order='{placed['id']}']")


def photo():
    written = io.BytesIO()
    Image.new("RGB", (1200, 900), "brown").save(written, "JPEG")
    return {"name": "door.jpg", "mimeType": "image/jpeg", "buffer": written.getvalue()}


def is_for_everybody(page):
    """Let axe look at the page by day and by night."""
    for look in ("light", "dark"):
        page.emulate_media(color_scheme=look, reduced_motion="reduce")
        found = axe.Axe().run(page).response["violations"]
        assert [each["id"] for each in found if each["impact"] in {"serious", "critical"}] == [], found


def test_a_delivery_from_the_offer_to_the_door(store, pizza, page):
    terms = {"lat": 38.7139, "lng": -9.1335, "dispatch_mode": "offer", "offer_at": "created", "pod": "both",
             "driver_pay": 3.5}  # fmt: skip
    assert store.send("PUT", "/delivery-terms", terms)[0] == 200
    is_for_everybody(page)
    log_in(page, store)
    turn_on(page)

    placed = order(store, pizza)
    offered = page.get_by_role("article", name=f"Offer, order {placed['number']}")
    expect(offered.locator("[data-left]")).to_have_text(re.compile(r"^\d+ s$"))
    is_for_everybody(page)
    offered.get_by_role("button", name="Accept").tap()

    errand = page.get_by_role("article", name=f"Order {placed['number']}", exact=True)
    expect(errand.get_by_text("Rua da Prata 8, Lisboa")).to_be_visible()
    expect(errand.get_by_text("Third floor, left")).to_be_visible()
    expect(errand.get_by_text("Ring twice")).to_be_visible()
    expect(errand.get_by_text(re.compile("Collect .*27.00"))).to_be_visible()
    expect(errand.get_by_role("link", name="Call the customer")).to_have_attribute("href", f"tel:{CUSTOMERS_PHONE}")
    expect(errand.get_by_role("link", name="Navigate to the store")).to_have_attribute("href", re.compile("38.7139"))

    errand.get_by_role("button", name="Picked up").tap()
    errand.get_by_role("button", name="On my way").tap()
    expect(errand.locator("[data-state]")).to_have_text("On the way")
    expect(errand.get_by_role("link", name="Navigate to the customer")).to_have_attribute("href", re.compile("38.7101"))
    with urlopen(f"{store.url()}/api/v1/track/{placed['track_token']}") as answer:
        assert re.search(rb'"lat":\s*38.7135', answer.read())

    is_for_everybody(page)
    errand.get_by_role("button", name="Delivered").tap()
    expect(page.get_by_text("This store requires proof of delivery")).to_be_visible()
    errand.get_by_role("button", name="Send a code").tap()
    expect(page.get_by_text("A code was sent to the customer.")).to_be_visible()
    errand.get_by_label("Customer's code").fill(code_for(store, CUSTOMERS_PHONE, 4))
    errand.get_by_role("button", name="Check").tap()
    expect(errand.get_by_text("The code is right.")).to_be_visible()
    errand.locator("input[type=file]").set_input_files(photo())
    expect(errand.get_by_text("1 photo is kept.")).to_be_visible()
    errand.get_by_role("button", name="Delivered").tap()
    expect(errand).to_have_count(0)

    done = shown(store, placed)
    assert (done["delivery_status"], done["driver"]["name"]) == ("delivered", "Rui Costa")
    assert done["proof"]["code_verified_at"]
    assert len(done["proof"]["photos"]) == 1
    page.get_by_role("button", name="Earnings").tap()
    expect(page.locator("[data-earnings] .total").last).to_have_text(re.compile("5.50"))
    held = page.get_by_role("region", name="Cash to hand in")
    expect(held.get_by_text(re.compile("27.00"))).to_be_visible()
    assert (done["payment_status"], done["is_paid"], done["amount_due"]) == ("paid", True, 0)
    is_for_everybody(page)


def test_the_driver_says_how_much_cash_it_was(store, pizza, page):
    assert store.send("PUT", "/delivery-terms", {"dispatch_mode": "pool", "pod": "none"})[0] == 200
    log_in(page, store)
    placed = order(store, pizza, tip_amount=0)
    paid = {"method": "card_external", "amount": 5}
    assert store.send("POST", f"/orders/{placed['id']}/payments", paid)[0] == 201
    assert store.send("POST", f"/orders/{placed['id']}/refunds", {"amount": 5, "reason": "Late"})[0] == 201
    page.get_by_role("article", name=f"Free, order {placed['number']}").get_by_role("button", name="Take it").tap()

    errand = page.get_by_role("article", name=f"Order {placed['number']}", exact=True)
    expect(errand.get_by_text(re.compile("Collect .*25.00"))).to_be_visible()
    errand.get_by_role("button", name="Picked up").tap()
    errand.get_by_role("button", name="On my way").tap()
    taken = errand.get_by_label(re.compile("Cash taken"))
    expect(taken).to_have_value("25")
    is_for_everybody(page)
    taken.fill("20.5")
    errand.get_by_role("button", name="Delivered").tap()
    expect(errand).to_have_count(0)

    done = shown(store, placed)
    assert (done["delivery_status"], done["payment_status"], done["amount_due"]) == (
        "delivered", "partially_paid", 4.5
    )  # fmt: skip


def test_free_deliveries_are_taken_and_those_that_fail_say_why(store, pizza, page):
    assert store.send("PUT", "/delivery-terms", {"dispatch_mode": "pool", "pod": "none"})[0] == 200
    log_in(page, store)
    placed = order(store, pizza, note=None)
    free = page.get_by_role("article", name=f"Free, order {placed['number']}")
    free.get_by_role("button", name="Take it").tap()

    errand = page.get_by_role("article", name=f"Order {placed['number']}", exact=True)
    errand.get_by_text("It cannot be delivered").tap()
    errand.get_by_label("Why").fill("Nobody opened")
    errand.get_by_role("button", name="Give up").tap()

    expect(card(page, placed)).to_have_count(0)
    assert shown(store, placed)["delivery_status"] == "failed"


def test_an_offer_can_be_refused_and_a_lost_connection_shows(store, pizza, page):
    assert store.send("PUT", "/delivery-terms", {"dispatch_mode": "offer", "offer_at": "created"})[0] == 200
    log_in(page, store)
    turn_on(page)
    placed = order(store, pizza)
    offered = page.get_by_role("article", name=f"Offer, order {placed['number']}")
    offered.get_by_role("button", name="No, thanks").tap()
    expect(offered).to_have_count(0)
    assert shown(store, placed)["delivery_status"] == "pending"

    page.context.set_offline(True)
    expect(page.get_by_text("No connection.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("No connection.")).to_be_hidden()


def test_a_wrong_code_and_a_revoked_token_let_nobody_in(store, page):
    # A driver of this test's own: a phone may try ten times a minute, and the other tests log in too.
    body = {"name": "Eva Pinto", "phone": OTHER_PHONE}
    status, driver = send_request("POST", f"{store.url()}/api/v1/drivers", store.token, body)
    assert status == 201, driver
    page.get_by_label("Phone").fill("961234567")
    page.get_by_role("button", name="Send me a code").tap()
    expect(page.locator("[data-problem]")).to_contain_text("country code")
    right = asked_for_code(page, store, OTHER_PHONE)
    page.get_by_label("Code from the message").fill(f"{(int(right) + 1) % 1_000_000:06}")
    page.get_by_role("button", name="Log in").tap()
    expect(page.locator("[data-problem]")).to_have_text("This code is wrong, or was used already.")
    page.get_by_label("Code from the message").fill(right)
    page.get_by_role("button", name="Log in").tap()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()

    assert send_request("POST", f"{store.url()}/api/v1/drivers/{driver['id']}/rotate-token", store.token)[0] == 200
    expect(page.get_by_text("Log in again.")).to_be_visible()
