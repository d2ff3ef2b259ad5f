"""The payment methods that can be used now: those of this plugin and those of other plugins."""

from comanda.basics import ValidationFailed
from comanda.contracts import AccountCapability, PaymentAccount, PaymentMethod
from comanda.platform import runtime

from comanda_payments.payment_methods import GIFT_CARD, STORE_CREDIT
from comanda_payments.services.accounts import payment_accounts
from comanda_payments.services.providers import provider_calls
from comanda_payments.store_settings import OnlineRule, get_settings


async def get_available_method(
    owner_id: int, store_id: int, code: str, *, is_in_person: bool = False
) -> tuple[PaymentMethod, PaymentAccount | None]:
    """Return a method that a store can use now, with the account that its money goes to unless it is booked at once.

    Raises ``ValidationFailed`` that lists the methods that can be used; in person, those with card readers.
    """
    method = runtime.registry().payment_methods.get(code)
    if method is not None and method.provider is None and method.is_offered and not is_in_person:
        return method, None
    accounts = await payment_accounts.find_accounts(owner_id, store_id)
    if is_in_person:
        in_person = sorted(known for known, account in accounts.items() if can_use_readers(account))
        if method is None or code not in in_person:
            raise ValidationFailed(method=[f"With a card reader, must be one of: {', '.join(in_person) or 'none'}."])
    elif method is None or not _is_online(accounts.get(code)):
        available = [each.code for each in _list_available(accounts)]
        raise ValidationFailed(method=[f"Must be one of: {', '.join(sorted(available))}."])
    return method, accounts[code]


async def list_available_methods(owner_id: int, store_id: int) -> list[PaymentMethod]:
    """List the methods that a store can use now."""
    return _list_available(await payment_accounts.find_accounts(owner_id, store_id))


async def list_online_methods(owner_id: int, store_id: int) -> list[PaymentMethod]:
    """List the methods with a hosted payment page that a store can use now."""
    return [method for method in await list_available_methods(owner_id, store_id) if method.provider is not None]


def list_desk_methods() -> list[PaymentMethod]:
    """List the methods that somebody at a store takes without a provider: cash, or a terminal of the store."""
    known = runtime.registry().payment_methods.values()
    return [method for method in known if method.is_offered and needs_staff(method.code)]


async def list_guest_methods(owner_id: int, store_id: int, mode: str) -> list[PaymentMethod]:
    """List the methods with a hosted payment page with which guests can pay orders of a mode now."""
    settings = await get_settings(owner_id, store_id)
    return [] if settings.get_rule(mode) is OnlineRule.OFF else await list_online_methods(owner_id, store_id)


async def list_customer_methods(owner_id: int, store_id: int, mode: str) -> list[str]:
    """List the codes of the methods with which a store's customers can pay orders of a mode without staff, sorted."""
    online = await list_guest_methods(owner_id, store_id, mode)
    return sorted([GIFT_CARD, STORE_CREDIT, *(method.code for method in online)])


def can_use_readers(account: PaymentAccount) -> bool:
    """Check whether an account takes payments on card readers now."""
    found = provider_calls.find_provider(account.provider)
    return found is not None and found[0].readers is not None and account.can(AccountCapability.IN_PERSON)


def is_immediate(code: str) -> bool:
    """Check whether payments and refunds of a method are booked at once, without a provider."""
    method = runtime.registry().payment_methods.get(code)
    return method is not None and method.provider is None


def needs_staff(code: str) -> bool:
    """Check whether somebody at the store has to give back what was paid with a method."""
    return is_immediate(code) and code not in {GIFT_CARD, STORE_CREDIT}


def _list_available(accounts: dict[str, PaymentAccount]) -> list[PaymentMethod]:
    known = [method for method in runtime.registry().payment_methods.values() if method.is_offered]
    return [method for method in known if method.provider is None or _is_online(accounts.get(method.code))]


def _is_online(account: PaymentAccount | None) -> bool:
    return account is not None and account.can(AccountCapability.ONLINE)
