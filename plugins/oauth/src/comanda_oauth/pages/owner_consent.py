"""The consent of an owner, for all stores or one."""

from collections.abc import Mapping

from comanda.accounts import WebSession
from comanda.basics import ValidationFailed
from comanda.contracts import parse_id
from comanda.web import require_recent_sign_in, require_session
from quart import Response

from comanda_oauth.errors import AppUnavailable
from comanda_oauth.pages.consent_page import render_consent
from comanda_oauth.services.installations import consent, installations
from comanda_oauth.services.installations.authorization_requests import AuthorizationRequest


class OwnerConsentPage:
    """The page for owners, who sign in to their account."""

    async def require_session(self) -> WebSession:
        return await require_session()

    async def require_recent_sign_in(self, session: WebSession) -> None:
        await require_recent_sign_in(session)

    async def show(self, wanted: AuthorizationRequest, session: WebSession) -> Response:
        installation = await installations.find_active_installation(session.owner_id, wanted.client.id)
        if installation is None and not wanted.client.may_be_installed_by(session.owner_id):
            raise AppUnavailable
        await require_recent_sign_in(session)
        return await render_consent(
            "oauth/consent.html",
            wanted,
            session,
            owner=await consent.get_owner(session.owner_id),
            stores=await consent.list_stores(session.owner_id),
            installation=installation,
        )

    async def approve(self, wanted: AuthorizationRequest, session: WebSession, form: Mapping[str, str]) -> str:
        return await consent.approve(session.caller, wanted, _parse_store(form.get("store", "")))


def _parse_store(text: str) -> int | None:
    """Return the chosen store, None for all. Raises ``ValidationFailed``."""
    if text == "all":
        return None
    if (store_id := parse_id(text)) is None:
        raise ValidationFailed(store=["Choose all stores or one of them."])
    return store_id
