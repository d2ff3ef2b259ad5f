"""Validation of login bodies."""


async def test_pin_login_requires_device_and_accepts_number(create_member):
    person = await create_member(pin="7391")

    assert list((await person.log_in_by_pin(device=" ")).errors) == ["device"]
    assert list((await person.log_in_by_pin(device="a" * 101)).errors) == ["device"]
    assert (await person.log_in_by_pin(pin=7391)).status == 200
