"""What is due for a check with its provider: each row is claimed by one process, before it is checked."""

from collections.abc import AsyncIterator, Iterable
from functools import partial
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql
from comanda.platform.tasks import notify

# The task that checks pending payments and refunds, and cancels prepayments that nobody has paid.
RECONCILE_TASK: Final = "payments_reconcile"
# One object, as a callback that is registered twice in a transaction runs once.
_CHECK_SOON: Final = partial(notify, RECONCILE_TASK)


def request_check() -> None:
    """Check what is due as soon as the open transaction has committed."""
    sql.after_commit(_CHECK_SOON)


async def claim_each(due: Iterable[sql.Row], claim: str, *values: object) -> AsyncIterator[sql.Row]:
    """Yield the due rows that this process gets. ``claim`` takes the moment, id and owner of each, and the ``values``.

    One by one: two processes that claim many with one statement may find them in different orders, and wait for each
    other. What was not claimed yet when a process is killed is due still.
    """
    moment = clock.now()
    for row in due:
        if await sql.fetch_value(claim, moment, row["id"], row["owner_id"], *values) is not None:
            yield row
