"""A migrated database on which plugins come and go."""

import asyncpg
import pytest
from comanda.composition import plugin_loader, registry
from comanda.contracts.background.tasks import Reconciler
from comanda.contracts.orders.fulfillment import FulfillmentMode
from comanda.contracts.stores.settings import StoreSettings, StoreSettingsFields, setting
from comanda.contracts.stores.verticals import Vertical, VerticalGroup
from comanda_migrations import runner
from fake_plugins import fake_plugin

# As the migrations of plugins that are gone would have made and filled them.
REMAINS = """
    INSERT INTO core_owner (id, email, name, created_at) VALUES (3, 'ana@example.com', 'Ana', now());
    INSERT INTO core_store (id, owner_id, title, slug, store_type, currency, timezone, created_at)
    VALUES (7, 3, 'Tools', 'tools', 'rental', 'EUR', 'UTC', now()),
           (8, 3, 'Shirts', 'shirts', 'restaurant', 'EUR', 'UTC', now());
    INSERT INTO core_store_setting (owner_id, store_id, plugin, values, updated_at)
    VALUES (3, 7, 'rental', '{"days": 3}', now()), (3, 7, 'other', '{}', now());
    CREATE TABLE rental_tool (id bigint PRIMARY KEY, owner_id bigint REFERENCES core_owner (id));
    CREATE TABLE rental_booking (id bigint PRIMARY KEY, tool_id bigint REFERENCES rental_tool (id));
    CREATE VIEW rental_free AS SELECT id FROM rental_tool;
    CREATE FUNCTION rental_count() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER rental_count AFTER INSERT ON core_store FOR EACH ROW EXECUTE FUNCTION rental_count();
    CREATE TABLE rental_plus_crane (id bigint PRIMARY KEY);
    INSERT INTO rental_tool (id, owner_id) VALUES (1, 3), (2, 3);
    INSERT INTO aerich (version, app, content) VALUES ('0_init.py', 'rental', '{}'), ('0_init.py', 'rental_plus', '{}');
"""
RECONCILED = []


class Fields(StoreSettingsFields):
    days: int = setting(1, label="Days")


async def reconcile(since):
    RECONCILED.append(since)


RENTAL = fake_plugin(
    "rental",
    register_verticals=[Vertical("rental", "Rental", VerticalGroup.SERVICES, (), ("by_the_day",))],
    register_fulfillment_modes=[FulfillmentMode("by_the_day", "By the day")],
    register_store_settings=[StoreSettings("rental", "Rental", Fields)],
    register_reconcilers=[Reconciler("rental", reconcile)],
)
CORE = plugin_loader.load([])[0]


@pytest.fixture
def reconciled():
    RECONCILED.clear()
    return RECONCILED


@pytest.fixture(scope="session")
def without_rental():
    return registry.gather([CORE])


@pytest.fixture(scope="session")
def with_rental():
    return registry.gather([CORE, RENTAL])


@pytest.fixture
def empty_database(new_database):
    return new_database("comanda_test_lifecycle")


@pytest.fixture
async def url(empty_database, without_rental):
    await runner.migrate(empty_database, without_rental.models)
    return empty_database


@pytest.fixture
async def connection(url):
    opened = await asyncpg.connect(url)
    yield opened
    await opened.close()


@pytest.fixture
async def remains(connection):
    """Put what the plugins rental and rental_plus left behind into the database."""
    await connection.execute(REMAINS)
