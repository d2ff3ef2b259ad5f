"""A cook at the screen, in a real Chromium: tickets come by themselves, taps move them, and a lost connection shows."""

import json
import re
import shutil

import pytest
from comanda.devkit.testing import (
    Installation,
    create_migrated_data_folder,
    find_free_port,
    open_store,
    processes,
    send_request,
)

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")

SCREEN = {"viewport": {"width": 1280, "height": 800}, "has_touch": True}
PIN = "4826"
# The queue is read from the browser's database, so that an act that the page only forgot would still be found.
WAITS_FOR_NOTHING = """() => document.querySelector("[data-work]").dataset.waiting === "0" && new Promise((resolve) => {
  const opened = indexedDB.open('comanda.kitchen.actions');
  opened.onsuccess = () => {
    const counted = opened.result.transaction('actions').objectStore('actions').count();
    counted.onsuccess = () => { opened.result.close(); resolve(counted.result === 0); };
  };
})"""
CACHED_PATHS = """async () => {
  const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  return requests.flat().map((request) => new URL(request.url).pathname);
}"""
STEPS = [("queued", "preparing"), ("preparing", "ready"), ("ready", "served")]
expect = sync_api.expect


# What the database has of the bumps and recalls of an order, in order.
LIST_STEPS = """
import json, sys
from comanda.cli.session import call
from comanda.platform.db import sql

async def work():
    columns = "order_id, from_state, to_state"
    statement = f"SELECT {columns} FROM kds_step WHERE order_id = ANY($1) ORDER BY id"
    rows = await sql.fetch(statement, json.loads(sys.argv[1]))
    return [tuple(row) for row in rows]

print(json.dumps(call(work)))
"""


@pytest.fixture
def list_steps(installation):
    """Return a function that lists the steps of each of some orders, as the database has them."""

    def list_them(orders):
        ids = [each["id"] for each in orders]
        rows = json.loads(installation.run_program(LIST_STEPS, json.dumps(ids)))
        return [[(before, after) for order_id, before, after in rows if order_id == id] for id in ids]

    return list_them


@pytest.fixture(scope="session")
def kitchen(installation, server):
    store = open_store(installation, lambda: server.url, "Kitchen")
    member = {
        "name": "Ada",
        "role": "kitchen",
        "pin": PIN,
        "email": "ada@example.com",
        "password": "correct horse 7",
    }
    status, answer = store.send("POST", "/staff", member)
    assert status == 201, answer
    return store


@pytest.fixture(scope="session")
def menu(kitchen):
    made = {name: kitchen.add_item(name, price) for name, price in (("Risotto", 14), ("Tiramisu", 6), ("Water", 3))}
    stations = {}
    for name in ("Hot kitchen", "Cold and sweet"):
        stations[name] = kitchen.send("POST", "/stations", {"name": name})[1]["id"]
    kitchen.send("PUT", f"/station-routes/items/{made['Tiramisu']}", {"station_id": stations["Cold and sweet"]})
    kitchen.send("PUT", f"/station-routes/items/{made['Water']}", {"station_id": None})
    return made


@pytest.fixture
def screen(browser, kitchen, menu):
    """Open a screen on which somebody has logged in by PIN; its page must not complain, nor ask anybody else."""
    context = browser.new_context(**SCREEN)
    page = context.new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.asked = set()
    page.on("request", lambda request: page.asked.add(request.url.split("/")[2]))
    log_in(page, kitchen)
    yield page
    for order in kitchen.send("GET", "/orders?per_page=100")[1]["data"]:
        kitchen.send("PUT", f"/orders/{order['id']}/status", {"status": "completed"})
    context.close()
    assert page.wrong == []
    assert page.asked == {kitchen.url().split("/")[2]}


def log_in(page, store):
    page.goto(f"{store.url()}/kitchen/?store={store.id}")
    page.get_by_label("PIN", exact=True).and_(page.locator("[type=password]")).fill(PIN)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def order(kitchen, *items, **fields):
    body = {"type": "on-table", "table_number": "4", "items": list(items), **fields}
    status, placed = kitchen.send("POST", "/orders", body)
    assert status == 201, placed
    return placed


