"""The consent page: who asks for what, in words, and for which stores."""

import re
from typing import Final
from urllib.parse import urlsplit

from comanda.basics import ValidationFailed
from comanda.contracts import Pages, parse_id
from comanda.web import PRIVATE_HEADERS, check_csrf, require_recent_sign_in, require_session
from quart import Blueprint, Response, render_template, request

from comanda_oauth.errors import AppUnavailable, AuthorizationFailed, AuthorizationRefused
from comanda_oauth.models import ClientOrigin
from comanda_oauth.scopes import LABELS
from comanda_oauth.services.clients.client_lookup import load_requesting_client
from comanda_oauth.services.clients.metadata_documents import is_document_address
from comanda_oauth.services.installations import consent, installations
from comanda_oauth.services.installations.authorization_requests import AuthorizationRequest, check_request

AUTHORIZE_PATH: Final = "/oauth/authorize"
# Where a logo may come from. It cannot end the directive of a policy or begin another.
LOGO_ORIGIN: Final = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?")

blueprint = Blueprint("oauth", __name__, template_folder="templates")

pages = Pages(blueprint)


@blueprint.get(AUTHORIZE_PATH)
async def show_consent() -> Response:
    """Show what an app asks for, to the owner who has signed in recently."""
    try:
        wanted = await _read_request()
    except AuthorizationRefused as error:
        return await _render_refusal(error)
    except AuthorizationFailed as error:
        return _redirect(error.location)
    session = await require_session()
    installation = await installations.find_active_installation(session.owner_id, wanted.client.id)
    if installation is None and not wanted.client.may_be_installed_by(session.owner_id):
        return await _render_refusal(AppUnavailable())
    await require_recent_sign_in(session)
    owner = await consent.get_owner(session.owner_id)
    page = await render_template(
        "oauth/consent.html",
        client=wanted.client,
        owner=owner,
        labels=[LABELS[scope] for scope in wanted.scopes],
        stores=await consent.list_stores(session.owner_id),
        installation=installation,
        is_registered=wanted.client.origin is ClientOrigin.DEVELOPER,
        destination=_get_destination(wanted),
        csrf_token=session.csrf_token,
    )
    return Response(page, headers={**PRIVATE_HEADERS, **_create_security_headers(wanted)})


@blueprint.post(AUTHORIZE_PATH)
async def decide() -> Response:
    """Send the browser back to the app, with a code or with the owner's refusal."""
    session = await require_session()
    await check_csrf(session)
    await require_recent_sign_in(session)
    try:
        wanted = await _read_request()
        form = await request.form
        if form.get("decision") != "allow":
            return _redirect(consent.deny(wanted))
        return _redirect(await consent.approve(session.caller, wanted, _parse_store(form.get("store", ""))))
    except AuthorizationRefused as error:
        return await _render_refusal(error)
    except AuthorizationFailed as error:
        return _redirect(error.location)


async def _read_request() -> AuthorizationRequest:
    # The form repeats the query, so that what is consented to is checked again, as it was when it was shown.
    parameters = {name: request.args.getlist(name) for name in request.args}
    client_id = next(iter(parameters.get("client_id", ())), "")
    if is_document_address(client_id):
        # Nobody who is not signed in makes this server read a document.
        await require_session()
    loaded = await load_requesting_client(client_id)
    return check_request(loaded, parameters)


def _parse_store(text: str) -> int | None:
    """Return the chosen store, None for all. Raises ``ValidationFailed``."""
    if text == "all":
        return None
    if (store_id := parse_id(text)) is None:
        raise ValidationFailed(store=["Choose all stores or one of them."])
    return store_id


def _get_destination(wanted: AuthorizationRequest) -> str:
    """Return where the browser goes afterwards, as a person recognizes it."""
    parts = urlsplit(wanted.redirect_uri)
    return parts.hostname or f"{parts.scheme}:"


def _create_security_headers(wanted: AuthorizationRequest) -> dict[str, str]:
    """Return headers that keep the page out of frames, and let its form end at the app's address."""
    target, logo = urlsplit(wanted.redirect_uri), "/".join((wanted.client.logo_url or "").split("/", 3)[:3])
    action = f"{target.scheme}://{target.netloc}" if target.netloc else f"{target.scheme}:"
    images = f" {logo}" if LOGO_ORIGIN.fullmatch(logo) else ""
    policy = (
        f"default-src 'self'; img-src 'self' data:{images}; frame-ancestors 'none'; base-uri 'none'; "
        f"form-action 'self' {action}"
    )
    return {"Content-Security-Policy": policy, "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer"}


async def _render_refusal(error: AuthorizationRefused) -> Response:
    page = await render_template("oauth/refused.html", sentence=error.message)
    return Response(page, status=error.status, headers=PRIVATE_HEADERS)


def _redirect(location: str) -> Response:
    headers = {**PRIVATE_HEADERS, "Location": location, "Referrer-Policy": "no-referrer"}
    return Response("", status=303, headers=headers)
