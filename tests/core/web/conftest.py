"""A browser, and an owner who signs in with a password."""

import pyotp
import pytest
from comanda.accounts import owner_login
from comanda.platform.db import sql
from sign_in_browser import KEY, PASSWORD, RECOVERY, SECURITY, Browser, read_text


@pytest.fixture(autouse=True)
async def fresh_network(app):
    """Forget the attempts of other tests, which come from the same network."""
    await sql.execute("DELETE FROM core_login_try WHERE owner_id = 0")


@pytest.fixture
async def person(owner):
    await owner_login.set_owner_password(owner.id, PASSWORD)
    return owner


@pytest.fixture
def browser(app):
    return Browser(app)


@pytest.fixture
async def signed_in(browser, person):
    """The browser, signed in as the owner."""
    assert (await browser.sign_in(person.email)).status_code == 303
    return browser


@pytest.fixture
def fields_of_code(clock):
    """Return the code of a secret now."""
    return lambda secret: pyotp.TOTP(secret).at(clock())


@pytest.fixture
async def guarded(signed_in, clock, fields_of_code):
    """The browser of an owner who has turned two-factor on, with its secret and recovery codes."""
    text = await signed_in.get_text(f"{SECURITY}/two-factor")
    secret = KEY.search(text)[1]
    response = await signed_in.send_form(f"{SECURITY}/two-factor", {"code": fields_of_code(secret)})
    codes = RECOVERY.findall(await read_text(response))
    assert (response.status_code, len(codes)) == (200, 10)
    clock.advance(seconds=60)
    return signed_in, secret, codes
