"""The page on which a person who is signed in proves again who they are, as sensitive pages ask for."""

from quart import Blueprint, Response, render_template, request
from werkzeug.datastructures import Headers

from comanda.accounts import web_sessions
from comanda.accounts.sign_in import owner_two_factor, passkeys
from comanda.accounts.web_sessions import WebSession
from comanda.basics.errors import ComandaError, Forbidden, RateLimited, Unauthenticated, ValidationFailed
from comanda.contracts.web.pages import Pages
from comanda.contracts.web.sign_in import SecondFactor
from comanda.platform import runtime
from comanda.web.languages.translations import gettext as _
from comanda.web.local_paths import parse_local_path
from comanda.web.sign_in.sessions import (
    CONFIRM_PATH,
    PRIVATE_HEADERS,
    check_csrf,
    create_redirect,
    current_session,
    session_cookie,
    sign_in_path,
)
from comanda.web.sign_in.steps import get_start_path, record_account_action

blueprint = Blueprint("confirm", __name__)

pages = Pages(blueprint)


@blueprint.get(CONFIRM_PATH)
async def show_confirm() -> Response:
    next_path = parse_local_path(request.args.get("next", ""))
    session = await current_session()
    if session is None:
        return create_redirect(sign_in_path(next_path))
    return await _render(session, next_path)


@blueprint.post(CONFIRM_PATH)
async def confirm() -> Response:
    """Renew the session of a person with the right password or code, and return to the page that asked."""
    form = await request.form
    next_path = parse_local_path(form.get("next", ""))
    session = await current_session()
    if session is None:
        return create_redirect(sign_in_path(next_path))
    try:
        await check_csrf(session)
        await _check(session, form.get("password", ""), form.get("code", ""))
    except (Forbidden, Unauthenticated, ValidationFailed, RateLimited) as error:
        if not isinstance(error, Forbidden):
            await record_account_action(session, "confirm", outcome=error.code)
        return await _render(session, next_path, error)
    return create_redirect(next_path or get_start_path(), await renew(session))


async def renew(session: WebSession) -> str:
    """Record that the person has proved who they are, and return the ``Set-Cookie`` header of the new secret."""
    secret = await web_sessions.renew_session(session)
    await record_account_action(session, "confirm")
    return session_cookie(secret)


async def _check(session: WebSession, password: str, code: str) -> None:
    """Check the password, or instead of it the owner's second factor."""
    if code and session.kind == "owner" and await owner_two_factor.is_enabled(session.owner_id):
        await owner_two_factor.verify(session.owner_id, SecondFactor.parse(code))
        return
    kind = runtime.registry().caller_kinds.get(session.kind)
    login = kind.password_login if kind is not None else None
    if login is None or not await login.confirm(session.owner_id, session.subject_id, password):
        raise Unauthenticated(_("Invalid password."))


async def _render(session: WebSession, next_path: str | None, error: ComandaError | None = None) -> Response:
    page = await render_template(
        "comanda/confirm.html",
        session=session,
        next_path=next_path,
        has_two_factor=session.kind == "owner" and await owner_two_factor.is_enabled(session.owner_id),
        has_passkeys=session.kind == "owner" and bool(await passkeys.list_passkeys(session.owner_id)),
        problem=error.message if error is not None else None,
    )
    headers = Headers({**PRIVATE_HEADERS, **(error.headers if isinstance(error, RateLimited) else {})})
    return Response(page, status=error.status if error is not None else 200, headers=headers)
