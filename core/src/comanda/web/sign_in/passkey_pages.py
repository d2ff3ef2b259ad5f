"""Signing in, confirming and managing with passkeys, as the script of the pages does it.

The script sends forms and reads JSON: ``options`` for the browser, or the ``location`` to open, or a ``problem``.
"""

from datetime import timedelta
from typing import Final

import orjson
from quart import Blueprint, Response, request
from werkzeug.datastructures import Headers

from comanda.accounts import login_attempts, services
from comanda.accounts.sign_in import one_time_tokens, passkeys
from comanda.accounts.sign_in.passkeys import PasskeyChallenge
from comanda.basics.errors import ComandaError
from comanda.contracts.requests.calls import JSON
from comanda.contracts.web.pages import Pages
from comanda.platform.encryption import hmac_digest
from comanda.platform.http.answers import to_public_error
from comanda.web.local_paths import parse_local_path
from comanda.web.sign_in.confirm_pages import renew
from comanda.web.sign_in.sessions import (
    CONFIRM_PATH,
    PRIVATE_HEADERS,
    SECURITY_PATH,
    check_csrf,
    cookie_name,
    create_cookie,
    create_redirect,
    get_client_network,
    require_recent_sign_in,
    require_session,
    sign_in_path,
)
from comanda.web.sign_in.steps import (
    Destination,
    check_form,
    get_own_browser_name,
    get_start_path,
    record_account_action,
    start_session,
)

blueprint = Blueprint("passkeys", __name__)

pages = Pages(blueprint)

SIGN_IN_WITH_PASSKEY: Final = "/sign-in/passkey"
PASSKEYS_PATH: Final = f"{SECURITY_PATH}/passkeys"
CHALLENGE_COOKIE: Final = "comanda_passkey"
# Challenges for nobody in particular, of which each load of the sign-in page needs one.
CHALLENGES_PER_NETWORK: Final = login_attempts.LockoutRules(failures=300, window=timedelta(minutes=15))


@blueprint.post(f"{SIGN_IN_WITH_PASSKEY}/options")
async def start_sign_in() -> Response:
    """Return the options to sign in with any passkey of this installation."""
    try:
        await check_form()
        key = await hmac_digest.hmac_digest("passkey.network", get_client_network())
        await login_attempts.count_attempt(one_time_tokens.NO_OWNER, key, CHALLENGES_PER_NETWORK)
        return _answer_challenge(await passkeys.start_sign_in())
    except ComandaError as error:
        return _answer_problem(error)


@blueprint.post(SIGN_IN_WITH_PASSKEY)
async def sign_in() -> Response:
    """Sign in the owner of a passkey."""
    form = await request.form
    destination = Destination.parse(form)
    try:
        await check_form()
        secret = await passkeys.sign_in(_get_challenge(), form.get("credential", ""), get_own_browser_name())
        return _answer({"location": destination.location}, *await start_session(secret))
    except ComandaError as error:
        return _answer_problem(error)


@blueprint.post(f"{CONFIRM_PATH}/passkey/options")
async def start_confirm() -> Response:
    """Return the options to confirm with a passkey of the owner who is signed in."""
    session = await require_session()
    try:
        await check_csrf(session)
        return _answer_challenge(await passkeys.start_sign_in(session.owner_id))
    except ComandaError as error:
        return _answer_problem(error)


@blueprint.post(f"{CONFIRM_PATH}/passkey")
async def confirm() -> Response:
    """Renew the session of an owner who has used a passkey."""
    session = await require_session()
    form = await request.form
    try:
        await check_csrf(session)
        await passkeys.confirm(session.owner_id, _get_challenge(), form.get("credential", ""))
        location = parse_local_path(form.get("next", "")) or get_start_path()
        return _answer({"location": location}, await renew(session))
    except ComandaError as error:
        return _answer_problem(error)


@blueprint.post(f"{PASSKEYS_PATH}/options")
async def start_registration() -> Response:
    """Return the options to add a passkey, or where to confirm first."""
    session = await require_session()
    try:
        await check_csrf(session)
        if not session.is_recent:
            return _answer({"location": sign_in_path(SECURITY_PATH, base=CONFIRM_PATH)})
        return _answer_challenge(await passkeys.start_registration(await services.get_owner(session.owner_id)))
    except ComandaError as error:
        return _answer_problem(error)


@blueprint.post(PASSKEYS_PATH)
async def register() -> Response:
    """Add a passkey."""
    session = await require_session()
    form = await request.form
    try:
        await check_csrf(session)
        if not session.is_recent:
            return _answer({"location": sign_in_path(SECURITY_PATH, base=CONFIRM_PATH)})
        name = form.get("name", "") or get_own_browser_name()
        made = await passkeys.register(session.owner_id, _get_challenge(), form.get("credential", ""), name)
        await record_account_action(session, "passkey_add", ids={"passkey_id": made.id})
        return _answer({"location": f"{SECURITY_PATH}?done=passkey"})
    except ComandaError as error:
        return _answer_problem(error)


@blueprint.post(f"{PASSKEYS_PATH}/<int:passkey_id>/name")
async def rename(passkey_id: int) -> Response:
    session = await require_session()
    await check_csrf(session)
    await passkeys.rename(session.owner_id, passkey_id, (await request.form).get("name", ""))
    return create_redirect(f"{SECURITY_PATH}?done=passkey_renamed")


@blueprint.post(f"{PASSKEYS_PATH}/<int:passkey_id>/delete")
async def delete(passkey_id: int) -> Response:
    session = await require_session()
    await check_csrf(session)
    await require_recent_sign_in(session)
    await passkeys.delete(session.owner_id, passkey_id)
    await record_account_action(session, "passkey_delete", ids={"passkey_id": passkey_id})
    return create_redirect(f"{SECURITY_PATH}?done=passkey_deleted")


def _get_challenge() -> str:
    return request.cookies.get(cookie_name(CHALLENGE_COOKIE), "")


def _answer_challenge(made: PasskeyChallenge) -> Response:
    cookie = create_cookie(CHALLENGE_COOKIE, made.challenge, max_age=int(passkeys.SIGN_IN_LIFETIME.total_seconds()))
    return _answer({"options": orjson.loads(made.options)}, cookie)


def _answer_problem(error: ComandaError) -> Response:
    known = to_public_error(error)
    return _answer({"problem": known.message}, status=known.status)


def _answer(content: object, *cookies: str, status: int = 200) -> Response:
    headers = Headers(PRIVATE_HEADERS)
    for cookie in cookies:
        headers.add("Set-Cookie", cookie)
    return Response(orjson.dumps(content), status=status, headers=headers, content_type=JSON)
