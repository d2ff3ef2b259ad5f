"""Maintenance of encrypted columns: encryption of plain values, startup checks, key rotation.

Every process calls ``prepare_columns`` after the migrations and before it serves, so that no plain value outlives the
first start. It needs no runtime and opens its own connection, like migrations.
"""

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import asyncpg

from comanda.basics import clock
from comanda.basics.startup_errors import StartupError
from comanda.contracts.data.model_sets import EncryptedColumn, ModelSet
from comanda.platform.encryption.keys import Keyring, add_key_to_file, find_keys, get_key_file, require_keys
from comanda.platform.encryption.values import PREFIX, DecryptionFailed, decrypt_with, encrypt_with
from comanda.platform.settings import Settings

LOCK: Final = int.from_bytes(b"secrets")
BATCH_SIZE: Final = 500
SELECT_KEYS: Final = "SELECT id FROM core_encryption_key ORDER BY created_at, id"
INSERT_KEY: Final = "INSERT INTO core_encryption_key (id, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING"
DELETE_KEYS: Final = "DELETE FROM core_encryption_key WHERE id = ANY($1::text[])"
# Stored plain until the next start, which encrypts it.
SELECT_HASH_KEY_IS_LOST: Final = "SELECT true FROM core_secret WHERE id = 1 AND starts_with(key, $1)"
DROP_HASH_KEY_CONSTRAINT: Final = "ALTER TABLE core_secret DROP CONSTRAINT IF EXISTS core_secret_key_encrypted"
UPDATE_HASH_KEY: Final = "UPDATE core_secret SET key = $1 WHERE id = 1"
SELECT_CONSTRAINT: Final = "SELECT true FROM pg_constraint WHERE conrelid = $1::text::regclass AND conname = $2"
NOT_ENCRYPTED: Final = "not encrypted"

Connection = asyncpg.Connection


@dataclass(frozen=True, slots=True)
class RotationResult:
    """The result of a rotation; values that no key decrypts are left unchanged."""

    key_id: str
    converted: int
    unreadable: int


async def prepare_columns(url: str, settings: Settings, models: Sequence[ModelSet]) -> int:
    """Check that all keys of the database are available, create the first one, and encrypt plain values.

    Return the number of encrypted values. Raises ``StartupError`` if a key is missing: this is another machine, or the
    key file was lost.
    """
    async with _open_session(url) as connection:
        keys = find_keys(settings)
        if missing := _list_missing(await _list_needed_keys(connection), keys):
            raise StartupError(_format_missing_key(missing[0], settings))
        if keys is None:
            add_key_to_file(get_key_file(settings), only_if_empty=True)
            keys = require_keys(settings)
        await connection.execute(INSERT_KEY, keys.current.id, clock.now())
        return sum([await _encrypt_plain(connection, column, keys) for column in _list_columns(models)])


async def rotate_key(url: str, settings: Settings, models: Sequence[ModelSet]) -> RotationResult:
    """Encrypt every value with the current key and remove unused keys from the list of needed ones.

    A key file gets a new key first, unless an unfinished rotation has to be completed. Old keys stay in the file,
    because older backups need them.
    """
    async with _open_session(url) as connection:
        keys = find_keys(settings)
        in_use = await _count_values(connection, models)
        if not settings.secret_keys and (keys is None or not set(in_use) - {keys.current.id}):
            add_key_to_file(get_key_file(settings))
            keys = find_keys(settings)
        if keys is None:
            raise StartupError("There is no encryption key: set COMANDA_SECRET_KEYS.")
        await connection.execute(INSERT_KEY, keys.current.id, clock.now())
        done = [
            await _convert(connection, column, keys, f"{PREFIX}{keys.current.id}.") for column in _list_columns(models)
        ]
        left = await _count_values(connection, models)
        unused = set(await _list_needed_keys(connection)) - {*left, keys.current.id}
        await connection.execute(DELETE_KEYS, list(unused))
        return RotationResult(keys.current.id, sum(one[0] for one in done), sum(one[1] for one in done))


async def find_missing_key(url: str, settings: Settings) -> str | None:
    """Return a sentence about a key that the database needs and that is missing, or None."""
    async with _open_session(url) as connection:
        missing = _list_missing(await _list_needed_keys(connection), find_keys(settings))
        return _format_missing_key(missing[0], settings) if missing else None


async def count_values(url: str, models: Sequence[ModelSet]) -> Counter[str]:
    """Return the number of values by key id; plain values are counted under ``NOT_ENCRYPTED``."""
    async with _open_session(url) as connection:
        return await _count_values(connection, models)


async def delete_key(url: str, key_id: str, hash_key: str) -> bool:
    """Delete a lost key from the list of needed keys; return whether it was there.

    ``hash_key`` replaces the key of keyed hashes if it was encrypted with the lost key: PINs must then be set again.
    """
    async with _open_session(url) as connection, connection.transaction():
        if await connection.fetchval(SELECT_HASH_KEY_IS_LOST, f"{PREFIX}{key_id}."):
            await connection.execute(DROP_HASH_KEY_CONSTRAINT)
            await connection.execute(UPDATE_HASH_KEY, hash_key)
        status: str = await connection.execute(DELETE_KEYS, [key_id])
        return status != "DELETE 0"


