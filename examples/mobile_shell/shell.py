"""The shell: it knows what a path configuration means, and shows pages in a web view."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

from mobile_shell.server import VERSION, AppServer

# Hotwire Native begins the user agent of its web views so; the server binds a handoff to it.
USER_AGENT = f"Comanda/{VERSION} Hotwire Native iOS; Turbo Native iOS; bridge-components: []"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "user_agent": USER_AGENT}


class UpdateRequired(Exception):
    """The app is older than the oldest version that may be used."""


def is_older(version: str, other: str) -> bool:
    """Return whether a version is older than another."""
    one, two = ([int(part) for part in text.split(".")] for text in (version, other))
    length = max(len(one), len(two))
    return one + [0] * (length - len(one)) < two + [0] * (length - len(two))


def merge_properties(rules: Iterable[Any], path: str) -> dict[str, Any]:
    """Return how a path is shown: the properties of all rules that match it, later ones over earlier ones."""
    found: dict[str, Any] = {}
    for rule in rules:
        if any(re.search(pattern, path) for pattern in rule["patterns"]):
            found |= rule["properties"]
    return found


@dataclass(slots=True)
class Shell:
    """An app on a phone. ``visits`` are the paths that were shown, each with its properties."""

    server: AppServer
    browser: Browser
    version: str = VERSION
    visits: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    _context: BrowserContext | None = None
    _page: Page | None = None
    _rules: list[Any] = field(default_factory=list)
    _settings: dict[str, Any] = field(default_factory=dict)

    def start(self) -> None:
        """Read the configuration. Raises ``UpdateRequired`` if the server no longer supports this version."""
        configuration = self.server.fetch_configuration()
        if is_older(self.version, configuration["min_version"]):
            raise UpdateRequired(configuration["store_url"] or "")
        remote = self.server.fetch_path_configuration()
        self._settings, self._rules = remote["settings"], remote["rules"]

    def log_in(self, email: str, password: str, device: str, **hints: Any) -> Any:
        """Log in with the app's own form, sign the web view in, and show the start page."""
        person = self.server.log_in(email, password, device, **hints)
        self.open(self._settings["start_path"])
        return person

    def open(self, path: str) -> Page:
        """Show a page as the person who is logged in, through a handoff."""
        return self._visit(self.server.create_handoff(path, USER_AGENT))

    def tap(self, path: str) -> Page:
        """Show a page that the web view's own session opens, such as behind a link."""
        return self._visit(self.server.url + path)

    def log_out(self) -> None:
        """Log out; the server ends the session of the web view, which the app clears as well."""
        self.server.log_out()

    def close(self) -> None:
        """Close the web view and forget its cookies."""
        if self._context is not None:
            self._context.close()
        self._context = self._page = None

    @property
    def is_signed_out(self) -> bool:
        """Whether the web view shows the sign-in page, where the app shows its own form instead."""
        return self._page is not None and urlsplit(self._page.url).path == self._settings["sign_in_path"]

    def _visit(self, url: str) -> Page:
        if self._page is None:
            self._context = self.browser.new_context(**PHONE)
            self._page = self._context.new_page()
        self._page.goto(url)
        parts = urlsplit(self._page.url)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        self.visits.append((path, merge_properties(self._rules, path)))
        return self._page
