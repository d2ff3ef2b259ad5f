"""Payment accounts as owners manage them: connected, checked, given other credentials, disconnected."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from comanda.basics import Conflict, Sentence, Unavailable, ValidationFailed, clock
from comanda.contracts import (
    AccountField,
    AccountMode,
    AccountState,
    AccountStatus,
    Caller,
    PageRequest,
    PaymentAccount,
    PaymentDeclined,
    ProviderSetup,
    RecordPage,
)
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.encryption import DecryptionFailed
from comanda.platform.events import publish
from comanda.stores import require_store
from comanda.web import N_

from comanda_payments.records.accounts import (
    AccountPageLink,
    AvailableProvider,
    CredentialField,
    OwnPaymentAccount,
)
from comanda_payments.schemas import PaymentAccountBody
from comanda_payments.services.accounts import account_checks, payment_accounts
from comanda_payments.services.accounts.account_checks import CHECK_INTERVAL
from comanda_payments.services.accounts.account_rows import (
    ACCOUNT_COLUMNS,
    SELECT_ACCOUNT,
    encrypt_credentials,
    to_account,
)
from comanda_payments.services.providers import provider_calls

WAITS_FOR_OWNER: Final = N_("Complete the account on the page of the provider.")
WAITS_FOR_ANSWER: Final = N_("The provider has not answered yet; it is asked again within the hour.")
DISCONNECTED: Final = N_("Disconnected by the owner.")
ALREADY_CONNECTED: Final = N_("There is an account of this provider already. Disconnect it first.")
OTHER_ACCOUNT: Final = N_("These belong to another account. Disconnect this one, and connect the other.")

INSERT_ACCOUNT: Final = f"""
    INSERT INTO payments_account (owner_id, store_id, provider, mode, state, reason, capabilities, check_at, created_at)
    VALUES ($1, $2, $3, '{AccountMode.LIVE}', '{AccountState.PENDING}', $4, ARRAY[]::text[], $5, $6)
    ON CONFLICT DO NOTHING RETURNING id
"""
UPDATE_CREDENTIALS: Final = "UPDATE payments_account SET credentials = $3 WHERE id = $1 AND owner_id = $2"
UPDATE_EXTERNAL_ID: Final = """
    UPDATE payments_account SET external_id = coalesce(external_id, $3) WHERE id = $1 AND owner_id = $2
"""
# One that took payments stays, so that they can be refunded.
DELETE_UNUSED_ACCOUNT: Final = """
    DELETE FROM payments_account a WHERE a.id = $1 AND a.owner_id = $2 AND NOT EXISTS (
        SELECT FROM payments_payment p WHERE p.payment_account_id = a.id AND p.owner_id = $2)
    RETURNING id
"""
REVOKE_ACCOUNT: Final = f"""
    UPDATE payments_account SET state = '{AccountState.REVOKED}', reason = $3, check_at = NULL
    WHERE id = $1 AND owner_id = $2 AND state <> '{AccountState.REVOKED}' RETURNING {ACCOUNT_COLUMNS}
"""
SELECT_ACCOUNTS: Final = f"""
    SELECT {ACCOUNT_COLUMNS} FROM payments_account WHERE owner_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3
"""
COUNT_ACCOUNTS: Final = "SELECT count(*) FROM payments_account WHERE owner_id = $1"


async def list_providers(caller: Caller) -> list[AvailableProvider]:
    """List the providers at which the caller can get an account, or borrow the operator's."""
    is_lent = await payment_accounts.is_operator_account_lent(caller.owner_id)
    found = []
    for method in runtime.registry().payment_methods.values():
        if (setup := provider_calls.get_setup(method.code)) is None:
            continue
        found.append(
            AvailableProvider(
                code=method.code,
                name=setup.name,
                fields=[_to_credential_field(each) for each in setup.fields],
                has_account_page=setup.has_account_page,
                is_enterable=setup.is_enterable,
                lent_mode=setup.operator.mode if is_lent and setup.operator is not None else None,
                manages_readers=method.manages_readers,
            )
        )
    return found


