"""What the pages of signing in share: where a person goes afterwards, the token of forms, and the new session."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from quart import Response, request

from comanda.accounts import web_sessions
from comanda.accounts.web_sessions import WebSession
from comanda.basics.errors import NotFound
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import CallerKind
from comanda.contracts.web.dashboard import PREFIX
from comanda.contracts.web.pages import SignInWays
from comanda.contracts.web.sign_in import VerifiedLogin
from comanda.platform import runtime
from comanda.platform.audit_log.entries import OUTCOME_OK, record_action
from comanda.platform.encryption import hmac_digest
from comanda.web.local_paths import parse_local_path
from comanda.web.sign_in.browser_names import get_browser_name
from comanda.web.sign_in.sessions import (
    SECURITY_PATH,
    check_form_token,
    cookie_name,
    create_cookie,
    create_redirect,
    current_session,
    get_client_address,
    session_cookie,
    sign_in_path,
)

# Whoever signs in has no session yet. So the form is tied to a cookie of its own, which other sites cannot set: else
# they could sign people in to an account of theirs, and learn what these people do in it.
FORM_COOKIE: Final = "comanda_sign_in"
FORM_SECONDS: Final = 3600
FORM_SECRET_BYTES: Final = 32
FORM_SECRET: Final = re.compile("[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a person goes after signing in: a path of this host, or the start page; see ``require_session``."""

    path: str | None
    leaves_site: bool

    @classmethod
    def parse(cls, values: Mapping[str, str]) -> Self:
        """Return the destination in a query or a form; anything but a path of this host is none."""
        return cls(parse_local_path(values.get("next", "")), values.get("leaves_site") == "1")

    @property
    def location(self) -> str:
        """The path to redirect to once the person is signed in."""
        if self.leaves_site and self.path is not None:
            return sign_in_path(self.path, leaves_site=True)
        return self.path or get_start_path()


def get_start_path() -> str:
    """Return the page that people come to who asked for no other."""
    return PREFIX if runtime.registry().navigation else SECURITY_PATH


def list_sign_in_ways() -> list[SignInWays]:
    """List the ways to sign in that plugins add."""
    return [pages.sign_in_ways for pages in runtime.registry().pages if pages.sign_in_ways is not None]


async def open_form() -> tuple[str, str]:
    """Return the token of a form for nobody in particular, and the ``Set-Cookie`` header that it is tied to."""
    # The same in each tab: the form in one is still good after another was opened.
    form_secret = _get_form_secret() or secrets.token_urlsafe(FORM_SECRET_BYTES)
    return await _derive_form_token(form_secret), create_cookie(FORM_COOKIE, form_secret, max_age=FORM_SECONDS)


async def check_form() -> None:
    """Check that a form was sent from a page whose token ``open_form`` made. Raises ``Forbidden``."""
    await check_form_token(await _derive_form_token(_get_form_secret() or secrets.token_urlsafe()))


async def complete_sign_in(secret: str, destination: Destination, *cookies: str) -> Response:
    """Sign the browser in with a new session, and redirect; the session that it had before ends.

    Raises ``NotFound`` if the owner was suspended meanwhile.
    """
    headers = await start_session(secret)
    return create_redirect(destination.location, *headers, *cookies)


async def start_session(secret: str) -> tuple[str, ...]:
    """Record a new session, end the one that the browser had, and return the ``Set-Cookie`` headers."""
    session = await web_sessions.find_session(secret)
    if session is None:
        raise NotFound(Sentence("This account is suspended."), extras={"reason": "account_suspended"})
    before = await current_session()
    if before is not None:
        await web_sessions.end_session(before.owner_id, before.id)
    await record_account_action(session, "sign_in")
    return session_cookie(secret), create_cookie(FORM_COOKIE, "", max_age=0)


async def record_account_action(
    session: WebSession, action: str, *, outcome: str = OUTCOME_OK, ids: Mapping[str, int] | None = None
) -> None:
    """Record in the audit log what a person did with their account, such as ``password_change``."""
    await record_action(
        session.owner_id,
        f"account/{action}",
        actor_kind=session.kind,
        actor_id=session.subject_id or session.owner_id,
        store_id=session.store_id,
        ids=ids,
        address=get_client_address(),
        outcome=outcome,
    )


async def record_login_action(
    kind: CallerKind, login: VerifiedLogin, action: str, *, outcome: str = OUTCOME_OK
) -> None:
    """Record in the audit log what a person did who is about to sign in, such as ``second_factor``."""
    await record_action(
        login.owner_id,
        f"account/{action}",
        actor_kind=kind.code,
        actor_id=login.subject_id or login.owner_id,
        store_id=login.store_id,
        address=get_client_address(),
        outcome=outcome,
    )


def get_own_browser_name() -> str:
    """Return the name of the browser that sent the request."""
    return get_browser_name(request.headers.get("User-Agent", ""))


def _get_form_secret() -> str | None:
    """Return what the cookie of the form holds, or None if it holds nothing that was made here."""
    found = request.cookies.get(cookie_name(FORM_COOKIE), "")
    return found if FORM_SECRET.fullmatch(found) else None


async def _derive_form_token(form_secret: str) -> str:
    return (await hmac_digest.hmac_digest("sign_in.form", form_secret)).hex()
