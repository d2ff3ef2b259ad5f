"""The start encrypts what is plain and refuses a database whose keys are elsewhere; rotation goes through all rows."""

import asyncio

import asyncpg
import pytest
from comanda.basics.startup_errors import StartupError
from comanda.contracts.data.model_sets import EncryptedColumn, ModelSet
from comanda.platform.encryption import columns
from comanda.platform.encryption.keys import find_keys, generate_key, get_key_file
from comanda.platform.encryption.values import decrypt_with, encrypt_with
from comanda.platform.settings import Settings, read_settings

SECRET = EncryptedColumn("shop_till", "secret")
MODELS = [ModelSet("shop", (), "", (SECRET,))]
TABLES = """
    CREATE TABLE core_encryption_key (id varchar(20) PRIMARY KEY, created_at timestamptz NOT NULL);
    CREATE TABLE core_secret (id smallint PRIMARY KEY, key text NOT NULL);
    CREATE TABLE shop_till (owner_id bigint, id bigint, secret text, PRIMARY KEY (owner_id, id));
    INSERT INTO shop_till SELECT n % 3, n, 'plain ' || n FROM generate_series(-10, 30) n;
    INSERT INTO shop_till VALUES (1, 1000, ''), (1, 1001, NULL);
"""


@pytest.fixture
def url(new_database, monkeypatch):
    monkeypatch.delenv("COMANDA_SECRET_KEYS", raising=False)
    monkeypatch.setattr(columns, "BATCH_SIZE", 7)
    return new_database("comanda_test_encryption")


@pytest.fixture
async def connection(url):
    connection = await asyncpg.connect(url)
    await connection.execute(TABLES)
    yield connection
    await connection.close()


@pytest.fixture
def settings(tmp_path):
    return read_settings(Settings, data=tmp_path / "data")


@pytest.fixture
def texts(connection):
    """Read what every row holds once decrypted."""

    async def of(settings):
        keys = find_keys(settings)
        rows = await connection.fetch("SELECT owner_id, id, secret FROM shop_till WHERE secret <> '' ORDER BY id")
        return [decrypt_with(keys, row["secret"], SECRET, (row["owner_id"], row["id"])) for row in rows]

    return of


EXPECTED = [f"plain {number}" for number in range(-10, 31)]


async def test_the_first_start_encrypts_every_plain_value(url, connection, settings, texts):
    assert await columns.prepare_columns(url, settings, MODELS) == 41
    assert await columns.prepare_columns(url, settings, MODELS) == 0

    with pytest.raises(asyncpg.CheckViolationError):
        await connection.execute("INSERT INTO shop_till VALUES (1, 2000, 'plain')")
    assert await texts(settings) == EXPECTED
    empty = await connection.fetch("SELECT secret FROM shop_till WHERE id >= 1000 ORDER BY id")
    assert [row["secret"] for row in empty] == ["", None]
    assert await columns.count_values(url, MODELS) == {find_keys(settings).current.id: 41}


async def test_starts_at_once_encrypt_each_value_once(url, connection, settings, texts):
    done = await asyncio.gather(*(columns.prepare_columns(url, settings, MODELS) for _ in range(5)))

    assert sum(done) == 41
    assert await texts(settings) == EXPECTED


async def test_another_machine_does_not_start_and_makes_no_key(url, connection, settings, tmp_path):
    await columns.prepare_columns(url, settings, MODELS)
    elsewhere = read_settings(Settings, data=tmp_path / "elsewhere")

    with pytest.raises(StartupError, match="neither in COMANDA_SECRET_KEYS nor in") as caught:
        await columns.prepare_columns(url, elsewhere, MODELS)

    assert find_keys(settings).current.id in str(caught.value)
    assert not get_key_file(elsewhere).exists()
    await columns.prepare_columns(url, settings, MODELS)


async def test_a_lost_key_can_be_given_up(url, connection, settings, tmp_path):
    await columns.prepare_columns(url, settings, MODELS)
    lost = find_keys(settings)
    await connection.execute("INSERT INTO core_secret VALUES (1, $1)", f"enc1.{lost.current.id}.abc")
    elsewhere = read_settings(Settings, data=tmp_path / "elsewhere")

    assert not await columns.delete_key(url, "another", "ab" * 32)
    assert await columns.delete_key(url, lost.current.id, "ab" * 32)
    assert await columns.prepare_columns(url, elsewhere, MODELS) == 0

    assert await connection.fetchval("SELECT key FROM core_secret") == "ab" * 32
    assert (await columns.rotate_key(url, elsewhere, MODELS)).unreadable == 41


async def test_a_rotation_of_the_key_file(url, connection, settings, texts):
    await columns.prepare_columns(url, settings, MODELS)
    before = find_keys(settings).current.id

    done = await columns.rotate_key(url, settings, MODELS)

    assert (done.converted, done.unreadable) == (41, 0)
    assert done.key_id == find_keys(settings).current.id != before
    assert await texts(settings) == EXPECTED
    assert await columns.count_values(url, MODELS) == {done.key_id: 41}
    assert [row["id"] for row in await connection.fetch("SELECT id FROM core_encryption_key")] == [done.key_id]
    assert before in find_keys(settings).ids  # a backup from before needs it


async def test_interrupted_rotation_continues_with_same_key(url, connection, settings, texts, monkeypatch):
    await columns.prepare_columns(url, settings, MODELS)
    encrypted = 0

    def fail_in_the_third_batch(*given):
        nonlocal encrypted
        encrypted += 1
        if encrypted > 2 * columns.BATCH_SIZE:
            raise KeyboardInterrupt
        return encrypt_with(*given)

    with monkeypatch.context() as patched:
        patched.setattr(columns, "encrypt_with", fail_in_the_third_batch)
        with pytest.raises(KeyboardInterrupt):
            await columns.rotate_key(url, settings, MODELS)
    half = await columns.count_values(url, MODELS)
    assert await texts(settings) == EXPECTED

    done = await columns.rotate_key(url, settings, MODELS)

    assert sorted(half.values()) == [14, 27]
    assert (done.converted, done.unreadable) == (27, 0)
    assert half[done.key_id] == 14
    assert await texts(settings) == EXPECTED
    assert len(find_keys(settings).keys) == 2


async def test_a_rotation_of_the_setting(url, connection, texts, tmp_path):
    old, new = generate_key(), generate_key()
    await columns.prepare_columns(url, read_settings(Settings, data=tmp_path, secret_keys=old), MODELS)
    both, alone = (read_settings(Settings, data=tmp_path, secret_keys=keys) for keys in (f"{new},{old}", new))
    with pytest.raises(StartupError):
        await columns.prepare_columns(url, alone, MODELS)

    await columns.prepare_columns(url, both, MODELS)
    done = await columns.rotate_key(url, both, MODELS)
    await columns.prepare_columns(url, alone, MODELS)

    assert done.converted == 41
    assert await texts(alone) == EXPECTED
    assert not get_key_file(alone).exists()


async def test_values_can_move_from_the_file_to_the_setting(url, connection, settings, texts):
    await columns.prepare_columns(url, settings, MODELS)
    given = read_settings(Settings, data=settings.data, secret_keys=generate_key())

    await columns.prepare_columns(url, given, MODELS)
    await columns.rotate_key(url, given, MODELS)
    get_key_file(given).unlink()
    await columns.prepare_columns(url, given, MODELS)

    assert await texts(given) == EXPECTED