def ticket(screen, placed):
    return screen.locator(f"article[data-order='{placed['id']}']")


def expect_states(card, *states):
    items = card.locator("button.item")
    expect(items).to_have_count(len(states))
    for place, state in enumerate(states):
        expect(items.nth(place)).to_have_attribute("data-state", state)


def wait_until_sent(screen):
    screen.wait_for_function(WAITS_FOR_NOTHING)


def status_of(kitchen, placed):
    return kitchen.send("GET", f"/orders/{placed['id']}")[1]["status"]


def test_an_order_appears_by_itself_and_taps_move_it_and_its_order(kitchen, menu, screen):
    for _ in range(2):
        placed = order(kitchen, {"item_id": menu["Risotto"], "note": "No parmesan"}, {"item_id": menu["Water"]})
        card = ticket(screen, placed)
        expect(card).to_be_visible()
    expect(card.get_by_text("No parmesan")).to_be_visible()
    expect(card.get_by_text("Water")).to_have_count(0)

    for shown in ("preparing", "ready"):
        card.locator(".item").tap()
        expect_states(card, shown)
        wait_until_sent(screen)
        assert status_of(kitchen, placed) == shown
    card.locator(".item").tap()
    expect(card).to_have_count(0)
    wait_until_sent(screen)
    assert status_of(kitchen, placed) == "delivered"
    screen.get_by_role("button", name=f"Recall #{placed['number']} Table 4").tap()
    expect_states(card, "ready")
    wait_until_sent(screen)
    assert status_of(kitchen, placed) == "ready"


def test_a_long_press_and_the_keys_go_back_and_a_button_moves_the_whole_ticket(kitchen, menu, screen):
    placed = order(kitchen, {"item_id": menu["Risotto"]}, {"item_id": menu["Tiramisu"]})
    card = ticket(screen, placed)
    card.get_by_role("button", name="Start all").tap()
    expect_states(card, "preparing", "preparing")

    first = card.locator(".item").first
    first.click(delay=900)
    expect_states(card, "queued", "preparing")
    first.focus()
    screen.keyboard.press("ArrowDown")
    screen.keyboard.press("r")

    expect_states(card, "queued", "queued")
    wait_until_sent(screen)
    assert status_of(kitchen, placed) == "new"
    screen.keyboard.press("ArrowUp")
    screen.keyboard.press("Space")
    expect_states(card, "preparing", "queued")


def states_of(kitchen, placed):
    return [line["kds_status"] for line in kitchen.send("GET", f"/orders/{placed['id']}")[1]["items"]]


def focused(screen):
    return screen.evaluate("document.activeElement.dataset.key ?? document.activeElement.tagName")


@pytest.mark.usefixtures("service_workers")
def test_ten_tickets_are_worked_without_a_network_and_counted_once(kitchen, menu, screen, list_steps):
    screen.set_viewport_size({"width": 1920, "height": 1080})
    placed = [order(kitchen, {"item_id": menu["Risotto"]}, type="on-table", table_number=str(n)) for n in range(10)]
    ticket(screen, placed[-1]).wait_for()
    screen.evaluate("navigator.serviceWorker.ready.then(() => true)")
    screen.context.set_offline(True)
    expect(screen.get_by_text(re.compile("^Offline for"))).to_be_visible()

    for each in placed:
        for shown in ("preparing", "ready"):
            ticket(screen, each).locator(".item").tap()
            expect_states(ticket(screen, each), shown)
    for each in placed[:5]:
        ticket(screen, each).locator(".item").tap()
        expect(ticket(screen, each)).to_have_count(0)
    expect(screen.get_by_text(re.compile("25 changes to sync"))).to_be_visible()
    screen.reload()
    expect(screen.get_by_text(re.compile("25 changes to sync"))).to_be_visible()
    for each in placed[5:]:
        expect_states(ticket(screen, each), "ready")
    assert [states_of(kitchen, each) for each in placed] == [["queued"]] * 10
    for each in placed[5:]:
        ticket(screen, each).locator(".item").tap()
    expect(screen.get_by_text("Nothing to make.")).to_be_visible()
    screen.context.set_offline(False)

    expect(screen.get_by_text(re.compile("^Offline for"))).to_be_hidden()
    wait_until_sent(screen)
    assert [states_of(kitchen, each) for each in placed] == [["served"]] * 10
    expect(screen.get_by_text("Nothing to make.")).to_be_visible()
    expect(screen.get_by_text("Changed by others meanwhile")).to_be_hidden()
    assert list_steps(placed) == [STEPS] * 10


