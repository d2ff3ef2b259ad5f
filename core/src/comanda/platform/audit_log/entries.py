"""Recording of a request's writes in the audit log, in the transaction of the write if there is one.

The entry is inserted when the request's first writing transaction is about to commit, so every committed write has an
entry, even if the process dies. Afterwards it is completed with the ids of the answer. After a single statement outside
a transaction the entry is inserted before the answer is sent. The statement that inserts an order also inserts its
complete entry.
"""

import ipaddress
from collections.abc import Mapping
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Final, Self

import orjson
import structlog

from comanda.basics import clock
from comanda.contracts.requests.callers import Caller
from comanda.platform import runtime
from comanda.platform.audit_log.identifiers import extract_result_ids
from comanda.platform.db import sql

log = structlog.get_logger(__name__)

OUTCOME_OK: Final = "ok"
MAX_ADDRESS: Final = 64
# A guest's address is shortened to the network.
IPV4_NETWORK_BITS: Final = 24
IPV6_NETWORK_BITS: Final = 48

COLUMNS: Final = "actor_kind, actor_id, token_id, action, address, request_id, before_ids"
RECORD_TYPE: Final = """(actor_kind text, actor_id bigint, token_id bigint, action text, address text, request_id text,
    before_ids jsonb)"""

# A transaction that has written nothing has no id and leaves no entry.
INSERT_ENTRY: Final = f"""
    WITH entry AS (
        INSERT INTO core_audit_entry (owner_id, occurred_at, store_id, after_ids, outcome, {COLUMNS})
        SELECT $1, $6, $2, $4::jsonb, $5::text, {COLUMNS} FROM jsonb_to_record($3::jsonb) AS e {RECORD_TYPE}
        WHERE $5::text IS NOT NULL OR pg_current_xact_id_if_assigned() IS NOT NULL
        RETURNING id)
    SELECT id FROM entry
"""
COMPLETE_ENTRY: Final = """
    UPDATE core_audit_entry SET after_ids = $3::jsonb, outcome = $4, store_id = coalesce(store_id, $5)
    WHERE owner_id = $1 AND id = $2
"""

_recording: ContextVar["AuditRecording | None"] = ContextVar("audit_recording", default=None)


def get_recording() -> "AuditRecording | None":
    """Return the recording of the current request, or None if its writes are not recorded."""
    return _recording.get()


def start_recording(
    caller: Caller | None, action: str, *, before_ids: Mapping[str, int], address: str, request_id: str
) -> "AuditRecording | None":
    """Return a recording for a caller whose writes are audited, else None."""
    if caller is None:
        return None
    kind = runtime.registry().caller_kinds.get(caller.kind)
    if kind is not None and not kind.is_audited:
        return None
    stored = to_stored_address(address, is_public=kind is not None and kind.is_public)
    return AuditRecording(caller, action, before_ids=before_ids, address=stored, request_id=request_id)


async def record_action(
    owner_id: int,
    action: str,
    *,
    actor_kind: str,
    actor_id: int,
    store_id: int | None = None,
    ids: Mapping[str, int] | None = None,
    address: str = "",
    request_id: str = "",
    outcome: str = OUTCOME_OK,
) -> None:
    """Insert a complete entry of something that no route does, such as signing in; in the open transaction if any.

    ``action`` begins with ``account/``, unlike those of routes and tools; ``ids`` are of what it was done to.
    """
    record = {
        "actor_kind": actor_kind,
        "actor_id": actor_id,
        "token_id": 0,
        "action": action,
        "address": address[:MAX_ADDRESS],
        "request_id": request_id,
        "before_ids": ids or {},
    }
    values = (owner_id, store_id, orjson.dumps(record).decode(), _to_json(ids or {}), outcome, clock.now())
    await sql.fetch_value(INSERT_ENTRY, *values)


