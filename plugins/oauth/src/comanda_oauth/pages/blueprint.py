"""The consent page: who asks for what, in words."""

from collections.abc import Mapping
from typing import Final

from comanda.contracts import Pages
from comanda.web import PRIVATE_HEADERS, check_csrf
from quart import Blueprint, Response, render_template, request

from comanda_oauth.errors import AppUnavailable, AuthorizationFailed, AuthorizationRefused, OAuthError
from comanda_oauth.pages.consent_page import AUTHORIZE_PATH, ConsentPage
from comanda_oauth.pages.customer_consent import CustomerConsentPage
from comanda_oauth.pages.owner_consent import OwnerConsentPage
from comanda_oauth.services.clients.client_lookup import load_requesting_client
from comanda_oauth.services.clients.metadata_documents import is_document_address
from comanda_oauth.services.grantors import CUSTOMER, OWNER
from comanda_oauth.services.installations import consent
from comanda_oauth.services.installations.authorization_requests import AuthorizationRequest, check_request, get_grantor

CONSENT_PAGES: Final[Mapping[str, ConsentPage]] = {
    OWNER.caller_kind: OwnerConsentPage(),
    CUSTOMER.caller_kind: CustomerConsentPage(),
}

blueprint = Blueprint(
    "oauth", __name__, template_folder="templates", static_folder="static", static_url_path="/oauth/static"
)

pages = Pages(blueprint)


@blueprint.get(AUTHORIZE_PATH)
async def show_consent() -> Response:
    """Show what an app asks for, to somebody who has signed in recently."""
    try:
        wanted = await _read_request()
        page = CONSENT_PAGES[wanted.grantor.caller_kind]
        return await page.show(wanted, await page.require_session())
    except AuthorizationRefused as error:
        return await _render_refusal(error)
    except AuthorizationFailed as error:
        return _redirect(error.location)


@blueprint.post(AUTHORIZE_PATH)
async def decide() -> Response:
    """Send the browser back to the app, with a code or with a refusal."""
    page = _find_page()
    session = await page.require_session()
    await check_csrf(session)
    await page.require_recent_sign_in(session)
    try:
        wanted = await _read_request()
        if CONSENT_PAGES[wanted.grantor.caller_kind] is not page:
            raise AppUnavailable
        form = await request.form
        if form.get("decision") != "allow":
            return _redirect(consent.deny(wanted))
        return _redirect(await page.approve(wanted, session, form))
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
        await _find_page().require_session()
    loaded = await load_requesting_client(client_id)
    return check_request(loaded, parameters)


def _find_page() -> ConsentPage:
    """Return the page for whom the request asks, an owner's if it says nothing that can be understood."""
    try:
        grantor = get_grantor({name: request.args.getlist(name) for name in request.args})
    except OAuthError:
        grantor = OWNER
    return CONSENT_PAGES[grantor.caller_kind]


async def _render_refusal(error: AuthorizationRefused) -> Response:
    page = await render_template("oauth/refused.html", sentence=error.message)
    return Response(page, status=error.status, headers=PRIVATE_HEADERS)


def _redirect(location: str) -> Response:
    headers = {**PRIVATE_HEADERS, "Location": location, "Referrer-Policy": "no-referrer"}
    return Response("", status=303, headers=headers)
