"""An owner arranges a theme, looks at it, publishes it and takes it back; guests see what is published."""

import re
from uuid import uuid4

import pytest
from comanda.devkit.testing import wait_for

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")

expect = sync_api.expect
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
LOOKS = ((PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark"))
HEADING = "Bom dia & <b>bem-vindos</b>"
PASSWORD = "correct horse battery"

OPEN_STORE = """
import sys
from comanda.accounts.owner_login import set_owner_password
from comanda.accounts.services import create_owner
from comanda.cli.session import call
from comanda.stores.services import create_store

async def work():
    owner = await create_owner(sys.argv[1], "Alba")
    await set_owner_password(owner.id, sys.argv[2])
    await create_store(owner.id, "Arranged", "restaurant", slug=sys.argv[3])

call(work)
"""


@pytest.fixture(scope="module")
def slug(installation):
    """Create an owner with a password and a store; return the slug of the store."""
    slug = f"arranged-{uuid4().hex}"
    installation.run_program(OPEN_STORE, f"{slug}@example.com", PASSWORD, slug)
    return slug


@pytest.fixture(scope="module")
def owner(server, slug, browser):
    """The page of an owner who has signed in, the address of whose store in the dashboard is ``owner.store``."""
    page = browser.new_page(viewport=DESK)
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{server.url}/sign-in")
    page.get_by_label("E-mail").fill(f"{slug}@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/dashboard/stores/*")
    page.store = page.url
    yield page
    assert problems == []


@pytest.fixture(scope="module")
def theme(owner):
    """The address of a new theme."""
    owner.goto(f"{owner.store}/themes")
    owner.locator("#copy-name").fill("Winter")
    owner.get_by_role("button", name="Create theme").click()
    owner.get_by_role("main").get_by_role("link", name="Customize").first.click()
    owner.wait_for_url("**/editor")
    return owner.url.partition("/editor")[0]


@pytest.fixture
def editor(owner, theme):
    """The editor of the theme, whose preview is shown."""
    owner.goto(f"{theme}/editor")
    expect(owner.locator("[data-frame]")).to_have_attribute("aria-busy", "false")
    return owner


@pytest.fixture
def read_as_guest(server, slug, browser):
    def read():
        page = browser.new_page(viewport=PHONE)
        page.goto(f"{server.url}/s/{slug}")
        text = page.locator("main").inner_text()
        page.close()
        return text

    return read


def wait_until_saved(page):
    expect(page.locator("[data-status]")).to_have_text("Unpublished changes")
    expect(page.locator("[data-frame]")).to_have_attribute("aria-busy", "false")


def press_and_confirm(page, button):
    button.click()
    page.locator("#question[open] [data-confirm]").click()


def test_theme_is_arranged_previewed_published_and_rolled_back(editor, theme, read_as_guest):
    frame = editor.frame_locator("[data-preview]")
    rows = editor.locator("[data-places] [data-row]")
    before = rows.evaluate_all("rows => rows.map(row => row.dataset.row)")

    # A setting is changed and seen in the preview; guests see nothing of it.
    rows.first.locator(".name").click()
    editor.get_by_label("Heading").fill(HEADING)
    wait_until_saved(editor)
    expect(frame.get_by_role("heading", level=1)).to_have_text(HEADING)
    assert HEADING not in read_as_guest()

    # A section is moved by the keyboard, which keeps the focus.
    down = rows.first.get_by_role("button", name=re.compile("^Move .* down$"))
    down.focus()
    editor.keyboard.press("Enter")
    wait_until_saved(editor)
    after = rows.evaluate_all("rows => rows.map(row => row.dataset.row)")
    assert after[:2] == [before[1], before[0]]
    assert editor.evaluate("document.activeElement.closest('[data-row]').dataset.row") == before[0]

    # A reload keeps the draft.
    editor.reload()
    expect(editor.locator("[data-frame]")).to_have_attribute("aria-busy", "false")
    assert rows.evaluate_all("rows => rows.map(row => row.dataset.row)") == after
    expect(frame.get_by_role("heading", level=1)).to_have_text(HEADING)

    press_and_confirm(editor, editor.get_by_role("button", name="Publish", exact=True))
    # The page is idle before a form is sent, too, so what it has changed is waited for.
    wait_for(lambda: HEADING in read_as_guest(), "the published theme")

    editor.goto(theme)
    press_and_confirm(editor, editor.get_by_role("main").get_by_role("button", name="Publish", exact=True).last)
    wait_for(lambda: HEADING not in read_as_guest(), "the theme before")
    editor.goto(theme)
    press_and_confirm(editor, editor.get_by_role("main").get_by_role("button", name="Roll back to it").first)
    wait_for(lambda: HEADING in read_as_guest(), "the published theme")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_editor_has_no_grave_fault_and_fits_the_screen(owner, theme, language):
    owner.set_extra_http_headers({"Accept-Language": language})
    try:
        for path in (f"{owner.store}/themes", theme, f"{theme}/editor"):
            owner.goto(path)
            assert owner.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
            if path.endswith("/editor"):
                expect(owner.locator("[data-frame]")).to_have_attribute("aria-busy", "false")
                owner.locator("[data-places] [data-row] .name").first.click()
            assert [
                (path, width, scheme, each["id"], node["target"])
                for width, scheme, each in axe_rules.find_violations_in_looks(owner, LOOKS)
                for node in each["nodes"]
            ] == []
    finally:
        owner.set_extra_http_headers({})
        owner.set_viewport_size(DESK)
        owner.emulate_media(color_scheme="light")
