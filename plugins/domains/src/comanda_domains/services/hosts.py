"""The hosts of a store: registered, proven, changed and removed."""

import asyncio
import secrets
from datetime import timedelta
from typing import Final

import asyncpg
from comanda.basics import Conflict, NotFound, Sentence, Unavailable, ValidationFailed, clock, require_found
from comanda.contracts import Caller, StoreHost
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.tasks import notifier
from comanda.stores import require_store
from comanda.web import N_
from dns.asyncresolver import Resolver
from dns.exception import DNSException
from dns.nameserver import Do53Nameserver
from dns.resolver import NXDOMAIN, NoAnswer

from comanda_domains.records import DnsRecord, RegisteredHost, StoreHostList
from comanda_domains.schemas import HostBody, HostChange
from comanda_domains.services import proven_hosts
from comanda_domains.services.host_names import IN_USE, NOT_A_NAME, OPERATORS_OWN, is_operators_own, to_host_name
from comanda_domains.settings import get_settings, parse_nameserver

MAX_HOSTS: Final = 5
TOKEN_BYTES: Final = 24
VALUE_PREFIX: Final = "comanda-"
# The label below a domain whose TXT record proves it.
RECORD_LABEL: Final = "_comanda"
CHECK_PAUSE: Final = timedelta(seconds=5)

NOT_FOUND_IN_DNS: Final = N_("The record was not found. New records can take an hour until they are seen everywhere.")
CHECKED_JUST_NOW: Final = N_("This was checked a moment ago. Try again shortly.")

COLUMNS: Final = "id, name, token, is_redirected_to, created_at, checked_at, proven_at"
LOCK_STORE: Final = "SELECT id FROM core_store_v1 WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"
COUNT_HOSTS: Final = "SELECT count(*) FROM domains_host WHERE store_id = $1 AND owner_id = $2"
SELECT_HOSTS: Final = f"""
    SELECT {COLUMNS} FROM domains_host WHERE owner_id = $1 AND store_id = $2 ORDER BY proven_at NULLS LAST, id
"""
INSERT_HOST: Final = """
    INSERT INTO domains_host (owner_id, store_id, name, token, is_redirected_to, created_at, proven_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING id
"""
UPDATE_HOST: Final = """
    UPDATE domains_host SET is_redirected_to = coalesce($4, is_redirected_to)
    WHERE id = $1 AND owner_id = $2 AND store_id = $3 RETURNING id
"""
DELETE_HOST: Final = "DELETE FROM domains_host WHERE id = $1 AND owner_id = $2 AND store_id = $3 RETURNING id"
CLAIM_CHECK: Final = """
    UPDATE domains_host SET checked_at = $4
    WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND (checked_at IS NULL OR checked_at <= $5) RETURNING id
"""
SAVE_PROOF: Final = """
    UPDATE domains_host SET proven_at = $4
    WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND proven_at IS NULL
"""
TIMEOUT_SECONDS: Final = 5.0
MAX_LOOKUPS: Final = 10

_lookups = asyncio.Semaphore(MAX_LOOKUPS)


