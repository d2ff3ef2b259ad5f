"""Management of drivers by their owner."""

from comanda.accounts import callers
from comanda_drivers.caller_kinds import DRIVER
from comanda_drivers.services.accounts import tokens

DRIVERS = "/api/v1/drivers"


async def test_driver_is_created_listed_updated_and_deleted(kitchen):
    made = await kitchen.send_to(DRIVERS, "POST", {"name": "Rui", "phone": "+351 961 234 567"})
    assert made.status == 201
    token = made.document.pop("token")
    assert token.startswith("drv_")
    assert made.document == {
        "id": made["id"], "name": "Rui", "phone": "+351961234567", "restaurant_id": None, "is_active": True,
        "is_on_shift": False, "active_deliveries": 0, "last_seen_at": None, "location": None,
    }  # fmt: skip

    page = await kitchen.send_to(DRIVERS)
    assert (page["data"], page["per_page"], page["total"]) == ([made.document], 20, 1)

    path = f"{DRIVERS}/{made['id']}"
    changed = await kitchen.send_to(path, "PUT", {"name": "Rui Costa", "restaurant_id": kitchen.id})
    assert changed.document == {**made.document, "name": "Rui Costa", "restaurant_id": kitchen.id}
    assert (await kitchen.send_to(path, "PUT", {"restaurant_id": None})).document["restaurant_id"] is None
    assert (await kitchen.send_to(path, "DELETE")).status == 204
    assert (await kitchen.send_to(DRIVERS))["data"] == []
    for reply in (await kitchen.send_to(path, "DELETE"), await kitchen.send_to(path, "PUT", {"name": "x"})):
        assert reply.status == 404


async def test_phone_is_completed_with_the_country_of_the_store(kitchen):
    body = {"name": "Rui", "phone": "961 234 567", "restaurant_id": kitchen.id}
    assert (await kitchen.send_to(DRIVERS, "POST", body))["phone"] == "961234567"
    await kitchen.send("PUT", "/settings", {"country": "PT"})
    assert (await kitchen.send_to(DRIVERS, "POST", body))["phone"] == "+351961234567"
    assert (await kitchen.send_to(DRIVERS, "POST", {**body, "restaurant_id": None}))["phone"] == "+351961234567"


async def test_store_of_another_owner_is_refused(kitchen, foreign, driver):
    body = {"name": "Rui", "phone": "+351961234567", "restaurant_id": foreign.id}

    assert list((await kitchen.send_to(DRIVERS, "POST", body)).errors) == ["restaurant_id"]
    change = {"restaurant_id": foreign.id}
    assert list((await kitchen.send_to(f"{DRIVERS}/{driver.id}", "PUT", change)).errors) == ["restaurant_id"]
    assert (await driver.get("/me"))["restaurant_id"] is None


async def test_driver_with_active_deliveries_is_not_deleted(kitchen, driver):
    order = await kitchen.place_assigned(driver)
    path = f"{DRIVERS}/{driver.id}"

    reply = await kitchen.send_to(path, "DELETE")

    assert (reply.status, reply["code"], reply["reason"]) == (409, "conflict", "active_deliveries")
    assert (await driver.get("/me"))["active_deliveries"] == 1
    await driver.set_status(order["id"], "delivered")
    assert (await kitchen.send_to(path, "DELETE")).status == 204
    assert (await driver.send("GET", "/me")).status == 401
    # The order keeps its driver.
    assert (await kitchen.get_order(order))["driver"]["name"] == "Rui Costa"


async def test_deactivation_revokes_all_tokens(kitchen, driver):
    await driver.send("POST", "/shift", {"status": "on"})
    phone = await tokens.issue_login_token(kitchen.owner.id, driver.id, "phone")
    path = f"{DRIVERS}/{driver.id}"

    reply = await kitchen.send_to(path, "PUT", {"is_active": False})

    assert (reply["is_active"], reply["is_on_shift"]) == (False, False)
    assert (await driver.send("GET", "/me")).status == 401
    assert await callers.find_caller(phone.secret, DRIVER) is None
    refused = await kitchen.send_to(f"{path}/rotate-token", "POST")
    assert (refused.status, refused["reason"]) == (409, "driver_inactive")
    # Back again, they need a new token.
    assert (await kitchen.send_to(path, "PUT", {"is_active": True}))["is_active"] is True
    assert (await driver.send("GET", "/me")).status == 401
    driver.token = (await kitchen.send_to(f"{path}/rotate-token", "POST"))["token"]
    assert (await driver.send("GET", "/me")).status == 200


async def test_drivers_of_another_owner_look_missing(kitchen, foreign):
    theirs = await foreign.add_driver()
    path = f"{DRIVERS}/{theirs.id}"

    for method, where, body in (
        ("GET", path, None),
        ("GET", f"{DRIVERS}?restaurant_id={foreign.id}", None),
        ("PUT", path, {"name": "Stolen", "is_active": False}),
        ("DELETE", path, None),
        ("POST", f"{path}/rotate-token", None),
    ):
        reply = await kitchen.send_to(where, method, body)
        assert (reply.status, reply["code"]) == (404, "not_found")

    assert (await kitchen.send_to(DRIVERS))["data"] == []
    assert (await theirs.get("/me"))["name"] == "Rui Costa"


async def test_drivers_are_listed_by_store_and_by_whether_they_work(kitchen, driver):
    other_store = await kitchen.owner.store()
    await kitchen.add_driver("Eva", "+351961234568", restaurant_id=other_store)
    helper = await kitchen.add_driver("Ana", "+351961234569", restaurant_id=kitchen.id)
    await kitchen.add_driver("Ivo", "+351961234570")
    await driver.send("POST", "/shift", {"status": "on"})
    await kitchen.place_assigned(helper)

    async def list_names(query):
        return [each["name"] for each in (await kitchen.send_to(f"{DRIVERS}?{query}"))["data"]]

    assert await list_names("") == ["Ivo", "Ana", "Eva", "Rui Costa"]
    assert await list_names(f"restaurant_id={kitchen.id}") == ["Ivo", "Ana", "Rui Costa"]
    assert await list_names(f"restaurant_id={other_store}&is_working=0") == ["Ivo", "Eva", "Rui Costa"]
    assert await list_names("is_working=1") == ["Ana", "Rui Costa"]
    assert (await kitchen.send_to(f"{DRIVERS}/{helper.id}"))["active_deliveries"] == 1


async def test_location_is_shown_only_while_the_driver_works(kitchen, driver, clock):
    path = f"{DRIVERS}/{driver.id}"
    await driver.send_location(38.71, -9.13)
    assert (await kitchen.send_to(path))["location"] is None

    await driver.send("POST", "/shift", {"status": "on"})
    here = {"lat": 38.71, "lng": -9.13, "recorded_at": clock().isoformat()}
    assert (await kitchen.send_to(path))["location"] == here
    order = await kitchen.place_assigned(driver)
    await driver.send("POST", "/shift", {"status": "off", "force": True})
    assert (await kitchen.send_to(path))["location"] == here

    await driver.set_status(order["id"], "delivered")
    assert (await kitchen.send_to(path))["location"] is None


async def test_deleting_a_driver_erases_locations(kitchen, driver):
    order = await kitchen.place_assigned(driver)
    await driver.send_location(1, 1)
    await driver.set_status(order["id"], "delivered")

    assert (await kitchen.send_to(f"/api/v1/drivers/{driver.id}", "DELETE")).status == 204

    assert (await driver.read_position(), await driver.read_trail()) == ((None, None, None), [])
