"""Tables that guests reserve on a store's page, and the links by which they find their reservation again."""

import hashlib
from datetime import datetime, timedelta
from typing import Final

from comanda.basics import Conflict, clock
from comanda.contracts import Caller, IdempotencyKey
from comanda.platform.db import sql
from comanda.platform.encryption import require_link_owner, sign_link

from comanda_reservations.models import ReservationStatus
from comanda_reservations.records import Reservation
from comanda_reservations.schemas import GuestReservationBody, ReservationBody, ReservationStatusBody
from comanda_reservations.services import deposits, reservations, table_reservations
from comanda_reservations.services.reservation_rules import ReservationRules

SOURCE: Final = "website"
PURPOSE: Final = "reservations.table"
# A link opens a reservation for so long after its time.
LINK_GRACE: Final = timedelta(days=30)
CANCELLABLE: Final = (ReservationStatus.PENDING, ReservationStatus.CONFIRMED)
SELECT_STORE_ID: Final = """
    SELECT store_id FROM reservations_reservation WHERE id = $1 AND owner_id = $2 AND kind = 'table'
"""


async def reserve_table(
    caller: Caller, store_id: int, body: GuestReservationBody, raw: bytes, language: str | None = None
) -> Reservation:
    """Reserve a table, or return the reservation made with the same ``client_uuid``. Emits ``ReservationCreated``.

    One that needs a deposit is pending until that is paid. Raises ``NotFound``; ``ValidationFailed`` and ``Conflict``
    with a ``reason`` if the party cannot be seated then, or the deposit not be paid.
    """
    asked = ReservationBody(source=SOURCE, **body.model_dump(exclude={"client_uuid"}, exclude_none=True))
    key = IdempotencyKey(body.client_uuid, hashlib.sha256(raw).digest())

    async def ask_deposit(rules: ReservationRules, row: sql.Row) -> sql.Row:
        page_path = await create_path(caller.owner_id, row["id"], row["starts_at"])
        return await deposits.ask_deposit(rules, row, page_path, language)

    made = await table_reservations.create_reservation(caller, store_id, asked, key, ask_deposit=ask_deposit)
    return made.record


async def create_link(owner_id: int, reservation: Reservation) -> str:
    """Return the path of a reservation's page, which opens until a month after its time."""
    return await create_path(owner_id, reservation.id, reservation.starts_at)


async def create_path(owner_id: int, reservation_id: int, starts_at: datetime) -> str:
    """Return the path of the page of a reservation that starts at a time."""
    lifetime = max(starts_at - clock.now(), timedelta()) + LINK_GRACE
    link = await sign_link(PURPOSE, owner_id, reservation_id, lifetime)
    return f"/reservations/{reservation_id}?{link.query}"


async def find_store(reservation_id: int, expires: str, signature: str) -> tuple[int, int]:
    """Return the ids of the owner and the store of a linked reservation. Raises ``NotFound``."""
    owner_id = await require_link_owner(PURPOSE, reservation_id, expires, signature)
    return owner_id, (await sql.require_one(SELECT_STORE_ID, reservation_id, owner_id))["store_id"]


async def cancel_reservation(caller: Caller, store_id: int, reservation_id: int) -> None:
    """Cancel a guest's reservation. A cancelled one stays as it is. Emits ``ReservationCancelled``.

    Raises ``NotFound``; ``Conflict`` with the reason ``wrong_status`` once the guests were seated.
    """
    body = ReservationStatusBody(status=ReservationStatus.CANCELLED, cancelled_by="customer")
    try:
        await reservations.update_status(caller, store_id, reservation_id, body)
    except Conflict as error:
        raise Conflict(str(error), extras={**error.extras, "reason": "wrong_status"}) from error


def can_cancel(reservation: Reservation, now: datetime) -> bool:
    """Return whether the guest can still cancel: until the reservation begins."""
    return reservation.status in CANCELLABLE and now < reservation.starts_at
