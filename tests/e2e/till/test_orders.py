"""Orders at the till: tables, tabs, rounds, courses, what was not sent yet, and scanned codes."""

from chromium import hold
from comanda.devkit.testing import open_store
from till_pages import PIN, add_table, choose_item, expect, list_orders, open_check, open_drawer, place_order, table_of


def focus(place):
    """Focus what is seen: a view that comes later takes the focus to its heading."""
    expect(place).to_be_visible()
    place.focus()
    expect(place).to_be_focused()


def test_table_with_three_items_and_exact_cash_takes_seven_taps(open_till, store, table):
    open_drawer(store)
    till = open_till()
    till.evaluate("taps = 0; addEventListener('click', (event) => { taps += event.isTrusted; }, true)")
    before = {order["id"] for order in list_orders(store)}

    table_of(till, table).click()
    for _ in range(3):
        choose_item(till, "Risotto")
    till.get_by_role("button", name="Send and pay").click()
    till.get_by_role("button", name="Exact €42.00").click()
    expect(till.locator(".paid")).to_contain_text("Paid.")
    till.get_by_role("button", name="New order").click()

    expect(till.locator("[data-rooms]")).to_be_visible()
    assert till.evaluate("taps") == 7
    [order] = [order for order in list_orders(store) if order["id"] not in before]
    assert (order["table_number"], order["total"], order["payment_status"]) == (table, 42, "paid")


def test_receipt_of_a_paid_order_is_sent_by_email(open_till, store, table):
    order = place_order(store, table, 1)
    assert store.send("POST", f"/orders/{order['id']}/payments", {"method": "card_external"})[0] == 201
    till = open_till()
    till.get_by_role("button", name="Checks").click()
    till.goto(f"{till.url.partition('#')[0]}#pay={order['id']}")
    till.get_by_role("button", name="Receipt by e-mail").click()
    form = till.get_by_role("dialog")
    form.get_by_label("E-mail").fill("nobody")
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("alert")).to_contain_text("Must be an e-mail address.")
    form.get_by_label("E-mail").fill("ana@example.com")
    form.get_by_role("button", name="Send").click()

    expect(till.locator("[data-notice]")).to_contain_text("The receipt is sent to ana@example.com.")
    expect(form).to_be_hidden()


def test_map_shows_the_check_of_a_table_and_opens_its_next_round_in_two_taps(open_till, store, table):
    order = place_order(store, table, 2)
    till = open_till()
    expect(till.get_by_role("heading", name=f"Terrace {table}")).to_be_visible()
    expect(table_of(till, table)).to_contain_text("€28.00")
    # It stands in the third column.
    assert table_of(till, table).bounding_box()["x"] > 200

    table_of(till, table).click()
    choose_item(till, "Risotto")
    expect(till.locator("[data-lines] li")).to_have_count(1)
    expect(till.locator("[data-sent] li")).to_have_count(1)
    till.reload()
    expect(till.locator("[data-lines] li")).to_have_count(1)
    till.get_by_role("button", name="Add to check").dblclick()
    expect(till.locator("[data-notice]")).to_contain_text("Added to order")

    expect(table_of(till, table)).to_contain_text("€42.00")
    assert store.send("GET", f"/orders/{order['id']}")[1]["total"] == 42
    assert store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})[0] == 201


def test_tab_is_opened_by_name_and_found_by_it(open_till, store):
    till = open_till()
    till.get_by_role("button", name="Checks").click()
    till.get_by_label("New tab for").fill("Grace")
    till.get_by_role("button", name="Open the tab").click()
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Send", exact=True).click()
    expect(till.locator("[data-notice]")).to_contain_text("was sent")
    till.get_by_role("button", name="Checks").click()
    expect(till.locator("[data-orders]").get_by_role("button", name="Grace ")).to_be_visible()

    till.get_by_label("Search checks").fill("nobody")
    expect(till.get_by_text("No check is found.")).to_be_visible()
    till.get_by_label("Search checks").fill("grac")
    till.locator("[data-orders]").get_by_role("button", name="Grace ").click()

    expect(till.locator("[data-round]")).to_contain_text("Grace")


def test_table_is_tapped_again_before_the_open_checks_are_read(open_till, store, table):
    till = open_till()
    table_of(till, table).click()
    choose_item(till, "Risotto")
    hold(till, "**/staff/orders?is_due=true*", times=None)
    till.get_by_role("button", name="Send", exact=True).click()
    expect(till.locator("[data-notice]")).to_contain_text("was sent")

    table_of(till, table).click()

    expect(till.locator("[data-round]")).to_contain_text(f"Table {table}")


def test_check_is_tapped_before_the_menu_is_here(open_till, store, table):
    place_order(store, table, 1)
    till = open_till(held="**/staff/menu")
    open_check(till, f"Table {table}")

    till.held[0].continue_()

    expect(till.locator(".items").get_by_role("button", name="Risotto €")).to_be_visible()
    expect(till.locator("[data-round]")).to_contain_text(f"Table {table}")


