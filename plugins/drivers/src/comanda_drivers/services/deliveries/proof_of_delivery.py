"""Proof of delivery: the code that the customer gives the driver, and photos.

A proof belongs to an assignment; the next driver has to provide a new one. Five wrong codes lock an assignment, even if
new codes were sent meanwhile; then only the owner can set ``delivered``.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import orjson
from comanda.accounts import CodeRecipient, CodeRules, RedeemedCode, codes
from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, clock, normalize_phone, require_found
from comanda.contracts import NO_IDEMPOTENCY_KEY, Caller, IdempotencyKey, IdempotentResult, PlacedOrder, Status
from comanda.platform.db import KeyedTable, sql
from comanda.platform.photos import Upload
from comanda_notifications.api import send_template

from comanda_drivers.message_templates import PROOF_CODE
from comanda_drivers.models import Pod
from comanda_drivers.records.deliveries import ProofPhoto
from comanda_drivers.schemas.proofs import PodPhotoBody
from comanda_drivers.services.deliveries import deliveries, photo_links
from comanda_drivers.services.deliveries.delivery_records import requires_id_check
from comanda_drivers.services.terms import delivery_terms

CODE_RULES: Final = CodeRules(digits=4, lifetime=timedelta(hours=1), max_per_day=10, pause=timedelta(seconds=30))
CODE_LIFETIME_SECONDS: Final = int(CODE_RULES.lifetime.total_seconds())
MAX_WRONG_CODES: Final = 5
MAX_PHOTOS: Final = 5
LOCKED_MESSAGE: Final = Sentence("Too many wrong codes. Contact the store.")
# Resizing a large photo takes a lot of memory.
MAX_CONCURRENT_RESIZES: Final = 1

SELECT_PROOF_STATE: Final = """
    SELECT a.id, a.wrong_codes, o.attributes, o.phone, o.number, s.title, s.country,
        EXISTS (SELECT FROM drivers_proof p
            WHERE p.assignment_id = a.id AND p.owner_id = a.owner_id AND p.kind = 'otp') AS otp,
        (SELECT count(*) FROM drivers_proof p
            WHERE p.assignment_id = a.id AND p.owner_id = a.owner_id AND p.kind = 'photo') AS photos
    FROM drivers_assignment a JOIN core_order_v1 o ON o.id = a.order_id AND o.owner_id = a.owner_id
    JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE a.order_id = $1 AND a.owner_id = $2 AND a.released_at IS NULL
