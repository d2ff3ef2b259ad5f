"""Models and migrated tables agree, for every app that is installed."""

import re

import pytest
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda_migrations.differences import differences
from installed_plugins import get_registry


@pytest.mark.usefixtures("app")
async def test_models_agree_with_the_migrated_tables(database_url):
    assert await differences(database_url, get_registry().models) == []


@pytest.mark.usefixtures("app")
async def test_rows_of_tenants_are_keyed_by_their_owner():
    keys = await sql.fetch(
        """SELECT r.relname AS name, array_agg(a.attname::text ORDER BY a.attname::text) AS columns
           FROM pg_class r JOIN pg_index i ON i.indrelid = r.oid AND i.indisprimary
           JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = ANY (i.indkey)
           WHERE r.relnamespace = 'public'::regnamespace AND r.relkind = 'r' AND EXISTS (
             SELECT FROM pg_attribute o WHERE o.attrelid = r.oid AND o.attname = 'owner_id' AND NOT o.attisdropped)
           GROUP BY 1"""
    )

    assert len(keys) >= 10
    assert [key["name"] for key in keys if "owner_id" not in key["columns"]] == []


@pytest.mark.usefixtures("app")
async def test_no_reference_between_tenants_rows_leaves_out_the_owner():
    """A foreign key from a tenant's row to a tenant's row holds the owner, so that no row points at another's."""
    loose = await sql.fetch(
        """WITH tenant AS (
             SELECT attrelid AS id FROM pg_attribute WHERE attname = 'owner_id' AND NOT attisdropped)
           SELECT c.conname::text AS name FROM pg_constraint c
           WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
             AND c.conrelid IN (SELECT id FROM tenant) AND c.confrelid IN (SELECT id FROM tenant)
             AND NOT EXISTS (SELECT FROM pg_attribute a
                             WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) AND a.attname = 'owner_id')"""
    )

    assert [row["name"] for row in loose] == []


@pytest.mark.usefixtures("app")
async def test_unique_indexes_hold_the_owner():
    """What is unique is so for one owner, so that rows can be spread by owner; so are exclusion constraints."""
    loose = await sql.fetch(
        """SELECT r.relname::text AS name, x.relname::text AS index
           FROM pg_index i JOIN pg_class r ON r.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
           WHERE r.relnamespace = 'public'::regnamespace AND (i.indisunique OR i.indisexclusion)
             AND EXISTS (SELECT FROM pg_attribute a
                         WHERE a.attrelid = r.oid AND a.attname = 'owner_id' AND NOT a.attisdropped)
             AND pg_get_indexdef(i.indexrelid) !~ '\\yowner_id\\y'
           ORDER BY 1, 2"""
    )

    # The tables that begin without an owner: every node of a distributed database has all of their rows. The customers
    # of resellers are found by their own account or by an invitation, before it is known whose they are; OAuth clients
    # by their id; hosts of stores by their name; people who come from a provider by their identity.
    shared = {"core_store", "core_access_token", "domains_host", "oauth_client", "oidc_identity", "reseller_customer"}
    assert [row["index"] for row in loose if row["name"] not in shared] == []
    assert {row["index"] for row in loose} >= {"core_store_slug_key", "core_access_token_token_hash_key"}


@pytest.mark.usefixtures("app")
async def test_foreign_keys_to_core_say_what_happens_on_delete():
    silent = await sql.fetch(
        """SELECT c.conname::text AS name FROM pg_constraint c
           JOIN pg_class r ON r.oid = c.conrelid JOIN pg_class f ON f.oid = c.confrelid
           WHERE c.contype = 'f' AND c.confdeltype = 'a' AND f.relname LIKE 'core\\_%'
             AND r.relname NOT LIKE 'core\\_%'"""
    )

    assert [row["name"] for row in silent] == []


@pytest.mark.usefixtures("app")
async def test_views_have_a_version_and_an_owner():
    views = await sql.fetch(
        """SELECT c.relname::text AS name, array_agg(a.attname::text) AS columns
           FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
           WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v' GROUP BY 1"""
    )

    assert {view["name"] for view in views} >= {"core_order_v1", "core_store_v1", "customers_customer_v1"}
    assert [view["name"] for view in views if not view["name"].rpartition("_v")[2].isdigit()] == []
    assert [view["name"] for view in views if "owner_id" not in view["columns"]] == ["core_owner_v1"]


@pytest.mark.usefixtures("app")
async def test_the_guide_lists_the_columns_of_views():
    views = await sql.fetch(
        """SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
           FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
           WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v' GROUP BY 1"""
    )
    rows = re.findall(r"^\| `(\w+_v\d+)` \|.*\| (.*) \|$", runtime.registry().docs["plugins"].text, re.MULTILINE)

    assert {name: re.findall(r"\w+", columns) for name, columns in rows} == {
        view["name"]: view["columns"] for view in views
    }
