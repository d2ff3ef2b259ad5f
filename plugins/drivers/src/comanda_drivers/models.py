"""The tables of drivers, assignments, offers, proofs, earnings and delivery terms."""

from enum import StrEnum

from comanda.platform.db import OwnerRow, StoreRow
from tortoise import fields
from tortoise.models import Model


class DispatchMode(StrEnum):
    """How drivers get orders: assigned by the owner, claimed from a pool, or offered to one driver at a time."""

    MANUAL = "manual"
    POOL = "pool"
    OFFER = "offer"


class OfferAt(StrEnum):
    """The order status from which an order is offered."""

    CREATED = "created"
    PREPARING = "preparing"
    READY = "ready"


class Pod(StrEnum):
    """The proof of delivery that a driver needs to set ``delivered``."""

    NONE = "none"
    OTP = "otp"
    PHOTO = "photo"
    EITHER = "either"
    BOTH = "both"

    def is_met(self, *, otp: bool, photo: bool) -> bool:
        """Return whether the available proof is sufficient."""
        return {Pod.NONE: True, Pod.OTP: otp, Pod.PHOTO: photo, Pod.EITHER: otp or photo, Pod.BOTH: otp and photo}[self]


class UnplacedAddress(StrEnum):
    """What happens to an order whose address no area can be found for: the flat fee, a refusal, or a mark for staff."""

    FLAT_FEE = "flat_fee"
    REFUSE = "refuse"
    ASK = "ask"


