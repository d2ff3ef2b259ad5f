"""A driver with a phone, in a real Chromium: from the code in a message to the photo at the door and what it earned."""

import io
import json
import re
from urllib.request import urlopen

import pytest
from comanda.devkit.testing import open_store, send_request, wait_for
from PIL import Image

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")

HERE = {"latitude": 38.7135, "longitude": -9.1400}
PHONE = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "locale": "en-GB",
    "geolocation": HERE, "permissions": ["geolocation"],
}  # fmt: skip
DRIVERS_PHONE = "+351961234567"
OTHER_PHONE = "+351962345678"
CUSTOMERS_PHONE = "+351912345678"
expect = sync_api.expect
# How often the page asks what is new, and how often it tells where the driver is who brings something.
ASK_MS = 5_000
BRINGING_MS = 10_000


# What a delivery leaves behind, by order: the statuses that were reached, the cash, the photos and the driver's pay.
SELECT_TRACES = """
    SELECT o.id, o.delivery_status, o.payment_status,
        (SELECT array_agg(c.to_value ORDER BY c.id) FROM core_order_change c
            WHERE c.order_id = o.id AND c.field = 'delivery_status') AS statuses,
        (SELECT array_agg(e.amount_minor) FROM payments_driver_cash_entry e WHERE e.order_id = o.id) AS cash,
        (SELECT array_agg(p.amount_minor) FROM payments_payment p WHERE p.order_id = o.id) AS payments,
        (SELECT count(*) FROM drivers_proof p JOIN drivers_photo f ON f.proof_id = p.id
            WHERE p.order_id = o.id) AS photos,
        (SELECT count(*) FROM drivers_earning e WHERE e.order_id = o.id) AS earnings
    FROM core_order o WHERE o.id = ANY($1::bigint[]) ORDER BY o.id
"""
QUERY_SCRIPT = """
import json, sys
from comanda.cli.session import call
from comanda.platform.db import sql

async def work():
    rows = await sql.fetch(sys.argv[1], json.loads(sys.argv[2]))
    return [dict(row) for row in rows]

print(json.dumps(call(work)))
"""


@pytest.fixture
def traces(installation):
    """Return a function that reads from the database what the deliveries of orders left there."""

    def read(*orders):
        ids = [placed["id"] for placed in orders]
        return json.loads(installation.run_program(QUERY_SCRIPT, SELECT_TRACES, json.dumps(ids)))

    return read


@pytest.fixture(scope="session")
def store(installation, server):
    opened = open_store(installation, lambda: server.url, "Driven")
    address = {"address": "Rua Augusta 1, Lisboa", "phone": "+351210000000", "country": "PT"}
    assert opened.send("PUT", "/settings", address)[0] == 200
    driver = {"name": "Rui Costa", "phone": DRIVERS_PHONE}
    status, answer = send_request("POST", f"{server.url}/api/v1/drivers", opened.token, driver)
    assert status == 201, answer
    return opened


@pytest.fixture(scope="session")
def pizza(store):
    return store.add_item("Pizza", 12.5)


@pytest.fixture
def page(browser, store):
    """Open the driver's page on a phone; it must not complain, nor ask anybody else."""
    context = browser.new_context(**PHONE)
    opened = context.new_page()
    wrong, asked = [], set()
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", lambda request: asked.add(request.url.split("/")[2]))
    opened.clock.install()
    opened.goto(f"{store.url()}/driver/")
    yield opened
    context.close()
    assert wrong == []
    assert asked == {store.url().split("/")[2]}


def ask(page):
    """Advance the clock of a page to when it asks what is new."""
    page.clock.fast_forward(ASK_MS)


def code_for(store, phone, digits):
    """Read the newest code that a phone was sent, as the outbox of a development machine shows it."""
    with urlopen(f"{store.url()}/outbox/?to={phone.removeprefix('+')}") as answer:
        return re.search(rf"\b\d{{{digits}}}(?= (?:is|é))", answer.read().decode())[0]


def asked_for_code(page, store, phone=DRIVERS_PHONE, written=None):
    page.get_by_label("Phone").fill(written or phone)
    page.get_by_role("button", name="Send me a code").tap()
    # Before that the newest message is an older one.
    expect(page.get_by_label("Code from the message")).to_be_visible()
    return code_for(store, phone, 6)


