"""Statements of withdrawal as guests send them, from the page of a store or from the page of their order."""

import hashlib
import secrets
from typing import Final

from comanda.accounts import WebSession
from comanda.basics import NotFound, clock
from comanda.contracts import IdempotencyKey
from comanda.orders import Order, queries
from comanda.platform.db import KeyedTable, sql
from comanda.platform.events import publish
from comanda.stores import get_store_settings
from comanda.web import GuestStore, store_guests

from comanda_legal.events import WithdrawalReceived
from comanda_legal.schemas import WithdrawalBody
from comanda_legal.services import acknowledgements, order_matches
from comanda_legal.store_settings import LegalTexts

ORDER_PATH: Final = "/withdraw/{token}"
# Without letters and digits that look alike: people read it out on the telephone.
ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
REFERENCE_LENGTH: Final = 8
KEYS: Final = KeyedTable("legal_withdrawal", "store_id")
# Only the plugin customers signs customers in.
SELECT_CONTACT: Final = """
    SELECT name, email FROM customers_customer_v1 WHERE id = $1 AND owner_id = $2 AND store_id = $3
"""
INSERT_WITHDRAWAL: Final = """
    INSERT INTO legal_withdrawal (owner_id, store_id, reference, name, email, phone, contract, items, order_id,
        submitted_at, acknowledged_at, idempotency_key, body_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id
"""


async def get_store(slug: str) -> GuestStore:
    """Return a store by its slug. Raises ``NotFound`` for one whose guests cannot withdraw on its pages."""
    return await _require_offer(await store_guests.get_public_store(slug))


async def get_order(token: str) -> tuple[GuestStore, Order]:
    """Return the order of a track token and its store, published or not. Raises ``NotFound`` like ``get_store``."""
    order = await queries.get_tracking(token)
    return await _require_offer(await store_guests.get_store(order.owner_id, order.store_id)), order


async def is_offered(owner_id: int, store_id: int) -> bool:
    """Return whether guests of a store can withdraw on its pages."""
    return (await get_store_settings(LegalTexts, owner_id, store_id)).has_withdrawal


async def get_contact(session: WebSession) -> dict[str, str]:
    """Return the name and the e-mail address of the customer who is signed in, where they are known."""
    row = await sql.fetch_one(SELECT_CONTACT, session.subject_id, session.owner_id, session.store_id)
    return {} if row is None else {name: text for name in ("name", "email") if (text := row[name])}


async def submit(store: GuestStore, body: WithdrawalBody, raw: bytes, language: str, order: Order | None = None) -> str:
    """Store a statement of withdrawal with its acknowledgement, and return the path of the acknowledgement's page.

    A statement of an order that nobody knows is stored, too. One that is sent again leads to the first. ``order`` is
    the one whose page it was sent from. Raises ``ValidationFailed``. Emits ``WithdrawalReceived``.
    """
    key = IdempotencyKey(body.client_uuid, hashlib.sha256(raw).digest())

    async def create() -> int:
        async with sql.transaction():
            return await _insert(store, body, key, language, order)

    async def load(withdrawal_id: int) -> int:
        return withdrawal_id

    made = await KEYS.create_once(store.owner_id, store.id, key, create, load)
    return await acknowledgements.create_path(store.owner_id, made.record)


async def _insert(
    store: GuestStore, body: WithdrawalBody, key: IdempotencyKey, language: str, order: Order | None
) -> int:
    now = clock.now()
    reference = "W-" + "".join(secrets.choice(ALPHABET) for _ in range(REFERENCE_LENGTH))
    order_id = await order_matches.find_order(store, body, order)
    is_acknowledged = await acknowledgements.send_email(store, body, reference, now, language)
    withdrawal_id: int = await sql.fetch_value(
        INSERT_WITHDRAWAL,
        store.owner_id,
        store.id,
        reference,
        body.name,
        body.email,
        body.phone or None,
        body.contract,
        body.items or None,
        order_id,
        now,
        now if is_acknowledged else None,
        key.text,
        key.body_hash,
    )
    received = WithdrawalReceived(
        withdrawal_id=withdrawal_id,
        restaurant_id=store.id,
        reference=reference,
        order_id=order_id,
        sender=body.name,
        contract=body.contract,
        submitted_at=now,
    )
    await publish(received, owner_id=store.owner_id, store_id=store.id)
    return withdrawal_id


async def _require_offer(store: GuestStore) -> GuestStore:
    if not await is_offered(store.owner_id, store.id):
        raise NotFound
    return store
