"""The page on which the owner of a new account sets its password.

The link is the credential, and its holder may set the password; so the form needs no further secret, and another
site can send it only if it knows the link.
"""

from typing import Final

from comanda.basics import NotFound, ValidationFailed
from comanda.web import sign_in_path
from quart import Response, abort, render_template, request
from werkzeug.datastructures import Headers

from comanda_reseller.services.customers import invitations

# The address is a secret: keep it out of caches, search engines and referrers.
PRIVATE_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
}
MAX_SECRET_LENGTH: Final = 100


async def show_invitation(secret: str) -> Response:
    """Show the form in which a password is chosen."""
    return await _render(await _find(secret))


async def accept_invitation(secret: str) -> Response:
    """Set the password, then show the sign-in page."""
    invitation = await _find(secret)
    password = (await request.form).get("password", "")
    try:
        await invitations.accept_invitation(secret, password)
    except ValidationFailed as error:
        return await _render(invitation, problem=error.message)
    except NotFound:
        abort(404)
    return Response("", status=303, headers=Headers({**PRIVATE_HEADERS, "Location": sign_in_path()}))


async def _find(secret: str) -> invitations.Invitation:
    if len(secret) > MAX_SECRET_LENGTH:
        abort(404)
    try:
        return await invitations.find_invitation(secret)
    except NotFound:
        abort(404)


async def _render(invitation: invitations.Invitation, problem: str | None = None) -> Response:
    page = await render_template("reseller/invitation.html", invitation=invitation, problem=problem)
    return Response(page, status=200 if problem is None else 422, headers=PRIVATE_HEADERS)
