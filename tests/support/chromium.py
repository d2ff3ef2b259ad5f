"""The Chromium of this pytest worker, which all tests of pages share.

A test opens a context of its own, which has no cookies and no storage of another.

What a page is waited for is waited for as long as a busy machine may take. Nothing moves on pages, unless a test asks
for motion: a browser draws every frame of it, and waits for what moves before it clicks it. Pages have no service
workers unless a test asks for them: one loads each file of its page a second time.
"""

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
TIMEOUT_MS = 120_000
# The first draws pages without the windows around them, which takes a quarter less of the processors.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
LAUNCHER = Path(__file__).with_name("chromium.sh")
# Without these each window loads the pages of an address bar that nobody sees, and each page starts a process for the
# next one: two thirds of what an empty page costs.
DISABLED_FEATURES = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "PreloadTopChromeWebUI",
    "SpareRendererForSitePerProcess",
)
ARGUMENTS = (
    "--no-sandbox",
    "--in-process-gpu",
    "--process-per-site",
    f"--disable-features={','.join(DISABLED_FEATURES)}",
)
# Of every context that is opened in the browser.
OPTIONS: dict[str, Any] = {"reduced_motion": "reduce", "service_workers": "block"}


def _set_defaults(browser: sync_api.Browser) -> None:
    """Set the timeouts and the options of every context that is opened in a browser."""

    def with_defaults(open_in_browser: Callable[..., Any]) -> Callable[..., Any]:
        def open_with_defaults(**options: Any) -> Any:
            opened = open_in_browser(**OPTIONS | options)
            opened.set_default_timeout(TIMEOUT_MS)
            return opened

        return open_with_defaults

    for name in ("new_context", "new_page"):
        setattr(browser, name, with_defaults(getattr(browser, name)))


def hold(page: sync_api.Page, address: str, times: int | None = 1) -> list[sync_api.Route]:
    """Hold the next requests to an address, or all; return the list in which their routes will be."""
    held: list[sync_api.Route] = []

    def keep(route: sync_api.Route) -> None:
        held.append(route)

    page.route(address, keep, times=times)
    return held


class SharedBrowser:
    """A Chromium that is lent to one module of tests after the other."""

    def __init__(self, browser: sync_api.Browser) -> None:
        self._browser = browser
        self._loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)

    @contextmanager
    def lend(self) -> Iterator[sync_api.Browser]:
        """Lend the browser; contexts that are open at the end are closed.

        Meanwhile the event loop of Playwright is the running one, so that other loops cannot run in this thread.
        """
        asyncio._set_running_loop(self._loop)
        try:
            yield self._browser
            for context in self._browser.contexts:
                context.close()
        finally:
            asyncio._set_running_loop(None)

    def close(self) -> None:
        """Close the browser, and leave its event loop the running one, in which Playwright stops."""
        asyncio._set_running_loop(self._loop)
        self._browser.close()


@contextmanager
def launch_chromium() -> Iterator[SharedBrowser]:
    """Launch Chromium, or skip the tests if none is installed."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=LAUNCHER, args=ARGUMENTS, env={**os.environ, "CHROMIUM": CHROMIUM}
        )
        _set_defaults(browser)
        expect.set_options(timeout=TIMEOUT_MS)
        shared = SharedBrowser(browser)
        yield shared
        shared.close()
