"""Card readers of payment accounts. They are kept by the providers: there is nothing here that could disagree."""

from collections.abc import Awaitable
from typing import TypeVar

import structlog
from comanda.basics import Conflict, NotFound, Sentence, Unavailable
from comanda.contracts import AccountState, Caller, CardReader, PaymentDeclined
from comanda.platform.db import sql

from comanda_payments.records.accounts import OwnCardReader, StoreCardReader
from comanda_payments.services.accounts import payment_accounts
from comanda_payments.services.accounts.account_rows import SELECT_ACCOUNT, to_account
from comanda_payments.services.bills import available_methods
from comanda_payments.services.providers import provider_calls
from comanda_payments.services.providers.provider_calls import AccountCalls

log = structlog.get_logger(__name__)

T = TypeVar("T")


async def list_readers(caller: Caller, account_id: int) -> list[OwnCardReader]:
    """Return the card readers of an account. Raises ``NotFound``; ``Conflict``; ``Unavailable``."""
    calls = await _open_calls(caller, account_id)
    return [_to_record(reader) for reader in await _ask(calls.list_readers())]


async def register_reader(caller: Caller, account_id: int, code: str, name: str) -> OwnCardReader:
    """Register a card reader. Raises like ``list_readers``, ``Conflict`` if the provider refuses."""
    calls = await _open_calls(caller, account_id)
    return _to_record(await _ask(calls.register_reader(code, name)))


async def rename_reader(caller: Caller, account_id: int, reference: str, name: str) -> OwnCardReader:
    """Rename a card reader. Raises like ``register_reader``."""
    calls = await _open_calls(caller, account_id)
    await _require_reader(calls, reference)
    return _to_record(await _ask(calls.rename_reader(reference, name)))


async def remove_reader(caller: Caller, account_id: int, reference: str) -> None:
    """Remove a card reader from the account. Raises like ``register_reader``."""
    calls = await _open_calls(caller, account_id)
    await _require_reader(calls, reference)
    await _ask(calls.remove_reader(reference))


async def list_store_readers(caller: Caller, store_id: int) -> list[StoreCardReader]:
    """Return the card readers that a store can be paid on now; without those of a provider that does not answer."""
    found = []
    for code, account in sorted((await payment_accounts.find_accounts(caller.owner_id, store_id)).items()):
        if account.id is None or not available_methods.can_use_readers(account):
            continue
        try:
            calls = await _open_calls(caller, account.id)
            readers = await _ask(calls.list_readers())
        except (Conflict, Unavailable) as error:
            log.warning("card_readers_not_listed", account_id=account.id, error=str(error))
            continue
        found += [StoreCardReader(each.reference, each.name, each.is_online, each.url, code) for each in readers]
    return found


async def _open_calls(caller: Caller, account_id: int) -> AccountCalls:
    row = await sql.require_one(SELECT_ACCOUNT, account_id, caller.owner_id)
    calls = provider_calls.open_calls(to_account(row, with_credentials=True))
    if calls is None or calls.method.readers is None or row["state"] == AccountState.REVOKED:
        raise Conflict(Sentence("This account has no card readers."), extras={"reason": "no_readers"})
    return calls


async def _require_reader(calls: AccountCalls, reference: str) -> None:
    if all(reader.reference != reference for reader in await _ask(calls.list_readers())):
        raise NotFound


async def _ask(answer: Awaitable[T]) -> T:
    try:
        return await answer
    except PaymentDeclined as refusal:
        raise Conflict(str(refusal), extras={"reason": "refused"}) from refusal
    except Exception as error:
        log.warning("card_readers_not_answered", error=repr(error))
        raise Unavailable(Sentence("The provider is not responding. Try again shortly.")) from error


def _to_record(reader: CardReader) -> OwnCardReader:
    return OwnCardReader(reader.reference, reader.name, reader.is_online, reader.url)
