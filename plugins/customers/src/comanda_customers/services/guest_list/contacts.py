"""Customers as their store's owner lists and creates them."""

from collections.abc import Collection

import orjson
from comanda.basics import Money, NotFound, Sentence, ValidationFailed, clock, extend_record, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_customers.models import Address, Customer
from comanda_customers.records.customers import Contact, DetailedContact
from comanda_customers.schemas.contacts import ContactBody, ContactChange
from comanda_customers.services import stores
from comanda_customers.services.addresses import to_saved_address
from comanda_customers.services.guest_list import identity_claims
from comanda_customers.services.guest_list.identities import Identity, parse_identities
from comanda_customers.services.guest_list.search import extract_phone_digits, normalize_text
from comanda_customers.services.personal_data import consents
from comanda_customers.services.sign_in.registration import publish_customer_created
from comanda_customers.services.stores import CustomerStore

PER_PAGE = 30

# The search text is matched literally, without wildcards.
FROM_MATCHING_CUSTOMERS = """
    FROM customers_customer c WHERE c.store_id = $1 AND c.owner_id = $2 AND c.erased_at IS NULL
        AND ($3 = '' OR strpos(c.search, $3) > 0 OR strpos(c.email, $3) > 0 OR $4 <> '' AND strpos(c.phone, $4) > 0)
"""
COUNT_CUSTOMERS = f"SELECT count(*) {FROM_MATCHING_CUSTOMERS}"
SELECT_COLUMNS = """
    SELECT c.id, c.name, c.email, c.phone, c.consents, c.created_at, o.orders_count, o.spent_minor, o.last_order_at
"""
JOIN_ORDER_TOTALS = """
    CROSS JOIN LATERAL (
        SELECT count(*) AS orders_count, coalesce(sum(greatest(o.paid_minor - o.refunded_minor, 0)), 0)
            AS spent_minor, max(o.created_at) AS last_order_at
        FROM core_order_v1 o
        WHERE o.customer_id = c.id AND o.owner_id = $2 AND o.store_id = c.store_id AND o.status <> 'cancelled'
    ) AS o
"""
SELECT_CUSTOMERS = f"""
    {SELECT_COLUMNS} FROM (
        SELECT c.id, c.owner_id, c.store_id, c.name, c.email, c.phone, c.consents, c.created_at
        {FROM_MATCHING_CUSTOMERS} ORDER BY c.id DESC LIMIT $5 OFFSET $6) AS c
    {JOIN_ORDER_TOTALS} ORDER BY c.id DESC
"""
SELECT_CUSTOMER = f"""
    {SELECT_COLUMNS}, c.birthday, c.locale,
        num_nonnulls(c.login_phone, c.password_hash, c.email_proven_at) > 0 AS has_account
    FROM customers_customer c {JOIN_ORDER_TOTALS}
    WHERE c.id = $3 AND c.store_id = $1 AND c.owner_id = $2 AND c.erased_at IS NULL
"""


async def list_contacts(caller: Caller, store_id: int, search: str, page: PageRequest) -> RecordPage[Contact]:
    """List a store's customers, newest first. Raises ``NotFound`` for another owner's store."""
    store = await require_store(caller, store_id)
    filters = (store_id, caller.owner_id, normalize_text(search), extract_phone_digits(search))
    rows = await sql.fetch(SELECT_CUSTOMERS, *filters, page.size(PER_PAGE), page.offset(PER_PAGE))
    total = await sql.fetch_value(COUNT_CUSTOMERS, *filters)
    return page.of([_to_contact(row, store["currency"]) for row in rows], total, PER_PAGE)


async def get_contact(caller: Caller, store_id: int, customer_id: int) -> DetailedContact:
    """Return a customer with contact details and totals. Raises ``NotFound``, also for one who was erased."""
    store = await require_store(caller, store_id)
    row = await sql.require_one(SELECT_CUSTOMER, store_id, caller.owner_id, customer_id)
    addresses = await Address.filter(owner_id=caller.owner_id, customer_id=customer_id).order_by("-id")
    return extend_record(
        DetailedContact,
        _to_contact(row, store["currency"]),
        birthday=row["birthday"],
        locale=row["locale"],
        has_account=row["has_account"],
        addresses=[to_saved_address(address) for address in addresses],
    )


