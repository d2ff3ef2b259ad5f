"""The SQL statements of a leased queue, built from its table.

These are the only statements that look for work of all owners; whatever else reads or writes a tenant's rows names the
owner. A claim takes a lease on rows that it locks, in one statement; on a table that is distributed over several nodes,
``shard_claims`` runs it on each shard.
"""

from dataclasses import dataclass
from functools import lru_cache

from comanda.contracts.background.queues import MOMENT, LeasedQueue, QueueTable

# Claims and results commit asynchronously: what a crash of PostgreSQL loses is done again, which queues allow.
QUICK = "(SELECT set_config('synchronous_commit', 'off', true)) AS quick"
MARK = "/* queue */"


@dataclass(frozen=True, slots=True)
class QueueStatements:
    """The statements of one queue. All but the claim and the measurement change only rows whose lease is still held."""

    claim: str
    finish: str
    retry: str
    release: str
    select_held: str
    measure: str


@dataclass(frozen=True, slots=True)
class FailureStatements:
    """The statements of administrators on the failed rows of one queue; None those that it has no dead letters for.

    Those that change a row take its key as $1, its owner as $2 and, but for ``discard`` without ``{moment}``, the
    current moment as $3.
    """

    select_failing: str
    count_failing: str
    retry_failing: str
    select_dead: str | None
    count_dead: str | None
    retry: str | None
    discard: str | None


def get_moment(table: QueueTable, parameter: str) -> str:
    """Return the expression of the current moment of a queue: the clock of this process, as the parameter.

    For a queue that uses the clock of the database, the parameter is how far the test clock is ahead of it.
    """
    return f"(now() + {parameter}::interval)" if table.uses_database_clock else f"{parameter}::timestamptz"


def get_dead_condition(table: QueueTable) -> str | None:
    """Return the condition of dead letters on the row ``q``; None for a queue that gives up nothing."""
    return table.dead or (f"q.{table.dead_at} IS NOT NULL" if table.dead_at else None)


@lru_cache(maxsize=100)
def build_statements(table: QueueTable) -> QueueStatements:
    key, due, lease = f"q.{table.key}", f"q.{table.due}", f"q.{table.leased_until}"
    held = f"""{key} = c.id AND q.owner_id = c.owner_id AND {lease} = c.leased_until"""
    active = " JOIN core_owner w ON w.id = q.owner_id AND NOT w.is_suspended" if table.stops_for_suspended else ""
    fenced = f"{held} AND q.{table.attempts} = c.attempt - 1"
    claimed = (
        "unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::int[]) AS c (id, owner_id, leased_until, attempt)"
    )
    failed = (
        "unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::int[], $5::timestamptz[], $6::text[])"
        " AS c (id, owner_id, leased_until, attempt, due, error)"
    )
    changes = [f"{table.attempts} = c.attempt", f"{table.due} = c.due"]
    if table.leased_until != table.due:
        changes.append(f"{table.leased_until} = NULL")
    if table.error:
        changes.append(f"{table.error} = c.error")
    if table.dead_at:
        changes.append(f"{table.dead_at} = CASE WHEN c.due IS NULL THEN $7::timestamptz END")
    done = (table.done or "").replace(MOMENT, get_moment(table, "$5"))
    finish = (
        f"DELETE FROM {table.name} q USING {claimed}, {QUICK} WHERE {fenced}"
        if table.done is None
        else f"UPDATE {table.name} q SET {done} FROM {claimed}, {QUICK} WHERE {fenced}"
    )
    released = "now()" if table.leased_until == table.due else "NULL"
    dead = get_dead_condition(table)
    within = f" AND {table.condition}" if table.condition else ""
    return QueueStatements(
        claim=f"{MARK} {_build_claim(table)}",
        finish=f"{MARK} {finish}",
        retry=f"{MARK} UPDATE {table.name} q SET {', '.join(changes)} FROM {failed}, {QUICK} WHERE {fenced}",
        release=f"{MARK} UPDATE {table.name} q SET {table.leased_until} = {released} FROM {claimed} WHERE {held}",
        select_held=f"{MARK} SELECT {key} AS id, q.owner_id FROM {table.name} q JOIN {claimed} ON {held}{active}",
        measure=f"""{MARK}
            SELECT w.waiting, w.oldest_seconds, w.overdue_seconds, w.failing, {"d.dead" if dead else "0"} AS dead FROM (
                SELECT count(*) AS waiting,
                    extract(epoch FROM now() - min(q.{table.created}))::float8 AS oldest_seconds,
                    extract(epoch FROM now() - min({due}))::float8 AS overdue_seconds,
                    count(*) FILTER (WHERE q.{table.attempts} > 0) AS failing
                FROM {table.name} q WHERE {due} IS NOT NULL{within}) AS w
            {f"CROSS JOIN (SELECT count(*) AS dead FROM {table.name} q WHERE {dead}{within}) AS d" if dead else ""}""",
    )


