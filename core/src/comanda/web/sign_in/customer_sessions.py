"""Customers who are signed in on a store's public page, and calls that the scripts of such a page send.

A customer's session is a web session with a cookie of its own for each store, so that a customer of one store is
nobody at another. Scripts cannot read the cookie, and other sites cannot send it with a call that changes something.
"""

from typing import Final
from urllib.parse import urlsplit

from quart import Request
from werkzeug.http import parse_cookie

from comanda.accounts import web_sessions
from comanda.accounts.web_sessions import WebSession
from comanda.basics.errors import Forbidden, UnsupportedMediaType
from comanda.contracts.requests.calls import JSON, Call
from comanda.platform import runtime
from comanda.web.sign_in.sessions import cookie_name, create_cookie

COOKIE_PREFIX: Final = "comanda_customer"


async def find_customer_session(call: Call | Request, owner_id: int, store_id: int) -> WebSession | None:
    """Return the session of the customer who calls, or None if nobody is signed in at this store."""
    secret = parse_cookie(call.headers.get("cookie")).get(cookie_name(_name_cookie(store_id)))
    session = await web_sessions.find_session(secret, of_customer=True) if secret else None
    # A secret of another store may have been put into this store's cookie.
    is_here = session is not None and (session.owner_id, session.store_id) == (owner_id, store_id)
    return session if is_here else None


def customer_cookie(store_id: int, secret: str) -> str:
    """Return the ``Set-Cookie`` header of a customer's session at a store."""
    return create_cookie(_name_cookie(store_id), secret, max_age=int(web_sessions.MAX_LIFETIME.total_seconds()))


def expired_customer_cookie(store_id: int) -> str:
    """Return the ``Set-Cookie`` header that removes the cookie of a customer's session at a store."""
    return create_cookie(_name_cookie(store_id), "", max_age=0)


def check_page_call(call: Call) -> None:
    """Check that a page of this host sent a call that changes something, as JSON.

    Raises ``Forbidden``, ``UnsupportedMediaType``.
    """
    if not _is_same_origin(call):
        raise Forbidden("This is accepted only from this store's own page.")
    if call.body and call.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise UnsupportedMediaType


def check_page_read(call: Call) -> None:
    """Check that no page of another site sent a call that reads. Raises ``Forbidden``."""
    if call.headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        raise Forbidden("This is answered only to this store's own page.")


def _name_cookie(store_id: int) -> str:
    return f"{COOKIE_PREFIX}_{store_id}"


def _is_same_origin(call: Call) -> bool:
    """Return whether the request comes from a page of this host. Pages cannot forge these headers in a browser."""
    if call.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    try:
        origin = urlsplit(call.headers.get("origin", "")).netloc
    except ValueError:
        return False
    return bool(origin) and origin in {call.headers.get("host"), urlsplit(runtime.settings().site_url).netloc}