async def list_accounts(caller: Caller, page: PageRequest) -> RecordPage[OwnPaymentAccount]:
    """List the caller's accounts, newest first."""
    rows = await sql.fetch(SELECT_ACCOUNTS, caller.owner_id, page.size(), page.offset())
    total = await page.get_total(rows, lambda: sql.fetch_value(COUNT_ACCOUNTS, caller.owner_id))
    return page.of([to_own_account(row) for row in rows], total)


async def get_account(caller: Caller, account_id: int) -> OwnPaymentAccount:
    """Return an account. Raises ``NotFound``."""
    return to_own_account(await _get_row(caller, account_id))


async def create_account(caller: Caller, body: PaymentAccountBody) -> OwnPaymentAccount:
    """Connect an account, with credentials or to be completed on the provider's page, and return it.

    Raises ``NotFound`` for another owner's store; ``ValidationFailed`` for an unknown provider or credentials that it
    refuses; ``Conflict`` while there is another one of this provider for the same.
    """
    if body.restaurant_id is not None:
        await require_store(caller, body.restaurant_id)
    setup = _require_setup(body.provider)
    credentials = _check_credentials(setup, body.credentials)
    waits_for_owner = setup.has_account_page and not credentials
    moment = clock.now()
    async with sql.transaction():
        account_id: int | None = await sql.fetch_value(
            INSERT_ACCOUNT, caller.owner_id, body.restaurant_id, body.provider,
            WAITS_FOR_OWNER if waits_for_owner else WAITS_FOR_ANSWER, moment + CHECK_INTERVAL, moment,
        )  # fmt: skip
        if account_id is None:
            raise Conflict(ALREADY_CONNECTED, extras={"reason": "already_connected"})
        # The row's id is part of what the credentials are encrypted for.
        stored = encrypt_credentials(credentials, caller.owner_id, account_id)
        await sql.execute(UPDATE_CREDENTIALS, account_id, caller.owner_id, stored)
    if not waits_for_owner:
        await _check_new_account(caller, account_id)
    return await get_account(caller, account_id)


async def replace_credentials(caller: Caller, account_id: int, credentials: Mapping[str, str]) -> OwnPaymentAccount:
    """Replace the credentials of an account by others of the same account at the provider.

    Raises ``NotFound``; ``ValidationFailed`` for credentials that are refused, or belong to another account;
    ``Conflict`` for an account that has none; ``Unavailable`` if the provider does not answer.
    """
    row = await _get_row(caller, account_id)
    setup = _require_setup(row["provider"])
    is_connected = setup.has_account_page and not row["credentials"]
    if row["state"] == AccountState.REVOKED or is_connected:
        raise Conflict(Sentence("This account has no credentials to replace."))
    # What the provider has added, such as the secret of a webhook, stays.
    checked = {**_read_credentials(row), **_check_credentials(setup, credentials)}
    status = await _request_status(replace(to_account(row), credentials=checked))
    if row["external_id"] is not None and status.external_id != row["external_id"]:
        raise ValidationFailed(credentials=[OTHER_ACCOUNT], extras={"reason": "other_account"})
    status = replace(status, credentials=status.credentials or checked)
    return to_own_account(await account_checks.store_status(caller.owner_id, account_id, status))


async def check_account(caller: Caller, account_id: int) -> OwnPaymentAccount:
    """Ask the provider for the state of an account, and return the account. Raises ``NotFound``."""
    await _get_row(caller, account_id)
    await account_checks.check_account(caller.owner_id, account_id)
    return await get_account(caller, account_id)


async def open_account_page(caller: Caller, account_id: int, return_url: str) -> AccountPageLink:
    """Return the provider's page on which the account is completed, which leads back to ``return_url``.

    Raises ``NotFound``; ``Conflict`` for an account that is not completed there; ``Unavailable``.
    """
    row = await _get_row(caller, account_id)
    calls = provider_calls.open_calls(to_account(row, with_credentials=True))
    setup = provider_calls.get_setup(row["provider"])
    is_open = row["state"] != AccountState.REVOKED and not row["credentials"]
    if calls is None or setup is None or not setup.has_account_page or not is_open:
        raise Conflict(Sentence("This account is not completed on the page of the provider."))
    try:
        page = await calls.open_account_page(return_url)
    except PaymentDeclined as refusal:
        raise Conflict(str(refusal)) from refusal
    await sql.execute(UPDATE_EXTERNAL_ID, account_id, caller.owner_id, page.external_id)
    return AccountPageLink(page.url)