@pytest.mark.usefixtures("service_workers")
def test_the_page_opens_while_the_server_is_down_and_catches_up_when_it_is_back(browser, monkeypatch):
    data = create_migrated_data_folder()
    installation = Installation(data, {"COMANDA_LOG_LEVEL": "warning"})
    port = find_free_port()
    monkeypatch.setattr(processes, "find_free_port", lambda: port)
    context = browser.new_context(**SCREEN)
    screen = context.new_page()
    with installation.running("serve") as running:
        store = open_store(installation, lambda: f"http://127.0.0.1:{port}", "Osteria")
        store.send("POST", "/staff", {"name": "Ada", "role": "kitchen", "pin": PIN})
        placed = order(store, {"item_id": store.add_item("Polenta", 9)})
        log_in(screen, store)
        ticket(screen, placed).wait_for()
        screen.evaluate("navigator.serviceWorker.ready.then(() => true)")
        running.stop()

    screen.reload()
    for shown in ("preparing", "ready"):
        ticket(screen, placed).locator(".item").tap()
        expect_states(ticket(screen, placed), shown)
    expect(screen.get_by_text(re.compile("2 changes to sync"))).to_be_visible()
    cached = screen.evaluate(CACHED_PATHS)
    with installation.running("serve"):
        screen.get_by_role("button", name="Try now").tap()
        wait_until_sent(screen)
        assert states_of(store, placed) == ["ready"]
        expect_states(ticket(screen, placed), "ready")
        expect(screen.get_by_text(re.compile("^Offline for"))).to_be_hidden()

    context.close()
    shutil.rmtree(data, ignore_errors=True)
    assert "/kitchen/" in cached
    assert [path for path in cached if path.startswith("/api/")] == []


@pytest.mark.usefixtures("service_workers")
def test_conflicts_after_an_outage_are_shown(kitchen, menu, screen):
    first, second, third = (order(kitchen, {"item_id": menu["Risotto"]}) for _ in range(3))
    ticket(screen, third).wait_for()
    screen.context.set_offline(True)
    expect(screen.get_by_text(re.compile("^Offline for"))).to_be_visible()

    for each in (first, second, third):
        ticket(screen, each).locator(".item").tap()
    kitchen.send("PUT", f"/orders/{first['id']}/status", {"status": "ready"})
    kitchen.send("PUT", f"/orders/{second['id']}/status", {"status": "cancelled", "reason": "Guest left"})
    screen.context.set_offline(False)

    refusals = screen.locator("[data-refusals] li")
    expect(refusals).to_have_count(2)
    expect(refusals.nth(0)).to_have_text(f"Risotto, order {first['number']}: changed on another screen, now “Ready”.")
    expect(refusals.nth(1)).to_have_text(f"Order {second['number']}, Table 4, was cancelled.")
    expect_states(ticket(screen, first), "ready")
    expect(ticket(screen, second)).to_have_count(0)
    expect_states(ticket(screen, third), "preparing")
    wait_until_sent(screen)
    assert states_of(kitchen, third) == ["preparing"]
    screen.get_by_role("button", name="Understood").click()
    expect(refusals).to_have_count(0)