def test_courses_and_seats_are_ordered_and_a_held_course_fired(open_till, store, table):
    till = open_till()
    table_of(till, table).click()
    choose_item(till, "Risotto")
    till.get_by_label("Course of the next items").select_option("2")
    till.get_by_label("Seat of the next items").select_option("3")
    choose_item(till, "Risotto")
    expect(till.locator("[data-lines] li")).to_have_count(2)
    till.get_by_role("button", name="Send", exact=True).click()
    expect(table_of(till, table)).to_contain_text("Course 1")

    table_of(till, table).click()
    till.get_by_role("button", name="Fire course 2").click()
    expect(till.get_by_role("button", name="Fire course 2")).to_be_hidden()
    till.get_by_role("button", name="Tables").click()
    expect(table_of(till, table)).to_contain_text("Course 2")

    order = list_orders(store)[0]
    lines = store.send("GET", f"/orders/{order['id']}")[1]["items"]
    assert [(line["course"], line["seat"]) for line in lines] == [(None, None), (2, 3)]
    assert store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})[0] == 201


def test_lines_stay_at_the_table_at_which_they_were_taken(open_till, store, table):
    other = add_table(store)
    till = open_till()
    table_of(till, table).click()
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Tables").click()
    expect(table_of(till, table)).to_contain_text("not sent yet")

    table_of(till, other).click()
    expect(till.locator("[data-lines] li")).to_have_count(0)
    till.get_by_role("button", name="Tables").click()
    table_of(till, table).click()

    expect(till.locator("[data-lines] li")).to_have_count(1)


def test_line_that_was_not_sent_is_changed(open_till, table):
    till = open_till()
    table_of(till, table).click()
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Change Risotto").click()
    sheet = till.locator("[data-line-dialog]")
    sheet.get_by_label("Quantity").fill("3")
    sheet.get_by_label("Note").fill("No cheese")
    sheet.get_by_label("Seat number").fill("2")
    sheet.get_by_role("button", name="Save").click()

    expect(till.locator("[data-lines] li")).to_contain_text("Seat 2 · “No cheese”")
    expect(till.locator(".amounts .total").last).to_have_text("€42.00")
    till.on("dialog", lambda dialog: dialog.accept())
    till.get_by_role("button", name="Clear the order").click()
    expect(till.locator("[data-lines] li")).to_have_count(0)


def test_item_that_is_not_sold_now_cannot_be_chosen(open_till, store, table):
    category_id = store.send("GET", "/menu")[1][0]["id"]
    asparagus = {"name": "Asparagus", "price": 9, "category_id": category_id, "sold_from": "2090-01-01"}
    assert store.send("POST", "/menu/items", asparagus)[0] == 201

    till = open_till()
    table_of(till, table).click()

    expect(till.locator(".items").get_by_role("button", name="Asparagus Not sold now")).to_be_disabled()


def test_back_and_another_window_keep_the_order(open_till, store, table):
    order = place_order(store, table, 1)
    till = open_till()
    table_of(till, table).click()
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Tables").click()
    till.go_back()
    expect(till.locator("[data-lines] li")).to_have_count(1)

    other = till.context.new_page()
    other.goto(till.url)
    expect(other.locator("[data-lines] li")).to_have_count(1)
    choose_item(other, "Risotto")
    expect(till.locator("[data-lines] output")).to_have_text("2")
    other.get_by_role("button", name="Add to check").click()
    expect(till.locator("[data-lines] li")).to_have_count(0)

    assert store.send("GET", f"/orders/{order['id']}")[1]["total"] == 42
    assert store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})[0] == 201


def test_order_is_taken_and_paid_with_the_keyboard(open_till, store, table):
    open_drawer(store)
    till = open_till()
    focus(table_of(till, table))
    for key in ("Enter", "Tab"):
        till.keyboard.press(key)
    focus(till.get_by_label("Search items"))
    till.keyboard.type("risot")
    till.keyboard.press("Enter")
    expect(till.locator("[data-lines] li")).to_have_count(1)
    focus(till.get_by_role("button", name="Send and pay"))
    till.keyboard.press("Enter")
    focus(till.get_by_role("button", name="Exact €14.00"))
    till.keyboard.press("Enter")
    expect(till.get_by_role("button", name="New order")).to_be_focused()
    till.keyboard.press("Enter")

    expect(till.locator("[data-rooms]")).to_be_visible()


def test_scanned_code_adds_its_item_and_a_misread_one_is_said(open_till, installation, server):
    shop = open_store(installation, lambda: server.url, "Shop", store_type="retail")
    assert shop.send("POST", "/staff", {"name": "Ada", "role": "cashier", "pin": PIN})[0] == 201
    shop.add_item("Pen", 2)
    [category] = shop.send("GET", "/menu")[1]
    status, item = shop.send("POST", "/menu/items", {"name": "Marker", "price": 3, "category_id": category["id"]})
    assert status == 201, item
    variant = {"name": "Blue", "price": 3, "barcode": "4006381333931"}
    assert shop.send("POST", f"/menu/items/{item['id']}/variants", variant)[0] == 201
    till = open_till(at=shop)
    expect(till.locator(".item").first).to_be_visible()

    for code in ("4006381333931", "4006381333932"):
        till.locator("body").press("Escape")
        till.keyboard.type(code)
        till.keyboard.press("Enter")

    expect(till.locator("[data-lines] li")).to_contain_text("Marker")
    expect(till.locator("[data-notice]")).to_contain_text("was not read properly")
