"""The pass, the stages of items and the times of courses, in a real Chromium."""

import re
import shutil
import signal
from datetime import UTC, datetime, timedelta

import pytest
from comanda.devkit.testing import (
    Installation,
    create_migrated_data_folder,
    find_free_port,
    open_store,
    processes,
    send_request,
    wait_for,
)

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")

expect = sync_api.expect
PIN = "4826"
SCREEN = {"viewport": {"width": 1280, "height": 800}, "has_touch": True}


class Restaurant:
    """A store with a hot kitchen, which makes soup, and a cold one, which makes salad."""

    def __init__(self, store):
        self.store = store
        assert store.send("POST", "/staff", {"name": "Ada", "role": "kitchen", "pin": PIN})[0] == 201
        self.soup, self.salad = (store.add_item(name, 9) for name in ("Soup", "Salad"))
        _hot, cold = (store.send("POST", "/stations", {"name": name})[1]["id"] for name in ("Hot", "Cold"))
        store.send("PUT", f"/station-routes/items/{self.salad}", {"station_id": cold})

    def log_in(self):
        """Return the token of a cook."""
        status, session = self.store.send("POST", "/staff/pin", {"pin": PIN, "device": "Range"})
        assert status == 200, session
        return session["token"]

    def order(self, *items, table="4"):
        body = {"type": "on-table", "table_number": table, "items": [{"item_id": id, **more} for id, more in items]}
        status, placed = self.store.send("POST", "/orders", body)
        assert status == 201, placed
        return placed

    def add_round(self, placed, *items):
        body = {"items": [{"item_id": id, **more} for id, more in items]}
        status, answer = self.store.send("POST", f"/orders/{placed['id']}/lines", body)
        assert status in {200, 201}, answer

    def list_states(self, placed):
        lines = self.store.send("GET", f"/orders/{placed['id']}")[1]["items"]
        return [("held" if line["is_held"] else line["kds_status"]) for line in lines]


@pytest.fixture(scope="session")
def restaurant(installation, server):
    return Restaurant(open_store(installation, lambda: server.url, "Trattoria"))


@pytest.fixture
def open_screen(browser, restaurant):
    """Return a function that opens a screen on which a cook is logged in."""
    contexts = []

    def open_it():
        context = browser.new_context(**SCREEN)
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{restaurant.store.url()}/kitchen/?store={restaurant.store.id}")
        page.locator("#pin").fill(PIN)
        page.locator("[data-login] [type=submit]").click()
        expect(page.get_by_role("button", name="Log out")).to_be_visible()
        return page

    yield open_it
    for order in restaurant.store.send("GET", "/orders?per_page=100")[1]["data"]:
        restaurant.store.send("PUT", f"/orders/{order['id']}/status", {"status": "completed"})
    for context in contexts:
        context.close()


@pytest.fixture
def pass_screen(open_screen):
    page = open_screen()
    page.get_by_role("button", name="Pass", exact=True).tap()
    return page


def card_of(page, placed, round_number=1):
    key = placed["id"] if round_number == 1 else f"{placed['id']}.{round_number}"
    return page.locator(f"article[data-order='{key}']")


def list_numbers(page):
    return page.eval_on_selector_all("article", "all => all.map((each) => each.dataset.order)")


def wait_until_sent(page):
    expect(page.locator("[data-work]")).to_have_attribute("data-waiting", "0")


def bump_whole(page, placed, times):
    for _ in range(times):
        card_of(page, placed).locator(".whole").tap()


def test_complete_order_stands_first_at_the_pass_and_is_handed_over(restaurant, open_screen, pass_screen):
    first = restaurant.order((restaurant.soup, {}), (restaurant.salad, {}))
    second = restaurant.order((restaurant.soup, {}), (restaurant.salad, {"course": 2}), table="7")
    kitchen = open_screen()
    card_of(kitchen, second).wait_for()
    expect(card_of(pass_screen, first).get_by_text("Cold")).to_be_visible()
    assert list_numbers(pass_screen) == [str(first["id"]), str(second["id"])]

    bump_whole(kitchen, second, 2)
    hand_over = card_of(pass_screen, second).get_by_role("button", name="Hand over")
    expect(hand_over).to_be_visible()
    assert list_numbers(pass_screen) == [str(second["id"]), str(first["id"])]
    hand_over.tap()

    expect(card_of(pass_screen, second).get_by_text("Course 2 · Hold")).to_be_visible()
    expect(hand_over).to_have_count(0)
    wait_until_sent(pass_screen)
    assert restaurant.list_states(second) == ["served", "held"]
    pass_screen.get_by_role("button", name=f"Recall #{second['number']} Table 7").tap()
    expect(hand_over).to_be_visible()
    wait_until_sent(pass_screen)
    assert restaurant.list_states(second) == ["ready", "held"]


