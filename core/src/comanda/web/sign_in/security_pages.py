"""The page of an account's security: where a person is signed in, the password, two-factor and passkeys."""

from collections.abc import Mapping, Sequence
from typing import Final

from quart import Blueprint, Response, render_template, request

from comanda.accounts import owner_login, services, web_sessions
from comanda.accounts.models import Owner
from comanda.accounts.owners import delegation
from comanda.accounts.sign_in import owner_two_factor, passkeys
from comanda.accounts.web_sessions import WebSession
from comanda.basics import clock
from comanda.basics.errors import ComandaError, Conflict, RateLimited, ValidationFailed
from comanda.contracts.web.pages import Pages
from comanda.web.languages.translations import N_
from comanda.web.languages.translations import gettext as _
from comanda.web.sign_in.sessions import (
    PRIVATE_HEADERS,
    SECURITY_PATH,
    check_csrf,
    create_redirect,
    require_recent_sign_in,
    require_session,
)
from comanda.web.sign_in.sign_in_pages import find_person_name
from comanda.web.sign_in.steps import get_start_path, list_sign_in_ways, record_account_action

blueprint = Blueprint("security", __name__)

pages = Pages(blueprint)

TWO_FACTOR_PATH: Final = f"{SECURITY_PATH}/two-factor"
NOTICES: Final[Mapping[str, str]] = {
    "password": N_("Your password is changed. You are signed out everywhere else."),
    "two_factor_off": N_("Two-factor is off."),
    "sessions": N_("You are signed out everywhere else."),
    "passkey": N_("The passkey is added."),
    "passkey_renamed": N_("The passkey is renamed."),
    "passkey_deleted": N_("The passkey is deleted. Delete it on your device, too."),
}


@blueprint.get(SECURITY_PATH)
async def show_security() -> Response:
    session = await require_session(kinds=delegation.list_dashboard_kinds())
    return await _render(session)


@blueprint.post(f"{SECURITY_PATH}/sessions")
async def end_other_sessions() -> Response:
    """Sign the person out everywhere else."""
    session = await require_session(kinds=delegation.list_dashboard_kinds())
    await check_csrf(session)
    await web_sessions.end_sessions_of(session.owner_id, session.kind, session.subject_id, except_id=session.id)
    await record_account_action(session, "sessions_end")
    return _redirect("sessions")


@blueprint.post(f"{SECURITY_PATH}/password")
async def change_password() -> Response:
    """Change the owner's password, which needs the one before."""
    session = await require_session()
    await check_csrf(session)
    form = await request.form
    try:
        if not await owner_login.confirm_password(session.owner_id, form.get("current_password", "")):
            raise ValidationFailed(current_password=[_("Invalid password.")])
        await owner_login.set_owner_password(session.owner_id, form.get("password", ""), except_session_id=session.id)
    except (ValidationFailed, RateLimited) as error:
        await record_account_action(session, "password_change", outcome=error.code)
        return await _render(session, error)
    await record_account_action(session, "password_change")
    return _redirect("password")


@blueprint.get(TWO_FACTOR_PATH)
async def show_two_factor() -> Response:
    """Show the QR code of a new secret, or the page of the account if two-factor is on."""
    session = await require_session()
    await require_recent_sign_in(session)
    owner = await services.get_owner(session.owner_id)
    try:
        return await _render_two_factor(session, owner)
    except Conflict:
        return create_redirect(SECURITY_PATH)


@blueprint.post(TWO_FACTOR_PATH)
async def enable_two_factor() -> Response:
    """Turn two-factor on with a first code, and show the recovery codes."""
    session = await _require_owner()
    owner = await services.get_owner(session.owner_id)
    code = (await request.form).get("code", "")[:20]
    try:
        codes = await owner_two_factor.confirm_setup(owner.id, code)
    except (ValidationFailed, RateLimited) as error:
        return await _render_two_factor(session, owner, error)
    await record_account_action(session, "two_factor_enable")
    return await _render_codes(codes)


@blueprint.post(f"{TWO_FACTOR_PATH}/recovery-codes")
async def replace_recovery_codes() -> Response:
    """Show new recovery codes; those before are worth nothing."""
    session = await _require_owner()
    codes = await owner_two_factor.replace_recovery_codes(session.owner_id)
    await record_account_action(session, "recovery_codes_replace")
    return await _render_codes(codes)


@blueprint.post(f"{TWO_FACTOR_PATH}/off")
async def disable_two_factor() -> Response:
    """Turn two-factor off."""
    session = await _require_owner()
    await owner_two_factor.disable(session.owner_id)
    await record_account_action(session, "two_factor_disable")
    return _redirect("two_factor_off")


async def _require_owner() -> WebSession:
    """Return the session of an owner who has proved recently who they are, for a form of the page."""
    session = await require_session()
    await check_csrf(session)
    await require_recent_sign_in(session)
    return session


async def _render(session: WebSession, error: ComandaError | None = None) -> Response:
    owner = await services.get_owner(session.owner_id)
    is_owner = session.kind == delegation.OWNER
    page = await render_template(
        "comanda/security.html",
        session=session,
        owner=owner,
        is_owner=is_owner,
        name=await find_person_name(session) or owner.name,
        sessions=await web_sessions.list_sessions(session.owner_id, session.kind, session.subject_id),
        has_two_factor=is_owner and await owner_two_factor.is_enabled(owner.id),
        recovery_codes_left=await owner_two_factor.count_recovery_codes(owner.id) if is_owner else 0,
        passkey_list=await passkeys.list_passkeys(owner.id) if is_owner else [],
        errors=_list_errors(error),
        notice=NOTICES.get(request.args.get("done", "")),
        now=clock.now(),
        start_path=get_start_path(),
        links=[ways.account for ways in list_sign_in_ways() if ways.list_ways()],
    )
    return Response(page, status=200 if error is None else error.status, headers=PRIVATE_HEADERS)


async def _render_two_factor(session: WebSession, owner: Owner, error: ComandaError | None = None) -> Response:
    pending = await owner_two_factor.get_pending(owner.id, owner.email)
    if pending is None:
        pending = await owner_two_factor.start_setup(owner.id, owner.email)
    page = await render_template(
        "comanda/two_factor.html",
        session=session,
        pending=pending,
        problem=error.message if error is not None else None,
    )
    return Response(page, status=200 if error is None else error.status, headers=PRIVATE_HEADERS)


async def _render_codes(codes: Sequence[str]) -> Response:
    page = await render_template("comanda/recovery_codes.html", codes=codes, security_path=SECURITY_PATH)
    return Response(page, headers=PRIVATE_HEADERS)


def _list_errors(error: ComandaError | None) -> dict[str, str]:
    if isinstance(error, ValidationFailed):
        return {name: sentences[0] for name, sentences in error.errors.items()}
    return {} if error is None else {"current_password": error.message}


def _redirect(done: str) -> Response:
    return create_redirect(f"{SECURITY_PATH}?done={done}")
