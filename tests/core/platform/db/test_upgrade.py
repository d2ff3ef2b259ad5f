"""Secrets that are stored before the first start: no plain one outlives it, and all of them go on working."""

import json
import shutil
from dataclasses import replace
from urllib.parse import urlsplit

import asyncpg
import pytest
from comanda.basics.startup_errors import StartupError
from comanda.devkit.testing.data_folders import create_data_folder
from comanda.devkit.testing.processes import Installation
from comanda.platform.db.connections.single import connect
from comanda.platform.db.upgrade import upgrade_database
from comanda.platform.encryption.hmac_digest import KEY_COLUMN
from comanda.platform.encryption.keys import find_keys
from comanda.platform.encryption.values import decrypt_with
from comanda.platform.settings import Settings, read_settings
from comanda_migrations import runner
from comanda_staff.models import TOTP_PENDING_SECRET, TOTP_SECRET
from comanda_webhooks.services.signing_secrets import OLD_SECRETS_COLUMN, SECRET_COLUMN
from installed_plugins import get_registry

MODELS = get_registry().models
PLAIN_SECRETS = """
    INSERT INTO core_owner (id, email, name, created_at) VALUES (3, 'ana@example.com', 'Ana', now());
    INSERT INTO core_store (id, owner_id, title, slug, store_type, currency, timezone, created_at)
    VALUES (7, 3, 'Chez Ana', 'chez-ana', 'restaurant', 'EUR', 'UTC', now());
    INSERT INTO webhooks_endpoint (id, owner_id, url, events, secret, old_secrets, created_at) VALUES
        (11, 3, 'https://hooks.example.com/', '{*}', 'whsec_current', '[{"secret": "whsec_old", "expires_at": "x"}]',
            now()),
        (12, 3, 'https://hooks.example.com/', '{*}', 'whsec_other', '', now()),
        (13, 3, '', '{*}', '', '', now());
    INSERT INTO staff_member (id, owner_id, store_id, name, email, password_hash, role, created_at, totp_secret,
        totp_pending_secret, totp_pending_until)
    VALUES (21, 3, 7, 'Bo', 'bo@example.com', 'x', 'manager', now(), 'JBSWY3DPEHPK3PXP', 'KRSXG5CTMVRXEZLU', now());
"""


@pytest.fixture
def url(new_database):
    return new_database("comanda_test_upgrade")


@pytest.fixture
async def upgraded(url, tmp_path, monkeypatch):
    """Make a migrated database with plain secrets, and upgrade it; give a connection and the settings."""
    monkeypatch.delenv("COMANDA_SECRET_KEYS", raising=False)
    models = [models_of for models_of in MODELS if models_of.app in ("core", "webhooks", "staff")]
    await runner.migrate(url, models)
    connection = await asyncpg.connect(url)
    await connection.execute(PLAIN_SECRETS)
    hash_key = await connection.fetchval("SELECT key FROM core_secret")
    settings = read_settings(Settings, data=tmp_path)
    await upgrade_database(url, settings, replace(get_registry(), models=tuple(models)))
    yield connection, settings, hash_key
    await connection.close()