@lru_cache(maxsize=100)
def build_failure_statements(queue: LeasedQueue) -> FailureStatements:
    """Build the statements on the rows of a queue that failed, for administrators."""
    table, dead = queue.table, get_dead_condition(queue.table)
    key, due, attempts = f"q.{table.key}", f"q.{table.due}", f"q.{table.attempts}"
    title = queue.dead_letters.title or "NULL"
    reason = queue.dead_letters.reason or (f"q.{table.error}" if table.error else "NULL")
    within = f" AND {table.condition}" if table.condition else ""
    is_failing = f"{due} IS NOT NULL AND {attempts} > 0{within}"
    selected = f"""{MARK} SELECT {key} AS id, q.owner_id, coalesce(nullif(w.name, ''), w.email) AS owner_name,
        ({title})::text AS title, ({reason})::text AS reason, {attempts} AS attempts, q.{table.created} AS created_at,
        {due} AS due_at FROM {table.name} q JOIN core_owner w ON w.id = q.owner_id"""
    one = f"{key} = $1 AND q.owner_id = $2{within}"
    moment = get_moment(table, "$3")
    free = (
        ""
        if table.leased_until == table.due
        else f" AND (q.{table.leased_until} IS NULL OR q.{table.leased_until} <= {moment})"
    )
    return FailureStatements(
        select_failing=f"{selected} WHERE {is_failing} ORDER BY {due}, {key} LIMIT $1 OFFSET $2",
        count_failing=f"{MARK} SELECT count(*) FROM {table.name} q WHERE {is_failing}",
        retry_failing=f"{MARK} UPDATE {table.name} q SET {table.due} = {moment} WHERE {one} AND {is_failing}{free}",
        select_dead=dead and f"{selected} WHERE {dead}{within} ORDER BY {key} DESC LIMIT $1 OFFSET $2",
        count_dead=dead and f"{MARK} SELECT count(*) FROM {table.name} q WHERE {dead}{within}",
        retry=_build_retry(table, one) if table.dead_at else None,
        discard=_build_discard(table, one) if table.dead_at else None,
    )


def is_due_condition(table: QueueTable, moment: str) -> str:
    """Build the condition that the row ``q`` is due and leased to nobody."""
    due, lease = f"q.{table.due}", f"q.{table.leased_until}"
    is_due = f"{due} <= {moment}"
    if table.leased_until != table.due:
        is_due += f" AND ({lease} IS NULL OR {lease} <= {moment})"
    if table.condition:
        is_due += f" AND {table.condition}"
    return is_due


@lru_cache(maxsize=10)
def build_due_checks(tables: tuple[QueueTable, ...]) -> str:
    """Build the statement that returns whether each queue has due rows.

    $1 is the moment, $2 how far the test clock is ahead.
    """
    checks = [
        _build_due_check(table, get_moment(table, "$2" if table.uses_database_clock else "$1")) for table in tables
    ]
    return f"{MARK} SELECT {', '.join(checks)} WHERE ($1::timestamptz, $2::interval) IS NOT NULL"


def _build_due_check(table: QueueTable, moment: str) -> str:
    is_due = f"SELECT FROM {table.name} q WHERE {is_due_condition(table, moment)}"
    if table.share_by is None:
        return f"EXISTS ({is_due})"
    # The index finds what is due of one share, not what is due of all.
    of_share = f"CROSS JOIN LATERAL ({is_due} AND q.{table.share_by} = w.share LIMIT 1) due"
    return f"EXISTS (WITH RECURSIVE {_build_waiting(table)} SELECT FROM waiting w {of_share})"


