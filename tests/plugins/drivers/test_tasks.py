"""Periodic deletion of trails and photos."""

from comanda.platform.db import sql
from comanda_drivers import tasks
from photographs import picture


async def test_trails_are_deleted_after_thirty_days(kitchen, driver, clock):
    await kitchen.place_assigned(driver)
    await driver.send_location(1, 1)
    clock.advance(days=30)
    await driver.send_location(2, 2)
    await tasks.delete_expired_data()
    assert await driver.read_trail() == [(1, 1), (2, 2)]
    clock.advance(seconds=1)
    await tasks.delete_expired_data()
    assert await driver.read_trail() == [(2, 2)]


async def test_photos_are_deleted_after_thirty_days_but_not_proofs(kitchen, driver, delivery, clock):
    await kitchen.set_terms(pod="photo")
    made = (await driver.upload_photo(delivery, picture())).document
    clock.advance(days=29)
    await tasks.delete_expired_data()
    assert len((await kitchen.get_order(delivery))["proof"]["photos"]) == 1
    clock.advance(days=2)
    await tasks.delete_expired_data()

    assert (await kitchen.get_order(delivery))["proof"] == {"code_verified_at": None, "photos": []}
    assert await sql.fetch_value("SELECT count(*) FROM drivers_photo WHERE proof_id = $1", made["id"]) == 0
    assert (await driver.set_status(delivery["id"], "delivered")).status == 200
