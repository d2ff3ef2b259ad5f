"""The waitlist of a store: guests without a reservation who wait for a table, in the order in which they came."""

from datetime import timedelta
from typing import Final

from comanda.basics import Conflict, Sentence, clock
from comanda.contracts import NO_IDEMPOTENCY_KEY, Caller, IdempotencyKey, IdempotentResult, PageRequest, RecordPage
from comanda.orders import erasure
from comanda.platform.db import KeyedTable, sql

from comanda_reservations.events import WaitlistCalled, WaitlistEnded, WaitlistJoined, publish_waitlist_event
from comanda_reservations.models import ReservationStatus, WaitingStatus
from comanda_reservations.records import WaitingParty
from comanda_reservations.schemas import ReservationBody, ReservationStatusBody, WaitingPartyBody, WaitingSeatBody
from comanda_reservations.services import (
    reservation_rules,
    reservations,
    table_ready,
    table_reservations,
    wait_quotes,
    waiting_parties,
)
from comanda_reservations.services.reservation_rules import ReservationRules
from comanda_reservations.services.waiting_parties import PARTY_COLUMNS, SELECT_LINE

MAX_WAITING: Final = 100
MAX_CALLS: Final = 10
WAITLIST_OFF: Final = "waitlist_off"
WAITLIST_FULL: Final = "waitlist_full"
CALL_PAUSE: Final = timedelta(minutes=2)
SEATING_SOURCE: Final = "waitlist"
PARTY_KEYS: Final = KeyedTable("reservations_waiting_party", "store_id")

INSERT_PARTY: Final = f"""
    INSERT INTO reservations_waiting_party AS p (owner_id, store_id, status, guest_name, party_size, phone, note,
        language, quoted_minutes, source, joined_at, calls, idempotency_key, body_hash)
    VALUES ($1, $2, 'waiting', $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, $12) RETURNING {PARTY_COLUMNS}
"""
CALL_PARTY: Final = f"""
    UPDATE reservations_waiting_party AS p SET status = 'called', calls = calls + 1, called_at = $3
    WHERE id = $1 AND owner_id = $2 RETURNING {PARTY_COLUMNS}
"""
SET_MESSAGED_AT: Final = "UPDATE reservations_waiting_party SET messaged_at = $3 WHERE id = $1 AND owner_id = $2"


