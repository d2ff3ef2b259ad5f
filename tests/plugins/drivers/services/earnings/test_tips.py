"""Tips that are paid with payments."""

from comanda.devkit.testing import line
from comanda.platform.db import sql


async def test_payment_tips_are_earned_before_and_after_delivery(paying, driver, dispatch):
    early, late = await paying.place_delivery(tip_amount=1), await paying.place_assigned(driver)
    # It arrives, and is paid at the store afterwards.
    assert (await driver.set_status(late["id"], "delivered", cash_collected=0)).status == 200
    pay = {"method": "cash", "tip": 1.5}
    assert (await paying.send("POST", f"/orders/{early['id']}/payments", {**pay, "amount": 11})).status == 201
    await paying.assign(early, driver.id)
    await driver.set_status(early["id"], "delivered")
    assert (await paying.send("POST", f"/orders/{late['id']}/payments", {**pay, "amount": 10})).status == 201
    takeaway = await paying.order(line(paying.pizza))
    assert (await paying.send("POST", f"/orders/{takeaway['id']}/payments", {**pay, "amount": 10})).status == 201
    await dispatch()

    found = await driver.get_earnings()

    assert (found["tips"], {item["order_id"]: item["tip"] for item in found["items"]}) == (
        4, {early["id"]: 2.5, late["id"]: 1.5},
    )  # fmt: skip
    assert await sql.fetch_value("SELECT count(*) FROM drivers_tip WHERE owner_id = $1", paying.owner.id) == 2
