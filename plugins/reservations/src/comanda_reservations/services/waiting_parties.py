"""Rows of parties on the waitlist, and the records made of them."""

from typing import Final

from comanda.basics import Conflict, Sentence, clock
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_reservations.models import WaitingStatus
from comanda_reservations.records import WaitingParty

IN_LINE: Final = frozenset({WaitingStatus.WAITING, WaitingStatus.CALLED})

PARTY_COLUMNS: Final = """
    p.id, p.owner_id, p.store_id, p.status, p.guest_name, p.party_size, p.phone, p.note, p.language, p.quoted_minutes,
    p.source, p.joined_at, p.calls, p.called_at, p.messaged_at, p.ended_at, p.reservation_id
"""
# The line is short: at most MAX_WAITING parties are open.
PLACE: Final = """
    CASE WHEN p.status IN ('waiting', 'called') THEN (
        SELECT count(*) FROM reservations_waiting_party w
        WHERE w.store_id = p.store_id AND w.owner_id = p.owner_id AND w.status IN ('waiting', 'called')
            AND w.id <= p.id) END AS place
"""
SELECT_LINE: Final = f"""
    SELECT {PARTY_COLUMNS}, row_number() OVER (ORDER BY p.id) AS place FROM reservations_waiting_party p
    WHERE p.store_id = $1 AND p.owner_id = $2 AND p.status IN ('waiting', 'called')
    ORDER BY p.id LIMIT $3 OFFSET $4
"""
COUNT_LINE: Final = """
    SELECT count(*) FROM reservations_waiting_party
    WHERE store_id = $1 AND owner_id = $2 AND status IN ('waiting', 'called')
"""
SELECT_PARTY: Final = f"""
    SELECT {PARTY_COLUMNS}, {PLACE} FROM reservations_waiting_party p
    WHERE p.id = $1 AND p.owner_id = $2 AND p.store_id = $3
"""
LOCK_PARTY: Final = f"""
    SELECT {PARTY_COLUMNS} FROM reservations_waiting_party p
    WHERE p.id = $1 AND p.owner_id = $2 AND p.store_id = $3 FOR NO KEY UPDATE
"""
END_PARTY: Final = """
    UPDATE reservations_waiting_party SET status = $3, ended_at = $4, reservation_id = $5
    WHERE id = $1 AND owner_id = $2
"""


async def count_line(owner_id: int, store_id: int) -> int:
    """Return how many parties of a store have neither been seated nor left."""
    return int(await sql.fetch_value(COUNT_LINE, store_id, owner_id))


async def load_party(owner_id: int, store_id: int, party_id: int) -> WaitingParty:
    """Return a party with its place in the line. Raises ``NotFound``."""
    row = await sql.require_one(SELECT_PARTY, party_id, owner_id, store_id)
    return to_party(row)


async def lock_party(caller: Caller, store_id: int, party_id: int) -> sql.Row:
    """Return a party, locked until the open transaction ends. Raises ``NotFound``."""
    return await sql.require_one(LOCK_PARTY, party_id, caller.owner_id, store_id)


async def lock_party_in_line(caller: Caller, store_id: int, party_id: int) -> sql.Row:
    """Return a party that is in the line, locked until the open transaction ends.

    Raises ``NotFound``; ``Conflict`` with the reason ``wrong_status`` for one that was seated or has left.
    """
    row = await lock_party(caller, store_id, party_id)
    check_in_line(row)
    return row


def check_in_line(row: sql.Row) -> None:
    """Check that a party was neither seated nor has left. Raises ``Conflict``."""
    if row["status"] not in IN_LINE:
        raise Conflict(
            Sentence("This party is no longer on the waitlist."),
            extras={"reason": "wrong_status", "status": row["status"]},
        )


async def end_party(row: sql.Row, status: WaitingStatus, reservation_id: int | None = None) -> None:
    """Remove a locked party from the line."""
    await sql.execute(END_PARTY, row["id"], row["owner_id"], status.value, clock.now(), reservation_id)


def to_party(row: sql.Row) -> WaitingParty:
    """Return the party of a row with ``PARTY_COLUMNS`` and its place."""
    return sql.to_record(WaitingParty, row, status=WaitingStatus(row["status"]))