"""
INCREMENT_WRONG_CODES: Final = (
    "UPDATE drivers_assignment SET wrong_codes = wrong_codes + 1 WHERE id = $1 AND owner_id = $2"
)
INSERT_PROOF: Final = """
    WITH made AS (
        INSERT INTO drivers_proof (owner_id, order_id, assignment_id, kind, proved_at, idempotency_key, body_hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id)
    SELECT id FROM made
"""
INSERT_PHOTO: Final = "INSERT INTO drivers_photo (proof_id, owner_id, jpeg, taken_at) VALUES ($1, $2, $3, $4)"
SELECT_PROVED_AT: Final = "SELECT proved_at FROM drivers_proof WHERE id = $1 AND owner_id = $2"
SELECT_PHOTO: Final = "SELECT jpeg FROM drivers_photo WHERE proof_id = $1 AND owner_id = $2"
SELECT_PROOFS_OF_ORDERS: Final = """
    SELECT p.id, p.order_id, p.kind, p.proved_at, f.proof_id IS NOT NULL AS is_kept FROM drivers_proof p
    JOIN drivers_assignment a ON a.id = p.assignment_id AND a.owner_id = p.owner_id
    LEFT JOIN drivers_photo f ON f.proof_id = p.id AND f.owner_id = p.owner_id
    WHERE p.owner_id = $1 AND p.order_id = ANY($2::bigint[]) AND a.released_at IS NULL ORDER BY p.id
"""

# A repeated upload finds the photo of the first one.
PHOTOS: Final = KeyedTable("drivers_proof", "order_id")

_resize_slots = asyncio.Semaphore(MAX_CONCURRENT_RESIZES)


async def send_code(caller: Caller, order_id: int) -> None:
    """Send the customer a code, which invalidates the previous one.

    Raises ``NotFound`` unless the order is assigned to the driver; ``Conflict`` with the ``reason`` ``not_under_way``,
    ``pod_locked``, or ``no_phone`` if the order has no valid number; ``RateLimited`` within 30 seconds.
    """
    async with sql.transaction():
        order = await deliveries.lock_own_delivery(caller, order_id)
        state = await _get_proof_state(order)
        if _is_locked(state):
            raise Conflict(LOCKED_MESSAGE, extras={"reason": "pod_locked"})
        phone = normalize_phone(state["phone"] or "", state["country"])
        if phone is None or not phone.startswith("+"):
            raise Conflict(Sentence("This order has no phone number to send a code to."), extras={"reason": "no_phone"})
        code = await codes.issue_code(build_code_recipient(order.owner_id, order.id), CODE_RULES)
        if code is None:
            raise RuntimeError("CODE_RULES do not let a new code replace the previous one.")
        await send_template(
            PROOF_CODE.name,
            to=phone,
            channel="sms",
            values={"code": code, "number": state["number"], "store": state["title"]},
            owner_id=order.owner_id,
            store_id=order.store_id,
            secret=True,
            expires_at=clock.now() + CODE_RULES.lifetime,
        )


async def verify_code(caller: Caller, order_id: int, code: str) -> None:
    """Verify the code from the customer; once one was correct, any code is accepted.

    Raises as ``send_code``; ``ValidationFailed`` on ``code`` with the ``reason`` ``otp_invalid``, ``otp_expired`` or
    ``otp_exhausted``.
    """
    async with sql.transaction():
        order = await deliveries.lock_own_delivery(caller, order_id)
        state = await _get_proof_state(order)
        if _is_locked(state):
            raise ValidationFailed(code=[LOCKED_MESSAGE], extras={"reason": "otp_exhausted"})
        proof = RedeemedCode(None) if state["otp"] else await _redeem_code(order, state, code)
    if not state["otp"] and proof.recipient is None:
        raise proof.to_error()


async def check_photo_allowed(caller: Caller, order_id: int, key: IdempotencyKey = NO_IDEMPOTENCY_KEY) -> None:
    """Check that the driver can add a photo, or has added it, before it is read. Raises as ``create_photo``."""
    async with sql.transaction():
        order = await deliveries.lock_own_delivery(caller, order_id)
        if await PHOTOS.find(order.owner_id, order.id, key) is None:
            await _check_photo_limit(order)


async def create_photo(
    caller: Caller, order_id: int, photo: Upload[PodPhotoBody], key: IdempotencyKey = NO_IDEMPOTENCY_KEY
) -> IdempotentResult[ProofPhoto]:
    """Store a photo of a delivery and return it; a repeated key returns the first photo, even after the delivery.

    Raises as ``send_code``; ``ValidationFailed`` on ``photo.field`` for an invalid photo, ``Conflict`` after five.
    """

    async def create() -> int:
        return await _insert_photo(caller, order_id, await _resize(photo), key)

    async def load(proof_id: int) -> ProofPhoto:
        url, expires_at = await photo_links.create_link(caller.owner_id, proof_id)
        proved_at = await sql.fetch_value(SELECT_PROVED_AT, proof_id, caller.owner_id)
        return ProofPhoto(proof_id, proved_at, url, expires_at)

    return await PHOTOS.create_once(caller.owner_id, order_id, key, create, load)


async def _resize(photo: Upload[PodPhotoBody]) -> bytes:
    try:
        async with _resize_slots:
            return await asyncio.to_thread(photo_links.resize_photo, photo.raw)
    except photo_links.InvalidPicture as error:
        raise ValidationFailed({photo.field: [str(error)]}) from error


async def _insert_photo(caller: Caller, order_id: int, jpeg: bytes, key: IdempotencyKey) -> int:
    moment = clock.now()
    async with sql.transaction():
        # Meanwhile the owner may have assigned the order to another driver.
        order = await deliveries.lock_own_delivery(caller, order_id)
        state = await _check_photo_limit(order)
        proof = (order.owner_id, order.id, state["id"], "photo", moment, key.text, key.body_hash)
        proof_id: int = await sql.fetch_value(INSERT_PROOF, *proof)
        await sql.execute(INSERT_PHOTO, proof_id, order.owner_id, jpeg, moment)
    return proof_id


async def get_photo(photo_id: int, expires: str, signature: str) -> bytes:
    """Return the JPEG of a photo for a signed link. Raises ``NotFound``, also for an expired link."""
    owner_id = require_found(await photo_links.find_owner(photo_id, expires, signature))
    jpeg: bytes | None = await sql.fetch_value(SELECT_PHOTO, photo_id, owner_id)
    if jpeg is None:
        raise NotFound
    return jpeg


async def load_order_proofs(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return the proofs of orders by order id; orders without a proof are absent."""
    found: dict[int, dict[str, Any]] = {}
    for row in await sql.fetch(SELECT_PROOFS_OF_ORDERS, owner_id, list(order_ids)):
        proof = found.setdefault(row["order_id"], {"code_verified_at": None, "photos": []})
        if row["kind"] == "otp":
            proof["code_verified_at"] = row["proved_at"]
        elif row["is_kept"]:
            url, expires_at = await photo_links.create_link(owner_id, row["id"])
            proof["photos"].append(
                {"id": row["id"], "taken_at": row["proved_at"], "url": url, "expires_at": expires_at}
            )
    return {order_id: {"proof": proof} for order_id, proof in found.items()}


def build_code_recipient(owner_id: int, order_id: int) -> CodeRecipient:
    """Return the recipient of an order's codes."""
    return CodeRecipient("drivers.pod", f"order:{order_id}", "pod", owner_id)


async def check_proof(order: PlacedOrder) -> None:
    """Check that a locked order has the proof its store requires. Raises ``ValidationFailed``."""
    required = (await delivery_terms.get_terms(order.owner_id, order.store_id)).pod
    row = await sql.fetch_one(SELECT_PROOF_STATE, order.id, order.owner_id)
    if row is None or not required.is_met(otp=row["otp"], photo=row["photos"] > 0):
        raise ValidationFailed(
            {
                "delivery_status": [
                    Sentence("This store requires proof of delivery: %(proof)s.", proof=PROOF_DESCRIPTIONS[required])
                ]
            },
            extras={"reason": "pod_required"},
        )


async def record_id_check(order: PlacedOrder, *, is_checked: bool) -> None:
    """Record that the driver saw that the customer is old enough, if that is required for a locked order.

    Raises ``ValidationFailed`` with the ``reason`` ``id_check_required`` if they did not.
    """
    row = await sql.one(SELECT_PROOF_STATE, order.id, order.owner_id)
    if not requires_id_check(orjson.loads(row["attributes"] or "{}")):
        return
    if not is_checked:
        raise ValidationFailed(
            {"id_checked": [Sentence("Check that the customer is old enough.")]}, extras={"reason": "id_check_required"}
        )
    await sql.fetch_value(INSERT_PROOF, order.owner_id, order.id, row["id"], "id", clock.now(), None, None)


PROOF_DESCRIPTIONS: Final = {
    Pod.NONE: Sentence("none"),
    Pod.OTP: Sentence("the customer's code"),
    Pod.PHOTO: Sentence("a photo"),
    Pod.EITHER: Sentence("the customer's code or a photo"),
    Pod.BOTH: Sentence("the customer's code and a photo"),
}


async def _get_proof_state(order: PlacedOrder) -> sql.Row:
    """Return the proof state of an active delivery. Raises ``Conflict``."""
    if order.delivery_status not in deliveries.ACTIVE_STATUSES or order.status is Status.CANCELLED:
        raise Conflict(Sentence("This delivery is not in progress."), extras={"reason": "not_under_way"})
    return await sql.require_one(SELECT_PROOF_STATE, order.id, order.owner_id)


def _is_locked(state: sql.Row) -> bool:
    return bool(state["wrong_codes"] >= MAX_WRONG_CODES and not state["otp"])


async def _redeem_code(order: PlacedOrder, state: sql.Row, code: str) -> RedeemedCode:
    proof = await codes.redeem_code([build_code_recipient(order.owner_id, order.id)], code, CODE_RULES)
    if proof.recipient is not None:
        await sql.fetch_value(INSERT_PROOF, order.owner_id, order.id, state["id"], "otp", clock.now(), None, None)
    elif proof.reason == "otp_invalid":
        await sql.execute(INCREMENT_WRONG_CODES, state["id"], order.owner_id)
    return proof


async def _check_photo_limit(order: PlacedOrder) -> sql.Row:
    row = await _get_proof_state(order)
    if row["photos"] >= MAX_PHOTOS:
        raise Conflict(
            Sentence("This delivery already has %(number)s photos.", number=MAX_PHOTOS),
            extras={"reason": "too_many_photos"},
        )
    return row
