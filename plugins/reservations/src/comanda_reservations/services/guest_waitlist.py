"""Guests who join the waitlist on the store's page, and the links by which they see their place in the line."""

import hashlib
from typing import Final

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, normalize_phone
from comanda.contracts import IdempotencyKey
from comanda.platform.db import sql
from comanda.platform.encryption import require_link_owner
from comanda.web import GuestStore

from comanda_reservations.records import WaitingParty
from comanda_reservations.schemas import GuestWaitingBody, WaitingPartyBody
from comanda_reservations.services import reservation_rules, table_ready, waitlist
from comanda_reservations.services.reservation_rules import RefusalReason, ReservationRules

SOURCE: Final = "website"
ALREADY_WAITING: Final = "already_waiting"
SELECT_STORE_ID: Final = "SELECT store_id FROM reservations_waiting_party WHERE id = $1 AND owner_id = $2"
SELECT_IS_WAITING: Final = """
    SELECT EXISTS (SELECT FROM reservations_waiting_party
        WHERE store_id = $1 AND owner_id = $2 AND status IN ('waiting', 'called') AND phone = $3
            AND idempotency_key IS DISTINCT FROM $4)
"""


async def join(store: GuestStore, body: GuestWaitingBody, raw: bytes, language: str) -> WaitingParty:
    """Join the waitlist of a store, or return the party that joined with the same ``client_uuid``.

    Raises ``NotFound``, ``ValidationFailed`` for a number that cannot be called, and ``Conflict`` with the ``reason``
    ``waitlist_off``, ``waitlist_full``, ``closed``, ``party_too_large`` or ``already_waiting``. Emits
    ``WaitlistJoined``.
    """
    await reservation_rules.require_table_service(store.guest, store.id, "reservations")
    phone = normalize_phone(body.phone, store.country)
    if phone is None or not phone.startswith("+"):
        raise ValidationFailed(phone=[Sentence("Must be a phone number, such as +351912345678.")])
    key = IdempotencyKey(body.client_uuid, hashlib.sha256(raw).digest())
    asked = WaitingPartyBody(guest_name=body.guest_name, party_size=body.party_size, phone=phone, note=body.note)
    async with sql.transaction():
        # The lock under which parties join, so that a number joins once.
        rules = await reservation_rules.lock_reservation_rules(store.owner_id, store.id)
        if reason := get_refusal(rules, body.party_size):
            raise Conflict(Sentence("Guests cannot join the waitlist here."), extras={"reason": reason})
        if await sql.fetch_value(SELECT_IS_WAITING, store.id, store.owner_id, phone, key.text):
            raise Conflict(Sentence("This number is on the waitlist already."), extras={"reason": ALREADY_WAITING})
        joined = await waitlist.add_party(store.guest, store.id, asked, key, SOURCE, language)
    return joined.record


def get_refusal(rules: ReservationRules, party_size: int = 1) -> str | None:
    """Return why guests cannot join on the store's page, or None."""
    if not rules.has_public_waitlist:
        return waitlist.WAITLIST_OFF
    if rules.hours is not None and not rules.hours.is_open(rules.zone, clock.now()):
        return RefusalReason.CLOSED
    return RefusalReason.PARTY_TOO_LARGE if party_size > rules.max_party_size else None


async def find_store(party_id: int, expires: str, signature: str) -> tuple[int, int]:
    """Return the ids of the owner and the store of a linked party. Raises ``NotFound``."""
    owner_id = await require_link_owner(table_ready.PURPOSE, party_id, expires, signature)
    return owner_id, (await sql.require_one(SELECT_STORE_ID, party_id, owner_id))["store_id"]