async def create_contact(caller: Caller, store_id: int, body: ContactBody) -> DetailedContact:
    """Create a customer, who can log in once they prove the e-mail or phone. Emits ``CustomerCreated``.

    Raises ``ValidationFailed`` with the ``customer_id`` of the customer who already has the e-mail or phone.
    """
    store = await stores.get_owner_store(caller, store_id)
    identities = parse_identities(body.email, body.phone, store.country)
    if not identities:
        raise ValidationFailed(email=[Sentence("An e-mail or a phone number is required.")])
    async with sql.transaction():
        await identity_claims.lock_identities(store, identities)
        await _check_unclaimed(store, identities)
        moment = clock.now()
        customer = Customer(
            owner_id=store.owner_id,
            store_id=store.id,
            name=body.name,
            search=normalize_text(body.name),
            birthday=body.birthday,
            locale=body.locale,
            consents=consents.update_consents({}, body.consents, moment),
            created_at=moment,
            **{one.kind.value: one.value for one in identities},
        )
        await customer.save()
        await publish_customer_created(customer, "owner")
    return await get_contact(caller, store_id, customer.id)


async def update_contact(caller: Caller, store_id: int, customer_id: int, body: ContactChange) -> DetailedContact:
    """Update the given fields of a customer; what they log in by stays.

    Raises ``NotFound``; ``ValidationFailed`` for an e-mail or phone of another customer, and for a change that would
    leave neither.
    """
    store = await stores.get_owner_store(caller, store_id)
    identities = parse_identities(body.email, body.phone, store.country)
    async with sql.transaction():
        await identity_claims.lock_identities(store, identities)
        mine = Customer.filter(owner_id=store.owner_id, store_id=store.id, erased_at=None)
        customer = require_found(await mine.select_for_update(no_key=True).get_or_none(id=customer_id))
        await _check_unclaimed(store, identities, customer_id)
        _apply_change(customer, body, identities)
        await customer.save()
    return await get_contact(caller, store_id, customer_id)


def _apply_change(customer: Customer, body: ContactChange, identities: list[Identity]) -> None:
    given = body.model_fields_set
    for field in given & {"birthday", "locale"}:
        setattr(customer, field, getattr(body, field))
    for field in given & {"email", "phone"}:
        setattr(customer, field, next((one.value for one in identities if one.kind == field), None))
    if not (customer.email or customer.phone or customer.login_email or customer.login_phone):
        raise ValidationFailed(email=[Sentence("An e-mail or a phone number is required.")])
    if body.name is not None:
        customer.name, customer.search = body.name, normalize_text(body.name)
    customer.consents = consents.update_consents(customer.consents, body.consents, clock.now())


async def get_customer(caller: Caller, store_id: int, customer_id: int) -> Customer:
    """Return the row of a customer of the owner's store. Raises ``NotFound``, also for one who was erased."""
    store = await stores.get_owner_store(caller, store_id)
    found = await Customer.get_or_none(id=customer_id, owner_id=store.owner_id, store_id=store.id, erased_at=None)
    if found is None:
        raise NotFound
    return found


async def list_existing_ids(owner_id: int, store_id: int, customer_ids: Collection[int]) -> list[int]:
    """List those of the ids that are customers of the store and not erased."""
    mine = Customer.filter(owner_id=owner_id, store_id=store_id, erased_at=None)
    rows = await mine.filter(id__in=list(customer_ids)).values_list("id", flat=True)
    return [int(str(id)) for id in rows]


async def _check_unclaimed(store: CustomerStore, identities: list[Identity], except_id: int | None = None) -> None:
    errors: dict[str, list[str]] = {}
    known: list[int] = []
    for identity in identities:
        for other in await identity_claims.lock_customers_with_identity(store, identity):
            if other.id == except_id:
                continue
            errors[identity.kind.value] = [f"Customer {other.id} already has this {identity.kind}."]
            known.append(other.id)
    if errors:
        raise ValidationFailed(errors, extras={"customer_id": known[0]})


def _to_contact(row: sql.Row, currency: str) -> Contact:
    return sql.to_record(
        Contact,
        row,
        total_spent=Money(int(row["spent_minor"]), currency),
        consents=consents.to_consents(orjson.loads(row["consents"])),
    )
