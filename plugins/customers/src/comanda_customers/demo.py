"""A demo customer of the demo restaurant, with a token."""

from comanda.accounts import IssuedToken
from comanda.accounts import services as accounts
from comanda.basics import clock
from comanda.contracts import Showcase
from comanda.operations.demo_data import HISTORY_SOURCE, create_once, fill_once
from comanda.platform.db import sql
from comanda.stores import Store, find_store_of_owners

from comanda_customers.caller_kinds import CUSTOMER
from comanda_customers.models import Customer
from comanda_customers.services.guest_list.search import normalize_text
from comanda_customers.services.guest_list.totals import update_guests
from comanda_customers.services.sign_in.tokens import issue_token

NAME = "Inês Moreira"
EMAIL = "ines@demo.example"
PHONE = "+351912345678"
SELECT_PAST_ORDERS = (
    f"SELECT id FROM core_order_v1 WHERE owner_id = $1 AND source = '{HISTORY_SOURCE}' AND phone IS NOT NULL"
)


async def create_demo_data(showcase: Showcase) -> None:
    """Create the demo customer once, with a token; without a restaurant, in the demo's first store.

    The guests of the demo's past orders are counted.
    """
    await fill_once("guests", lambda: _count_guests(showcase.owners["owner"]))
    stores = sorted(showcase.stores, key=lambda store: store["store_type"] != "restaurant")
    ids = [int(str(store["id"])) for store in stores[:1]]
    store = await find_store_of_owners(showcase.owners.values(), ids[0]) if ids else None
    customer = await _get_or_create_customer(store) if store is not None else None
    if store is not None and customer is not None:
        await _issue_token(showcase, store, customer)


async def _count_guests(owner_id: int) -> None:
    rows = await sql.fetch(SELECT_PAST_ORDERS, owner_id)
    await update_guests([(row["id"], owner_id) for row in rows])


async def _get_or_create_customer(store: Store) -> Customer | None:
    async def create() -> int:
        customer = await Customer.create(
            owner_id=store.owner_id,
            store_id=store.id,
            name=NAME,
            search=normalize_text(NAME),
            email=EMAIL,
            phone=PHONE,
            login_phone=PHONE,
            created_at=clock.now(),
        )
        return int(customer.id)

    async def find() -> int | None:
        found = await Customer.get_or_none(owner_id=store.owner_id, store_id=store.id, email=EMAIL)
        return found.id if found is not None else None

    customer_id = await create_once(f"customer:{store.id}", create, find)
    return await Customer.get_or_none(owner_id=store.owner_id, id=customer_id or 0, erased_at=None)


async def _issue_token(showcase: Showcase, store: Store, customer: Customer) -> None:
    async def issue() -> IssuedToken:
        return await issue_token(store.owner_id, store.id, customer.id, "demo")

    role = CUSTOMER.code
    kept = showcase.kept.get(role)
    if kept is not None and not await accounts.is_token_of(kept, store.owner_id, store.id, customer.id):
        # An earlier run used another store, so its token is valid but not for this one.
        showcase.tokens[role] = (await issue()).secret
        return
    await showcase.token(role, store.owner_id, issue)
