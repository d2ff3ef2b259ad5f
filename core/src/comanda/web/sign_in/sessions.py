"""Who is signed in on a page, and the check that a form was sent from a page of this host.

    @blueprint.get("/florist/bouquets")
    async def show_bouquets() -> str:
        session = await require_session()
        return await render_template("florist/bouquets.html", session=session)

    @blueprint.post("/florist/bouquets")
    async def create_bouquet() -> ResponseReturnValue:
        session = await require_session()
        await check_csrf(session)              # the form has a hidden field csrf_token
        await services.create_bouquet(session.caller, …)
        return redirect("/florist/bouquets", 303)

Pages of a signed-in person must not be cached: answer with ``PRIVATE_HEADERS``.
"""

import hmac
from collections.abc import Collection
from typing import Final
from urllib.parse import quote, urlsplit

from quart import Response, abort, g, render_template, request
from werkzeug.datastructures import Headers
from werkzeug.http import dump_cookie

from comanda.accounts import web_sessions
from comanda.accounts.web_sessions import WebSession
from comanda.basics.errors import Forbidden
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.client_addresses import client_address, client_network
from comanda.platform import runtime
from comanda.web.local_paths import parse_local_path

SIGN_IN_PATH: Final = "/sign-in"
CONFIRM_PATH: Final = "/sign-in/confirm"
SECURITY_PATH: Final = "/account/security"
CSRF_FIELD: Final = "csrf_token"
PRIVATE_HEADERS: Final = {"Cache-Control": "no-store", "Vary": "Cookie"}
SESSION_COOKIE: Final = "comanda_session"
# What browsers say of a request that a page of this host, or the person by the address bar, has caused.
OWN_SITES: Final = frozenset({"same-origin", "none"})


async def current_session() -> WebSession | None:
    """Return the session of the request's cookie, or None if nobody is signed in."""
    if "web_session" not in g:
        secret = request.cookies.get(cookie_name(SESSION_COOKIE))
        g.web_session = await web_sessions.find_session(secret) if secret else None
    session: WebSession | None = g.web_session
    return session


async def require_session(*, kinds: Collection[str] = ("owner",), leaves_site: bool = False) -> WebSession:
    """Return the session of the request's cookie; without one, answer with a redirect to the sign-in page.

    After signing in, the person returns to this page. ``leaves_site`` says that it may redirect to another site, which
    browsers do not allow a form to do: the person then comes back by a link instead of by the form.

    Raises ``Forbidden`` for a session of another kind: pages that staff may see name ``staff`` in ``kinds``.
    """
    session = await current_session()
    if session is None:
        location = sign_in_path(_get_own_path(), leaves_site=leaves_site)
        abort(Response(status=303, headers={**PRIVATE_HEADERS, "Location": location}))
    if session.kind not in kinds:
        raise Forbidden(Sentence("You are signed in with an account that may not use this page."))
    return session


async def require_recent_sign_in(session: WebSession) -> None:
    """Check that the person has proved in the last 10 minutes who they are; else answer with a page that asks for it.

    A page is returned to afterwards. A form is not sent again: the person returns to the page with the form, and
    enters it once more. Call it before a form is read, and after ``check_csrf``.
    """
    if session.is_recent:
        return
    if request.method == "GET":
        location = sign_in_path(_get_own_path(), base=CONFIRM_PATH)
        abort(Response(status=303, headers={**PRIVATE_HEADERS, "Location": location}))
    location = sign_in_path(_get_form_path(), base=CONFIRM_PATH)
    page = await render_template("comanda/confirm_first.html", location=location)
    abort(Response(page, status=403, headers=PRIVATE_HEADERS))


def sign_in_path(next_path: str | None = None, *, leaves_site: bool = False, base: str = SIGN_IN_PATH) -> str:
    """Return the path of the sign-in page, which leads to ``next_path`` afterwards; see ``require_session``.

    ``base`` is another page that does so.
    """
    if next_path is None:
        return base
    return f"{base}?{'leaves_site=1&' if leaves_site else ''}next={quote(next_path, safe='/')}"


async def check_csrf(session: WebSession) -> None:
    """Check that a form was sent from a page of this session. Raises ``Forbidden``."""
    await check_form_token(session.csrf_token)


async def check_form_token(expected: str) -> None:
    """Check the field ``csrf_token`` of a form, and that no page of another site has sent it. Raises ``Forbidden``."""
    given = (await request.form).get(CSRF_FIELD, "")
    is_same = hmac.compare_digest(given.encode("utf-8", "surrogatepass"), expected.encode())
    if not is_same or request.headers.get("Sec-Fetch-Site", "none") not in OWN_SITES:
        raise Forbidden(
            Sentence("This form has expired, or was not sent from our page. Go back, reload the page, and try again.")
        )


def session_cookie(secret: str) -> str:
    """Return the ``Set-Cookie`` header of a session, which lasts as long as a session can."""
    return create_cookie(SESSION_COOKIE, secret, max_age=int(web_sessions.MAX_LIFETIME.total_seconds()))


def expired_session_cookie() -> str:
    """Return the ``Set-Cookie`` header that removes the cookie of a session."""
    return create_cookie(SESSION_COOKIE, "", max_age=0)


def create_cookie(name: str, value: str, *, max_age: int) -> str:
    """Return the ``Set-Cookie`` header of a cookie that scripts cannot read and that only this host receives."""
    return dump_cookie(
        cookie_name(name), value, max_age=max_age, path="/", secure=_is_https(), httponly=True, samesite="Lax"
    )


def cookie_name(name: str) -> str:
    """Return the name of a cookie, with the prefix by which browsers let no other host set it.

    The prefix requires https, which an installation on a developer's machine does not have.
    """
    return f"__Host-{name}" if _is_https() else name


def get_client_address() -> str:
    """Return the address that the request came from, behind the trusted proxies."""
    headers = {
        name: ",".join(request.headers.getlist(name)) for name in ("x-forwarded-for",) if name in request.headers
    }
    return client_address(request.scope, headers, runtime.settings().trusted_proxies)


def get_client_network() -> str:
    """Return the network that the request came from, as limits count it."""
    return client_network(get_client_address())


def create_redirect(path: str, *cookies: str) -> Response:
    """Return a redirect to a path of this host after a form, which no cache keeps, with ``Set-Cookie`` headers."""
    headers = Headers({**PRIVATE_HEADERS, "Location": path})
    for cookie in cookies:
        headers.add("Set-Cookie", cookie)
    return Response("", status=303, headers=headers)


def _is_https() -> bool:
    return runtime.settings().site_url.lower().startswith("https://")


def _get_own_path() -> str | None:
    """Return where to return to after signing in: the page itself, unless it was a form that was sent."""
    return parse_local_path(request.full_path.removesuffix("?")) if request.method == "GET" else None


def _get_form_path() -> str | None:
    """Return the page of this host from which a form was sent, as the browser names it."""
    parts = urlsplit(request.headers.get("Referer", ""))
    if f"{parts.scheme}://{parts.netloc}".lower() != runtime.settings().site_url.lower():
        return None
    return parse_local_path(parts.path + (f"?{parts.query}" if parts.query else ""))
