"""Setup, passkeys and two-factor in a real Chromium, with a virtual authenticator."""

import re
import shutil

import pyotp
import pytest
from comanda.devkit.testing import Installation, create_migrated_data_folder, find_free_port, processes

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

EMAIL, PASSWORD = "ada@example.com", "a long phrase of one's own"
expect = sync_api.expect
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
LINK_SCRIPT = """
from comanda.cli.session import call
from comanda.stores.setup import create_setup_link
print(call(create_setup_link))
"""


@pytest.fixture(scope="module")
def site():
    """Run an empty installation, and return its address and the path of a setup link."""
    data = create_migrated_data_folder()
    # Browsers allow passkeys on localhost without https, and on no address in numbers.
    port = find_free_port()
    public_url = f"http://localhost:{port}"
    installation = Installation(data, {"COMANDA_LOG_LEVEL": "warning", "COMANDA_PUBLIC_URL": public_url})
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(processes, "find_free_port", lambda: port)
    with installation.running("serve"):
        yield public_url, installation.run_program(LINK_SCRIPT).strip().removeprefix(public_url)
        monkeypatch.undo()
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="module")
def context(browser):
    return browser.new_context()


@pytest.fixture
def page(context):
    """A page with a virtual authenticator; scripts must not fail."""
    page = context.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    session = context.new_cdp_session(page)
    session.send("WebAuthn.enable", {"enableUI": False})
    session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    # This authenticator would answer the offer beside the e-mail field at once, before anything is clicked.
    page.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
    yield page
    assert wrong == []


def test_first_owner_sets_up_and_signs_in_with_passkey_and_code(page, site):
    url, setup_path = site
    page.goto(url + setup_path)
    for label, text in (("Your name", "Ada"), ("E-mail", EMAIL), ("Name of the store", "Chez Ada")):
        page.get_by_label(label).fill(text)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Time zone").select_option("Europe/Lisbon")
    page.get_by_role("button", name="Create account and store").click()
    expect(page).to_have_url(re.compile(f"{url}/dashboard"))

    page.goto(f"{url}/account/security")
    page.get_by_label("Name of the new passkey").fill("Ada's laptop")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("status")).to_contain_text("The passkey is added.")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Ada's laptop")

    page.get_by_role("link", name="Turn on two-factor").click()
    secret = page.locator("code").inner_text()
    page.get_by_label("six digits").fill(pyotp.TOTP(secret).now())
    page.get_by_role("button", name="Turn on two-factor").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    recovery_code = page.locator("pre").inner_text().split()[0]

    page.goto(f"{url}/account/security")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("E-mail").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_label("Code").fill(recovery_code)
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_url(re.compile(f"{url}/dashboard"))

    page.goto(f"{url}/account/security")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page).to_have_url(re.compile(f"{url}/dashboard"))
