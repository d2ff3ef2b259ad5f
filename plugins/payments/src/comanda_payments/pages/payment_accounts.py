"""Payment accounts in the dashboard: connected with a key or on the provider's page, their state, disputes, fees."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from comanda.basics import require_found
from comanda.contracts import AccountMode, AccountState, Caller, DisputeState, NavigationEntry, parse_id
from comanda.platform import runtime
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_payments.pages.dashboard import dashboard

PAGE: Final = "/payment-accounts"
PROVIDERS: Final = "/payment-providers"
TERMS: Final = "/payment-terms"
ACCOUNTS: Final = "/payment-accounts"
ACCOUNT: Final = f"{ACCOUNTS}/{{accountId}}"
READERS: Final = f"{ACCOUNT}/readers"
READER: Final = f"{READERS}/{{reference}}"
DISPUTES: Final = "/payment-disputes"
CREDENTIALS: Final = f"{ACCOUNT}/credentials"
STATES: Final = {
    AccountState.PENDING: (N_("Not complete"), "warn"),
    AccountState.READY: (N_("Takes payments"), "good"),
    AccountState.RESTRICTED: (N_("Takes no payments"), "bad"),
    AccountState.REVOKED: (N_("Disconnected"), "neutral"),
}
DISPUTE_STATES: Final = {
    DisputeState.NEEDS_RESPONSE: (N_("Needs a response"), "bad"),
    DisputeState.UNDER_REVIEW: (N_("Under review"), "warn"),
    DisputeState.WON: (N_("Won"), "good"),
    DisputeState.LOST: (N_("Lost"), "neutral"),
}


def is_owner(caller: Caller) -> bool:
    """Return whether the caller is the owner: where money goes is not delegated to staff and apps."""
    return caller.acts_as is None


NAVIGATION: Final = NavigationEntry(
    N_("Payment accounts"), PAGE, "account", "payments:read", icon="wallet", position=35, is_for=is_owner
)


@dashboard.get(PAGE, scope="payments:read")
async def list_accounts(visit: Visit) -> Response:
    """Show the accounts, what is missing, what else can be connected, and the fees."""
    accounts = await visit.api.get(ACCOUNTS, query=visit.query("page"))
    providers = await visit.api.get(PROVIDERS)
    used = [each for each in accounts["data"] if each["state"] != AccountState.REVOKED]
    lent = [each for each in providers if each["lent_mode"]]
    return await visit.render(
        "payments/dashboard/accounts.html",
        accounts=accounts,
        providers=providers,
        lent=lent,
        is_test=any(each["mode"] == AccountMode.TEST for each in used)
        or any(each["lent_mode"] == AccountMode.TEST for each in lent),
        terms=await visit.api.get(TERMS),
        states={state.value: (_(label), tone) for state, (label, tone) in STATES.items()},
        names=get_names(providers),
    )


@dashboard.get(f"{PAGE}/disputes", scope="payments:read")
async def list_disputes(visit: Visit) -> Response:
    """Show the disputes of online payments, until when each is to be answered at the provider, and how it ended."""
    return await visit.render(
        "payments/dashboard/disputes.html",
        disputes=await visit.api.get(DISPUTES, query=visit.query("page")),
        states={state.value: (_(label), tone) for state, (label, tone) in DISPUTE_STATES.items()},
        names=get_names(await visit.api.get(PROVIDERS)),
    )


@dashboard.get(f"{PAGE}/new", scope="payments:write", step_up=True)
async def show_new_account(visit: Visit) -> Response:
    """Show what a provider needs to connect an account."""
    provider = await _get_provider(visit, visit.query("provider").get("provider"))
    return await _render_new(visit, provider, visit.form("POST", ACCOUNTS))


@dashboard.post(f"{PAGE}/new", scope="payments:write", step_up=True)
async def create_account(visit: Visit) -> Response:
    """Connect an account; one that is completed at the provider leads there."""
    form = await visit.read_form("POST", ACCOUNTS)
    provider = await _get_provider(visit, form.get_value("provider"))
    if (account := await form.submit()) is None:
        return await _render_new(visit, provider, form)
    if account["state"] == AccountState.PENDING and account["is_connected"] and provider["has_account_page"]:
        return await _render_account_page(visit, account)
    return visit.redirect(PAGE, notice=_("Account connected."))


@dashboard.post(f"{PAGE}/<int:account_id>/check", scope="payments:write")
async def check_account(visit: Visit, account_id: int) -> Response:
    """Ask the provider for the state of an account now."""
    return await visit.act(
        "POST", f"{ACCOUNT}/check", to=PAGE, notice=_("The provider was asked."), accountId=account_id
    )


@dashboard.get(f"{PAGE}/<int:account_id>/return", scope="payments:write")
async def return_from_provider(visit: Visit, account_id: int) -> Response:
    """Ask the provider for the state of an account whose owner comes back from its page."""
    return await visit.act("POST", f"{ACCOUNT}/check", to=PAGE, accountId=account_id)


@dashboard.post(f"{PAGE}/<int:account_id>/page", scope="payments:write", step_up=True)
async def open_account_page(visit: Visit, account_id: int) -> Response:
    """Show the way to the provider's page."""
    return await _render_account_page(visit, await visit.api.get(ACCOUNT, accountId=account_id))


