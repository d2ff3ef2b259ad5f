"""Proof of delivery: the code that the customer tells the driver, and photos.

A proof belongs to the assignment in which it was made: whoever gets the order next proves it themselves. Five wrong
codes in one assignment lock it, whichever codes were sent meanwhile; then it is for the owner to say that it arrived.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from comanda import clock
from comanda.accounts import codes
from comanda.accounts.codes import CodeHolder, CodeRules, RedeemedCode
from comanda.contracts.callers import Caller
from comanda.contracts.order_participants import PlacedOrder
from comanda.contracts.order_status import Status
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.phones import normalize_phone
from comanda_notifications.api import send_template

from comanda_drivers import links, pictures, terms
from comanda_drivers.fees import Pod
from comanda_drivers.messages import POD
from comanda_drivers.services import moving

RULES: Final = CodeRules(digits=4, lifetime=timedelta(hours=1), a_day=10, pause=timedelta(seconds=30))
WRONG_CODES: Final = 5
MAX_PHOTOS: Final = 5
LOCKED: Final = "Too many wrong codes. Ask the store."
# A large photo takes a lot of memory while it is made smaller: one after the other.
AT_ONCE: Final = 1

STANDING: Final = """
    SELECT a.id, a.wrong_codes, o.phone, o.number, s.title, s.country,
        EXISTS (SELECT FROM drivers_proof p
            WHERE p.assignment_id = a.id AND p.owner_id = a.owner_id AND p.kind = 'otp') AS otp,
        (SELECT count(*) FROM drivers_proof p
            WHERE p.assignment_id = a.id AND p.owner_id = a.owner_id AND p.kind = 'photo') AS photos
    FROM drivers_assignment a JOIN core_order o ON o.id = a.order_id AND o.owner_id = a.owner_id
    JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE a.order_id = $1 AND a.owner_id = $2 AND a.released_at IS NULL
"""
MISS: Final = "UPDATE drivers_assignment SET wrong_codes = wrong_codes + 1 WHERE id = $1 AND owner_id = $2"
PROVE: Final = """
    WITH made AS (
        INSERT INTO drivers_proof (owner_id, order_id, assignment_id, kind, proved_at) VALUES ($1, $2, $3, $4, $5)
        RETURNING id)
    SELECT id FROM made
"""
KEEP: Final = "INSERT INTO drivers_photo (proof_id, owner_id, jpeg, taken_at) VALUES ($1, $2, $3, $4)"
SHOW: Final = "SELECT jpeg FROM drivers_photo WHERE proof_id = $1"
OF_ORDERS: Final = """
    SELECT p.id, p.order_id, p.kind, p.proved_at, f.proof_id IS NOT NULL AS is_kept FROM drivers_proof p
    JOIN drivers_assignment a ON a.id = p.assignment_id AND a.owner_id = p.owner_id
    LEFT JOIN drivers_photo f ON f.proof_id = p.id AND f.owner_id = p.owner_id
    WHERE p.owner_id = $1 AND p.order_id = ANY($2::bigint[]) AND a.released_at IS NULL ORDER BY p.id
