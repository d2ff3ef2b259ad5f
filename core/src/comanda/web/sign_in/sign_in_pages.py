"""The pages to sign in, with a password and then a second factor, and to sign out."""

from dataclasses import asdict
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

import orjson
from quart import Blueprint, Response, render_template, request
from werkzeug.datastructures import Headers

from comanda.accounts import services, web_sessions
from comanda.accounts.owners import messages
from comanda.accounts.sign_in import one_time_tokens
from comanda.accounts.web_sessions import WebSession
from comanda.basics.errors import ComandaError, Forbidden, NotFound, RateLimited, Unauthenticated, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import CallerKind
from comanda.contracts.requests.numbers import parse_id
from comanda.contracts.web.pages import Link, Pages
from comanda.contracts.web.sign_in import PasswordAttempt, PasswordLogin, SecondFactor, VerifiedLogin
from comanda.platform import runtime
from comanda.web.languages.sentences import translate_sentence
from comanda.web.languages.translations import N_
from comanda.web.local_paths import parse_local_path
from comanda.web.sign_in.sessions import (
    PRIVATE_HEADERS,
    SECURITY_PATH,
    SIGN_IN_PATH,
    check_csrf,
    cookie_name,
    create_cookie,
    create_redirect,
    current_session,
    expired_session_cookie,
    get_client_network,
    sign_in_path,
)
from comanda.web.sign_in.steps import (
    Destination,
    check_form,
    complete_sign_in,
    get_own_browser_name,
    get_start_path,
    list_sign_in_ways,
    open_form,
    record_login_action,
)

blueprint = Blueprint("sign_in", __name__)

pages = Pages(
    blueprint, links=(Link(N_("Sign in"), SIGN_IN_PATH, N_("For owners and staff: sign in to the dashboard.")),)
)

CODE_PATH: Final = "/sign-in/code"
CODE_PURPOSE: Final = "second_factor"
CODE_LIFETIME: Final = timedelta(minutes=10)
CODE_COOKIE: Final = "comanda_second_factor"
REFUSALS: Final = (Forbidden, Unauthenticated, NotFound, RateLimited, ValidationFailed)


@blueprint.get(SIGN_IN_PATH)
async def show_sign_in() -> Response:
    """Show the form; or who is signed in, or the page that they want."""
    destination = Destination.parse(request.args)
    session = await current_session()
    if session is None:
        return await render_sign_in(destination)
    if destination.path is None:
        return await _render_signed_in(session)
    # Programs that sign in as a browser would are not restricted in where a form leads.
    if destination.leaves_site and "Sec-Fetch-Mode" in request.headers:
        page = await render_template("comanda/signing_in.html", next_path=destination.path)
        return Response(page, headers={**PRIVATE_HEADERS, "Refresh": f"0; url={destination.path}"})
    return create_redirect(destination.path)


@blueprint.post(SIGN_IN_PATH)
async def sign_in() -> Response:
    """Sign an owner or a member of staff in with a new session, or ask for their second factor."""
    form = await request.form
    destination = Destination.parse(form)
    attempt = PasswordAttempt(
        form.get("email", ""), form.get("password", ""), get_client_network(), parse_id(form.get("store_id", ""))
    )
    try:
        await check_form()
        kind, login = await _verify(attempt)
        return await complete_login(kind, login, destination)
    except REFUSALS as error:
        return await render_sign_in(destination, email=attempt.email, error=error)


@blueprint.get(CODE_PATH)
async def show_code_form() -> Response:
    """Show the form for the second factor."""
    destination = Destination.parse(request.args)
    if await _find_login() is None:
        return create_redirect(sign_in_path(destination.path, leaves_site=destination.leaves_site))
    return await _render_code_form(destination)


@blueprint.post(CODE_PATH)
async def verify_code() -> Response:
    """Sign in whoever has entered the right password before, and now the right code."""
    form = await request.form
    destination = Destination.parse(form)
    found = await _find_login()
    if found is None:
        return create_redirect(sign_in_path(destination.path, leaves_site=destination.leaves_site))
    kind, login = found
    try:
        await check_form()
        factor = SecondFactor.parse(form.get("code", ""))
        secret = await _get_login(kind).open_session(login, factor, get_own_browser_name())
        await one_time_tokens.use_token(_get_code_token(), CODE_PURPOSE)
        return await complete_sign_in(secret, destination, create_cookie(CODE_COOKIE, "", max_age=0))
    except REFUSALS as error:
        if isinstance(error, ValidationFailed | RateLimited):
            await record_login_action(kind, login, "second_factor", outcome=error.code)
        return await _render_code_form(destination, error)


@blueprint.post("/sign-out")
async def sign_out() -> Response:
    """End the session, another one of the same person, or all of them; then show the sign-in page."""
    session, form = await current_session(), await request.form
    next_path = parse_local_path(form.get("next", ""))
    if session is not None:
        await check_csrf(session)
        other_id = form.get("session_id", "")
        if other_id and other_id != str(session.id):
            await _end_other_session(session, other_id)
            return create_redirect(SECURITY_PATH)
        if "everywhere" in form:
            await web_sessions.end_sessions_of(session.owner_id, session.kind, session.subject_id)
        else:
            await web_sessions.end_session(session.owner_id, session.id)
    return create_redirect(sign_in_path(next_path), expired_session_cookie())


