"""Audit log entries read from the database, and the time of their commit."""

from enum import StrEnum

from comanda.platform.audit_log.entries import AuditRecording
from comanda.platform.db import sql

ENTRIES = """
    SELECT actor_kind, actor_id, token_id, store_id, action, before_ids::text AS before_ids,
        after_ids::text AS after_ids, outcome, address, to_jsonb(e)::text AS row
    FROM core_audit_entry e WHERE owner_id = $1 AND request_id = $2 ORDER BY id
"""


class EntryTime(StrEnum):
    """The time at which the entry of a request was committed."""

    WITH_WRITE = "with the write"
    AFTERWARDS = "after the write"


async def entries_of(owner, request_id):
    return await sql.fetch(ENTRIES, owner.id, request_id)


def watch_entries(monkeypatch):
    """Return a list to which the time of each entry is appended, one for each successful request."""
    times = []
    finish = AuditRecording.finish

    async def finish_watched(self, *values, **options):
        times.append(EntryTime.WITH_WRITE if self._entry_id is not None else EntryTime.AFTERWARDS)
        await finish(self, *values, **options)

    monkeypatch.setattr(AuditRecording, "finish", finish_watched)
    return times