"""

_room = asyncio.Semaphore(AT_ONCE)


async def send_code(caller: Caller, order_id: int) -> dict[str, Any]:
    """Send the customer a code, which makes the one before void.

    Raises ``NotFound`` unless the driver has the order; ``Conflict`` with the ``reason`` ``not_under_way``,
    ``pod_locked``, or ``no_phone`` where the order has no number that can be written to; ``RateLimited`` within 30
    seconds.
    """
    async with sql.transaction():
        order = await moving.lock_mine(caller, order_id)
        now = await _standing(order)
        if _is_locked(now):
            raise Conflict(LOCKED, extras={"reason": "pod_locked"})
        phone = normalize_phone(now["phone"] or "", now["country"])
        if phone is None or not phone.startswith("+"):
            raise Conflict("This order has no phone number to send a code to.", extras={"reason": "no_phone"})
        code = await codes.issue_code(holder(order.owner_id, order.id), RULES)
        assert code is not None  # noqa: S101 - a newer code always replaces the one before
        await send_template(
            POD.name,
            to=phone,
            channel="sms",
            values={"code": code, "number": now["number"], "store": now["title"]},
            owner_id=order.owner_id,
            store_id=order.store_id,
            secret=True,
            expires_at=clock.now() + RULES.lifetime,
        )
    return {"sent": True, "expires_in": int(RULES.lifetime.total_seconds())}


async def verify_code(caller: Caller, order_id: int, code: str) -> dict[str, Any]:
    """Take the code that the customer told; once it was right, any other is as good.

    Raises as ``send_code``; ``ValidationFailed`` on ``code`` with the ``reason`` ``otp_invalid``, ``otp_expired`` or
    ``otp_exhausted``.
    """
    async with sql.transaction():
        order = await moving.lock_mine(caller, order_id)
        now = await _standing(order)
        if _is_locked(now):
            raise ValidationFailed(code=[LOCKED], extras={"reason": "otp_exhausted"})
        proof = RedeemedCode(None) if now["otp"] else await _redeem(order, now, code)
    if not now["otp"] and proof.holder is None:
        raise proof.refusal()
    return {"verified": True}


async def check_mine(caller: Caller, order_id: int) -> None:
    """Refuse before a photo is read what would be refused after it. Raises as ``add_photo``."""
    async with sql.transaction():
        await _check_room(await moving.lock_mine(caller, order_id))


async def add_photo(caller: Caller, order_id: int, raw: bytes, field: str) -> dict[str, Any]:
    """Keep a photo of a delivery, and return it. ``field`` is what a refusal of the photo is about.

    Raises as ``send_code``; ``ValidationFailed`` for what is no photo, ``Conflict`` after five photos.
    """
    try:
        async with _room:
            jpeg = await asyncio.to_thread(pictures.small, raw)
    except pictures.NotAPicture as error:
        raise ValidationFailed({field: [str(error)]}) from error
    moment = clock.now()
    async with sql.transaction():
        # Meanwhile the owner may have given the order to another driver.
        order = await moving.lock_mine(caller, order_id)
        now = await _check_room(order)
        proof_id = await sql.fetch_value(PROVE, order.owner_id, order.id, now["id"], "photo", moment)
        await sql.execute(KEEP, proof_id, order.owner_id, jpeg, moment)
    url, expires_at = await links.sign(proof_id)
    return {"id": proof_id, "taken_at": moment, "url": url, "expires_at": expires_at}


async def show_photo(photo_id: int, expires: str, signature: str) -> bytes:
    """Return a photo, as JPEG, to whoever has a link to it. Raises ``NotFound``, also once the link is over."""
    if not await links.is_good(photo_id, expires, signature):
        raise NotFound
    jpeg: bytes | None = await sql.fetch_value(SHOW, photo_id)
    if jpeg is None:
        raise NotFound
    return jpeg


async def of_orders(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Tell what proves that orders arrived, by the order, of those that have a proof."""
    found: dict[int, dict[str, Any]] = {}
    for row in await sql.fetch(OF_ORDERS, owner_id, list(order_ids)):
        proof = found.setdefault(row["order_id"], {"code_verified_at": None, "photos": []})
        if row["kind"] == "otp":
            proof["code_verified_at"] = row["proved_at"]
        elif row["is_kept"]:
            url, expires_at = await links.sign(row["id"])
            proof["photos"].append(
                {"id": row["id"], "taken_at": row["proved_at"], "url": url, "expires_at": expires_at}
            )
    return {order_id: {"proof": proof} for order_id, proof in found.items()}


def holder(owner_id: int, order_id: int) -> CodeHolder:
    """Say whose the codes of an order are."""
    return CodeHolder("drivers.pod", f"order:{order_id}", "pod", owner_id)


async def check(order: PlacedOrder) -> None:
    """Refuse a delivery without the proof that its store wants. Raises ``ValidationFailed``; the order is locked."""
    policy = (await terms.of_store(order.owner_id, order.store_id)).pod
    row = await sql.fetch_one(STANDING, order.id, order.owner_id)
    if row is None or not policy.is_met(otp=row["otp"], photo=row["photos"] > 0):
        raise ValidationFailed(
            {"delivery_status": [f"This store wants proof of delivery: {SAID[policy]}."]},
            extras={"reason": "pod_required"},
        )


SAID: Final = {
    Pod.NONE: "none",
    Pod.OTP: "the customer's code",
    Pod.PHOTO: "a photo",
    Pod.EITHER: "the customer's code or a photo",
    Pod.BOTH: "the customer's code and a photo",
}


async def _standing(order: PlacedOrder) -> sql.Row:
    """Return what there is of an order that its driver is bringing. Raises ``Conflict``."""
    if order.delivery_status not in moving.UNDER_WAY or order.status is Status.CANCELLED:
        raise Conflict("This delivery is not under way.", extras={"reason": "not_under_way"})
    row = await sql.fetch_one(STANDING, order.id, order.owner_id)
    if row is None:
        raise NotFound
    return row


def _is_locked(now: sql.Row) -> bool:
    return bool(now["wrong_codes"] >= WRONG_CODES and not now["otp"])


async def _redeem(order: PlacedOrder, now: sql.Row, code: str) -> RedeemedCode:
    proof = await codes.redeem_code([holder(order.owner_id, order.id)], code, RULES)
    if proof.holder is not None:
        await sql.fetch_value(PROVE, order.owner_id, order.id, now["id"], "otp", clock.now())
    elif proof.reason == "otp_invalid":
        await sql.execute(MISS, now["id"], order.owner_id)
    return proof


async def _check_room(order: PlacedOrder) -> sql.Row:
    row = await _standing(order)
    if row["photos"] >= MAX_PHOTOS:
        raise Conflict(f"There are {MAX_PHOTOS} photos already.", extras={"reason": "too_many_photos"})
    return row