async def list_hosts(caller: Caller, store_id: int) -> StoreHostList:
    """List a store's hosts, the main one first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    rows = await sql.fetch(SELECT_HOSTS, caller.owner_id, store_id)
    hosts = [_to_record(row, is_main=place == 0 and row["proven_at"] is not None) for place, row in enumerate(rows)]
    return StoreHostList(tuple(hosts), get_settings().base_domain)


async def get_host(caller: Caller, store_id: int, host_id: int) -> RegisteredHost:
    """Return a host of a store. Raises ``NotFound``."""
    found = await list_hosts(caller, store_id)
    return require_found(next((host for host in found.hosts if host.id == host_id), None))


async def create_host(caller: Caller, store_id: int, body: HostBody) -> RegisteredHost:
    """Register a host. A subdomain of the operator's domain answers at once, another once it is proven.

    Raises ``NotFound``; ``ValidationFailed`` for a name that no store can have, or that is taken; ``Conflict`` beyond
    ``MAX_HOSTS``.
    """
    await require_store(caller, store_id)
    name = _parse_name(body.name)
    moment = clock.now()
    token = VALUE_PREFIX + secrets.token_hex(TOKEN_BYTES)
    values = (caller.owner_id, store_id, name, token, body.redirects, moment, moment if _is_subdomain(name) else None)
    async with sql.transaction():
        await sql.execute(LOCK_STORE, store_id, caller.owner_id)
        if await sql.fetch_value(COUNT_HOSTS, store_id, caller.owner_id) >= MAX_HOSTS:
            raise Conflict(
                Sentence("A store has at most %(limit)s hosts.", limit=MAX_HOSTS),
                extras={"limits": {"hosts": MAX_HOSTS}},
            )
        host_id = await sql.fetch_value(INSERT_HOST, *values)
        if host_id is None:
            raise ValidationFailed(name=[IN_USE])
        notifier.announce_host_change()
    return await get_host(caller, store_id, host_id)


async def update_host(caller: Caller, store_id: int, host_id: int, change: HostChange) -> RegisteredHost:
    """Change whether the shared address leads to a host. Raises ``NotFound``."""
    await require_store(caller, store_id)
    async with sql.transaction():
        if await sql.fetch_value(UPDATE_HOST, host_id, caller.owner_id, store_id, change.redirects) is None:
            raise NotFound
        notifier.announce_host_change()
    return await get_host(caller, store_id, host_id)


async def delete_host(caller: Caller, store_id: int, host_id: int) -> None:
    """Remove a host, which no longer answers. Raises ``NotFound``."""
    await require_store(caller, store_id)
    async with sql.transaction():
        if await sql.fetch_value(DELETE_HOST, host_id, caller.owner_id, store_id) is None:
            raise NotFound
        notifier.announce_host_change()


async def check_host(caller: Caller, store_id: int, host_id: int) -> RegisteredHost:
    """Look for the record that proves a host, which answers from then on.

    The store that had the name before loses it if its own record is gone: whoever controls the domain decides.
    Raises ``NotFound``; ``Conflict`` while the record is not there, right after another check, and for a name that
    another store still proves; ``Unavailable`` if DNS does not answer.
    """
    host = await get_host(caller, store_id, host_id)
    if host.is_proven or host.dns_record is None:
        return host
    key, moment = (host_id, caller.owner_id, store_id), clock.now()
    async with sql.transaction():
        if await sql.fetch_value(CLAIM_CHECK, *key, moment, moment - CHECK_PAUSE) is None:
            raise Conflict(CHECKED_JUST_NOW, extras={"reason": "checked_just_now"})
    texts = await find_texts(host.dns_record.name)
    if host.dns_record.value not in texts:
        raise Conflict(NOT_FOUND_IN_DNS, extras={"reason": "record_not_found"})
    try:
        async with sql.transaction():
            await proven_hosts.take_from_holder(host.name, texts)
            await sql.execute(SAVE_PROOF, *key, moment)
            notifier.announce_host_change()
    except asyncpg.UniqueViolationError as error:
        raise proven_hosts.create_held_error() from error
    return await get_host(caller, store_id, host_id)


def _parse_name(text: str) -> str:
    name = to_host_name(text)
    if name is None:
        raise ValidationFailed(name=[NOT_A_NAME])
    if is_operators_own(name, get_settings().base_domain, runtime.settings()):
        raise ValidationFailed(name=[OPERATORS_OWN])
    return name


def _is_subdomain(name: str) -> bool:
    base = get_settings().base_domain
    return base is not None and name.endswith(f".{base}")


def _to_record(row: sql.Row, *, is_main: bool) -> RegisteredHost:
    name = row["name"]
    host = StoreHost(name, 0, "")
    return RegisteredHost(
        id=row["id"],
        name=name,
        url=f"{host.to_origin(runtime.settings().site_url)}/",
        is_proven=row["proven_at"] is not None,
        is_main=is_main,
        redirects=row["is_redirected_to"],
        dns_record=None if _is_subdomain(name) else DnsRecord(f"{RECORD_LABEL}.{name}", row["token"]),
        created_at=row["created_at"],
        checked_at=row["checked_at"],
        proven_at=row["proven_at"],
    )


async def find_texts(name: str) -> frozenset[str]:
    """Return the values of the TXT records of a name. Raises ``Unavailable`` if DNS gives no answer."""
    if _lookups.locked():
        raise Unavailable(Sentence("Too many domains are being checked. Try again shortly."))
    async with _lookups:
        try:
            answer = await _create_resolver().resolve(name, "TXT", lifetime=TIMEOUT_SECONDS, search=False)
        except (NXDOMAIN, NoAnswer):
            return frozenset()
        except (DNSException, OSError) as error:
            raise Unavailable(Sentence("The domain's name servers did not answer. Try again shortly.")) from error
    return frozenset(b"".join(record.strings).decode("ascii", "replace") for record in answer)


def _create_resolver() -> Resolver:
    given = get_settings().nameservers
    resolver = Resolver(configure=not given)
    if given:
        resolver.nameservers = [Do53Nameserver(*parse_nameserver(each)) for each in given]
    return resolver