async def test_every_secret_is_encrypted_and_can_be_read(upgraded):
    connection, settings, hash_key = upgraded
    keys = find_keys(settings)

    endpoints = await connection.fetch("SELECT id, secret, old_secrets FROM webhooks_endpoint ORDER BY id")
    member = await connection.fetchrow("SELECT totp_secret, totp_pending_secret FROM staff_member")
    stored_hash_key = await connection.fetchval("SELECT key FROM core_secret")

    assert decrypt_with(keys, endpoints[0]["secret"], SECRET_COLUMN, (3, 11)) == "whsec_current"
    assert decrypt_with(keys, endpoints[0]["old_secrets"], OLD_SECRETS_COLUMN, (3, 11)) == (
        '[{"secret": "whsec_old", "expires_at": "x"}]'
    )
    assert decrypt_with(keys, endpoints[1]["secret"], SECRET_COLUMN, (3, 12)) == "whsec_other"
    assert [(row["secret"], row["old_secrets"]) for row in endpoints[2:]] == [("", "")]
    assert endpoints[1]["old_secrets"] == ""
    assert decrypt_with(keys, member["totp_secret"], TOTP_SECRET, (3, 21)) == "JBSWY3DPEHPK3PXP"
    assert decrypt_with(keys, member["totp_pending_secret"], TOTP_PENDING_SECRET, (3, 21)) == "KRSXG5CTMVRXEZLU"
    assert decrypt_with(keys, stored_hash_key, KEY_COLUMN, (1,)) == hash_key
    everything = str([endpoints, member, stored_hash_key])
    assert not any(text in everything for text in ("whsec_", "JBSWY", "KRSXG", hash_key))


async def test_the_database_takes_no_plain_secret_any_more(upgraded):
    connection, _, _ = upgraded

    for statement in (
        "UPDATE webhooks_endpoint SET secret = 'whsec_plain' WHERE id = 11",
        "UPDATE webhooks_endpoint SET old_secrets = '[]' WHERE id = 11",
        "UPDATE core_secret SET key = repeat('ab', 32)",
        "UPDATE staff_member SET totp_secret = 'JBSWY3DPEHPK3PXP'",
    ):
        with pytest.raises(asyncpg.CheckViolationError):
            await connection.execute(statement)


def test_the_commands(new_migrated_database):
    data = create_data_folder()
    installation = Installation(data, {"DATABASE_URL": new_migrated_database("comanda_test_secrets")})
    elsewhere = Installation(create_data_folder(), installation.variables)
    try:
        assert installation.run("migrate").returncode == 0
        first = installation.run("secrets", "status").stdout
        rotated = installation.run("secrets", "rotate")
        second = installation.run("secrets", "status").stdout
        refused = elsewhere.run("owner", "list")
        doctors = [one.run("doctor") for one in (installation, elsewhere)]
        key_id = second.split()[2]
        listed = json.loads(installation.run("secrets", "status", "--json").stdout)
        forgotten = elsewhere.run("secrets", "forget", key_id)
        allowed = elsewhere.run("owner", "list")
        generated = installation.run("secrets", "generate").stdout.strip()
    finally:
        shutil.rmtree(data)
        shutil.rmtree(elsewhere.data)

    assert f"from {data}/secret.keys" in first
    assert rotated.stdout == f"1 values are now encrypted with the key {key_id}.\n"
    assert first.split()[2] not in (key_id, "")
    assert listed["current"] == key_id
    assert {"id": key_id, "values": 1, "is_available": True} in listed["keys"]
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"Error: Secrets in this database are encrypted with the key {key_id}, which is")
    assert f"encrypted with the key {key_id} of {data}/secret.keys; other machines need it too" in doctors[0].stdout
    assert doctors[1].returncode == 1
    assert f"run `comanda secrets forget {key_id}`" in doctors[1].stdout
    assert urlsplit(installation.variables["DATABASE_URL"]).path not in refused.stderr
    assert (forgotten.returncode, allowed.returncode) == (0, 0), allowed.stderr
    assert len(generated) == 44


async def test_partitioned_database_needs_the_plugin_that_creates_partitions(url, tmp_path):
    settings = read_settings(Settings, data=tmp_path)
    alone = replace(get_registry(), models=tuple(each for each in MODELS if each.app == "core"), database_upkeep=())
    await upgrade_database(url, settings, alone)
    async with connect(url) as connection:
        await connection.execute("ALTER TABLE core_outbox RENAME TO old_outbox")
        await connection.execute("CREATE TABLE core_outbox (id bigint) PARTITION BY RANGE (id)")

    with pytest.raises(StartupError, match="Install the plugin that keeps them up, comanda-cluster"):
        await upgrade_database(url, settings, alone)
