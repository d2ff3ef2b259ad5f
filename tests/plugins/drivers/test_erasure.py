"""Erasure of personal data in deliveries."""

from comanda.basics import clock as clock_module
from comanda.contracts import Person
from comanda.platform.db import sql
from comanda_drivers.erasure import ERASER
from comanda_drivers.models import Offer
from photographs import picture


async def test_address_fields_of_an_erased_person_are_deleted(kitchen):
    place = {"address_lat": 38.7, "address_lng": -9.1, "address_instructions": "The blue door"}
    theirs, others = await kitchen.place_delivery(**place), await kitchen.place_delivery(**place)
    both = frozenset({theirs["id"], others["id"]})

    await ERASER.erase(Person(kitchen.owner.id, kitchen.id, 1, frozenset(), frozenset(), frozenset({theirs["id"]})))
    await ERASER.erase(Person(kitchen.owner.id + 1, kitchen.id, 1, frozenset(), frozenset(), both))

    assert not place.keys() & (await kitchen.get_order(theirs)).keys()
    shown = await kitchen.get_order(others)
    assert {name: shown[name] for name in place} == place


async def test_photos_codes_and_notes_of_an_erased_person_are_deleted(kitchen, driver, delivery, owner):
    other = await kitchen.place_assigned(driver)
    for order in (delivery, other):
        assert (await driver.upload_photo(order, picture())).status == 201
        assert (await driver.send_code(order)).status == 200
        now = clock_module.now()
        await Offer.create(
            owner_id=owner.id, order_id=order["id"], driver_id=driver.id, state="rejected", reason="Ada's dog bites",
            round=1, created_at=now, expires_at=now, ended_at=now,
        )  # fmt: skip

    person = Person(owner.id, kitchen.id, 1, frozenset(), frozenset(), frozenset({delivery["id"]}))
    await ERASER.erase(person)
    await ERASER.erase(person)

    assert [len((await kitchen.get_order(order))["proof"]["photos"]) for order in (delivery, other)] == [0, 1]
    reasons = "SELECT reason FROM drivers_offer WHERE owner_id = $1 ORDER BY order_id"
    assert [row["reason"] for row in await sql.fetch(reasons, owner.id)] == [None, "Ada's dog bites"]
    assert await sql.fetch_value("SELECT count(*) FROM core_login_code WHERE owner_id = $1", owner.id) == 1