def test_a_step_whose_answer_was_lost_is_not_taken_twice(kitchen, menu, screen, list_steps):
    placed = order(kitchen, {"item_id": menu["Risotto"]})
    ticket(screen, placed).wait_for()
    sent = []

    def lose_answer(route):
        sent.append(route.request.headers["idempotency-key"])
        if len(sent) == 1:
            assert route.fetch().status == 200
            # Another cook takes it back before the screen asks again.
            line = placed["items"][0]["id"]
            token = screen.evaluate("JSON.parse(localStorage.getItem('comanda.kitchen')).token")
            path = f"{kitchen.url()}/api/v1/staff/kds/items/{line}/recall"
            assert send_request("PUT", path, token, {"expected_status": "preparing"})[0] == 200
            return route.abort()
        return route.continue_()

    screen.route("**/bump", lose_answer)
    ticket(screen, placed).locator(".item").tap()
    wait_until_sent(screen)
    screen.unroute("**/bump")

    assert len(set(sent)) == 1
    assert len(sent) >= 2
    assert states_of(kitchen, placed) == ["queued"]
    expect_states(ticket(screen, placed), "queued")
    assert list_steps([placed]) == [STEPS[:1]]


def test_keys_alone_work_a_ticket_and_the_focus_is_never_lost(kitchen, menu, screen):
    first = order(kitchen, {"item_id": menu["Risotto"]}, {"item_id": menu["Tiramisu"]})
    second = order(kitchen, {"item_id": menu["Risotto"]})
    ticket(screen, second).wait_for()
    risotto, tiramisu = (f"item-{line['id']}" for line in first["items"])

    screen.keyboard.press("1")
    assert focused(screen) == f"order-{first['id']}"
    screen.keyboard.press("ArrowDown")
    assert focused(screen) == risotto
    for shown in ("preparing", "ready"):
        screen.keyboard.press("Space")
        expect(ticket(screen, first).locator("button.item").first).to_have_attribute("data-state", shown)
        assert focused(screen) == risotto
    screen.keyboard.press("Enter")
    expect(ticket(screen, first).locator(".item")).to_have_count(1)
    assert focused(screen) == tiramisu
    screen.keyboard.press("r")
    expect(ticket(screen, first).locator(".item")).to_have_count(1)
    for shown in ("preparing", "ready"):
        screen.keyboard.press("Space")
        expect_states(ticket(screen, first), shown)
        assert focused(screen) == tiramisu
    screen.keyboard.press("Space")
    expect(ticket(screen, first)).to_have_count(0)
    assert focused(screen) == f"item-{second['items'][0]['id']}"
    assert screen.evaluate("scrollY") == 0

    screen.keyboard.press("2")
    assert focused(screen) == f"order-{second['id']}"
    for shown in ("preparing", "ready"):
        screen.keyboard.press("a")
        expect_states(ticket(screen, second), shown)
        assert focused(screen) == f"order-{second['id']}"
    screen.keyboard.press("Enter")
    expect(screen.get_by_text("Nothing to make.")).to_be_visible()
    assert screen.evaluate("document.activeElement.matches('[data-board]')")
    screen.keyboard.press("Space")
    assert screen.evaluate("scrollY") == 0
    screen.keyboard.press("r")
    expect_states(ticket(screen, second), "ready")
    assert focused(screen) == f"order-{second['id']}"
    screen.keyboard.press("?")
    expect(screen.get_by_role("heading", name="Keys and bump bar")).to_be_visible()
    screen.keyboard.press("Escape")
    expect(screen.get_by_role("heading", name="Keys and bump bar")).to_be_hidden()
    wait_until_sent(screen)
    assert (states_of(kitchen, first), states_of(kitchen, second)) == (["served", "served"], ["ready"])