async def list_parties(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[WaitingParty]:
    """Return a page of the parties in the line, the first first. Raises ``NotFound``."""
    await reservation_rules.require_table_service(caller, store_id, "reservations")
    total = await waiting_parties.count_line(caller.owner_id, store_id)
    rows = await sql.fetch(SELECT_LINE, store_id, caller.owner_id, page.size(), page.offset())
    return page.of([waiting_parties.to_party(row) for row in rows], total)


async def get_party(caller: Caller, store_id: int, party_id: int) -> WaitingParty:
    """Return a party, in the line or not. Raises ``NotFound``."""
    await reservation_rules.require_table_service(caller, store_id, "reservations")
    return await waiting_parties.load_party(caller.owner_id, store_id, party_id)


async def add_party(
    caller: Caller,
    store_id: int,
    body: WaitingPartyBody,
    key: IdempotencyKey = NO_IDEMPOTENCY_KEY,
    source: str = "staff",
    language: str | None = None,
) -> IdempotentResult[WaitingParty]:
    """Add a party at the end of the line, or return the one that was added with the same key.

    Raises ``NotFound``; ``Conflict`` with the ``reason`` ``waitlist_off`` or ``waitlist_full``. Emits
    ``WaitlistJoined``.
    """
    await reservation_rules.require_table_service(caller, store_id, "reservations")

    async def create() -> int:
        async with sql.transaction():
            rules = await reservation_rules.lock_reservation_rules(caller.owner_id, store_id)
            await _check_can_join(caller.owner_id, store_id, rules)
            minutes = body.quoted_minutes
            if minutes is None:
                quote = await wait_quotes.estimate_wait(caller.owner_id, store_id, rules, body.party_size)
                minutes = quote.quoted_minutes
            row = await sql.one(
                INSERT_PARTY,
                caller.owner_id,
                store_id,
                body.guest_name,
                body.party_size,
                body.phone or None,
                body.note or None,
                language,
                minutes,
                source,
                clock.now(),
                key.text,
                key.body_hash,
            )
            await publish_waitlist_event(WaitlistJoined, row)
        return int(row["id"])

    async def load(party_id: int) -> WaitingParty:
        return await waiting_parties.load_party(caller.owner_id, store_id, party_id)

    return await PARTY_KEYS.create_once(caller.owner_id, store_id, key, create, load)


async def call_party(caller: Caller, store_id: int, party_id: int) -> WaitingParty:
    """Call a party to its table, and send it an SMS if it left a number.

    Raises ``NotFound``; ``Conflict`` with the ``reason`` ``called_recently`` within 2 minutes of the last call,
    ``called_too_often``, or ``wrong_status``. Emits ``WaitlistCalled``.
    """
    await reservation_rules.require_table_service(caller, store_id, "reservations")
    async with sql.transaction():
        await erasure.lock_for_copying()
        row = await waiting_parties.lock_party_in_line(caller, store_id, party_id)
        _check_can_call(row)
        called = await sql.one(CALL_PARTY, row["id"], caller.owner_id, clock.now())
        if await table_ready.send_message(called):
            await sql.execute(SET_MESSAGED_AT, row["id"], caller.owner_id, called["called_at"])
        await publish_waitlist_event(WaitlistCalled, called)
    return await waiting_parties.load_party(caller.owner_id, store_id, party_id)


async def seat_party(caller: Caller, store_id: int, party_id: int, body: WaitingSeatBody) -> WaitingParty:
    """Seat a party at tables now, through a reservation of theirs.

    Raises ``NotFound``; ``ValidationFailed`` and ``Conflict`` with a ``reason`` if the tables are taken or too small,
    ``wrong_status`` if the party is no longer in the line. Emits ``WaitlistEnded`` and ``ReservationCreated``.
    """
    await reservation_rules.require_table_service(caller, store_id, "reservations")
    async with sql.transaction():
        await erasure.lock_for_copying()
        await reservation_rules.lock_reservation_rules(caller.owner_id, store_id)
        row = await waiting_parties.lock_party_in_line(caller, store_id, party_id)
        asked = ReservationBody(
            guest_name=row["guest_name"],
            party_size=row["party_size"],
            starts_at=clock.now().replace(second=0, microsecond=0),
            phone=row["phone"],
            note=row["note"],
            table_numbers=body.table_numbers,
            # They are in the house, whatever the rules for those who reserve.
            override=True,
        )
        made = await table_reservations.create_reservation(caller, store_id, asked, source=SEATING_SOURCE)
        seated = ReservationStatusBody(status=ReservationStatus.SEATED)
        await reservations.update_status(caller, store_id, made.record.id, seated)
        await waiting_parties.end_party(row, WaitingStatus.SEATED, made.record.id)
        await publish_waitlist_event(WaitlistEnded, row, WaitingStatus.SEATED)
    return await waiting_parties.load_party(caller.owner_id, store_id, party_id)


async def end_wait(caller: Caller, store_id: int, party_id: int, status: WaitingStatus) -> WaitingParty:
    """Remove a party from the line that has left, or did not come when it was called.

    A party that has this status already stays as it is. Raises ``NotFound``; ``Conflict`` with the ``reason``
    ``wrong_status``, also for a no-show that was not called. Emits ``WaitlistEnded``.
    """
    await reservation_rules.require_table_service(caller, store_id, "reservations")
    async with sql.transaction():
        row = await waiting_parties.lock_party(caller, store_id, party_id)
        if row["status"] == status:
            return await waiting_parties.load_party(caller.owner_id, store_id, party_id)
        waiting_parties.check_in_line(row)
        if status is WaitingStatus.NO_SHOW and row["status"] != WaitingStatus.CALLED:
            raise Conflict(
                Sentence("This party was not called yet."), extras={"reason": "wrong_status", "status": row["status"]}
            )
        await waiting_parties.end_party(row, status)
        await publish_waitlist_event(WaitlistEnded, row, status)
    return await waiting_parties.load_party(caller.owner_id, store_id, party_id)


async def _check_can_join(owner_id: int, store_id: int, rules: ReservationRules) -> None:
    if not rules.has_waitlist:
        raise Conflict(Sentence("The waitlist of this store is turned off."), extras={"reason": WAITLIST_OFF})
    if await waiting_parties.count_line(owner_id, store_id) >= MAX_WAITING:
        raise Conflict(
            Sentence("At most %(limit)s parties can wait.", limit=MAX_WAITING),
            extras={"reason": WAITLIST_FULL, "limits": {"parties": MAX_WAITING}},
        )


def _check_can_call(row: sql.Row) -> None:
    if row["called_at"] is not None and clock.now() - row["called_at"] < CALL_PAUSE:
        raise Conflict(Sentence("This party was called less than 2 minutes ago."), extras={"reason": "called_recently"})
    if row["calls"] >= MAX_CALLS:
        raise Conflict(
            Sentence("A party can be called at most %(limit)s times.", limit=MAX_CALLS),
            extras={"reason": "called_too_often"},
        )
