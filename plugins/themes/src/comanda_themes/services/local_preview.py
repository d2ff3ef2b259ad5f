"""The local preview of a theme's author: a store's pages, fetched from where Comanda runs, reloaded at each change.

The browser asks this server alone, which passes requests on with the token of the latest preview. Pages can be looked
at; nothing is ordered.
"""

import html
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import Message
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode

from comanda_themes.client import send_request

ADDRESS: Final = "127.0.0.1"
OWN_PATH: Final = "/-preview"
TIMEOUT_SECONDS: Final = 30
MAX_ANSWER_BYTES: Final = 20_000_000
STORE_PAGES: Final = "/s/"
PASSED_HEADERS: Final = ("Content-Type", "Content-Security-Policy", "Content-Language", "Location")
SENT_HEADERS: Final = ("Accept", "Accept-Language", "Cookie")
RELOAD_SCRIPT: Final = """
let seen = null;
async function ask() {
  try {
    const { revision } = await (await fetch("/-preview/state", { cache: "no-store" })).json();
    if (seen !== null && revision !== seen) location.reload();
    seen = revision;
  } catch {
    // The command was stopped, or is being started again.
  }
  setTimeout(ask, 700);
}
ask();
"""
SCRIPT_TAG: Final = f'<script type="module" src="{OWN_PATH}/reload.js"></script>'
PROBLEM_PAGE: Final = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
    "<body><h1>{title}</h1><ul>{items}</ul>{script}</body></html>"
)


@dataclass(slots=True)
class PreviewState:
    """What the server shows: the preview with ``token``, or the sentences that keep the theme from being shown.

    Each change of the theme has another ``revision``.
    """

    token: str | None = None
    problems: Sequence[str] = ()
    revision: int = 0

    def show(self, token: str) -> None:
        """Show a preview from now on."""
        self.token, self.problems, self.revision = token, (), self.revision + 1

    def show_problems(self, problems: Sequence[str]) -> None:
        """Show why there is no preview of the theme as it is now."""
        self.problems, self.revision = problems, self.revision + 1


class PreviewServer(ThreadingHTTPServer):
    """Serves the preview at a port of this machine, to this machine alone, in threads of its own."""

    daemon_threads = True

    def __init__(self, origin: str, port: int) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.origin = origin.rstrip("/")
        self.state = PreviewState()

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://{ADDRESS}:{self.server_address[1]}"

    def start(self) -> None:
        """Answer requests until ``shutdown``."""
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    server: PreviewServer

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == f"{OWN_PATH}/state":
            self._answer(
                HTTPStatus.OK, json.dumps({"revision": self.server.state.revision}).encode(), "application/json"
            )
        elif path == f"{OWN_PATH}/reload.js":
            self._answer(HTTPStatus.OK, RELOAD_SCRIPT.encode(), "text/javascript")
        elif path.startswith(STORE_PAGES) and self.server.state.problems:
            self._answer_problems("This theme has errors", self.server.state.problems)
        else:
            self._pass_on()

    def log_message(self, *_args: object) -> None:
        """Log nothing: the command tells what changes."""

    def _pass_on(self) -> None:
        path, _, query = self.path.partition("?")
        if path.startswith(STORE_PAGES) and self.server.state.token:
            query = "&".join(filter(None, [query, urlencode({"preview": self.server.state.token})]))
        headers = {name: value for name in SENT_HEADERS if (value := self.headers.get(name))}
        address = f"{self.server.origin}{path}{'?' if query else ''}{query}"
        found: Message[str, str]
        try:
            with send_request(address, headers, timeout_seconds=TIMEOUT_SECONDS) as answer:
                status, found, content = answer.status, answer.headers, answer.read(MAX_ANSWER_BYTES)
        except HTTPError as error:
            with error:
                status, found, content = error.code, error.headers, error.read(MAX_ANSWER_BYTES)
        except (URLError, TimeoutError, OSError) as error:
            self._answer_problems("Comanda cannot be reached", [f"{self.server.origin}: {error}"])
            return
        passed = {name: value for name in PASSED_HEADERS if (value := found.get(name))}
        if passed.get("Content-Type", "").startswith("text/html"):
            # Addresses of the installation, such as those of photos, lead through this server as well.
            content = content.replace(self.server.origin.encode(), b"")
            start, end, rest = content.rpartition(b"</body>")
            content = start + SCRIPT_TAG.encode() + end + rest if end else content
        self._answer(status, content, passed.pop("Content-Type", "application/octet-stream"), passed)

    def _answer_problems(self, title: str, problems: Sequence[str]) -> None:
        items = "".join(f"<li>{html.escape(each)}</li>" for each in problems)
        page = PROBLEM_PAGE.format(title=html.escape(title), items=items, script=SCRIPT_TAG)
        self._answer(HTTPStatus.OK, page.encode(), "text/html; charset=utf-8")

    def _answer(self, status: int, content: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Cache-Control": "no-store", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