def build_claim_parts(table: QueueTable) -> tuple[str, str]:
    """Build the parts of a claim: WITH, which locks the rows, and the update of their leases, which ends with columns.

    $1 is the moment (see ``get_moment``), $2 the lease, $3 how many; those of shares follow.
    """
    key, due, lease = f"q.{table.key}", f"q.{table.due}", f"q.{table.leased_until}"
    moment = get_moment(table, "$1")
    picked = f"SELECT {key} AS id, q.owner_id, {due} AS due FROM {table.name} q WHERE {is_due_condition(table, moment)}"
    if table.share_by is None:
        chosen = f"due AS MATERIALIZED ({picked} ORDER BY {due}, {key} LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)"
    else:
        chosen = f"RECURSIVE {_build_shares(table, picked)}"
    share = f"q.{table.share_by}" if table.share_by else "NULL"
    return (
        f"WITH {chosen}",
        f"""UPDATE {table.name} q SET {table.leased_until} = {moment} + $2::interval FROM due, {QUICK}
        WHERE {key} = due.id AND q.owner_id = due.owner_id
        RETURNING {key} AS claimed_id, q.owner_id AS claimed_owner_id, q.{table.attempts} AS claimed_attempts,
            due.due AS claimed_due, {lease} AS claimed_until, {share} AS claimed_share""",
    )


def _build_claim(table: QueueTable) -> str:
    """Build the statement that leases due rows."""
    chosen, lease = build_claim_parts(table)
    return f"{chosen} {lease}" + "".join(f", q.{column}" for column in table.columns)


def _build_shares(table: QueueTable, picked: str) -> str:
    """Build the choice of rows from all shares in turn.

    ``waiting`` skips through the index from share to share, after $4, to all that have rows, due or not. $5 and $6 are
    the shares that this process knows and the room of each; any other has room for $7. $8 and $9 are owners, and how
    many rows of their other shares there is room for, $10 the same for owners that are not among them.
    """
    share, kind = f"q.{table.share_by}", table.share_type
    return f"""{_build_waiting(table, f"($4::{kind} IS NULL OR {share} > $4::{kind})")},
        turn AS MATERIALIZED (
            SELECT w.share, coalesce(known.room, least($7::int, coalesce(owner.room, $10::int) - $7::int *
                (row_number() OVER (PARTITION BY w.owner_id, known.room IS NULL ORDER BY w.share) - 1)))::int AS room
            FROM waiting w
            LEFT JOIN unnest($5::{kind}[], $6::int[]) AS known (share, room) ON known.share = w.share
            LEFT JOIN unnest($8::bigint[], $9::int[]) AS owner (owner_id, room) ON owner.owner_id = w.owner_id
            ORDER BY w.share),
        due AS MATERIALIZED (
            SELECT one.id, one.owner_id, one.due FROM turn CROSS JOIN LATERAL (
                {picked} AND {share} = turn.share
                ORDER BY q.{table.due}, q.{table.key} LIMIT greatest(turn.room, 0) FOR NO KEY UPDATE SKIP LOCKED) one
            LIMIT $3)"""


def _build_waiting(table: QueueTable, first: str = "true") -> str:
    """Build the shares that have rows, due or not, of which the first satisfies a condition."""
    share = f"q.{table.share_by}"
    waiting = f"SELECT {share} AS share, q.owner_id FROM {table.name} q WHERE q.{table.due} IS NOT NULL"
    if table.condition:
        waiting += f" AND {table.condition}"
    return f"""waiting (share, owner_id) AS (
            ({waiting} AND {first} ORDER BY {share} LIMIT 1)
            UNION ALL
            SELECT following.share, following.owner_id FROM waiting w CROSS JOIN LATERAL (
                {waiting} AND {share} > w.share ORDER BY {share} LIMIT 1) following)"""


def _build_retry(table: QueueTable, one: str) -> str:
    changes = [f"{table.due} = {get_moment(table, '$3')}", f"{table.attempts} = 0", f"{table.dead_at} = NULL"]
    if table.leased_until != table.due:
        changes.append(f"{table.leased_until} = NULL")
    return f"{MARK} UPDATE {table.name} q SET {', '.join(changes)} WHERE {one} AND {get_dead_condition(table)}"


def _build_discard(table: QueueTable, one: str) -> str:
    if table.done is None:
        return f"{MARK} DELETE FROM {table.name} q WHERE {one} AND {get_dead_condition(table)}"
    done = table.done.replace(MOMENT, get_moment(table, "$3"))
    return f"""{MARK} UPDATE {table.name} q SET {done}, {table.dead_at} = NULL
        WHERE {one} AND {get_dead_condition(table)}"""
