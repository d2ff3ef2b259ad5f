"""Leased queues: rows of a table that wait for work, claimed in batches by any number of workers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from random import Random, SystemRandom
from typing import Any, Final

RANDOM: Final = SystemRandom()
# What saving the result of a finished batch may take; leases last longer than the deadline of their batch by this.
SAVE_SECONDS: Final = 15.0


@dataclass(frozen=True, slots=True)
class RetrySchedule:
    """The delays after the first, second … failed attempt of a row.

    After the last delay the row is given up and becomes a dead letter, unless ``repeats_last``. ``jitter`` varies each
    delay by that share either way, so that rows that failed together are not retried together.
    """

    delays_seconds: tuple[float, ...]
    repeats_last: bool = False
    jitter: float = 0.15

    def get_delay(self, attempt: int, rng: Random = RANDOM) -> timedelta | None:
        """Return the delay after failed attempt number ``attempt``, from 1, or None if the row is given up."""
        if attempt < 1:
            raise ValueError(f"Attempts are numbered from 1, not {attempt}.")
        if attempt > len(self.delays_seconds) and not self.repeats_last:
            return None
        seconds = self.delays_seconds[min(attempt, len(self.delays_seconds)) - 1]
        return timedelta(seconds=seconds * rng.uniform(1 - self.jitter, 1 + self.jitter))


# For rows that must not be given up: their cause is a fault that someone will correct.
UNLIMITED_RETRIES: Final = RetrySchedule((1, 4, 16, 64, 256, 600), repeats_last=True, jitter=0)


# In the change of a finished row: the current moment of the queue.
MOMENT: Final = "{moment}"


@dataclass(frozen=True, slots=True)
class QueueTable:
    """A table whose rows wait for work, and the columns that the statements of its queue use.

    A row waits while ``due`` is not null, and is due once that is past. A claim sets ``leased_until``, which may be the
    same column as ``due``: the row then is simply due later. ``attempts`` is the number of attempts that have ended.
    ``columns`` are read with each claim. ``condition`` limits the table to the rows of this queue; it refers to the
    table as ``q``. The table has a column ``owner_id``.

    With ``share_by``, the values of that column take turns: a claim takes at most a few rows of each, so that a backlog
    of one delays no other. That needs an index on ``(share_by, due, key)``, preceded by the columns of ``condition``.

    When core saves results, ``done`` is the change of a finished row (None deletes it), in which ``{moment}`` is the
    current moment, ``error`` the column for the
    reason of a failure, and ``dead_at`` the column that is set when a row is given up.
    ``dead`` is the condition of dead letters for metrics, by default that ``dead_at`` is set.

    With ``stops_for_suspended``, claimed rows that wait in a process for longer than a moment are left alone once their
    owner is suspended. The queue itself decides what becomes of them when they are claimed again.
    """

    name: str
    columns: tuple[str, ...] = ()
    key: str = "id"
    due: str = "next_attempt_at"
    leased_until: str = "leased_until"
    attempts: str = "attempts"
    created: str = "created_at"
    condition: str | None = None
    share_by: str | None = None
    share_type: str = "bigint"
    done: str | None = None
    error: str | None = None
    dead_at: str | None = None
    dead: str | None = None
    uses_database_clock: bool = False
    stops_for_suspended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedRow:
    """A row leased to this process until ``leased_until``; ``attempt`` is the number of this attempt, from 1.

    ``share`` is the value of the queue's ``share_by`` column, and ``values`` has the queue's ``columns``.
    """

    id: int
    owner_id: int
    attempt: int
    due_at: datetime
    leased_until: datetime
    share: Any = None
    values: Mapping[str, Any] = field(default_factory=dict, repr=False)


class RowResult(Enum):
    """The result of a row that raised no error."""

    DONE = "done"
    # The row was not attempted: its lease ends now, and it stays due.
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """What one process does at once.

    ``batch_size`` rows at most are processed by one call, within ``deadline_seconds``. ``max_in_flight`` is how many
    calls run at once, of them ``max_per_owner`` for the rows of one owner and ``max_per_share`` for one share.
    ``max_claimed_ahead`` rows of one share may wait in the process, which makes a fast share faster.
    """

    batch_size: int = 1
    max_in_flight: int = 10
    max_per_owner: int | None = None
    max_per_share: int | None = None
    max_claimed_ahead: int = 0
    deadline_seconds: float = 10.0
    # At most so long between two claims; a worker that finds due rows has them claimed at once.
    poll_seconds: float = 60.0
    # After a claim, wait this long before the next, so that a rush needs a few large claims instead of many small ones.
    pause_seconds: float = 0.0
    # Results that are not urgent wait this long for others, so that one statement saves many.
    save_delay_seconds: float = 0.0

    @property
    def lease(self) -> timedelta:
        """How long a claim holds: longer than an attempt with its result, and short enough for a retry after a crash.

        Rows that are claimed ahead need time to wait as well.
        """
        return timedelta(seconds=self.deadline_seconds + SAVE_SECONDS + (5.0 if self.max_claimed_ahead else 0.0))


Results = Sequence[object]
"""One result per row, in their order: a ``RowResult``, an exception, or what the queue's own ``save`` takes."""