def test_tickets_keep_their_places_and_pages_count_what_is_below(kitchen, menu, screen):
    placed = [order(kitchen, {"item_id": menu["Risotto"]}, table_number=str(n)) for n in range(30)]
    screen.locator("[data-more-count]", has_text="more").wait_for()
    per_page = screen.locator("article").count()
    expect(screen.locator("[data-more-count]")).to_have_text(f"{30 - per_page} more")
    before = ticket(screen, placed[2]).bounding_box()

    for _ in range(3):
        ticket(screen, placed[1]).locator(".item").tap()
    expect(ticket(screen, placed[1])).to_have_count(0)
    assert ticket(screen, placed[2]).bounding_box() == before
    screen.keyboard.press("c")
    assert ticket(screen, placed[2]).bounding_box()["y"] < before["y"]
    expect(screen.locator("[data-more-count]")).to_have_text(f"{29 - per_page} more")
    screen.keyboard.press("p")
    assert focused(screen) == f"order-{placed[per_page + 1]['id']}"
    expect(screen.locator("article")).to_have_count(29 - per_page)
    expect(screen.locator("[data-page-number]")).to_have_text("Page 2 of 2")


def amend(kitchen, placed, path, body):
    status, answer = kitchen.send("POST", f"/orders/{placed['id']}/{path}", body)
    assert status in {200, 201}, answer
    return answer


def test_a_round_is_a_ticket_of_its_own_and_a_moved_table_renames_both(kitchen, menu, screen):
    placed = order(kitchen, {"item_id": menu["Risotto"]})
    expect(ticket(screen, placed)).to_have_count(1)
    amend(kitchen, placed, "lines", {"items": [{"item_id": menu["Tiramisu"], "seat": 3}]})

    second = screen.locator(f"article[data-order='{placed['id']}.2']")
    expect(second.get_by_text("Round 2")).to_be_visible()
    expect(second.get_by_text("Seat 3")).to_be_visible()
    expect(second.locator(".item")).to_have_count(1)
    amend(kitchen, placed, "move", {"table_number": "12"})
    for card in (ticket(screen, placed), second):
        expect(card.locator("h2")).to_have_text(f"#{placed['number']} Table 12")

    second.locator(".whole").tap()
    expect_states(second, "preparing")
    expect_states(ticket(screen, placed), "queued")
    wait_until_sent(screen)
    assert states_of(kitchen, placed) == ["queued", "preparing"]


def test_what_is_voided_is_struck_through_until_it_is_seen(kitchen, menu, screen):
    placed = order(kitchen, {"item_id": menu["Risotto"], "quantity": 3})
    expect(ticket(screen, placed)).to_have_count(1)
    line = placed["items"][0]["id"]
    amend(kitchen, placed, f"lines/{line}/void", {"quantity": 2, "reason": "Changed mind"})

    void = ticket(screen, placed).locator("[data-void]")
    expect(void.locator("s")).to_have_text("2 \N{MULTIPLICATION SIGN} Risotto")
    expect(void.get_by_text("Cancelled")).to_be_visible()
    expect(ticket(screen, placed).locator("[data-item] .what")).to_have_text("1 \N{MULTIPLICATION SIGN} Risotto")
    void.tap()
    expect(void).to_have_count(0)
    wait_until_sent(screen)
    screen.reload()
    expect(ticket(screen, placed).locator("[data-item]")).to_have_count(1)
    expect(void).to_have_count(0)


def test_a_later_course_waits_until_it_is_fired(kitchen, menu, screen):
    placed = order(kitchen, {"item_id": menu["Risotto"]}, {"item_id": menu["Tiramisu"], "course": 2})
    card = ticket(screen, placed)
    expect(card.get_by_text("Course 2 · Hold")).to_be_visible()
    card.locator(".whole").tap()
    expect_states(card, "preparing")

    card.get_by_role("button", name="Fire course 2").tap()

    expect_states(card, "preparing", "queued")
    wait_until_sent(screen)
    assert states_of(kitchen, placed) == ["preparing", "queued"]


