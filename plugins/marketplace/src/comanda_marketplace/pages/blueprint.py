"""The page of an app that is embedded in Comanda, and the session tokens that its script fetches."""

from typing import Any, Final

from comanda.contracts import DocumentedPage, Pages
from comanda.web import PRIVATE_HEADERS, check_csrf, require_session
from quart import Blueprint, Response, jsonify, render_template

from comanda_marketplace.services.installations import embedded_pages, session_tokens
from comanda_marketplace.services.installations.embedded_pages import EmbeddedApp

blueprint = Blueprint(
    "marketplace", __name__, template_folder="templates", static_folder="static", static_url_path="/marketplace/static"
)

pages = Pages(
    blueprint,
    documented=(DocumentedPage("/apps/{appId}/embed", "App marketplace", "Show an installed app in its frame."),),
)

# Without allow-top-navigation, the app cannot lead the browser elsewhere; with allow-same-origin it keeps its own
# origin, which is never that of this host.
SANDBOX: Final = "allow-scripts allow-forms allow-same-origin allow-popups"


@blueprint.get("/apps/<int:app_id>/embed")
async def show_app(app_id: int) -> Response:
    """Return the page of an installed app; its frame can be of the app's origin alone."""
    session = await require_session()
    embedded_pages.check_scopes(may_read=session.caller.may(embedded_pages.READ_SCOPE))
    app = await embedded_pages.get_embedded_app(session.owner_id, app_id)
    page = await render_template("marketplace/embed.html", app=app, sandbox=SANDBOX, csrf_token=session.csrf_token)
    return Response(page, headers={**PRIVATE_HEADERS, "Content-Security-Policy": _get_policy(app)})


@blueprint.post("/apps/<int:app_id>/embed/session-token")
async def create_session_token(app_id: int) -> tuple[Response, dict[str, str]]:
    """Return a session token for the page's script, which hands it to the app."""
    session = await require_session()
    await check_csrf(session)
    embedded_pages.check_scopes(may_read=session.caller.may(embedded_pages.READ_SCOPE))
    row = await embedded_pages.get_installed_row(session.owner_id, app_id)
    token = await session_tokens.create_for_owner(session.owner_id, row)
    answer: dict[str, Any] = {"token": token, "expires_in": session_tokens.LIFETIME_SECONDS}
    return jsonify(answer), dict(PRIVATE_HEADERS)


def _get_policy(app: EmbeddedApp) -> str:
    return (
        f"default-src 'self'; frame-src {app.origin}; img-src 'self' data:; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'self'"
    )
