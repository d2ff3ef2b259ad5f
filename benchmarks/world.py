"""What is measured on: an owner, stores, a menu of 50 items, and, where asked for, a million orders."""

import json
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
from comanda.accounts import services as accounts
from comanda.composition.app import open_runtime
from comanda.composition.bootstrap import start_runtime
from comanda.contracts.requests.callers import Caller
from comanda.menu import services as menus
from comanda.menu.schemas import CategoryBody, ExtraBody, ExtraGroupBody, ItemBody, VariationBody
from comanda.orders.lists import search_index
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.db.upgrade import upgrade_database
from comanda.platform.settings import Settings, read_settings
from comanda.stores import services as stores
from comanda_customers.services.guest_list import counts as guest_counts

from benchmarks.cluster import execute
from benchmarks.load import KEY

# The processes that are measured have data folders of their own, so they share a key instead of a key file.
SECRET_KEY = b64encode(bytes(32)).decode()
EMAIL = "bench@example.com"
STORES = 20
CATEGORIES = 5
ITEMS = 50
FEW_ITEMS = 3


@dataclass(frozen=True, slots=True)
class Shop:
    """A store and what an order of three lines names there: a plain item, one with a variation, one with two extras."""

    id: int
    lines: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class World:
    """An installation's data. The first shop has the whole menu, the others a short one."""

    token: str
    owner_id: int
    shops: list[Shop]

    def order_request(self, shop: Shop) -> str:
        """Make the request that places an order of three lines with a key of its own."""
        body = json.dumps({"type": "takeaway", "customer_name": "Ada", "note": "No napkins", "items": shop.lines})
        return (
            f"POST /api/v1/restaurants/{shop.id}/orders HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {self.token}\r\nContent-Type: application/json\r\n"
            f"Idempotency-Key: {KEY}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        )

    def get_request(self, path: str) -> str:
        """Make a request of the owner's that reads."""
        return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n\r\n"


@asynccontextmanager
async def comanda(url: str) -> AsyncIterator[None]:
    """Run Comanda's services in this process on a database, its tables made first."""
    made = start_runtime(read_settings(Settings, database_url=url, secret_keys=SECRET_KEY))
    await upgrade_database(url, made.settings, made.registry)
    async with open_runtime(made, with_background=False):
        yield


async def build(url: str) -> World:
    """Fill an empty database."""
    async with comanda(url):
        owner = await accounts.create_owner(EMAIL, "Bench")
        kind = runtime.registry().caller_kinds["owner"]
        issued = await accounts.issue_owner_token(kind, owner.id, ["*"], name="bench")
        caller = Caller("owner", issued.id, owner.id, None, None, frozenset({"*"}), None)
        shops = [await _shop(caller, number, ITEMS if number == 0 else FEW_ITEMS) for number in range(STORES)]
        # The events of making all this are not part of any measure.
        await sql.execute("DELETE FROM core_outbox")
    return World(issued.secret, owner.id, shops)


async def _shop(caller: Caller, number: int, items: int) -> Shop:
    store_id = await stores.create_store(caller.owner_id, f"Bench {number}", "restaurant", slug=f"bench-{number}")
    categories = [
        (await menus.create_category(caller, store_id, CategoryBody(name=f"Category {position}", position=position))).id
        for position in range(min(CATEGORIES, items))
    ]
    made = [
        (await menus.create_item(caller, store_id, _item(position, categories[position % len(categories)]))).item
        for position in range(items)
    ]
    plain, varied, topped = made[:3]
    extras = [extra.id for extra in topped.groups[0].extras[:2]]
    return Shop(
        store_id,
        [
            {"item_id": plain.id, "quantity": 2},
            {"item_id": varied.id, "quantity": 1, "variation": varied.variants[1].id},
            {"item_id": topped.id, "quantity": 1, "extras": extras},
        ],
    )


def _item(position: int, category_id: int) -> ItemBody:
    """Make an item; of three in a row one is plain, one has variations and one has extras."""
    sizes = [VariationBody(name=name, price=9.5 + position) for name in ("Small", "Large")]
    toppings = [ExtraBody(name=f"Topping {number}", price=0.5 * number) for number in range(1, 7)]
    return ItemBody(
        name=f"Dish number {position}",
        description="Slowly cooked with what the market had this morning, and a little more of it than needed.",
        price=9.5 + position,
        category_id=category_id,
        position=position,
        variations=sizes if position % 3 == 1 else [],
        extra_groups=[ExtraGroupBody(name="Toppings", max=4, extras=toppings)] if position % 3 == 2 else [],
    )


# So many orders are of one guest, in a table of any size.
FEW_MATCHES = 25
# One order in twenty is being prepared, so that both tables fill a page of them.
SEED = """
    INSERT INTO core_order (
        owner_id, store_id, number, business_date, type, status, payment_status, currency, subtotal_minor,
        discount_total_minor, service_charge_minor, delivery_fee_minor, tax_total_minor, is_tax_included, tip_minor,
        rounding_minor, total_minor, paid_minor, paid_at, customer_name, phone, source, audience, track_token,
        track_hash, timeline, created_at, updated_at)
    SELECT {owner_id}, {store_id}, n % 300 + 1, m.moment::date, 'takeaway',
        CASE WHEN n % 20 = 0 THEN 'preparing' ELSE 'completed' END, 'paid', 'EUR', 2350, 0, 0, 0, 0, true, 0,
        0, 2350, 2350, m.moment, CASE WHEN n % ({orders} / {few_matches}) = 0
            THEN 'Rosa Albuquerque' ELSE 'Guest ' || n % 5000 END,
        '+3519' || lpad(n::text, 8, '0'), 'api', 'owner', t.token, sha256(t.token::bytea),
        '{{"created_at": "2026-01-01T12:00:00+00:00"}}', m.moment, m.moment
    FROM generate_series(1, {orders}) AS n,
        LATERAL (SELECT md5(n::text) || '12345678901' AS token) AS t,
        LATERAL (SELECT '{first_at}'::timestamptz + n * interval '{spacing}' AS moment) AS m
"""
# Guests came over the last 200 days; one in ten came often, and one in seven has an e-mail.
SEED_GUESTS = """
    INSERT INTO customers_guest (
        owner_id, store_id, identity, name, phone, email, search, visits, orders, total_spent_minor, first_visit_on,
        last_visit_on, third_last_on, first_seen_at, last_seen_at)
    SELECT {owner_id}, {store_id}, '+3519' || lpad(n::text, 8, '0'), name, '+3519' || lpad(n::text, 8, '0'),
        CASE WHEN n % 7 = 0 THEN 'guest' || n || '@example.com' END, lower(name), orders, orders, orders * 2350,
        seen_at::date - orders, seen_at::date, CASE WHEN orders >= 3 THEN seen_at::date - 2 END,
        seen_at - orders * interval '1 day', seen_at
    FROM generate_series(1, {guests}) AS n,
        LATERAL (SELECT CASE n % 10 WHEN 0 THEN 5 + n % 97 ELSE 1 + n % 4 END AS orders,
            CASE n WHEN 500 THEN 'Rosa 500' ELSE 'Guest ' || n END AS name,
            now() - (n % 200) * interval '1 day' - n * interval '1 second' AS seen_at) AS guest
"""
FIRST_ORDER_AT = datetime(2026, 1, 1, 12, tzinfo=UTC)
SEED_SECONDS = 300
ORDER_SPACING = timedelta(seconds=20)
# The newest orders are those that a page shows or a person opens.
SEED_LINES = """
    INSERT INTO core_order_line (
        owner_id, order_id, position, item_id, name, quantity, unit_price_minor, extras, discount_minor, tax_minor,
        tax_rate_ppm, total_minor)
    SELECT owner_id, id, position, 1 + position, 'Dish number ' || position, 1, 700, '[]', 0, 0, 0, 700
    FROM (SELECT owner_id, id FROM core_order ORDER BY id DESC LIMIT 50000) AS o, generate_series(0, 2) AS position
"""
SEED_TALLY = """
    INSERT INTO core_order_tally (store_id, owner_id, business_date, last_number, preparing, completed)
    VALUES ({store_id}, {owner_id}, '2026-01-01', 300, {orders} / 20, {orders} - {orders} / 20)
"""


COPY_ITEMS = """
    INSERT INTO core_menu_item ({columns})
    SELECT {values} FROM core_menu_item i, generate_series(1, $2::int) AS n WHERE i.id = $1
"""


async def copy_items(url: str, shop: Shop, items: int) -> None:
    """Copy the first shop's plain item so many times, each under a name of its own."""
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch(
            """SELECT column_name AS name FROM information_schema.columns
               WHERE table_name = 'core_menu_item' AND is_generated = 'NEVER' AND column_name <> 'id'"""
        )
        values = {row["name"]: f"i.{row['name']}" for row in rows} | {
            "name": "'Dish number ' || n || ' of many'",
            "position": "100 + n",
        }
        statement = COPY_ITEMS.format(columns=", ".join(values), values=", ".join(values.values()))
        await connection.execute(statement, shop.lines[0]["item_id"], items)
    finally:
        await connection.close()


async def seed_orders(url: str, world: World, orders: int, first_at: datetime = FIRST_ORDER_AT) -> None:
    """Put ``orders`` orders into the first shop, with lines for the newest 50,000, in seconds.

    Foreign keys are not looked up and indexes are made at the end, as a restore does; the tables come out the same.
    """
    place = {
        "owner_id": world.owner_id, "store_id": world.shops[0].id, "orders": orders,
        "few_matches": FEW_MATCHES, "first_at": first_at.isoformat(),
        "spacing": f"{ORDER_SPACING.total_seconds()} seconds",
    }  # fmt: skip
    timeout = max(SEED_SECONDS, orders * SEED_SECONDS / 1_000_000)
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("SET session_replication_role = replica; SET maintenance_work_mem = '512MB'")
        indexes = await connection.fetch(
            """SELECT pg_get_indexdef(i.indexrelid) AS definition, i.indexrelid::regclass::text AS name
               FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid
               WHERE i.indrelid = 'core_order'::regclass AND c.oid IS NULL"""
        )
        for index in indexes:
            await connection.execute(f"DROP INDEX {index['name']}")
        for statement in (SEED, SEED_LINES, SEED_TALLY):
            await connection.execute(statement.format(**place), timeout=timeout)
        for index in indexes:
            await connection.execute(index["definition"], timeout=timeout)
        await connection.execute("VACUUM (ANALYZE) core_order")
        await connection.execute("VACUUM (ANALYZE) core_order_line")
        await connection.execute("CHECKPOINT")
    finally:
        await connection.close()


async def seed_guests(url: str, world: World, guests: int) -> None:
    """Put ``guests`` guests into the first shop, without their orders."""
    await execute(url, SEED_GUESTS.format(owner_id=world.owner_id, store_id=world.shops[0].id, guests=guests))


async def do_upkeep(url: str) -> None:
    """Do at once what a server does in the background after such a load."""
    async with comanda(url):
        while await search_index.add_settled_orders():
            pass
        await guest_counts.sum_up_counts()