def test_rounds_of_an_order_are_one_at_the_pass(restaurant, pass_screen):
    placed = restaurant.order((restaurant.soup, {}))
    restaurant.add_round(placed, (restaurant.salad, {}))
    card = card_of(pass_screen, placed)
    expect(card.locator(".item")).to_have_count(2)
    pass_screen.get_by_role("button", name="Hot", exact=True).tap()
    bump_whole(pass_screen, placed, 2)

    pass_screen.get_by_role("button", name="Pass", exact=True).tap()

    expect(card.get_by_role("button", name="Hand over 1/2")).to_be_visible()
    expect(card.locator(".awaited .where")).to_have_text("Cold")
    card.locator(".whole").tap()
    expect(card.locator(".item")).to_have_count(1)
    wait_until_sent(pass_screen)
    assert restaurant.list_states(placed) == ["served", "queued"]
    pass_screen.reload()
    expect(pass_screen.get_by_role("button", name="Pass", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(card.locator(".awaited")).to_have_count(1)


def test_axe_finds_nothing_at_the_pass(restaurant, pass_screen):
    placed = restaurant.order((restaurant.soup, {}), (restaurant.salad, {"course": 2}))
    complete = restaurant.order((restaurant.soup, {}), table="7")
    restaurant.store.send("PUT", f"/orders/{complete['id']}/status", {"status": "ready"})
    card_of(pass_screen, complete).get_by_role("button", name="Hand over").wait_for()
    looks = [(SCREEN["viewport"], scheme) for scheme in ("light", "dark")]

    found = [each["id"] for _, _, each in axe_rules.find_violations_in_looks(pass_screen, looks)]
    card_of(pass_screen, placed).get_by_role("button", name="Time of course 2").tap()
    found += [each["id"] for _, _, each in axe_rules.find_violations_in_looks(pass_screen, looks)]

    assert found == []


def test_item_of_one_bump_leaves_the_kitchen_for_the_pass(restaurant, open_screen):
    assert restaurant.store.send("PUT", "/settings/kds", {"bumps": 1})[0] == 200
    page = open_screen()
    placed = restaurant.order((restaurant.soup, {}), (restaurant.salad, {}))
    card_of(page, placed).get_by_role("button", name="All ready").tap()

    expect(card_of(page, placed)).to_have_count(0)
    wait_until_sent(page)
    assert restaurant.list_states(placed) == ["ready", "ready"]
    page.get_by_role("button", name=f"Recall #{placed['number']} Table 4").tap()
    expect(card_of(page, placed).locator("[data-state=queued]").first).to_be_visible()
    wait_until_sent(page)
    assert restaurant.list_states(placed) == ["queued", "queued"]
    card_of(page, placed).locator(".whole").tap()
    page.get_by_role("button", name="Pass", exact=True).tap()
    card_of(page, placed).get_by_role("button", name="Hand over").tap()
    expect(card_of(page, placed)).to_have_count(0)
    wait_until_sent(page)
    assert restaurant.list_states(placed) == ["served", "served"]
    assert restaurant.store.send("PUT", "/settings/kds", {"bumps": 3})[0] == 200


def test_course_gets_a_time_and_is_held_again(restaurant, open_screen):
    page = open_screen()
    placed = restaurant.order((restaurant.soup, {}), (restaurant.salad, {"course": 2}))
    card = card_of(page, placed)
    card.get_by_role("button", name="Time of course 2").tap()
    page.get_by_role("button", name="In 15 min").tap()

    expect(card.get_by_text(re.compile(r"Course 2 · \d\d:\d\d"))).to_be_visible()
    wait_until_sent(page)
    due = datetime.fromisoformat(restaurant.store.send("GET", f"/orders/{placed['id']}")[1]["items"][1]["fire_at"])
    assert timedelta(minutes=13) < due - datetime.now(UTC) <= timedelta(minutes=15)
    card.get_by_role("button", name="Time of course 2").tap()
    page.get_by_role("button", name="Hold until somebody fires it").tap()
    expect(card.get_by_text("Course 2 · Hold")).to_be_visible()
    wait_until_sent(page)
    assert restaurant.store.send("GET", f"/orders/{placed['id']}")[1]["items"][1]["fire_at"] is None


@pytest.mark.usefixtures("service_workers")
def test_rounds_courses_and_times_are_worked_without_a_network(restaurant, open_screen):
    page = open_screen()
    placed = restaurant.order(
        (restaurant.soup, {}), (restaurant.salad, {"course": 2}), (restaurant.soup, {"course": 3})
    )
    restaurant.add_round(placed, (restaurant.salad, {}))
    first, second = card_of(page, placed), card_of(page, placed, 2)
    second.wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    sent = []
    page.on("requestfinished", lambda each: each.method != "GET" and sent.append(each.url.partition("/kds/")[2]))
    page.context.set_offline(True)
    expect(page.get_by_text(re.compile("^Offline for"))).to_be_visible()

    first.get_by_role("button", name="Fire course 2").tap()
    first.locator("[data-item]").nth(1).tap()
    first.get_by_role("button", name="Time of course 3").tap()
    page.get_by_role("button", name="In 30 min").tap()
    for _ in range(3):
        second.locator(".whole").tap()
    expect(second).to_have_count(0)
    page.get_by_role("button", name=f"Recall #{placed['number']} Table 4").tap()
    expect(page.get_by_text("7 changes to sync")).to_be_visible()
    page.reload()
    expect(page.get_by_text("7 changes to sync")).to_be_visible()
    expect(first.get_by_text(re.compile(r"Course 3 · \d\d:\d\d"))).to_be_visible()
    assert restaurant.list_states(placed) == ["queued", "held", "held", "queued"]
    page.context.set_offline(False)

    expect(page.get_by_text(re.compile("^Offline for"))).to_be_hidden()
    wait_until_sent(page)
    assert restaurant.list_states(placed) == ["queued", "preparing", "held", "ready"]
    expect(page.get_by_text("Changed by others meanwhile")).to_be_hidden()
    expect(second.locator("[data-item]")).to_have_attribute("data-state", "ready")
    salad = placed["items"][1]["id"]
    added = restaurant.store.send("GET", f"/orders/{placed['id']}")[1]["items"][3]["id"]
    courses = f"orders/{placed['id']}/courses"
    bumps = [f"items/{added}/bump"] * 3
    assert sent == [f"{courses}/2/fire", f"items/{salad}/bump", f"{courses}/3/fire", *bumps, f"items/{added}/recall"]


def test_course_whose_time_came_while_the_server_was_killed_is_fired_by_the_next(monkeypatch):
    installation = Installation(create_migrated_data_folder(), {"COMANDA_LOG_LEVEL": "warning"})
    port = find_free_port()
    monkeypatch.setattr(processes, "find_free_port", lambda: port)
    with installation.running("serve") as running:
        restaurant = Restaurant(open_store(installation, lambda: f"http://127.0.0.1:{port}", "Osteria"))
        placed = restaurant.order((restaurant.soup, {}), (restaurant.salad, {"course": 2}))
        path = f"{restaurant.store.url()}/api/v1/staff/kds/orders/{placed['id']}/courses/2/fire"
        at = (datetime.now(UTC) + timedelta(seconds=2)).isoformat()
        assert send_request("POST", path, restaurant.log_in(), {"at": at})[0] == 200
        running.stop(signal.SIGKILL)

    with installation.running("serve"):
        wait_for(lambda: restaurant.list_states(placed) == ["queued", "queued"], "the course to be fired")
    shutil.rmtree(installation.data, ignore_errors=True)