def test_recall_brings_the_whole_ticket_back(kitchen, menu, screen):
    placed = order(kitchen, {"item_id": menu["Risotto"]}, {"item_id": menu["Tiramisu"]})
    card = ticket(screen, placed)
    for state in ("preparing", "ready"):
        card.locator(".whole").tap()
        expect_states(card, state, state)
    card.locator(".whole").tap()
    expect(card).to_have_count(0)

    screen.get_by_role("button", name=f"Recall #{placed['number']} Table 4").tap()

    expect_states(card, "ready", "ready")
    wait_until_sent(screen)
    assert states_of(kitchen, placed) == ["ready", "ready"]


def test_an_item_is_sold_out_from_a_ticket_and_back(kitchen, menu, screen):
    placed = order(kitchen, {"item_id": menu["Risotto"]})
    ticket(screen, placed).get_by_role("button", name=f"Sold out, from order {placed['number']}").tap()
    screen.get_by_role("button", name="Risotto is sold out").tap()

    screen.get_by_role("button", name="Risotto is back").wait_for()
    wait_until_sent(screen)
    body = {"type": "on-table", "table_number": "4", "items": [{"item_id": menu["Risotto"]}]}
    assert kitchen.send("POST", "/orders", body)[0] == 422
    screen.get_by_role("button", name="Risotto is back").tap()
    wait_until_sent(screen)
    screen.get_by_role("button", name="Close").tap()
    assert kitchen.send("POST", "/orders", body)[0] == 201


def test_an_extra_of_several_items_is_listed_once_and_sold_out_for_all(kitchen, screen):
    category_id = kitchen.send("GET", "/menu")[1][0]["id"]
    extras = [{"name": "Extra cheese", "price": 1}]
    made = []
    for name in ("Calzone", "Margherita"):
        groups = [{"name": "Add", "min": 0, "max": 1, "extras": extras}]
        body = {"name": name, "price": 9, "category_id": category_id, "extra_groups": groups}
        status, item = kitchen.send("POST", "/menu/items", body)
        assert status == 201, item
        extra = item["extra_groups"][0]["extras"][0]["id"]
        made.append({"item_id": item["id"], "extras": [extra]})
    ticket(screen, order(kitchen, *made)).wait_for()

    screen.get_by_role("button", name="Sold out", exact=True).tap()
    row = screen.locator("[data-sold-out-list] li", has_text="Extra cheese")
    expect(row).to_have_count(1)
    expect(row.get_by_text("Extra for Calzone and Margherita")).to_be_visible()
    row.get_by_role("button", name="Extra cheese is sold out").tap()
    wait_until_sent(screen)
    for each in made:
        body = {"type": "on-table", "table_number": "4", "items": [each]}
        assert kitchen.send("POST", "/orders", body)[0] == 422
    row.get_by_role("button", name="Extra cheese is back").tap()
    wait_until_sent(screen)
    assert kitchen.send("POST", "/orders", body)[0] == 201
    screen.get_by_role("button", name="Close").tap()


