"""The example of an embedded app in a real Chromium: session token, messages, and what its frame may not do."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from comanda.devkit.testing import (
    Installation,
    create_migrated_data_folder,
    find_free_port,
    open_store,
    processes,
    send_request,
    wait_for,
)

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

EXAMPLE = Path(__file__).parents[2] / "examples/embedded_app/app.py"
PASSWORD = "a long phrase of one's own"
expect = sync_api.expect
# The owner's consent, without a client that asks for it.
INSTALL_SCRIPT = """
import json, sys
from comanda.accounts.owner_login import set_owner_password
from comanda.accounts.services import find_owner
from comanda.cli.session import call
from comanda.platform.db import sql
from comanda_oauth import api as oauth

async def work():
    owner = await find_owner("live@example.com")
    await set_owner_password(owner.id, sys.argv[2])
    client = await sql.fetch_value("SELECT client_row_id FROM marketplace_app WHERE id = $1", int(sys.argv[1]))
    made = await oauth.install(owner.id, client, ["menu:read"], actor="test")
    return {"owner_id": owner.id, "installation_id": made.id}

print(json.dumps(call(work)))
"""


@pytest.fixture(scope="module")
def embedded():
    """Run Comanda with an installed app, and the app."""
    data = create_migrated_data_folder()
    installation = Installation(data, {"COMANDA_LOG_LEVEL": "warning", "COMANDA_DEVELOPMENT": "1"})
    port, host_port = find_free_port(), find_free_port()
    monkeypatch = pytest.MonkeyPatch()
    # The issuer of session tokens is the public address, which is known before the server runs only so.
    monkeypatch.setattr(processes, "find_free_port", lambda: host_port)
    with installation.running("serve", COMANDA_PUBLIC_URL=f"http://127.0.0.1:{host_port}") as running:
        store = open_store(installation, lambda: running.url)
        body = {
            "name": "Embedded", "scopes": ["menu:read"], "redirect_uris": [f"http://127.0.0.1:{port}/callback"],
            "embed_url": f"http://127.0.0.1:{port}/",
        }  # fmt: skip
        status, app = send_request("POST", f"{running.url}/api/v1/developer/apps", store.token, body)
        assert status == 201, app
        installed = json.loads(installation.run_program(INSTALL_SCRIPT, app["id"], PASSWORD))
        keys = {"COMANDA_URL": running.url, "CLIENT_ID": app["client_id"], "CLIENT_SECRET": app["client_secret"]}
        backend = subprocess.Popen([sys.executable, str(EXAMPLE), str(port)], env={**os.environ, **keys})
        try:
            wait_for(lambda: send_request("GET", f"http://127.0.0.1:{port}/whoami", "")[0], "the app's first answer")
            yield {"url": running.url, "app": app, "port": port, **installed}
        finally:
            monkeypatch.undo()
            backend.terminate()
            backend.wait()
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="module")
def signed_in_page(browser, embedded):
    """The app's page, to which its owner has signed in."""
    page = browser.new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.goto(f"{embedded['url']}/apps/{embedded['app']['id']}/embed")
    page.get_by_label("E-mail").fill("live@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Embedded")).to_be_visible()
    return page


@pytest.fixture
def page(signed_in_page, embedded):
    """Open the app's page anew; scripts must not fail."""
    signed_in_page.goto(f"{embedded['url']}/apps/{embedded['app']['id']}/embed")
    yield signed_in_page
    wrong = signed_in_page.wrong.copy()
    signed_in_page.wrong.clear()
    assert wrong == []


def test_app_learns_who_its_owner_is_by_a_session_token(page, embedded):
    who = page.frame_locator("#app").locator("#who")

    expect(who).to_have_text(f"You are owner {embedded['owner_id']}, installation {embedded['installation_id']}.")
    assert page.url.endswith(f"/apps/{embedded['app']['id']}/embed")
    assert page.locator("#app").get_attribute("src") == f"http://127.0.0.1:{embedded['port']}/"


def test_app_shows_a_message_grows_and_navigates(page):
    frame = page.frame_locator("#app")

    frame.locator("#toast").click()
    expect(page.locator("#toasts p")).to_have_text("Saved <b>it</b>")
    frame.locator("#grow").click()
    expect(page.locator("#app")).to_have_css("height", "1234px")
    frame.locator("#leave").click()

    expect(page).to_have_url(re.compile(r"/docs/guide/$"))


def test_messages_of_other_windows_and_addresses_of_other_hosts_do_nothing(page):
    frame = page.frame_locator("#app")
    expect(frame.locator("#who")).to_contain_text("You are owner")

    # This page itself has neither the origin nor the window of the frame.
    page.evaluate("window.postMessage({type: 'toast', message: 'Forged'}, '*')")
    app_frame = next(one for one in page.frames if one != page.main_frame)
    for path in ("//evil.example/", "https://evil.example/", "javascript:alert(1)", "\\\\evil.example", 5):
        app_frame.evaluate("path => parent.postMessage({type: 'navigate', path}, '*')", path)
    app_frame.evaluate("parent.postMessage({type: 'constructor'}, '*')")
    app_frame.evaluate("parent.postMessage(null, '*')")
    frame.locator("#toast").click()

    expect(page.locator("#toasts p")).to_have_text(["Saved <b>it</b>"])
    assert page.url.endswith("/embed")


def test_frame_of_another_origin_is_blocked(page):
    directive = page.evaluate("""() => new Promise((resolve) => {
        const tell = (event) => resolve(event.effectiveDirective);
        document.addEventListener("securitypolicyviolation", tell, {once: true});
        document.getElementById("app").src = "http://localhost:1/";
    })""")

    assert directive == "frame-src"
    assert not [frame for frame in page.frames if frame.url.startswith("http://localhost:1")]


def test_app_refuses_forged_tokens(embedded):
    for token in ("", "a.b.c", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."):
        status, _ = send_request("GET", f"http://127.0.0.1:{embedded['port']}/whoami", token)
        assert status == 401
