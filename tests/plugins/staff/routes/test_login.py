"""Login routes."""

from datetime import datetime, timedelta


async def test_password_login_lasts_30_days_after_last_use(create_member, clock):
    person = await create_member("cashier")

    entered = await person.log_in(email=person.email.upper())

    assert entered.status == 200
    assert entered["staff"] == {
        "id": person.id, "name": entered["staff"]["name"], "role": "cashier",
        "permissions": ["orders", "coupons", "customers"],
    }  # fmt: skip
    assert datetime.fromisoformat(entered["expires_at"]) == clock() + timedelta(days=30)
    assert (await person.send("GET", "/me"))["email"] == person.email
    clock.advance(days=29)
    assert (await person.send("GET", "/me")).status == 200
    clock.advance(days=29)
    assert (await person.send("GET", "/me")).status == 200
    clock.advance(days=31)
    assert (await person.send("GET", "/me")).status == 401


async def test_pin_login_lasts_16_hours(create_member, clock):
    person = await create_member("waiter", email=None, password=None, pin="0583")

    entered = await person.log_in_by_pin()

    assert (entered.status, entered["staff"]["id"]) == (200, person.id)
    clock.advance(hours=15, minutes=59)
    assert (await person.send("GET", "/orders")).status == 200
    clock.advance(minutes=2)
    assert (await person.send("GET", "/orders")).status == 401


async def test_one_address_gets_ten_attempts_a_minute(create_member):
    person = await create_member()

    statuses = [(await person.log_in()).status for _ in range(12)]

    assert statuses == [200] * 10 + [429] * 2