def log_in(page, store):
    code = asked_for_code(page, store)
    page.get_by_label("Code from the message").fill(code)
    page.get_by_role("button", name="Log in").tap()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


@pytest.fixture
def entered(page, store):
    """Put a driver's token into the page, for a phone may try to log in only ten times a minute."""

    def enter(name, phone):
        status, made = send_request(
            "POST", f"{store.url()}/api/v1/drivers", store.token, {"name": name, "phone": phone}
        )
        assert status == 201, made
        token = made.pop("token")
        page.evaluate(
            "kept => localStorage.setItem('comanda.driver', JSON.stringify(kept))", {"token": token, "driver": made}
        )
        page.reload()
        expect(page.get_by_role("button", name="Log out")).to_be_visible()
        return made["id"]

    return enter


def is_installed(page):
    """Wait until the page would open without a connection."""
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => caches.match('/driver/static/driver.js'))")


def assign(store, placed, driver_id):
    assert store.send("POST", f"/orders/{placed['id']}/assign", {"driver_id": driver_id})[0] == 200


def errand_of(page, placed):
    return page.get_by_role("article", name=f"Order {placed['number']}", exact=True)


def unfold(errand):
    """Open a delivery that is not the next stop."""
    expect(errand).to_be_visible()
    more = errand.locator("details.more:not([open]) > summary")
    if more.count():
        more.tap()


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


def read_track(store, placed):
    with urlopen(f"{store.url()}/api/v1/track/{placed['track_token']}") as answer:
        return answer.read().decode()


def is_for_everybody(page):
    """Let axe look at the page by day and by night."""
    for look, find in (("light", axe_rules.find_violations), ("dark", axe_rules.find_low_contrast)):
        page.emulate_media(color_scheme=look, reduced_motion="reduce")
        assert find(page) == []


def test_a_delivery_from_the_offer_to_the_door(store, pizza, page):
    terms = {"lat": 38.7139, "lng": -9.1335, "dispatch_mode": "offer", "offer_at": "created", "pod": "both",
             "driver_pay": 3.5}  # fmt: skip
    assert store.send("PUT", "/delivery-terms", terms)[0] == 200
    is_for_everybody(page)
    log_in(page, store)
    turn_on(page)

    placed = order(store, pizza)
    ask(page)
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
    # The page shows a step before the server has it.
    wait_for(lambda: re.search(r'"lat":\s*38.7135', read_track(store, placed)), "the driver's place")

    is_for_everybody(page)
    errand.get_by_role("button", name="Delivered", exact=True).tap()
    expect(page.get_by_role("alert").get_by_text("To prove: the customer's code and a photo")).to_be_visible()
    errand.get_by_role("button", name="Customer's code").tap()
    asked = page.get_by_role("dialog", name="The customer's code")
    asked.get_by_role("button", name="Send a code").tap()
    expect(asked.get_by_text("A code was sent to the customer.")).to_be_visible()
    is_for_everybody(page)
    asked.get_by_label("Customer's code").fill(code_for(store, CUSTOMERS_PHONE, 4))
    asked.get_by_role("button", name="Check").tap()
    expect(errand.get_by_text("The code is right.")).to_be_visible()
    errand.locator("input[type=file]").set_input_files(photo())
    expect(errand.get_by_text("1 photo is kept.")).to_be_visible()
    errand.get_by_role("button", name="Delivered", exact=True).tap()
    page.get_by_role("dialog").get_by_role("button", name="Delivered", exact=True).tap()
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
    ask(page)
    page.get_by_role("article", name=f"Available, order {placed['number']}").get_by_role("button", name="Take it").tap()

    errand = page.get_by_role("article", name=f"Order {placed['number']}", exact=True)
    expect(errand.get_by_text(re.compile("Collect .*25.00"))).to_be_visible()
    errand.get_by_role("button", name="Picked up").tap()
    errand.get_by_role("button", name="On my way").tap()
    errand.get_by_role("button", name="Delivered", exact=True).tap()
    asked = page.get_by_role("dialog", name=f"Hand over order {placed['number']}")
    taken = asked.get_by_label(re.compile("Cash received"))
    expect(taken).to_have_value("25")
    taken.fill("40")
    expect(asked.get_by_text("Change: €15.00")).to_be_visible()
    is_for_everybody(page)
    taken.fill("20.5")
    expect(asked.get_by_text("€4.50 stays unpaid.")).to_be_visible()
    asked.get_by_role("button", name="Delivered", exact=True).tap()
    expect(errand).to_have_count(0)

    done = shown(store, placed)
    assert (done["delivery_status"], done["payment_status"], done["amount_due"]) == (
        "delivered", "partially_paid", 4.5
    )  # fmt: skip