class OfferState(StrEnum):
    """The state of an offer."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class Driver(OwnerRow):
    """A driver of one of the owner's stores, or of all of them (``store_id`` null).

    ``lat``, ``lng`` and ``located_at`` are the last location of the driver's phone. The row of a deleted driver stays
    for their past orders.
    """

    store_id = fields.BigIntField(null=True)
    name = fields.CharField(max_length=255)
    phone = fields.CharField(max_length=20)
    is_active = fields.BooleanField(default=True)
    is_on_shift = fields.BooleanField(default=False)
    shift_changed_at = fields.DatetimeField(null=True)
    lat = fields.FloatField(null=True)
    lng = fields.FloatField(null=True)
    located_at = fields.DatetimeField(null=True)
    last_seen_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    deleted_at = fields.DatetimeField(null=True)

    class Meta:
        table = "drivers_driver"


class Assignment(OwnerRow):
    """The assignment of an order to a driver. An order has at most one current assignment, without ``released_at``.

    ``ended_at`` is set while the order is delivered or failed; ``released_at`` permanently, once another driver has
    the order, or none; ``near_at`` once, when the driver first came near the customer with it.
    """

    order_id = fields.BigIntField()
    driver_id = fields.BigIntField()
    assigned_by = fields.CharField(max_length=50)
    assigned_at = fields.DatetimeField()
    ended_at = fields.DatetimeField(null=True)
    released_at = fields.DatetimeField(null=True)
    near_at = fields.DatetimeField(null=True)
    wrong_codes = fields.SmallIntField(default=0)

    class Meta:
        table = "drivers_assignment"


class TrailPoint(OwnerRow):
    """A location of a driver with active deliveries; deleted after 30 days."""

    driver_id = fields.BigIntField()
    lat = fields.FloatField()
    lng = fields.FloatField()
    accuracy_m = fields.FloatField(null=True)
    heading_degrees = fields.FloatField(null=True)
    speed_mps = fields.FloatField(null=True)
    recorded_at = fields.DatetimeField()

    class Meta:
        table = "drivers_trail"


class Terms(Model):
    """The delivery terms of a store; without a row deliveries are free and unlimited in distance.

    ``bands`` are ``[up_to_m, fee_minor]`` from near to far, ``postcode_bands`` ``[[prefix, …], fee_minor]``.
    The fee is untaxed if ``tax_rate_ppm`` is null.
    ``driver_pay_minor`` is a driver's pay for each delivery.
    """

    id = fields.BigIntField(primary_key=True, generated=False, source_field="store_id")
    owner_id = fields.BigIntField()
    lat = fields.FloatField(null=True)
    lng = fields.FloatField(null=True)
    fee_minor = fields.BigIntField(default=0)
    bands: fields.Field[list[list[int]]] = fields.JSONField(default=list)
    postcode_bands: fields.Field[list[list[object]]] = fields.JSONField(default=list)
    unplaced_addresses = fields.CharField(max_length=10, default="flat_fee")
    free_over_minor = fields.BigIntField(null=True)
    min_order_minor = fields.BigIntField(null=True)
    tax_rate_ppm = fields.IntField(null=True)
    max_active = fields.SmallIntField(default=5)
    require_shift = fields.BooleanField(default=False)
    dispatch_mode = fields.CharField(max_length=10, default="pool")
    offer_at = fields.CharField(max_length=10, default="preparing")
    pod = fields.CharField(max_length=10, default="none")
    driver_pay_minor = fields.BigIntField(default=0)

    class Meta:
        table = "drivers_terms"


class Dispatch(Model):
    """The search for a driver by offers; ``due_at`` null waits for the kitchen.

    A worker processes its next step while it holds the lease; ``attempts`` counts steps that have failed.

    The row is deleted when the order is assigned or left to the pool.
    """

    id = fields.BigIntField(primary_key=True, generated=False, source_field="order_id")
    owner_id = fields.BigIntField()
    round = fields.SmallIntField(default=1)
    due_at = fields.DatetimeField(null=True)
    started_at = fields.DatetimeField()
    leased_until = fields.DatetimeField(null=True)
    attempts = fields.IntField(default=0)

    class Meta:
        table = "drivers_dispatch"


class Offer(OwnerRow):
    """The offer of an order to a driver, and its outcome."""

    order_id = fields.BigIntField()
    driver_id = fields.BigIntField()
    state = fields.CharField(max_length=10)
    round = fields.SmallIntField()
    reason = fields.CharField(max_length=500, null=True)
    created_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()
    ended_at = fields.DatetimeField(null=True)

    class Meta:
        table = "drivers_offer"


class Proof(OwnerRow):
    """Proof of delivery, which belongs to an assignment; ``kind`` is otp, photo or id.

    A photo has the ``idempotency_key`` of its upload, if it was sent with one, and the hash of its body.
    """

    order_id = fields.BigIntField()
    assignment_id = fields.BigIntField()
    kind = fields.CharField(max_length=10)
    proved_at = fields.DatetimeField()
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)

    class Meta:
        table = "drivers_proof"


class Photo(Model):
    """The photo of a proof, which is deleted before the proof is."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="proof_id")
    owner_id = fields.BigIntField()
    jpeg = fields.BinaryField()
    taken_at = fields.DatetimeField()

    class Meta:
        table = "drivers_photo"


class Tip(Model):
    """The tips paid with an order's payments, in minor units, excluding the tip of the order itself."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="order_id")
    owner_id = fields.BigIntField()
    tip_minor = fields.BigIntField()

    class Meta:
        table = "drivers_tip"


class Earning(StoreRow):
    """A driver's earning from a delivery, or an adjustment by the owner (``order_id`` null); in minor units.

    ``earned_on`` is the day in the store's time zone. A reversed earning no longer counts.
    """

    driver_id = fields.BigIntField()
    order_id = fields.BigIntField(null=True)
    currency = fields.CharField(max_length=3)
    base_minor = fields.BigIntField(default=0)
    tip_minor = fields.BigIntField(default=0)
    adjustment_minor = fields.BigIntField(default=0)
    reason = fields.CharField(max_length=500, null=True)
    earned_on = fields.DateField()
    earned_at = fields.DatetimeField()
    reversed_at = fields.DatetimeField(null=True)

    class Meta:
        table = "drivers_earning"
