"""Signing in at a provider of OpenID Connect in a real Chromium, through the sign-in page."""

import asyncio
import json
import re
import shutil
import threading

import pytest
from comanda.devkit.testing import Installation, create_migrated_data_folder
from openid_provider import CLIENT_ID, CLIENT_SECRET, OpenIdProvider

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

expect = sync_api.expect
EMAIL = "ada@shops.example"
CREATE_OWNER = f"""
from comanda.accounts import owner_login, services
from comanda.cli.session import call
async def create():
    owner = await services.create_owner("{EMAIL}", "Ada")
    await owner_login.set_owner_password(getattr(owner, "id", owner), "a long phrase of one's own")
call(create)
"""


@pytest.fixture(scope="module")
def provider():
    """Run a provider in a thread of its own."""
    made, loop = OpenIdProvider(), asyncio.new_event_loop()
    is_up, end = threading.Event(), asyncio.Event()

    async def serve():
        async with made.serve():
            is_up.set()
            await end.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert is_up.wait(10)
    yield made
    loop.call_soon_threadsafe(end.set)
    thread.join(10)
    loop.close()


@pytest.fixture(scope="module")
def site(provider):
    """Run an installation with the provider and an owner, and return its address."""
    data = create_migrated_data_folder()
    settings = {
        "code": "works",
        "name": "Works",
        "issuer": provider.issuer,
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "email_domains": ["shops.example"],
    }
    environment = {
        "COMANDA_LOG_LEVEL": "warning",
        "COMANDA_OIDC_PROVIDERS": json.dumps([settings]),
        "COMANDA_OIDC_ALLOWED_NETWORKS": "127.0.0.0/8",
    }
    installation = Installation(data, environment)
    with installation.running("serve") as server:
        installation.run_program(CREATE_OWNER)
        # The provider leads back to this address, where the cookie of the flow has to be.
        yield server.url.replace("127.0.0.1", "localhost")
    shutil.rmtree(data, ignore_errors=True)


def test_owner_signs_in_links_and_unlinks(browser, site, provider):
    page = browser.new_page()
    provider.person = {"sub": "1", "email": "stranger@shops.example", "email_verified": True}
    page.goto(f"{site}/dashboard")
    page.get_by_role("link", name="Sign in with Works").click()
    expect(page.get_by_role("alert")).to_contain_text("No account here uses this address.")

    provider.person = {"sub": "2", "email": EMAIL, "email_verified": True}
    page.goto(f"{site}/account/security")
    page.get_by_role("link", name="Sign in with Works").click()
    expect(page).to_have_url(f"{site}/account/security")

    page.get_by_role("link", name="Manage").click()
    expect(page.get_by_text(EMAIL)).to_be_visible()
    page.get_by_role("button", name="Unlink Works").click()
    expect(page.get_by_role("status")).to_contain_text("The sign-in is unlinked.")

    provider.person = {"sub": "3", "email": "private@shops.example", "email_verified": True}
    page.get_by_role("button", name="Link Works").click()
    expect(page).to_have_url(re.compile("done=linked"))
    expect(page.get_by_text("private@shops.example")).to_be_visible()