def test_free_deliveries_are_taken_and_those_that_fail_say_why(store, pizza, page):
    assert store.send("PUT", "/delivery-terms", {"dispatch_mode": "pool", "pod": "none"})[0] == 200
    log_in(page, store)
    placed = order(store, pizza, note=None)
    ask(page)
    free = page.get_by_role("article", name=f"Available, order {placed['number']}")
    free.get_by_role("button", name="Take it").tap()

    errand = page.get_by_role("article", name=f"Order {placed['number']}", exact=True)
    errand.get_by_role("button", name="It cannot be delivered").tap()
    asked = page.get_by_role("dialog", name="It cannot be delivered")
    asked.get_by_role("button", name="Nobody opened").tap()
    expect(asked.get_by_label("Why")).to_have_value("Nobody opened")
    asked.get_by_role("button", name="Report failed delivery").tap()

    expect(card(page, placed)).to_have_count(0)
    assert shown(store, placed)["delivery_status"] == "failed"


@pytest.mark.usefixtures("service_workers")
def test_an_offer_can_be_refused_and_a_lost_connection_shows(store, pizza, page):
    assert store.send("PUT", "/delivery-terms", {"dispatch_mode": "offer", "offer_at": "created"})[0] == 200
    log_in(page, store)
    turn_on(page)
    placed = order(store, pizza)
    ask(page)
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
    page.get_by_label("Phone").fill("call me")
    page.get_by_role("button", name="Send me a code").tap()
    expect(page.locator("[data-login] [data-problem]")).to_have_text("Must be a phone number.")
    # As people of the store's country write it.
    expect(page.get_by_label("Country of your number")).to_have_value("PT")
    right = asked_for_code(page, store, OTHER_PHONE, "962 345 678")
    page.get_by_label("Code from the message").fill(f"{(int(right) + 1) % 1_000_000:06}")
    page.get_by_role("button", name="Log in").tap()
    expect(page.locator("[data-login] [data-problem]")).to_have_text("This code is wrong, or was used already.")
    page.get_by_label("Code from the message").fill(right)
    page.get_by_role("button", name="Log in").tap()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()

    assert send_request("POST", f"{store.url()}/api/v1/drivers/{driver['id']}/rotate-token", store.token)[0] == 200
    ask(page)
    expect(page.get_by_text("Log in again.")).to_be_visible()


@pytest.mark.usefixtures("service_workers")
def test_deliveries_without_a_connection_are_sent_once_it_is_back(store, pizza, page, entered, traces):
    assert (
        store.send("PUT", "/delivery-terms", {"dispatch_mode": "manual", "pod": "photo", "driver_pay": 3.5})[0] == 200
    )
    driver_id = entered("Offline Olga", "+351963000001")
    first = order(store, pizza, tip_amount=0)
    second = order(store, pizza, tip_amount=0, address="Avenida 7", address_lat=38.7205, address_lng=-9.1466)
    for placed in (first, second):
        assign(store, placed, driver_id)
    ask(page)
    for placed in (first, second):
        expect(errand_of(page, placed)).to_be_visible()
    is_installed(page)

    page.context.set_offline(True)
    page.reload()
    for placed in (first, second):
        errand = errand_of(page, placed)
        unfold(errand)
        for name in ("Picked up", "On my way"):
            errand.get_by_role("button", name=name).tap()
            unfold(errand)
        # Once this is shown, the card is not drawn again while the photo is chosen.
        expect(errand.locator("[data-state]")).to_have_text("On the way")
        unfold(errand)
        expect(errand.locator(".where")).to_have_text(placed["address"])
        expect(errand.get_by_role("link", name="Call the customer")).to_be_visible()
        errand.locator("input[type=file]").set_input_files(photo())
        expect(errand.get_by_text("1 photo is kept.")).to_be_visible()
        errand.get_by_role("button", name="Delivered", exact=True).tap()
        asked = page.get_by_role("dialog", name=f"Hand over order {placed['number']}")
        asked.get_by_label(re.compile("Cash received")).fill("30")
        asked.get_by_role("button", name="Delivered", exact=True).tap()
        expect(errand.get_by_text("Waiting to be sent")).to_be_visible()
        # An act is shown once the phone has kept it.
        expect(errand.locator("[data-state]")).to_have_text("Delivered")
        # What was done is still there when the phone starts the page again.
        page.reload()
        expect(errand.locator("[data-state]")).to_have_text("Delivered")
    expect(page.get_by_text("No connection. 8 changes are waiting to be sent.")).to_be_visible()
    is_for_everybody(page)
    assert [trace["delivery_status"] for trace in traces(first, second)] == ["assigned", "assigned"]

    # The answer to one act is lost: nobody but the server knows that it was done.
    lose_answers(page, "**/pod-photo", 1)
    page.context.set_offline(False)
    ask(page)
    for placed in (first, second):
        expect(errand_of(page, placed)).to_have_count(0)
    expect(page.get_by_text("waiting to be sent")).to_be_hidden()

    done = {
        "delivery_status": "delivered", "payment_status": "paid", "cash": [2500], "payments": [2500],
        "statuses": ["assigned", "picked_up", "out_for_delivery", "delivered"], "photos": 1, "earnings": 1,
    }  # fmt: skip
    assert traces(first, second) == [{"id": first["id"], **done}, {"id": second["id"], **done}]
    page.get_by_role("button", name="Earnings").tap()
    expect(page.get_by_role("region", name="Cash to hand in").get_by_text(re.compile("50.00"))).to_be_visible()
    expect(page.get_by_role("region", name="Today").get_by_text(re.compile("7.00")).first).to_be_visible()