async def _list_needed_keys(connection: Connection) -> list[str]:
    return [row["id"] for row in await connection.fetch(SELECT_KEYS)]


def _list_missing(needed: Sequence[str], keys: Keyring | None) -> list[str]:
    return [key_id for key_id in needed if keys is None or keys.get(key_id) is None]


def _format_missing_key(key_id: str, settings: Settings) -> str:
    return (
        f"Secrets in this database are encrypted with the key {key_id}, which is neither in COMANDA_SECRET_KEYS nor in "
        f"{get_key_file(settings)}. Copy the key from the machine that used the database before. "
        f"If it is lost, run `comanda secrets forget {key_id}`."
    )


def _list_columns(models: Sequence[ModelSet]) -> Iterator[EncryptedColumn]:
    for models_of in models:
        yield from models_of.encrypted


@asynccontextmanager
async def _open_session(url: str) -> AsyncIterator[Connection]:
    """Open a connection that locks out other processes doing the same while the block runs."""
    connection: Connection = await asyncpg.connect(url.replace("asyncpg://", "postgresql://", 1))
    try:
        await connection.execute("SET statement_timeout = 0; SET lock_timeout = 0")
        await connection.execute("SELECT pg_advisory_lock($1)", LOCK)
        yield connection
    finally:
        # The lock ends with the session.
        await connection.close()


async def _count_values(connection: Connection, models: Sequence[ModelSet]) -> Counter[str]:
    found: Counter[str] = Counter()
    for column in _list_columns(models):
        rows = await connection.fetch(
            f"""SELECT CASE WHEN starts_with({column.column}, $1) THEN split_part({column.column}, '.', 2)
                    ELSE $2 END AS key_id, count(*) AS count
                FROM {column.table} WHERE {column.column} <> '' GROUP BY 1""",
            PREFIX,
            NOT_ENCRYPTED,
        )
        found.update({row["key_id"]: row["count"] for row in rows})
    return found


async def _encrypt_plain(connection: Connection, column: EncryptedColumn, keys: Keyring) -> int:
    """Encrypt the plain values of a column once and forbid new ones by a constraint. Return their number."""
    constraint = f"{column.table}_{column.column}_encrypted"
    if await connection.fetchval(SELECT_CONSTRAINT, column.table, constraint):
        return 0
    count, _ = await _convert(connection, column, keys, PREFIX)
    async with connection.transaction():
        # Processes of the previous release may still write plain values.
        await connection.execute(f"LOCK TABLE {column.table} IN ACCESS EXCLUSIVE MODE")
        count += (await _convert(connection, column, keys, PREFIX))[0]
        await connection.execute(
            f"""ALTER TABLE {column.table} ADD CONSTRAINT {constraint}
                CHECK ({column.column} = '' OR starts_with({column.column}, '{PREFIX}'))"""
        )
    return count


async def _convert(connection: Connection, column: EncryptedColumn, keys: Keyring, kept_prefix: str) -> tuple[int, int]:
    """Encrypt values that do not start with ``kept_prefix``; return their number and that of undecryptable values.

    Each batch is its own transaction, so that an interrupted run can be continued.
    """
    converted = unreadable = 0
    last: tuple[int, ...] = (-(2**63),) * len(column.row_key)
    while rows := await _convert_batch(connection, column, keys, kept_prefix, last):
        converted += sum(1 for _, is_converted in rows if is_converted)
        unreadable += sum(1 for _, is_converted in rows if not is_converted)
        last = rows[-1][0]
    return converted, unreadable


async def _convert_batch(
    connection: Connection, column: EncryptedColumn, keys: Keyring, kept_prefix: str, last: tuple[int, ...]
) -> list[tuple[tuple[int, ...], bool]]:
    names = ", ".join(column.row_key)
    places = ", ".join(f"${number}::bigint" for number in range(3, 3 + len(column.row_key)))
    where = " AND ".join(f"{name} = ${number}" for number, name in enumerate(column.row_key, 2))
    async with connection.transaction():
        rows = await connection.fetch(
            f"""SELECT {names}, {column.column} AS value FROM {column.table}
                WHERE {column.column} <> '' AND NOT starts_with({column.column}, $1) AND ({names}) > ({places})
                ORDER BY {names} LIMIT $2 FOR NO KEY UPDATE""",
            kept_prefix,
            BATCH_SIZE,
            *last,
        )
        done: list[tuple[tuple[int, ...], bool]] = []
        changes: list[tuple[object, ...]] = []
        for row in rows:
            key = tuple(row[name] for name in column.row_key)
            text = _decrypt_or_none(row["value"], column, keys, key)
            done.append((key, text is not None))
            if text is not None:
                changes.append((encrypt_with(keys, text, column, key), *key))
        update = f"UPDATE {column.table} SET {column.column} = $1 WHERE {where}"
        await connection.executemany(update, changes)
    return done


def _decrypt_or_none(value: str, column: EncryptedColumn, keys: Keyring, row: tuple[int, ...]) -> str | None:
    if not value.startswith(PREFIX):
        return value
    try:
        return decrypt_with(keys, value, column, row)
    except DecryptionFailed:
        return None
