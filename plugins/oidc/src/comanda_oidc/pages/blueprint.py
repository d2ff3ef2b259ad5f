"""The pages: to a provider and back, and the list of what is linked to an account."""

from collections.abc import Sequence
from typing import Final

from comanda.accounts import WebSession, list_dashboard_kinds
from comanda.basics import ComandaError, NotFound, RateLimited, require_found
from comanda.contracts import Link, Pages, SecondFactor, SignInWays
from comanda.web import (
    N_,
    PRIVATE_HEADERS,
    Destination,
    check_csrf,
    complete_login,
    cookie_name,
    create_cookie,
    create_redirect,
    current_session,
    get_client_network,
    gettext,
    record_account_action,
    record_login_action,
    render_sign_in,
    require_recent_sign_in,
    require_session,
    translate_sentence,
)
from quart import Blueprint, Response, render_template, request

from comanda_oidc.services import flows, identities
from comanda_oidc.services.flows import Flow
from comanda_oidc.services.id_token_json import IdentityClaims
from comanda_oidc.settings import Provider, find_provider, list_providers

ACCOUNT_PATH: Final = "/account/security/oidc"
FLOW_COOKIE: Final = "comanda_oidc"
NOTICES: Final = {"linked": N_("The sign-in is linked."), "unlinked": N_("The sign-in is unlinked.")}

blueprint = Blueprint("oidc", __name__, template_folder="templates")


def list_ways() -> Sequence[Link]:
    """List the buttons of the sign-in page."""
    return [
        Link(gettext("Sign in with %(provider)s", provider=each.name), flows.get_start_path(each), "")
        for each in list_providers()
    ]


pages = Pages(
    blueprint,
    sign_in_ways=SignInWays(
        list_ways,
        Link(N_("Other sign-ins"), ACCOUNT_PATH, N_("Sign in with an account of your company, without a password.")),
    ),
)


@blueprint.get("/sign-in/oidc/<slug>")
async def start_sign_in(slug: str) -> Response:
    """Lead a person to the provider."""
    provider = _get_provider(slug)
    destination = Destination.parse(request.args)
    try:
        started = await flows.start(
            provider, get_client_network(), destination.path, leaves_site=destination.leaves_site
        )
    except ComandaError as error:
        return await render_sign_in(destination, error=error)
    return create_redirect(started.location, _create_flow_cookie(started.secret))


@blueprint.get("/sign-in/oidc/<slug>/callback")
async def finish(slug: str) -> Response:
    """Sign in the person who comes back from the provider, or link their identity to the account that is signed in."""
    provider = _get_provider(slug)
    flow, destination = None, Destination(None, False)
    try:
        secret = request.cookies.get(cookie_name(FLOW_COOKIE), "")
        flow = await flows.use_flow(provider, secret, request.args.get("state", ""))
        destination = Destination(flow.next_path, flow.leaves_site)
        claims = await flows.identify(provider, flow, request.args)
        if flow.session_id is not None:
            response = await _link(flow, provider, claims)
        else:
            response = await _sign_in(provider, claims, destination)
    except ComandaError as error:
        session = await current_session()
        if flow is not None and flow.session_id is not None and session is not None:
            response = await _render_account(session, error)
        else:
            response = await render_sign_in(destination, error=error)
    response.headers.add("Set-Cookie", create_cookie(FLOW_COOKIE, "", max_age=0))
    return response


@blueprint.get(ACCOUNT_PATH)
async def show_account() -> Response:
    """Show what is linked to the account."""
    return await _render_account(await _require_person())


@blueprint.post(f"{ACCOUNT_PATH}/<slug>/link")
async def start_link(slug: str) -> Response:
    """Lead a person who is signed in to the provider."""
    session = await _require_person()
    await check_csrf(session)
    await require_recent_sign_in(session)
    provider = _get_provider(slug)
    try:
        started = await flows.start(provider, get_client_network(), None, session_id=session.id)
    except ComandaError as error:
        return await _render_account(session, error)
    # Browsers do not let a form lead to another site.
    page = await render_template("oidc/leaving.html", provider=provider, location=started.location)
    headers = {**PRIVATE_HEADERS, "Refresh": f"0; url={started.location}"}
    return Response(page, headers={**headers, "Set-Cookie": _create_flow_cookie(started.secret)})


@blueprint.post(f"{ACCOUNT_PATH}/<int:identity_id>/unlink")
async def unlink(identity_id: int) -> Response:
    session = await _require_person()
    await check_csrf(session)
    await require_recent_sign_in(session)
    await identities.unlink(session, identity_id)
    await record_account_action(session, "identity_unlink", ids={"identity_id": identity_id})
    return create_redirect(f"{ACCOUNT_PATH}?done=unlinked")


async def _sign_in(provider: Provider, claims: IdentityClaims, destination: Destination) -> Response:
    kind, login, is_new = await identities.find_login(provider, claims)
    if is_new:
        await record_login_action(kind, login, "identity_link")
    factor = SecondFactor(is_checked_elsewhere=True) if provider.checks_two_factor else None
    return await complete_login(kind, login, destination, factor)


async def _link(flow: Flow, provider: Provider, claims: IdentityClaims) -> Response:
    session = await current_session()
    # The person who is signed in now must be the one who started.
    if session is None or session.id != flow.session_id:
        raise NotFound
    identity_id = await identities.link(session, provider, claims)
    await record_account_action(session, "identity_link", ids={"identity_id": identity_id})
    return create_redirect(f"{ACCOUNT_PATH}?done=linked")


async def _require_person() -> WebSession:
    return await require_session(kinds=list_dashboard_kinds())


async def _render_account(session: WebSession, error: ComandaError | None = None) -> Response:
    names = {each.issuer: each.name for each in list_providers()}
    page = await render_template(
        "oidc/account.html",
        session=session,
        identities=[(each, names.get(each.issuer, each.issuer)) for each in await identities.list_identities(session)],
        providers=list_providers(),
        account_path=ACCOUNT_PATH,
        problem=None if error is None else translate_sentence(_get_sentence(error)),
        notice=NOTICES.get(request.args.get("done", "")),
    )
    headers = {**PRIVATE_HEADERS, **(error.headers if isinstance(error, RateLimited) else {})}
    return Response(page, status=200 if error is None else error.status, headers=headers)


def _get_sentence(error: ComandaError) -> str:
    errors = getattr(error, "errors", None) or {}
    return next((str(sentences[0]) for sentences in errors.values()), error.message)


def _get_provider(code: str) -> Provider:
    return require_found(find_provider(code))


def _create_flow_cookie(secret: str) -> str:
    return create_cookie(FLOW_COOKIE, secret, max_age=int(flows.LIFETIME.total_seconds()))