def lose_answers(page, pattern, times):
    """Have requests done, and their answers lost on the way."""
    context = page.context

    def handle(route):
        route.fetch()
        route.abort()

    context.route(pattern, handle, times=times)


@pytest.mark.usefixtures("service_workers")
def test_what_the_server_refuses_is_shown_at_its_delivery(store, pizza, page, entered):
    assert store.send("PUT", "/delivery-terms", {"dispatch_mode": "manual", "pod": "none"})[0] == 200
    driver_id = entered("Refused Rita", "+351963000002")
    placed = order(store, pizza, tip_amount=0)
    assign(store, placed, driver_id)
    ask(page)
    errand = errand_of(page, placed)
    expect(errand).to_be_visible()
    is_installed(page)
    page.context.set_offline(True)
    errand.get_by_role("button", name="Picked up").tap()
    errand.get_by_role("button", name="On my way").tap()
    # Meanwhile the owner finds out that it failed.
    status = {"delivery_status": "failed"}
    assert store.send("PUT", f"/orders/{placed['id']}/delivery-status", status)[0] == 200
    page.context.set_offline(False)

    refused = page.get_by_role("region", name="Not accepted").get_by_role("article")
    expect(refused.get_by_text("This delivery is already failed.")).to_be_visible()
    is_for_everybody(page)
    refused.get_by_role("button", name="Drop it").tap()
    expect(refused.get_by_role("button", name="Drop it")).to_be_visible()
    refused.get_by_role("button", name="Drop it").tap()
    expect(refused).to_have_count(0)
    assert shown(store, placed)["delivery_status"] == "failed"


@pytest.mark.usefixtures("service_workers")
def test_logging_out_with_an_order_on_board_is_asked_about(store, pizza, page, entered):
    assert store.send("PUT", "/delivery-terms", {"dispatch_mode": "manual", "pod": "none"})[0] == 200
    driver_id = entered("Leaving Lea", "+351963000003")
    placed = order(store, pizza)
    assign(store, placed, driver_id)
    ask(page)
    expect(errand_of(page, placed)).to_be_visible()

    page.get_by_role("button", name="Log out").tap()
    asked = page.get_by_role("dialog", name="Log out with open work?")
    expect(asked.get_by_text(f"#{placed['number']} Rua da Prata 8, Lisboa")).to_be_visible()
    is_for_everybody(page)
    asked.get_by_role("button", name="Stay logged in").tap()
    expect(errand_of(page, placed)).to_be_visible()

    page.context.set_offline(True)
    errand_of(page, placed).get_by_role("button", name="Picked up").tap()
    page.get_by_role("button", name="Log out").tap()
    expect(asked.get_by_text("1 change was not sent and will be lost.")).to_be_visible()
    asked.get_by_role("button", name="Log out").tap()
    expect(page.get_by_label("Phone")).to_be_visible()
    assert "Prata" not in page.evaluate("JSON.stringify(localStorage)")
    assert "Prata" not in page.content()