def test_logging_out_with_tickets_asks_first(kitchen, menu, screen):
    ticket(screen, order(kitchen, {"item_id": menu["Risotto"]})).wait_for()

    screen.get_by_role("button", name="Log out").tap()
    expect(screen.get_by_text("1 ticket is on the board.")).to_be_visible()
    screen.get_by_role("button", name="Stay").tap()
    expect(screen.locator("article")).to_have_count(1)
    screen.get_by_role("button", name="Log out").tap()
    screen.locator("[data-leave-now]").tap()
    expect(screen.locator("[data-login]")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_on_a_full_board(kitchen, menu, screen, width):
    placed = order(
        kitchen, {"item_id": menu["Risotto"], "note": "No nuts"}, {"item_id": menu["Tiramisu"]}, note="Allergy"
    )
    card = ticket(screen, placed)
    card.locator(".item").first.tap()
    viewport = {"width": width, "height": 800}
    screen.set_viewport_size(viewport)
    card.locator("[data-state=preparing]").wait_for()

    found = [
        (scheme, each["id"])
        for _, scheme, each in axe_rules.find_violations_in_looks(screen, [(viewport, "light"), (viewport, "dark")])
    ]
    small = screen.eval_on_selector_all(
        ".work button",
        "all => all.filter((each) => each.offsetHeight && each.offsetHeight < 56).map((each) => each.outerHTML)",
    )

    assert (found, small) == ([], [])


def test_tabs_show_one_station_and_all_day_counts_what_is_to_be_made(kitchen, menu, screen):
    placed = order(kitchen, {"item_id": menu["Risotto"], "quantity": 3}, {"item_id": menu["Tiramisu"]})
    order(kitchen, {"item_id": menu["Risotto"], "quantity": 2})
    ticket(screen, placed).wait_for()

    screen.get_by_role("button", name="Cold and sweet").tap()
    expect(ticket(screen, placed).locator(".item")).to_have_count(1)
    screen.get_by_role("button", name="All", exact=True).tap()
    screen.get_by_role("button", name="All day").tap()

    expect(screen.locator("[data-total]")).to_have_text("6")
    expect(screen.locator("[data-counts] li").first).to_have_text("5 \N{MULTIPLICATION SIGN} Risotto")


def test_who_is_logged_out_elsewhere_is_asked_to_log_in_again(kitchen, screen):
    token = screen.evaluate("JSON.parse(localStorage.getItem('comanda.kitchen')).token")
    screen.evaluate(
        "token => fetch('/api/v1/staff/logout', {method: 'POST', headers: {Authorization: `Bearer ${token}`}})", token
    )
    screen.reload()

    expect(screen.get_by_text("Your time here is over. Log in again.")).to_be_visible()
    screen.get_by_label("E-mail and password").check()
    screen.get_by_label("E-mail", exact=True).fill("ada@example.com")
    screen.get_by_label("Password", exact=True).fill("wrong")
    screen.get_by_role("button", name="Log in").click()
    expect(screen.locator("[data-problem]")).not_to_be_empty()
    screen.get_by_label("Password", exact=True).fill("correct horse 7")
    screen.get_by_role("button", name="Log in").click()
    expect(screen.get_by_role("button", name="Log out")).to_be_visible()


def test_a_screen_is_enrolled_by_a_manager_on_another_and_logs_in(browser, kitchen):
    manager = {"name": "Mia", "role": "manager", "email": "mia@example.com", "password": "correct horse 8"}
    assert kitchen.send("POST", "/staff", manager)[0] == 201
    new, other = (browser.new_context(**SCREEN).new_page() for _ in range(2))
    for page in (new, other):
        page.goto(f"{kitchen.url()}/kitchen/?store={kitchen.id}")
    new.get_by_role("button", name="Set up this device").click()
    code = new.locator("[data-enrolment-code]")
    expect(code).to_have_text(re.compile(r"^[2-9A-Z]{4}-[2-9A-Z]{4}$"))

    other.get_by_label("E-mail and password").check()
    other.get_by_label("E-mail", exact=True).fill(manager["email"])
    other.get_by_label("Password", exact=True).fill(manager["password"])
    other.get_by_role("button", name="Log in").click()
    answers = iter([code.inner_text(), ""])
    other.on("dialog", lambda dialog: dialog.accept(next(answers)))
    other.get_by_role("button", name="Options").click()
    other.get_by_role("button", name="Set up a device").click()

    expect(new.get_by_text("This device is set up.")).to_be_visible()
    assert kitchen.send("PUT", "/pin-login", {"enrolled_devices_only": True})[0] == 200
    new.get_by_label("PIN", exact=True).and_(new.locator("[type=password]")).fill(PIN)
    new.get_by_role("button", name="Log in").click()
    expect(new.get_by_role("button", name="Log out")).to_be_visible()
    expect(new.get_by_role("button", name="Set up a device")).to_be_hidden()
    assert kitchen.send("PUT", "/pin-login", {"enrolled_devices_only": False})[0] == 200
    for page in (new, other):
        page.context.close()
