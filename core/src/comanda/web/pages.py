"""Pages that plugins declare: mounting, security headers and error pages."""

from http import HTTPStatus

import structlog
from flask.templating import _default_template_ctx_processor
from quart import Response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError

from comanda.contracts.registry import Registry
from comanda.platform import runtime
from comanda.platform.http.answers import to_public_error
from comanda.web import page_checks
from comanda.web.application import PageApplication
from comanda.web.languages.sentences import translate_sentence
from comanda.web.languages.translations import N_
from comanda.web.static_files.compression import compress_static_file
from comanda.web.static_files.static_answers import StaticAnswers
from comanda.web.static_files.static_versions import add_static_versions
from comanda.web.store_guests import GuestStore, get_public_store

log = structlog.get_logger(__name__)

# By default a page may only load files from its own host.
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)

# Messages for visitors.
ERROR_TEXTS = {
    404: (
        N_("Page not found"),
        N_("This page does not exist or has been removed. Check the address, or ask for a new link."),
    ),
    500: (
        N_("Something went wrong"),
        N_("This was our mistake, and it has been logged. Please try again in a moment."),
    ),
    503: (N_("Temporarily unavailable"), N_("The service is not available right now. Please try again in a moment.")),
}


def mount_pages(app: PageApplication, registry: Registry, *, is_development: bool = False) -> StaticAnswers:
    """Add pages to the application, and return the answers with their static files.

    In development, files that change are served anew. Raises ``StartupError`` if two plugins answer one address, or if
    a plugin changes more than its own pages.
    """
    app.plugins = page_checks.list_plugins(registry)
    for declared in registry.pages:
        page_checks.register_blueprint(app, app.plugins[declared.blueprint.name], declared)
    page_checks.check_addresses(app, registry)
    # Each blueprint brings this of Flask, which would run in a thread for each page, and does what Quart's own does.
    for processors in app.template_context_processors.values():
        processors[:] = [each for each in processors if each is not _default_template_ctx_processor]
    answers = StaticAnswers(add_static_versions(app, is_watched=is_development))
    app.after_request(_set_headers)
    app.after_request(compress_static_file)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.register_error_handler(Exception, _handle_error)
    return answers


async def _find_store(path: str) -> GuestStore | None:
    """Return the public store whose pages a path is below, or None."""
    before = runtime.registry().store_path("")
    if before == "/" or not path.startswith(before):
        return None
    try:
        return await get_public_store(path.removeprefix(before).partition("/")[0])
    except Exception:
        return None  # an error page must not fail


async def _set_headers(response: Response) -> Response:
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers.setdefault("X-Frame-Options", "DENY")
    response.headers.setdefault("Content-Security-Policy", _get_security_policy())
    return response


def _get_security_policy() -> str:
    """Return the policy with the host of the site, which has the photos, and that of map tiles, if there are some.

    A page may be read at another: that of a store, or 127.0.0.1 instead of localhost.
    """
    settings = runtime.settings()
    hosts = [settings.site_url, settings.map_tiles_url or ""]
    images = " ".join(["data:", *("/".join(url.split("/", 3)[:3]) for url in hosts if url)])
    return CONTENT_SECURITY_POLICY.replace("data:", images)


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
    # A database that is away is not asked once more.
    store = await _find_store(request.path) if status < 500 else None
    page = await render_template("comanda/problem.html", name=name, sentence=translate_sentence(sentence), store=store)
    return Response(page, status=status, headers={"Cache-Control": "no-store"})