def test_stops_are_in_a_short_order_until_the_driver_moves_them(store, pizza, page, entered):
    assert store.send("PUT", "/delivery-terms", {"dispatch_mode": "manual", "pod": "none"})[0] == 200
    driver_id = entered("Routed Rosa", "+351963000004")
    places = {"far": (38.76, -9.1400), "near": (38.7150, -9.1400), "middle": (38.7350, -9.1400)}
    placed = {}
    for name, (lat, lng) in places.items():
        placed[name] = order(store, pizza, address=name, address_lat=lat, address_lng=lng)
        assign(store, placed[name], driver_id)
        status = {"delivery_status": "out_for_delivery"}
        assert store.send("PUT", f"/orders/{placed[name]['id']}/delivery-status", status)[0] == 200

    def names():
        by_id = {str(each["id"]): name for name, each in placed.items()}
        return [by_id[each.get_attribute("data-order")] for each in page.locator("[data-mine] > article").all()]

    ask(page)
    expect(page.locator("[data-mine] > article")).to_have_count(3)
    page.wait_for_function("() => document.querySelectorAll('[data-map] .place').length >= 4")
    assert names() == ["near", "middle", "far"]
    is_for_everybody(page)
    page.get_by_role("button", name=f"Move order {placed['far']['number']} up").tap()
    assert names() == ["near", "far", "middle"]
    page.reload()
    expect(page.locator("[data-mine] > article")).to_have_count(3)
    assert names() == ["near", "far", "middle"]
    page.get_by_role("button", name="Suggest a route").tap()
    assert names() == ["near", "middle", "far"]


def test_the_page_is_for_readers_of_arabic_too(store, pizza, browser, entered, page):
    driver_id = entered("Arabic Amal", "+351963000005")
    placed = order(store, pizza)
    assign(store, placed, driver_id)
    page.context.add_cookies([{"name": "comanda_language", "value": "ar", "url": store.url()}])
    page.reload()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(card(page, placed)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    is_for_everybody(page)


def test_the_guest_sees_the_driver_move_and_when_to_expect_them(store, pizza, browser, page, entered):
    assert store.send("PUT", "/delivery-terms", {"dispatch_mode": "manual", "lat": 38.7139, "lng": -9.1335})[0] == 200
    driver_id = entered("Tracked Tina", "+351963000006")
    placed = order(store, pizza)
    assign(store, placed, driver_id)
    ask(page)
    errand = errand_of(page, placed)
    errand.get_by_role("button", name="Picked up").tap()
    errand.get_by_role("button", name="On my way").tap()
    expect(errand.locator("[data-state]")).to_have_text("On the way")
    guest = browser.new_context(**{**PHONE, "timezone_id": "America/New_York"}).new_page()
    asked = set()
    guest.on("request", lambda request: asked.add(request.url.split("/")[2]))
    guest.goto(f"{store.url()}/t/{placed['track_token']}")

    driver = guest.locator(".place-map .driver")
    expect(driver).to_be_visible()
    expect(guest.get_by_role("img", name=re.compile("the driver is about .* from your address"))).to_be_visible()
    expect(guest.locator(".expected")).to_have_text(re.compile(r"Arriving about \d\d:\d\d"))
    expect(guest).to_have_title(re.compile("^Your order is on its way"))
    assert guest.locator(".place-map .place").count() == 3
    expect(guest.locator(".place-map .distance").first).to_have_text(re.compile(r"^[\d.]+ k?m$"))
    is_for_everybody(guest)
    before = driver.get_attribute("transform")
    page.context.set_geolocation({"latitude": 38.7110, "longitude": -9.1372})
    page.clock.fast_forward(BRINGING_MS)
    expect(driver).not_to_have_attribute("transform", before)
    finish(errand, page)
    expect(guest.get_by_role("status").filter(has_text="Your order has been delivered.")).to_have_count(1)
    expect(guest).to_have_title(re.compile("^Your order has been delivered"))
    assert asked == {store.url().split("/")[2]}
    guest.context.close()


def finish(errand, page):
    errand.get_by_role("button", name="Delivered", exact=True).tap()
    page.get_by_role("dialog").get_by_role("button", name="Delivered", exact=True).tap()
    expect(errand).to_have_count(0)
