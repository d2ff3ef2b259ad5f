"""The consent of a customer, who signs in at the one store that it is for.

The address of the resource names the store, or the parameter ``store`` of the request, or the customer.
"""

from collections.abc import Mapping
from typing import NoReturn
from urllib.parse import unquote, urlsplit

from comanda.accounts import WebSession
from comanda.basics import NotFound
from comanda.platform import runtime
from comanda.web import GuestStore, find_customer_session, get_public_store
from comanda_customers import api as customers
from quart import Response, abort, render_template, request

from comanda_oauth.pages.consent_page import AUTHORIZE_PATH, create_headers, render_consent
from comanda_oauth.services.installations import consent
from comanda_oauth.services.installations.authorization_requests import AuthorizationRequest
from comanda_oauth.services.resources import STORE, find_store


class CustomerConsentPage:
    """The page for customers, who have no account beyond that at the store."""

    async def require_session(self) -> WebSession:
        store = await _require_store()
        session = await find_customer_session(request, store.owner_id, store.id)
        # Scripts of the store's theme can send forms of this host, but know no code that is sent to a phone.
        if session is None or not session.is_recent:
            await _ask_to_sign_in(store)
        return session

    async def require_recent_sign_in(self, session: WebSession) -> None:
        """Check nothing more: every session that counts here is recent."""

    async def show(self, wanted: AuthorizationRequest, session: WebSession) -> Response:
        profile = await customers.get_profile(session.caller)
        # Isolated, for a phone number in a line that is read from the right.
        names = [name for name in (profile.name, profile.phone or profile.email) if name]
        store = await _require_store()
        return await render_consent(
            "oauth/customer_consent.html", wanted, session, store=store, customer=f"\u2068{' · '.join(names)}\u2069"
        )

    async def approve(self, wanted: AuthorizationRequest, session: WebSession, form: Mapping[str, str]) -> str:
        return await consent.approve_as_customer(session.caller, wanted)


async def _require_store() -> GuestStore:
    """Return the store that the request names, or the only one; without either, answer with a page that asks for it."""
    given = request.args.get(STORE, "").strip()
    slug = find_store(request.args.get("resource", "")) or _parse_slug(given) or await consent.find_only_store()
    try:
        return await get_public_store(slug)
    except NotFound:
        await _ask_for_store(given)


def _parse_slug(text: str) -> str:
    """Return the slug in what somebody enters: the address of a store's page, or the last part of it."""
    try:
        return unquote(urlsplit(text).path.rstrip("/").rpartition("/")[2])
    except ValueError:
        return ""


async def _ask_for_store(given: str) -> NoReturn:
    parameters = [(name, value) for name, value in request.args.items(multi=True) if name != STORE]
    page = await render_template(
        "oauth/customer_store.html",
        path=AUTHORIZE_PATH,
        parameters=parameters,
        given=given,
        example=f"{runtime.settings().site_url}/s/…",
    )
    abort(Response(page, headers=create_headers()))


async def _ask_to_sign_in(store: GuestStore) -> NoReturn:
    page = await render_template("oauth/customer_sign_in.html", store=store)
    abort(Response(page, status=200 if request.method == "GET" else 403, headers=create_headers()))
