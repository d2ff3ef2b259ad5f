"""Pages that plugins declare: mounting, security headers and error pages."""

from collections import defaultdict
from collections.abc import Sequence
from http import HTTPStatus

import structlog
from quart import Quart, Response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError

from comanda.contracts.pages import Pages
from comanda.contracts.routes import API_PREFIX, Route
from comanda.http.answers import to_public_error
from comanda.startup_errors import DuplicateRegistration, InvalidDeclaration

log = structlog.get_logger(__name__)

# By default a page may only load files from its own host.
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)

# Messages for visitors.
ERROR_TEXTS = {
    404: (
        "Page not found",
        "This page does not exist or has been removed. Check the address, or ask for a new link.",
    ),
    500: ("Something went wrong", "This was our mistake, and it has been logged. Please try again in a moment."),
    503: ("Temporarily unavailable", "The service is not available right now. Please try again in a moment."),
}


def mount_pages(app: Quart, pages: Sequence[Pages], routes: Sequence[Route]) -> None:
    """Add pages to the application. Raises ``StartupError`` if two of them have the same address."""
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
    app.after_request(_set_headers)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.register_error_handler(Exception, _handle_error)


async def _set_headers(response: Response) -> Response:
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers.setdefault("X-Frame-Options", "DENY")
    response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    return response


async def _handle_http_error(error: HTTPException) -> Response:
    known = error if error.code else InternalServerError()
    return await _render_page(known.code or 500, known.name, known.description or "")


async def _handle_error(error: Exception) -> Response:
    """Render an error of the API as a page."""
    known = to_public_error(error)
    if known.status >= 500:
        log.error("page_failed", path=request.path, exc_info=error)
    return await _render_page(known.status, HTTPStatus(known.status).phrase, str(known))


async def _render_page(status: int, name: str, sentence: str) -> Response:
    name, sentence = ERROR_TEXTS.get(status, (name, sentence))
    page = await render_template("comanda/problem.html", name=name, sentence=sentence)
    return Response(page, status=status, headers={"Cache-Control": "no-store"})
