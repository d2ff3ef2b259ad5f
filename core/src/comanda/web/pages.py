"""Pages that a person opens: declared by plugins, drawn with one set of styles."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

import structlog
from quart import Blueprint, Quart, Response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError

from comanda.contracts.routes import API_PREFIX, Route
from comanda.http.answers import to_public_error
from comanda.startup_errors import DuplicateRegistration, InvalidDeclaration

log = structlog.get_logger(__name__)

# What a page may load, unless it says otherwise itself: its own host's files, and nothing that it did not ship.
POLICY = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

# What visitors are told, in their words.
ERROR_TEXTS = {
    404: (
        "There is nothing here",
        "This page does not exist, or no longer does. Check the address, or ask whoever gave it to you for a new one.",
    ),
    500: ("Something went wrong", "That was our mistake, and it has been noted. Please try again in a moment."),
    503: ("Not at the moment", "We cannot answer right now. Please try again in a moment."),
}


@dataclass(frozen=True, slots=True)
class Link:
    """An entry on the start page: a title, the path it leads to, and what a person finds there."""

    title: str
    path: str
    summary: str


@dataclass(frozen=True, slots=True)
class Pages:
    """A Quart blueprint, and the links to it on the start page.

    Its name is the plugin's, so that its templates (in ``templates/<plugin>/``) and its static files (under a
    ``static_url_path`` of its own) are nobody else's. Templates extend ``comanda/base.html``.
    """

    blueprint: Blueprint
    links: tuple[Link, ...] = ()


def mount_pages(app: Quart, pages: Sequence[Pages], routes: Sequence[Route]) -> None:
    """Add pages to the application. Raises ``StartupError`` where two things answer at one address."""
    for declared in pages:
        app.register_blueprint(declared.blueprint)
    taken = {f"{route.method} {route.full_path}": "a declared route" for route in routes if "{" not in route.full_path}
    endpoints: defaultdict[str, list[str]] = defaultdict(list)
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith(API_PREFIX):
            raise InvalidDeclaration(f"The page {rule.endpoint} answers at {rule.rule}, under the API's prefix.")
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            address = f"{method} {rule.rule}"
            endpoints[address].append(rule.endpoint)
            if address in taken or len(endpoints[address]) > 1:
                other = taken.get(address) or f"the page {endpoints[address][0]}"
                raise DuplicateRegistration(f"The page {rule.endpoint} and {other} both answer {address}.")
    app.after_request(_headers)
    app.register_error_handler(HTTPException, _problem)
    app.register_error_handler(Exception, _trouble)


async def _headers(response: Response) -> Response:
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers.setdefault("X-Frame-Options", "DENY")
    response.headers.setdefault("Content-Security-Policy", POLICY)
    return response


async def _problem(error: HTTPException) -> Response:
    known = error if error.code else InternalServerError()
    return await _page(known.code or 500, known.name, known.description or "")


async def _trouble(error: Exception) -> Response:
    """Tell of an error as the API tells of it, on a page."""
    known = to_public_error(error)
    if known.status >= 500:
        log.error("page_failed", path=request.path, exc_info=error)
    return await _page(known.status, HTTPStatus(known.status).phrase, str(known))


async def _page(status: int, name: str, sentence: str) -> Response:
    name, sentence = ERROR_TEXTS.get(status, (name, sentence))
    page = await render_template("comanda/problem.html", name=name, sentence=sentence)
    return Response(page, status=status, headers={"Cache-Control": "no-store"})
