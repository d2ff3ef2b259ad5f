"""Customers as their store's owner sees them and writes them down."""

from collections.abc import Collection
from typing import Any

import orjson
from comanda import clock, money
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.stores.services import require_store

from comanda_customers.identities import Identity, identities_of
from comanda_customers.models import Address, Customer
from comanda_customers.schemas import consents
from comanda_customers.schemas.contacts import ContactBody
from comanda_customers.searching import fold, phone_digits
from comanda_customers.services import claiming, shops
from comanda_customers.services.addresses import record as address_record
from comanda_customers.services.registering import announce
from comanda_customers.services.shops import Shop

PER_PAGE = 30

# Texts are looked for as they are: no sign in them stands for others.
WANTED = """
    FROM customers_customer c WHERE c.store_id = $1 AND c.owner_id = $2 AND c.erased_at IS NULL
        AND ($3 = '' OR strpos(c.search, $3) > 0 OR strpos(c.email, $3) > 0 OR $4 <> '' AND strpos(c.phone, $4) > 0)
"""
COUNT = f"SELECT count(*) {WANTED}"
COLUMNS = """
    SELECT c.id, c.name, c.email, c.phone, c.consents, c.created_at, o.orders_count, o.spent_minor, o.last_order_at
"""
ORDERS = """
    CROSS JOIN LATERAL (
        SELECT count(*) AS orders_count, coalesce(sum(greatest(o.total_minor - o.refunded_minor, 0)), 0)
            AS spent_minor, max(o.created_at) AS last_order_at
        FROM core_order o
        WHERE o.customer_id = c.id AND o.owner_id = c.owner_id AND o.store_id = c.store_id AND o.status <> 'cancelled'
    ) AS o
"""
PAGE = f"""
    {COLUMNS} FROM (
        SELECT c.id, c.owner_id, c.store_id, c.name, c.email, c.phone, c.consents, c.created_at
        {WANTED} ORDER BY c.id DESC LIMIT $5 OFFSET $6) AS c
    {ORDERS} ORDER BY c.id DESC
"""
ONE = f"""
    {COLUMNS}, c.birthday, c.locale, num_nonnulls(c.login_phone, c.password_hash, c.email_proven_at) > 0 AS has_account
    FROM customers_customer c {ORDERS}
    WHERE c.id = $3 AND c.store_id = $1 AND c.owner_id = $2 AND c.erased_at IS NULL
"""


async def page_of_customers(caller: Caller, store_id: int, search: str, page: PageRequest) -> dict[str, Any]:
    """List a store's customers, newest first. Raises ``NotFound`` for another owner's store."""
    store = await require_store(caller, store_id)
    wanted = (store_id, caller.owner_id, fold(search), phone_digits(search))
    rows = await sql.fetch(PAGE, *wanted, page.size(PER_PAGE), page.offset(PER_PAGE))
    total = await sql.fetch_value(COUNT, *wanted)
    return page.envelope([_record(row, store["currency"]) for row in rows], total, PER_PAGE)


async def customer(caller: Caller, store_id: int, customer_id: int) -> dict[str, Any]:
    """Describe one customer. Raises ``NotFound``, also for one who was erased."""
    store = await require_store(caller, store_id)
    row = await sql.fetch_one(ONE, store_id, caller.owner_id, customer_id)
    if row is None:
        raise NotFound
    addresses = await Address.filter(owner_id=caller.owner_id, customer_id=customer_id).order_by("-id")
    return {
        **_record(row, store["currency"]),
        "birthday": row["birthday"],
        "locale": row["locale"],
        "has_account": row["has_account"],
        "addresses": [address_record(address) for address in addresses],
    }


async def write_down(caller: Caller, store_id: int, body: ContactBody) -> dict[str, Any]:
    """Add a customer who cannot log in until they prove the e-mail or phone. Emits ``CustomerCreated``.

    Raises ``ValidationFailed`` with the ``customer_id`` of whoever has the e-mail or phone already.
    """
    shop = await shops.of_owner(caller, store_id)
    identities = identities_of(body.email, body.phone, shop.country)
    if not identities:
        raise ValidationFailed(email=["Give an e-mail or a phone number."])
    async with sql.transaction():
        await claiming.lock(shop, identities)
        await _must_be_new(shop, identities)
        moment = clock.now()
        made = Customer(
            owner_id=shop.owner_id,
            store_id=shop.id,
            name=body.name,
            search=fold(body.name),
            birthday=body.birthday,
            locale=body.locale,
            consents=consents.changed({}, body.consents, moment),
            created_at=moment,
            **{one.kind.value: one.value for one in identities},
        )
        await made.save()
        await announce(made, "owner")
    return await customer(caller, store_id, made.id)


async def own(caller: Caller, store_id: int, customer_id: int) -> Customer:
    """Return a customer of the owner's store. Raises ``NotFound``, also for one who was erased."""
    shop = await shops.of_owner(caller, store_id)
    found = await Customer.get_or_none(id=customer_id, owner_id=shop.owner_id, store_id=shop.id, erased_at=None)
    if found is None:
        raise NotFound
    return found


async def existing(owner_id: int, store_id: int, customer_ids: Collection[int]) -> list[int]:
    """Return those of the ids that are the store's customers; those who were erased are not."""
    mine = Customer.filter(owner_id=owner_id, store_id=store_id, erased_at=None)
    rows = await mine.filter(id__in=list(customer_ids)).values_list("id", flat=True)
    return [int(str(id)) for id in rows]


async def _must_be_new(shop: Shop, identities: list[Identity]) -> None:
    errors: dict[str, list[str]] = {}
    known: list[int] = []
    for identity in identities:
        for other in await claiming.holders(shop, identity):
            errors[identity.kind.value] = [f"Customer {other.id} has this {identity.kind}."]
            known.append(other.id)
    if errors:
        raise ValidationFailed(errors, extras={"customer_id": known[0]})


def _record(row: sql.Row, currency: str) -> dict[str, Any]:
    return {
        "id": row["id"],
        "name": row["name"],
        "email": row["email"],
        "phone": row["phone"],
        "orders_count": row["orders_count"],
        "total_spent": money.to_number(int(row["spent_minor"]), currency),
        "last_order_at": row["last_order_at"],
        "consents": consents.record(orjson.loads(row["consents"])),
        "created_at": row["created_at"],
    }
