"""The customers of a reseller."""

from typing import Final

from comanda.accounts import administration, create_owner
from comanda.basics import ValidationFailed, clock
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda_wallet import api as wallet

from comanda_reseller import models
from comanda_reseller.models import Account, CollectionMethod
from comanda_reseller.records.accounts import Customer
from comanda_reseller.schemas.customers import CustomerBody, CustomerChange, CustomerQuery
from comanda_reseller.services.customers import customer_rows, invitations
from comanda_reseller.services.resellers.accounts import require_account, require_customer
from comanda_reseller.services.resellers.brand import set_brand_of_reseller

CLEARABLE: Final = frozenset({"legal_name", "address", "tax_number"})


async def list_customers(caller: Caller, query: CustomerQuery, page: PageRequest) -> RecordPage[Customer]:
    """List the customers of a reseller, newest first. Raises ``Forbidden`` unless the caller is one."""
    await require_account(caller)
    return await customer_rows.list_page(caller.owner_id, query, page)


async def get_customer(caller: Caller, customer_id: int) -> Customer:
    """Return a customer. Raises ``Forbidden`` unless the caller is a reseller, and ``NotFound``."""
    await require_customer(caller, customer_id)
    return await customer_rows.get_customer(caller.owner_id, customer_id)


async def create_customer(caller: Caller, body: CustomerBody) -> Customer:
    """Create a customer account of the reseller, and invite its owner by e-mail.

    Raises ``Forbidden`` unless the caller is a reseller; ``ValidationFailed`` if the e-mail address is taken, or the
    wallets' currency differs from the reseller's; ``RateLimited`` beyond the hourly limit of invitations.
    """
    account = await require_account(caller)
    _check_method(account, body.collection_method)
    moment = clock.now()
    async with sql.transaction():
        owner = await create_owner(body.email, body.name)
        customer = await models.Customer.create(
            owner_id=caller.owner_id,
            customer_owner_id=owner.id,
            collection_method=body.collection_method,
            language=body.language,
            legal_name=body.legal_name,
            address=body.address,
            tax_number=body.tax_number,
            created_at=moment,
            updated_at=moment,
        )
        await set_brand_of_reseller([owner.id], caller.owner_id)
        await invitations.invite(customer, owner.email)
    return await customer_rows.get_customer(caller.owner_id, owner.id)


async def update_customer(caller: Caller, customer_id: int, change: CustomerChange) -> Customer:
    """Update the collection method and billing details of a customer. Issued invoices do not change.

    Raises ``Forbidden`` unless the caller is a reseller, ``NotFound``, and ``ValidationFailed`` like
    ``create_customer``.
    """
    account = await require_account(caller)
    customer = await require_customer(caller, customer_id)
    if change.collection_method is not None:
        _check_method(account, change.collection_method)
    given = change.model_dump(exclude_unset=True)
    changes = {name: value for name, value in given.items() if value is not None or name in CLEARABLE}
    if changes:
        customer.update_from_dict({**changes, "updated_at": clock.now()})
        async with sql.transaction():
            await customer.save(update_fields=[*changes, "updated_at"])
    return await customer_rows.get_customer(caller.owner_id, customer_id)


async def invite_customer(caller: Caller, customer_id: int) -> Customer:
    """Send a customer a new invitation, which replaces earlier ones; also after a lost password.

    Raises ``Forbidden`` unless the caller is a reseller, ``NotFound``, and ``RateLimited``.
    """
    customer = await require_customer(caller, customer_id)
    record = await customer_rows.get_customer(caller.owner_id, customer_id)
    async with sql.transaction():
        await invitations.invite(customer, record.email)
    return await customer_rows.get_customer(caller.owner_id, customer_id)


async def suspend_customer(caller: Caller, customer_id: int, reason: str) -> Customer:
    """Suspend a customer's account; repeating it changes nothing. Subscriptions continue.

    Raises ``Forbidden`` unless the caller is a reseller, and ``NotFound``.
    """
    await require_customer(caller, customer_id)
    async with sql.transaction():
        await administration.suspend_owner(customer_id, reason, by=_get_actor(caller))
    return await customer_rows.get_customer(caller.owner_id, customer_id)


async def unsuspend_customer(caller: Caller, customer_id: int) -> Customer:
    """Lift a suspension that the reseller made; repeating it changes nothing.

    Raises ``Forbidden`` unless the caller is a reseller, ``NotFound``, and ``Conflict`` if the operator suspended it.
    """
    await require_customer(caller, customer_id)
    async with sql.transaction():
        await administration.unsuspend_owner(customer_id, by=_get_actor(caller))
    return await customer_rows.get_customer(caller.owner_id, customer_id)


def _get_actor(caller: Caller) -> str:
    # Keyed by account so that any of its tokens can undo another's suspension.
    return f"reseller:{caller.owner_id}"


def _check_method(account: Account, method: CollectionMethod) -> None:
    currency = wallet.get_currency()
    if method is CollectionMethod.WALLET and currency != account.currency:
        raise ValidationFailed(
            collection_method=[f"Wallets are in {currency} and invoices in {account.currency}. Use manual."]
        )