async def disconnect_account(caller: Caller, account_id: int) -> None:
    """Disconnect an account: it takes no new payments, and its own are still refunded from it. Raises ``NotFound``."""
    await _get_row(caller, account_id)
    async with sql.transaction():
        if await sql.fetch_value(DELETE_UNUSED_ACCOUNT, account_id, caller.owner_id) is not None:
            return
        row = await sql.fetch_one(REVOKE_ACCOUNT, account_id, caller.owner_id, DISCONNECTED)
        if row is not None:
            await publish(account_checks.create_event(row), owner_id=caller.owner_id, store_id=row["store_id"])


def to_own_account(row: sql.Row) -> OwnPaymentAccount:
    """Return the record of a row, which has no credentials."""
    account = to_account(row)
    return OwnPaymentAccount(
        id=row["id"],
        provider=account.provider,
        store_id=account.store_id,
        mode=account.mode,
        state=account.state,
        reason=account.reason,
        capabilities=sorted(account.capabilities),
        external_id=account.external_id,
        is_connected=not row["credentials"],
        webhook_url=account.webhook_url,
        created_at=row["created_at"],
    )


async def _get_row(caller: Caller, account_id: int) -> sql.Row:
    return await sql.require_one(SELECT_ACCOUNT, account_id, caller.owner_id)


def _read_credentials(row: sql.Row) -> Mapping[str, str]:
    """Return the stored credentials, none if their key was lost: an owner enters them again then."""
    try:
        return to_account(row, with_credentials=True).credentials
    except DecryptionFailed:
        return {}


def _to_credential_field(field: AccountField) -> CredentialField:
    return CredentialField(field.name, field.label, field.hint, field.is_secret, field.is_required)


def _require_setup(provider: str) -> ProviderSetup:
    setup = provider_calls.get_setup(provider)
    if setup is None:
        known = [code for code in runtime.registry().payment_methods if provider_calls.get_setup(code) is not None]
        raise ValidationFailed(provider=[f"Must be one of: {', '.join(sorted(known)) or 'none'}."])
    return setup


def _check_credentials(setup: ProviderSetup, credentials: Mapping[str, str]) -> dict[str, str]:
    """Return the credentials without blanks around them. Raises ``ValidationFailed`` unless all required are there."""
    known = {field.name: field.is_required for field in setup.fields}
    errors = {f"credentials.{name}": ["Unknown field."] for name in credentials if name not in known}
    given = {name: text.strip() for name, text in credentials.items() if text.strip()}
    if given or not setup.has_account_page:
        missing = [name for name in sorted(known) if known[name] and name not in given]
        errors |= {f"credentials.{name}": ["This field is required."] for name in missing}
    if errors:
        raise ValidationFailed(errors)
    return given


async def _check_new_account(caller: Caller, account_id: int) -> None:
    """Ask the provider for a new account, and delete the account if its credentials are refused."""
    account = to_account(await _get_row(caller, account_id), with_credentials=True)
    try:
        status = await _request_status(account)
    except ValidationFailed:
        await sql.execute(DELETE_UNUSED_ACCOUNT, account_id, caller.owner_id)
        raise
    except Unavailable:
        return
    await account_checks.store_status(caller.owner_id, account_id, status)


async def _request_status(account: PaymentAccount) -> AccountStatus:
    """Return the state of an account. Raises ``ValidationFailed`` if it is refused; ``Unavailable``."""
    try:
        return await account_checks.request_status(account)
    except PaymentDeclined as refusal:
        raise ValidationFailed(credentials=[str(refusal)], extras={"reason": "refused"}) from refusal
