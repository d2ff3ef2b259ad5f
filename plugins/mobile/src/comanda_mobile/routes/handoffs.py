"""The handoff of a signed-in app to its web view."""

from collections.abc import Mapping
from typing import Final

from comanda.basics import NotFound
from comanda.contracts import ANY_SCOPE, PUBLIC, Answer, Call, Caller, Routes
from comanda.web import SESSION_COOKIE, cookie_name, session_cookie
from werkzeug.http import parse_cookie

from comanda_mobile.records import NewHandoff
from comanda_mobile.schemas import SessionBody
from comanda_mobile.services import handoffs, people

routes = Routes("Mobile app", callers=people.PEOPLE)

MAX_REDEMPTIONS_PER_MINUTE: Final = 60
# Browsers and mail programs ask for pages before a person opens them.
PREFETCH_HEADERS: Final = ("sec-purpose", "purpose", "x-purpose", "x-moz")
PREFETCH_WORDS: Final = ("prefetch", "prerender", "preview")
# A web view opens an address by itself. A page of another site that leads there wants to sign a person in to an
# account of somebody else.
OWN_SITES: Final = frozenset({"none", "same-origin"})
PRIVATE_HEADERS: Final = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
HANDOFF_REQUEST_HEADERS: Final = (("User-Agent", "That of the web view, which the address was made for."),)


@routes.post("/app/session", scope=ANY_SCOPE, status=200, answers=NewHandoff)
async def create_session(call: Call, caller: Caller, body: SessionBody) -> Answer:
    """Create an address that signs the web view in, once and within a minute, and leads to ``path``."""
    user_agent = call.headers.get("user-agent", "") if body.user_agent is None else body.user_agent
    return Answer(await handoffs.create_handoff(caller, body.path, user_agent), headers=dict(PRIVATE_HEADERS))


@routes.get(
    "/app/handoff/{nonce}",
    callers=PUBLIC,
    status=303,
    answers=str,
    content_types=("text/html",),
    headers=HANDOFF_REQUEST_HEADERS,
)
async def redeem_handoff(call: Call, nonce: str) -> Answer:
    """Sign the web view in and redirect to the path of the handoff; used, expired and foreign addresses are 404."""
    await call.count(f"mobile_handoff:{call.client_network}", MAX_REDEMPTIONS_PER_MINUTE)
    if call.method == "HEAD" or _is_prefetch(call.headers):
        # Neither says whether the address is valid, nor uses it up.
        return Answer(status=204, headers=dict(PRIVATE_HEADERS))
    if not _is_navigation(call.headers):
        raise NotFound
    cookies = parse_cookie(call.headers.get("cookie"))
    redeemed = await handoffs.redeem_handoff(
        nonce, call.headers.get("user-agent", ""), cookies.get(cookie_name(SESSION_COOKIE))
    )
    cookie = session_cookie(redeemed.session_secret)
    return Answer(
        status=303,
        headers={**PRIVATE_HEADERS, "Location": redeemed.path, "Set-Cookie": cookie},
        content_type="text/html; charset=utf-8",
    )


def _is_prefetch(headers: Mapping[str, str]) -> bool:
    return any(word in headers.get(name, "").lower() for name in PREFETCH_HEADERS for word in PREFETCH_WORDS)


def _is_navigation(headers: Mapping[str, str]) -> bool:
    """Return whether a request opens a page by itself; older web views do not say."""
    is_own = headers.get("sec-fetch-site", "none") in OWN_SITES
    return is_own and headers.get("sec-fetch-dest", "document") == "document"