class AuditRecording:
    """Recording of the audit entry of one request or tool call, from before its handler runs until its result."""

    def __init__(
        self, caller: Caller, action: str, *, before_ids: Mapping[str, int], address: str, request_id: str
    ) -> None:
        """Prepare the entry; ``address`` is stored as given."""
        self._owner_id = caller.owner_id
        self._store_id = before_ids.get("restaurant_id", caller.store_id)
        self._before_ids = before_ids
        self._record = orjson.dumps(
            {
                "actor_kind": caller.kind,
                "actor_id": caller.subject_id or caller.owner_id,
                "token_id": caller.token_id,
                "action": action,
                "address": address,
                "request_id": request_id,
                "before_ids": before_ids,
            }
        ).decode()
        self._entry_id: int | None = None
        self._pending_id: int | None = None
        self._is_complete = False
        self._is_open = True

    def __enter__(self) -> Self:
        self._token = _recording.set(self)
        self._hook = sql.set_commit_hook(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._is_open = False
        sql.reset_commit_hook(self._hook)
        _recording.reset(self._token)
        # Contexts that were copied meanwhile refer to this recording, and the tokens to a context.
        del self._hook, self._token

    @property
    def is_needed(self) -> bool:
        """Whether the entry has not been inserted yet."""
        return self._is_open and self._entry_id is None and self._pending_id is None

    async def before_commit(self) -> None:
        """Insert the entry in the transaction that is about to commit."""
        if self.is_needed:
            self._pending_id = await self._insert(None, None)

    def transaction_ended(self, *, is_committed: bool) -> None:
        """Record whether the transaction with the entry committed."""
        if is_committed and self._pending_id is not None:
            self._entry_id = self._pending_id
        elif not is_committed:
            self._is_complete = False
        self._pending_id = None

    def record_for_statement(self) -> str | None:
        """Return the entry as JSON for a statement that inserts it itself, or None if there is one already."""
        if not self.is_needed:
            self._is_complete = False  # the entry does not contain this write
            return None
        return self._record

    def mark_inserted(self, entry_id: int | None) -> None:
        """Record that a statement has inserted the complete entry."""
        if entry_id is None:
            return
        self._is_complete = True
        if sql.is_in_transaction():
            self._pending_id = entry_id
        else:
            self._entry_id = entry_id

    def mark_replay(self) -> None:
        """Insert no entry any more: the request is answered with what an earlier one has written."""
        self._is_open = False

    async def finish(self, result: object, *, is_replay: bool = False, deletes_last_named: bool = False) -> None:
        """Complete the entry of a successful request, or insert it if no transaction has.

        With ``deletes_last_named`` the last id that the request named no longer exists.
        """
        self._is_open = False
        if self._is_complete or (is_replay and self._entry_id is None):
            return
        named = dict(self._before_ids)
        if named and deletes_last_named:
            named.popitem()
        await self._write({**named, **extract_result_ids(result)}, OUTCOME_OK)

    async def fail(self, code: str) -> None:
        """Store the error code of a request that failed after it had written; otherwise there is no entry."""
        self._is_open = False
        if self._entry_id is not None:
            await self._write(None, code)

    async def _write(self, after_ids: Mapping[str, int] | None, outcome: str) -> None:
        try:
            if self._entry_id is None:
                self._store_id = self._store_id or (after_ids or {}).get("restaurant_id")
                self._entry_id = await self._insert(after_ids, outcome)
                return
            store_id = (after_ids or {}).get("restaurant_id")
            await sql.execute(COMPLETE_ENTRY, self._owner_id, self._entry_id, _to_json(after_ids), outcome, store_id)
        except Exception as error:
            # The write itself has succeeded, and the answer must say so.
            log.error("audit_entry_incomplete", entry_id=self._entry_id, record=self._record, exc_info=error)

    async def _insert(self, after_ids: Mapping[str, int] | None, outcome: str | None) -> int | None:
        values = (self._owner_id, self._store_id, self._record, _to_json(after_ids), outcome, clock.now())
        inserted: int | None = await sql.fetch_value(INSERT_ENTRY, *values)
        return inserted


def to_stored_address(address: str, *, is_public: bool) -> str:
    """Return an address as entries store it: complete, or only the network for guests."""
    if not is_public:
        return address[:MAX_ADDRESS]
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    bits = IPV4_NETWORK_BITS if parsed.version == 4 else IPV6_NETWORK_BITS
    return str(ipaddress.ip_network((parsed, bits), strict=False))


def _to_json(ids: Mapping[str, Any] | None) -> str | None:
    return None if ids is None else orjson.dumps(ids).decode()
