"""The example of a mobile shell, in a real Chromium: login, handover, pages as that person, push device, logout."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

EXAMPLES = Path(__file__).parents[2] / "examples"
PASSWORD = "lemon tart at dawn"
EMAIL = "lopes@example.com"
STAFF_EMAIL = "tiago@example.com"
PUSH_TOKEN = "phone-of-ada"

OPEN_STORE = f"""
import json
from comanda.accounts.owner_login import set_owner_password
from comanda.accounts.services import create_owner
from comanda.cli.session import call
from comanda.contracts.requests.callers import Caller
from comanda.stores.services import create_store
from comanda_staff.schemas.members import MemberBody
from comanda_staff.services.members import create_member

async def work():
    owner = await create_owner("{EMAIL}", "Ada Lopes")
    await set_owner_password(owner.id, "{PASSWORD}")
    store_id = await create_store(owner.id, "Tasca da Ada", "restaurant", slug="tasca")
    caller = Caller("owner", 0, owner.id, None, None, frozenset(["*"]), None)
    body = MemberBody(name="Tiago Pinto", role="waiter", email="{STAFF_EMAIL}", password="{PASSWORD}")
    await create_member(caller, store_id, body)
    return owner.id

print(json.dumps(call(work)))
"""
PUSH = """
import json, sys
from comanda.cli.session import call
from comanda_notifications.api import push

async def work():
    owner_id = int(sys.argv[1])
    return await push(owner_id, "owner", [owner_id], "New order", "Order 12")

print(json.dumps(call(work)))
"""


@pytest.fixture(scope="module")
def shell_module():
    sys.path.insert(0, str(EXAMPLES))
    yield importlib.import_module("mobile_shell.shell")
    sys.path.remove(str(EXAMPLES))


@pytest.fixture(scope="session")
def site(server):
    return server.url.replace("127.0.0.1", "localhost")


@pytest.fixture(scope="session")
def owner_id(installation, site):
    return run_script(installation, OPEN_STORE)


@pytest.fixture
def shell(shell_module, site, owner_id, browser):
    made = shell_module.Shell(importlib.import_module("mobile_shell.server").AppServer(site), browser)
    made.start()
    yield made
    made.close()


def run_script(installation, script, *arguments):
    return json.loads(installation.run_program(script, *arguments))


def test_owner_uses_pages_and_is_gone_after_logout(installation, shell, owner_id, browser):
    person = shell.log_in(EMAIL, PASSWORD, "Ada's phone")

    page = shell._page
    assert shell.visits[-1][0] == "/app/home"
    assert shell.visits[-1][1]["presentation"] == "replace_root"
    sync_api.expect(page.get_by_role("heading", name="Ada Lopes")).to_be_visible()
    page.get_by_role("link", name="Tasca da Ada").click()
    sync_api.expect(page.get_by_role("heading", name="Tasca da Ada")).to_be_visible()
    assert person["stores"][0]["path"] == "/s/tasca"
    shell.tap("/kitchen/")
    assert shell.visits[-1][1]["pull_to_refresh_enabled"] is False
    assert page.evaluate("document.cookie") == ""

    assert shell.server.register_device(PUSH_TOKEN, "pt") == {"registered": True}
    assert run_script(installation, PUSH, owner_id) == 1

    shell.tap("/app/home")
    assert not shell.is_signed_out
    pending = shell.server.create_handoff("/app/home", "another web view")
    shell.log_out()

    shell.tap("/app/home")
    assert shell.is_signed_out
    assert shell.visits[-1][1]["context"] == "modal"
    assert run_script(installation, PUSH, owner_id) == 0
    stranger = browser.new_context(user_agent="another web view").new_page()
    assert stranger.goto(pending).status == 404


def test_staff_see_themselves_and_an_address_works_in_one_web_view(shell, browser, shell_module):
    person = shell.log_in(STAFF_EMAIL, PASSWORD, "Tiago's phone")
    assert (person["user"]["account"], person["user"]["role"]) == ("staff", "waiter")
    sync_api.expect(shell._page.get_by_role("heading", name="Tiago Pinto")).to_be_visible()

    url = shell.server.create_handoff("/app/home", shell_module.USER_AGENT)
    thief = browser.new_context(user_agent="Mozilla/5.0 (X11; Linux x86_64) thief").new_page()
    assert thief.goto(url).status == 404
    shell._visit(url)
    assert shell.visits[-1][0] == "/app/home"
    second = browser.new_context(**shell_module.PHONE).new_page()
    assert second.goto(url).status == 404
    second.goto(f"{shell.server.url}/app/home")
    assert "/sign-in" in second.url


def test_link_of_another_site_signs_nobody_in(shell, browser, shell_module, site):
    """A page of another site that leads to somebody's handoff must not sign its reader in to that account."""
    shell.log_in(EMAIL, PASSWORD, "Ada's phone")
    url = shell.server.create_handoff("/app/home", shell_module.USER_AGENT)
    victim = browser.new_context(**shell_module.PHONE)
    page = victim.new_page()
    # The same server under another name is another site.
    page.goto(site.replace("localhost", "127.0.0.1") + "/docs/guide/")
    page.evaluate("url => { location.href = url }", url)
    page.wait_for_url("**/api/v1/app/handoff/**")

    assert victim.cookies(site) == []
    page.goto(f"{site}/app/home")
    assert "/sign-in" in page.url


def test_wrong_password_and_old_versions_are_refused(shell, shell_module, browser):
    server_module = importlib.import_module("mobile_shell.server")
    with pytest.raises(server_module.Refused) as refused:
        shell.log_in(EMAIL, "wrong password", "phone")
    assert (refused.value.status, refused.value.reason) == (401, "invalid_credentials")

    with pytest.raises(shell_module.UpdateRequired):
        shell_module.Shell(shell.server, browser, version="0.9.9").start()


@pytest.mark.usefixtures("browser")
def test_program_runs(site, owner_id):
    done = subprocess.run(
        [sys.executable, "-m", "mobile_shell", "--url", site, "--email", EMAIL, "--password", PASSWORD],
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "signed out"), done.stdout + done.stderr