@dataclass(frozen=True, slots=True)
class QueueWork:
    """What a process does with the rows of a queue.

    ``process`` attempts a batch and returns a result for each row, or None if all are done; if it raises, all have
    failed. ``save`` saves results itself, each only if its lease is still held (``attempts`` and ``leased_until`` are
    unchanged); without it core does, following ``retries``. ``prepare`` completes claimed rows, and leaves out those
    that must not be processed. ``get_concurrency`` limits the calls of one share further, by its first row.
    """

    process: Callable[[Sequence[ClaimedRow]], Awaitable[Results | None]]
    limits: QueueLimits = QueueLimits()
    save: Callable[[Sequence[Any]], Awaitable[None]] | None = None
    prepare: Callable[[Sequence[ClaimedRow]], Awaitable[Sequence[ClaimedRow]]] | None = None
    get_concurrency: Callable[[ClaimedRow], int] | None = None
    retries: RetrySchedule = UNLIMITED_RETRIES


RowAct = Callable[[int, int], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class DeadLetters:
    """What administrators see of the rows of a queue that failed, and how they retry or discard those given up.

    ``title`` names a row and ``reason`` is why its last attempt failed, by default the queue's ``error`` column: SQL
    expressions on the row ``q``, without personal data. ``retry`` makes a dead letter due again, ``discard`` deletes
    it; both are called with the owner's id and the row's, in an open transaction, and raise ``NotFound`` for a row that
    is no dead letter, ``Conflict`` for one that cannot be retried. Core does both for queues with ``dead_at``.
    """

    title: str | None = None
    reason: str | None = None
    retry: RowAct | None = None
    discard: RowAct | None = None


@dataclass(frozen=True, slots=True)
class LeasedQueue:
    """A queue whose rows are the truth: claimed with a lease, attempted, retried, given up; never lost.

    ``name`` is also the name of its taskiq task: ``comanda.platform.tasks.notifier.notify(name)`` after a commit
    has a worker claim at once, and a poll finds what a lost notification missed. A process that dies loses nothing,
    because its leases end. ``work`` may be an async context manager, for what it needs open, such as connections,
    and for limits from settings. ``dead_letters`` is what the pages of administrators show of rows that failed.
    """

    name: str
    table: QueueTable
    work: QueueWork | Callable[[], AbstractAsyncContextManager[QueueWork]]
    dead_letters: DeadLetters = DeadLetters()

    def open_work(self) -> AbstractAsyncContextManager[QueueWork]:
        """Open what the work needs in this process."""
        return nullcontext(self.work) if isinstance(self.work, QueueWork) else self.work()
