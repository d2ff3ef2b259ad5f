"""Payment accounts of owners, and the operator's terms. Apps and staff do not decide where money goes."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_payments.records.accounts import (
    AccountPageLink,
    AvailableProvider,
    OwnCardReader,
    OwnPaymentAccount,
    OwnPaymentTerms,
)
from comanda_payments.records.disputes import OwnDispute
from comanda_payments.schemas import (
    AccountPageBody,
    CardReaderBody,
    CardReaderNameBody,
    CredentialsBody,
    PaymentAccountBody,
)
from comanda_payments.services.accounts import account_administration, card_readers, terms
from comanda_payments.services.providers import disputes

routes = Routes("Payment accounts")

ACCOUNTS = "/payment-accounts"
ACCOUNT = f"{ACCOUNTS}/{{accountId}}"
READERS = f"{ACCOUNT}/readers"
READER = f"{READERS}/{{reference}}"


@routes.get("/payment-providers", scope="payments:read")
async def list_providers(caller: Caller) -> list[AvailableProvider]:
    """List the payment providers at which you can get an account, and what each needs."""
    return await account_administration.list_providers(caller)


@routes.get("/payment-terms", scope="payments:read")
async def get_terms(caller: Caller) -> OwnPaymentTerms:
    """Return whether the operator lends you its account, and the fees of online payments in each store."""
    return await terms.get_own_terms(caller)


@routes.get(ACCOUNTS, scope="payments:read")
async def list_accounts(caller: Caller, page: PageRequest) -> RecordPage[OwnPaymentAccount]:
    """List your payment accounts, newest first. Their credentials are never returned."""
    return await account_administration.list_accounts(caller, page)


@routes.post(ACCOUNTS, scope="payments:write")
async def create_account(caller: Caller, body: PaymentAccountBody) -> OwnPaymentAccount:
    """Connect a payment account, for one store or for all of yours.

    It is checked at the provider at once. One without ``credentials`` is completed on the provider's page: ask for its
    ``page``.
    """
    return await account_administration.create_account(caller, body)


@routes.get("/payment-disputes", scope="payments:read")
async def list_disputes(caller: Caller, page: PageRequest) -> RecordPage[OwnDispute]:
    """List the disputes (chargebacks) of your online payments, newest first. They are answered at the provider."""
    return await disputes.list_disputes(caller, page)


@routes.get(ACCOUNT, scope="payments:read")
async def get_account(caller: Caller, account_id: int) -> OwnPaymentAccount:
    """Return a payment account."""
    return await account_administration.get_account(caller, account_id)


@routes.put(f"{ACCOUNT}/credentials", scope="payments:write")
async def replace_credentials(caller: Caller, account_id: int, body: CredentialsBody) -> OwnPaymentAccount:
    """Replace the credentials by others of the same account at the provider."""
    return await account_administration.replace_credentials(caller, account_id, body.credentials)


@routes.post(f"{ACCOUNT}/check", scope="payments:write", status=200)
async def check_account(caller: Caller, account_id: int) -> OwnPaymentAccount:
    """Ask the provider for the state of the account now, instead of within the hour."""
    return await account_administration.check_account(caller, account_id)


@routes.post(f"{ACCOUNT}/page", scope="payments:write", status=200)
async def open_account_page(caller: Caller, account_id: int, body: AccountPageBody) -> AccountPageLink:
    """Return the provider's page on which you complete the account. It can be opened once, and for a short time."""
    return await account_administration.open_account_page(caller, account_id, body.return_url)


@routes.delete(ACCOUNT, scope="payments:write")
async def disconnect_account(caller: Caller, account_id: int) -> None:
    """Disconnect a payment account. What was paid into it is still refunded from it."""
    await account_administration.disconnect_account(caller, account_id)


@routes.get(READERS, scope="payments:read")
async def list_readers(caller: Caller, account_id: int) -> list[OwnCardReader]:
    """List the card readers of a payment account, as its provider has them."""
    return await card_readers.list_readers(caller, account_id)


@routes.post(READERS, scope="payments:write")
async def register_reader(caller: Caller, account_id: int, body: CardReaderBody) -> OwnCardReader:
    """Register a card reader by the code that it shows."""
    return await card_readers.register_reader(caller, account_id, body.code, body.name)


@routes.put(READER, scope="payments:write")
async def rename_reader(caller: Caller, account_id: int, reference: str, body: CardReaderNameBody) -> OwnCardReader:
    """Rename a card reader."""
    return await card_readers.rename_reader(caller, account_id, reference, body.name)


@routes.delete(READER, scope="payments:write")
async def remove_reader(caller: Caller, account_id: int, reference: str) -> None:
    """Remove a card reader from the account. A payment that it is taking goes on."""
    await card_readers.remove_reader(caller, account_id, reference)
