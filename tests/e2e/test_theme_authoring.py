"""A theme's author on their own machine: pull, check, look at it, and push."""

import re
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS, find_free_port, open_store, wait_for

HERO = "sections/hero.liquid"


class Author:
    """Someone with a folder, and a token of the store's owner."""

    def __init__(self, store, folder, installation):
        self.store, self.folder, self.installation = store, folder, installation

    def _options(self, token=None):
        place = ("--store", str(self.store.id), "--url", self.store.url())
        return (*place, "--token", token or self.store.token)

    def run(self, command, *options, folder=None, token=None):
        return self.installation.run("themes", command, str(folder or self.folder), *self._options(token), *options)

    def start_dev(self, port):
        return self.installation.starting("themes", "dev", str(self.folder), *self._options(), "--port", str(port))

    def edit(self, path, old, new):
        file = self.folder / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))


@pytest.fixture(scope="session")
def store(installation, server):
    return open_store(installation, lambda: server.url, "Authored")


@pytest.fixture
def author(installation, store, tmp_path):
    name = f"Theme {tmp_path.name}"
    assert store.send("POST", "/themes", {"name": name})[0] == 201
    made = Author(store, tmp_path / "theme", installation)
    made.theme = next(each["id"] for each in store.send("GET", "/themes")[1] if each["name"] == name)
    pulled = made.run("pull", "--theme", str(made.theme))
    assert pulled.returncode == 0, pulled.stderr
    return made


def read(url):
    try:
        with urlopen(url, timeout=MAX_WAIT_SECONDS) as answer:
            return answer.read().decode()
    except HTTPError as error:
        with error:
            return error.read().decode()


def wait_for_text(url, text):
    """Wait until a page has a text, and return the page."""

    def find():
        page = read(url)
        assert text in page, page[-2000:]
        return page

    return wait_for(find, f"{text} at {url}")


def list_files(folder):
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def test_what_was_pushed_is_pulled_again(author, tmp_path):
    author.edit(HERO, 'class="hero-text"', 'class="hero-text pushed"')

    pushed = author.run("push", "--theme", str(author.theme), "--note", "Mine")
    assert (pushed.returncode, "Version 2 of theme" in pushed.stdout) == (0, True), pushed.stderr
    again = author.run("pull", "--theme", str(author.theme), folder=tmp_path / "again")

    assert again.returncode == 0, again.stderr
    assert list_files(tmp_path / "again") == list_files(author.folder)
    versions = author.store.send("GET", f"/themes/{author.theme}/versions")[1]
    assert next((each["number"], each["note"]) for each in versions) == (2, "Mine")


def test_theme_with_errors_is_refused_with_file_and_line(author):
    author.edit(HERO, "<h1", "\n{{ store.nothing }}<h1")

    pushed = author.run("push", "--theme", str(author.theme))

    assert pushed.returncode == 1
    assert re.search(rf"^{HERO}:\d+: error unknown_property: ", pushed.stdout, re.MULTILINE)
    assert len(author.store.send("GET", f"/themes/{author.theme}/versions")[1]) == 1


def test_wrong_token_store_and_address_are_said(author):
    for options, sentence in (
        ({"token": "own_wrong"}, "token"),
        ({"token": author.store.token[:-1] + "x"}, "token"),
    ):
        refused = author.run("push", "--theme", str(author.theme), **options)
        assert refused.returncode == 1
        assert sentence in refused.stderr
        assert "Traceback" not in refused.stderr
    unknown = author.run("push", "--theme", "999999")
    assert (unknown.returncode, "Choose a theme" in unknown.stderr) == (1, True)


def test_preview_shows_each_change_and_guests_see_none(author):
    port = find_free_port()
    page, guests = f"http://127.0.0.1:{port}/s/authored", f"{author.store.url()}/s/authored"
    with author.start_dev(port) as dev:
        wait_for(lambda: dev.printed().count("\n") >= 2, "the preview's start", show=dev.printed)
        assert page in dev.printed()
        first = wait_for_text(page, 'src="/-preview/reload.js"')
        state = read(f"http://127.0.0.1:{port}/-preview/state")
        author.edit(HERO, 'class="hero-text"', 'class="hero-text changed"')
        wait_for_text(page, "hero-text changed")
        assert read(f"http://127.0.0.1:{port}/-preview/state") != state

        # Errors are shown in place of the page, until they are mended.
        author.edit(HERO, "<h1", "{{ store.nothing }}<h1")
        wait_for_text(page, f"{HERO}:")
        author.edit(HERO, "{{ store.nothing }}<h1", "<h1")
        wait_for_text(page, "hero-text changed")

        assert "hero-text changed" not in first
        assert "hero-text changed" not in read(guests)
        assert "reload.js" not in read(guests)
        assert "Page not found" in read(f"http://127.0.0.1:{port}/s/nowhere")


def test_port_that_is_taken_is_said(author):
    port = author.store.url().rsplit(":", 1)[1]

    ended = author.run("dev", "--port", port)

    assert ended.returncode == 1
    assert f"Port {port} cannot be used" in ended.stderr
    assert "Traceback" not in ended.stderr
