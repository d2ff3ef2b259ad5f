"""What the consent pages of owners and of customers share."""

import re
from collections.abc import Mapping
from typing import Final, Protocol
from urllib.parse import urlsplit

from comanda.accounts import WebSession
from comanda.web import PRIVATE_HEADERS
from quart import Response, render_template

from comanda_oauth.models import ClientOrigin
from comanda_oauth.services.installations.authorization_requests import AuthorizationRequest

AUTHORIZE_PATH: Final = "/oauth/authorize"
# Where a logo may come from. It cannot end the directive of a policy or begin another.
LOGO_ORIGIN: Final = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?")


class ConsentPage(Protocol):
    """The page on which one kind of people consents: how they sign in, what they see, and what their consent does."""

    async def require_session(self) -> WebSession:
        """Return the session of the person, or answer with a page or a redirect by which they sign in."""

    async def require_recent_sign_in(self, session: WebSession) -> None:
        """Check that the person has signed in shortly before, or answer with a page that asks for it."""

    async def show(self, wanted: AuthorizationRequest, session: WebSession) -> Response:
        """Return the page. Raises ``AuthorizationRefused``."""

    async def approve(self, wanted: AuthorizationRequest, session: WebSession, form: Mapping[str, str]) -> str:
        """Grant what is asked for, and return the address with the code."""


async def render_consent(template: str, wanted: AuthorizationRequest, session: WebSession, **shown: object) -> Response:
    """Return a page with the form of the consent."""
    page = await render_template(
        template,
        client=wanted.client,
        labels=[wanted.grantor.labels[scope] for scope in wanted.scopes],
        is_registered=wanted.client.origin is ClientOrigin.DEVELOPER,
        destination=_get_destination(wanted),
        csrf_token=session.csrf_token,
        **shown,
    )
    target, logo = urlsplit(wanted.redirect_uri), "/".join((wanted.client.logo_url or "").split("/", 3)[:3])
    action = f" {target.scheme}://{target.netloc}" if target.netloc else f" {target.scheme}:"
    return Response(page, headers=create_headers(action, f" {logo}" if LOGO_ORIGIN.fullmatch(logo) else ""))


def create_headers(action: str = "", images: str = "") -> dict[str, str]:
    """Return headers that keep a page out of frames and caches, and let its form end at the app's address."""
    policy = (
        f"default-src 'self'; img-src 'self' data:{images}; frame-ancestors 'none'; base-uri 'none'; "
        f"form-action 'self'{action}"
    )
    security = {"Content-Security-Policy": policy, "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer"}
    return {**PRIVATE_HEADERS, **security}


def _get_destination(wanted: AuthorizationRequest) -> str:
    """Return where the browser goes afterwards, as a person recognizes it."""
    parts = urlsplit(wanted.redirect_uri)
    return parts.hostname or f"{parts.scheme}:"