@dashboard.get(f"{PAGE}/<int:account_id>/credentials", scope="payments:write", step_up=True)
async def show_credentials(visit: Visit, account_id: int) -> Response:
    """Show the form for another key of the same account."""
    return await _render_credentials(visit, account_id, visit.form("PUT", CREDENTIALS))


@dashboard.post(f"{PAGE}/<int:account_id>/credentials", scope="payments:write", step_up=True)
async def replace_credentials(visit: Visit, account_id: int) -> Response:
    """Replace the key of an account."""
    form = await visit.read_form("PUT", CREDENTIALS, accountId=account_id)
    if await form.submit() is None:
        return await _render_credentials(visit, account_id, form)
    return visit.redirect(PAGE, notice=_("Credentials replaced."))


@dashboard.post(f"{PAGE}/<int:account_id>/disconnect", scope="payments:write", step_up=True)
async def disconnect_account(visit: Visit, account_id: int) -> Response:
    """Disconnect an account."""
    return await visit.act("DELETE", ACCOUNT, to=PAGE, notice=_("Account disconnected."), accountId=account_id)


@dashboard.get(f"{PAGE}/<int:account_id>/readers", scope="payments:read")
async def list_readers(visit: Visit, account_id: int) -> Response:
    """Show the card readers of an account, and the form for another one."""
    return await _render_readers(visit, account_id, visit.form("POST", READERS))


@dashboard.post(f"{PAGE}/<int:account_id>/readers", scope="payments:write")
async def register_reader(visit: Visit, account_id: int) -> Response:
    """Register a card reader."""
    form = await visit.read_form("POST", READERS, accountId=account_id)
    if await form.submit() is None:
        return await _render_readers(visit, account_id, form)
    return visit.redirect(f"{PAGE}/{account_id}/readers", notice=_("Card reader registered."))


@dashboard.post(f"{PAGE}/<int:account_id>/readers/<reference>/name", scope="payments:write")
async def rename_reader(visit: Visit, account_id: int, reference: str) -> Response:
    """Rename a card reader."""
    form = await visit.read_form("PUT", READER, accountId=account_id, reference=reference)
    if await form.submit() is None:
        return await _render_readers(visit, account_id, form)
    return visit.redirect(f"{PAGE}/{account_id}/readers", notice=_("Card reader renamed."))


@dashboard.post(f"{PAGE}/<int:account_id>/readers/<reference>/remove", scope="payments:write")
async def remove_reader(visit: Visit, account_id: int, reference: str) -> Response:
    """Remove a card reader."""
    page = f"{PAGE}/{account_id}/readers"
    return await visit.act(
        "DELETE", READER, to=page, notice=_("Card reader removed."), accountId=account_id, reference=reference
    )


async def _render_readers(visit: Visit, account_id: int, form: Form) -> Response:
    account = await visit.api.get(ACCOUNT, accountId=account_id)
    providers = await visit.api.get(PROVIDERS)
    return await visit.render(
        "payments/dashboard/card_readers.html",
        account=account,
        readers=await visit.api.get(READERS, accountId=account_id),
        form=form,
        name=get_names(providers).get(account["provider"], account["provider"]),
        is_managed_elsewhere=any(each["manages_readers"] for each in providers if each["code"] == account["provider"]),
    )


async def _get_provider(visit: Visit, code: str | None) -> Mapping[str, Any]:
    providers: list[Mapping[str, Any]] = await visit.api.get(PROVIDERS)
    return require_found(next((each for each in providers if each["code"] == code), None))


async def _render_new(visit: Visit, provider: Mapping[str, Any], form: Form) -> Response:
    chosen = parse_id(form.get_value("restaurant_id"))
    return await visit.render(
        "payments/dashboard/account_new.html",
        provider=provider,
        form=_hide_credentials(form),
        chosen=chosen,
        fields=_list_fields(provider),
    )


async def _render_credentials(visit: Visit, account_id: int, form: Form) -> Response:
    account = await visit.api.get(ACCOUNT, accountId=account_id)
    provider = await _get_provider(visit, account["provider"])
    return await visit.render(
        "payments/dashboard/account_credentials.html",
        account=account,
        provider=provider,
        form=_hide_credentials(form),
        fields=_list_fields(provider),
    )


async def _render_account_page(visit: Visit, account: Mapping[str, Any]) -> Response:
    back = f"{runtime.settings().site_url}/dashboard{PAGE}/{account['id']}/return"
    link = await visit.api.post(f"{ACCOUNT}/page", body={"return_url": back}, accountId=account["id"])
    provider = await _get_provider(visit, account["provider"])
    return await visit.render("payments/dashboard/account_page.html", url=link["url"], provider=provider)


def _hide_credentials(form: Form) -> Form:
    """Return the form without what was typed into secret fields, which a page never shows again."""
    form.values.pop("credentials", None)
    return form


def _list_fields(provider: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{**each, "label": _(each["label"]), "hint": _(each["hint"])} for each in provider["fields"]]


def get_names(providers: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the names of providers by code; for one that is not there any more, that of its payment method."""
    labels = {code: _(method.label) for code, method in runtime.registry().payment_methods.items()}
    return labels | {each["code"]: _(each["name"]) for each in providers}
