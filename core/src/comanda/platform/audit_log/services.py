"""Queries of the audit log."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

import orjson

from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.platform import runtime
from comanda.platform.audit_log.records import Actor, ActorToken, AuditEntry
from comanda.platform.audit_log.schemas import AuditFilter
from comanda.platform.db import sql

PER_PAGE: Final = 30

WHERE_FILTERED: Final = """
    WHERE e.owner_id = $1 AND ($2::text IS NULL OR e.actor_kind = $2) AND ($3::text IS NULL OR e.action = $3)
        AND ($4::bigint IS NULL OR e.store_id = $4) AND ($5::timestamptz IS NULL OR e.occurred_at >= $5)
        AND ($6::timestamptz IS NULL OR e.occurred_at < $6) AND ($7::bigint IS NULL OR e.store_id = $7)
        AND ($8::bigint IS NULL OR e.actor_id = $8)
"""
COUNT_ENTRIES: Final = f"SELECT count(*) FROM core_audit_entry e {WHERE_FILTERED}"
SELECT_ENTRIES: Final = f"""
    SELECT e.id, e.occurred_at, e.actor_kind, e.actor_id, e.token_id, e.store_id, e.action, e.address, e.request_id,
        e.before_ids, e.after_ids, e.outcome, o.name AS owner_name,
        (SELECT t.name FROM core_access_token t WHERE t.id = e.token_id AND t.owner_id = e.owner_id) AS token_name
    FROM core_audit_entry e JOIN core_owner o ON o.id = e.owner_id {WHERE_FILTERED}
    ORDER BY e.id DESC LIMIT $9 OFFSET $10
"""


async def list_entries(caller: Caller, page: PageRequest, query: AuditFilter) -> RecordPage[AuditEntry]:
    """List the owner's entries, newest first; a token of one store sees only entries of that store."""
    values = (
        caller.owner_id,
        query.actor_kind,
        query.action,
        query.restaurant_id,
        query.from_,
        query.to,
        caller.store_id,
        query.actor_id,
    )
    total = await sql.fetch_value(COUNT_ENTRIES, *values)
    rows = await sql.fetch(SELECT_ENTRIES, *values, page.size(PER_PAGE), page.offset(PER_PAGE))
    actors = ((row["actor_kind"], row["actor_id"]) for row in rows)
    names = await load_actor_names(caller.owner_id, actors)
    return page.of([_to_entry(row, names) for row in rows], total, PER_PAGE)


def _to_entry(row: sql.Row, names: Mapping[tuple[str, int], str]) -> AuditEntry:
    kind, actor_id = row["actor_kind"], row["actor_id"]
    after_ids = row["after_ids"]
    return sql.to_record(
        AuditEntry,
        row,
        actor=Actor(kind, actor_id, row["owner_name"] if kind == "owner" else names.get((kind, actor_id))),
        token=ActorToken(row["token_id"], row["token_name"]),
        before_ids=orjson.loads(row["before_ids"]),
        after_ids=None if after_ids is None else orjson.loads(after_ids),
    )


async def load_actor_names(owner_id: int, actors: Iterable[tuple[str, int]]) -> dict[tuple[str, int], str]:
    """Return the names of actors, by kind and id; those that nobody knows any more are left out."""
    ids_by_kind: defaultdict[str, set[int]] = defaultdict(set)
    for code, actor_id in actors:
        ids_by_kind[code].add(actor_id)
    found: dict[tuple[str, int], str] = {}
    for code, ids in ids_by_kind.items():
        kind = runtime.registry().caller_kinds.get(code)
        if kind is not None and kind.names is not None:
            names = await kind.names(owner_id, sorted(ids))
            found |= {(code, id): name for id, name in names.items()}
    return found