async def complete_login(
    kind: CallerKind, login: VerifiedLogin, destination: Destination, factor: SecondFactor | None = None
) -> Response:
    """Sign in a person who has proved who they are, or ask for the second factor that is still to be checked.

    Raises what ``PasswordLogin.open_session`` raises.
    """
    if login.needs_second_factor and factor is None:
        return await _ask_for_code(kind, login, destination)
    secret = await _get_login(kind).open_session(login, factor, get_own_browser_name())
    return await complete_sign_in(secret, destination)


async def find_person_name(session: WebSession) -> str | None:
    """Return the name of the member of staff who is signed in, or None for an owner."""
    kind = runtime.registry().caller_kinds.get(session.kind)
    if kind is None or kind.names is None or session.subject_id is None:
        return None
    return (await kind.names(session.owner_id, [session.subject_id])).get(session.subject_id)


async def _verify(attempt: PasswordAttempt) -> tuple[CallerKind, VerifiedLogin]:
    """Return the person with these credentials: an owner, or else somebody of another kind."""
    kinds = [kind for kind in runtime.registry().caller_kinds.values() if kind.password_login is not None]
    kinds.sort(key=lambda kind: (kind.code != "owner", kind.code))
    for kind in kinds if attempt.store_id is None else kinds[1:]:
        try:
            return kind, await _get_login(kind).verify(attempt)
        except Unauthenticated:
            continue
    raise Unauthenticated(Sentence("Invalid e-mail or password."), extras={"reason": "invalid_credentials"})


def _get_login(kind: CallerKind) -> PasswordLogin:
    if kind.password_login is None:
        raise NotFound
    return kind.password_login


async def _ask_for_code(kind: CallerKind, login: VerifiedLogin, destination: Destination) -> Response:
    content = orjson.dumps({"kind": kind.code, "login": asdict(login)}).decode()
    token = await one_time_tokens.create_token(login.owner_id, CODE_PURPOSE, CODE_LIFETIME, content)
    location = sign_in_path(destination.path, leaves_site=destination.leaves_site, base=CODE_PATH)
    return create_redirect(location, create_cookie(CODE_COOKIE, token, max_age=int(CODE_LIFETIME.total_seconds())))


async def _find_login() -> tuple[CallerKind, VerifiedLogin] | None:
    """Return who has entered the right password in this browser before, or None."""
    found = await one_time_tokens.find_token(_get_code_token(), CODE_PURPOSE)
    if found is None:
        return None
    content: dict[str, Any] = orjson.loads(found.content)
    kind = runtime.registry().caller_kinds.get(content["kind"])
    return None if kind is None else (kind, VerifiedLogin(**content["login"]))


def _get_code_token() -> str:
    return request.cookies.get(cookie_name(CODE_COOKIE), "")


async def _end_other_session(session: WebSession, other_id: str) -> None:
    # Only one of the same person: staff must not sign out the owner.
    for other in await web_sessions.list_sessions(session.owner_id, session.kind, session.subject_id):
        if str(other.id) == other_id:
            await web_sessions.end_session(other.owner_id, other.id)


async def render_sign_in(destination: Destination, *, email: str = "", error: ComandaError | None = None) -> Response:
    """Show the sign-in page, with what went wrong."""
    choices = error.extras.get("choices") if error is not None else None
    return await _render(
        "comanda/sign_in.html",
        error,
        destination=destination,
        email=email,
        choices=choices,
        can_reset=messages.has_email(),
        ways=_list_ways(destination),
    )


def _list_ways(destination: Destination) -> list[tuple[str, str]]:
    """Return the labels and addresses of the buttons of plugins."""
    query = {"leaves_site": "1"} if destination.leaves_site else {}
    query |= {"next": destination.path} if destination.path is not None else {}
    suffix = f"?{urlencode(query)}" if query else ""
    return [(way.title, way.path + suffix) for ways in list_sign_in_ways() for way in ways.list_ways()]


async def _render_code_form(destination: Destination, error: ComandaError | None = None) -> Response:
    return await _render("comanda/sign_in_code.html", error, destination=destination)


async def _render(template: str, error: ComandaError | None, **context: object) -> Response:
    csrf_token, cookie = await open_form()
    page = await render_template(
        template,
        csrf_token=csrf_token,
        problem=translate_sentence(error.message) if error is not None else None,
        **context,
    )
    headers = Headers({**PRIVATE_HEADERS, **(error.headers if isinstance(error, RateLimited) else {})})
    headers.add("Set-Cookie", cookie)
    return Response(page, status=error.status if error is not None else 200, headers=headers)


async def _render_signed_in(session: WebSession) -> Response:
    owner = await services.get_owner(session.owner_id)
    page = await render_template(
        "comanda/signed_in.html",
        session=session,
        owner=owner,
        name=await find_person_name(session) or owner.name,
        start_path=get_start_path(),
        security_path=SECURITY_PATH,
    )
    return Response(page, headers=PRIVATE_HEADERS)
