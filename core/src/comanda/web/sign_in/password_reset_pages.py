"""The pages for a forgotten password: asking for a link by e-mail, and choosing a new password under it."""

from typing import Final

from quart import Blueprint, Response, abort, render_template, request
from werkzeug.datastructures import Headers

from comanda.accounts.owners import messages
from comanda.accounts.sign_in import password_reset
from comanda.accounts.sign_in.password_reset import RESET_PATH
from comanda.basics.errors import ComandaError, Forbidden, NotFound, RateLimited, ValidationFailed
from comanda.contracts.web.pages import Pages
from comanda.platform.audit_log.entries import record_action
from comanda.web.sign_in.sessions import (
    OWN_SITES,
    PRIVATE_HEADERS,
    SIGN_IN_PATH,
    create_redirect,
    get_client_address,
    get_client_network,
)
from comanda.web.sign_in.steps import check_form, open_form

blueprint = Blueprint("password_reset", __name__)

pages = Pages(blueprint, secret_paths=(RESET_PATH,))

FORGOT_PATH: Final = "/sign-in/forgot"
# The address is a secret: keep it out of caches, search engines and referrers.
LINK_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
}
MAX_TOKEN_LENGTH: Final = 100


@blueprint.get(FORGOT_PATH)
async def show_request() -> Response:
    """Show the form for the e-mail address."""
    _require_email()
    return await _render_request()


@blueprint.post(FORGOT_PATH)
async def request_link() -> Response:
    """Send the link; the answer is the same for every address."""
    _require_email()
    email = (await request.form).get("email", "")[:255]
    try:
        await check_form()
        await password_reset.request_link(email, get_client_network(), list(request.accept_languages.values()))
    except (Forbidden, RateLimited) as error:
        return await _render_request(email=email, error=error)
    page = await render_template("comanda/reset_sent.html", email=email)
    return Response(page, headers=PRIVATE_HEADERS)


@blueprint.get(f"{RESET_PATH}<token>")
async def show_reset(token: str) -> Response:
    """Show the form for the new password."""
    await _require_token(token)
    return await _render_reset()


@blueprint.post(f"{RESET_PATH}<token>")
async def reset_password(token: str) -> Response:
    """Set the new password, then show the sign-in page.

    The link is the credential, so the form needs no further secret; another site can send it only if it knows the link.
    Nobody is signed in by it, so two-factor stays as it is.
    """
    await _require_token(token)
    if request.headers.get("Sec-Fetch-Site", "none") not in OWN_SITES:
        abort(403)
    try:
        owner_id = await password_reset.reset_password(token, (await request.form).get("password", ""))
    except ValidationFailed as error:
        return await _render_reset(error)
    except NotFound:
        abort(404)
    address = get_client_address()
    await record_action(owner_id, "account/password_reset", actor_kind="owner", actor_id=owner_id, address=address)
    return create_redirect(SIGN_IN_PATH)


def _require_email() -> None:
    if not messages.has_email():
        abort(404)


async def _require_token(token: str) -> None:
    if len(token) > MAX_TOKEN_LENGTH or not await password_reset.is_reset_token(token):
        abort(404)


async def _render_request(*, email: str = "", error: ComandaError | None = None) -> Response:
    csrf_token, cookie = await open_form()
    page = await render_template(
        "comanda/forgot.html", csrf_token=csrf_token, email=email, problem=error.message if error is not None else None
    )
    headers = Headers({**PRIVATE_HEADERS, **(error.headers if isinstance(error, RateLimited) else {})})
    headers.add("Set-Cookie", cookie)
    return Response(page, status=error.status if error is not None else 200, headers=headers)


async def _render_reset(error: ComandaError | None = None) -> Response:
    page = await render_template("comanda/reset.html", problem=error.message if error is not None else None)
    return Response(page, status=error.status if error is not None else 200, headers=LINK_HEADERS)
