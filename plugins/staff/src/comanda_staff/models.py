"""Members of staff, their credentials, and the devices they log in on."""

from enum import StrEnum
from typing import Final

from comanda.contracts import EncryptedColumn
from comanda.platform.db import OwnerRow, StoreRow
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class Role(StrEnum):
    """The job of a member of staff; its permissions are in ``services.permissions``."""

    MANAGER = "manager"
    CASHIER = "cashier"
    KITCHEN = "kitchen"
    WAITER = "waiter"


class Permission(StrEnum):
    """What a member of staff may do. The scopes of a staff token are the member's current permissions."""

    ORDERS = "orders"
    MENU_EDIT = "menu_edit"
    COUPONS = "coupons"
    ANALYTICS = "analytics"
    KDS = "kds"
    CUSTOMERS = "customers"


TOTP_SECRET: Final = EncryptedColumn("staff_member", "totp_secret")
TOTP_PENDING_SECRET: Final = EncryptedColumn("staff_member", "totp_pending_secret")


class Member(StoreRow):
    """An employee of one store.

    They log in by ``email`` (case-folded) and ``password_hash``, or by ``pin_hash`` (see ``services.pins``). ``grants``
    and ``denials`` add to and take from the role's permissions; a denial wins. ``station_ids`` are the kitchen stations
    whose tickets they see; an empty list means all. Two-factor is on while ``totp_secret`` is set; ``totp_last_step``
    is the last 30-second step whose code was accepted. An unconfirmed secret expires at ``totp_pending_until``. Both
    secrets are base32, encrypted.
    """

    name = fields.CharField(max_length=255)
    email = fields.CharField(max_length=255, null=True)
    phone = fields.CharField(max_length=50, null=True)
    password_hash = fields.CharField(max_length=255, null=True)
    pin_hash: fields.Field[bytes | None] = fields.BinaryField(null=True)
    role = fields.CharField(max_length=10)
    grants: fields.Field[list[str]] = ArrayField(element_type="text", default=list)
    denials: fields.Field[list[str]] = ArrayField(element_type="text", default=list)
    station_ids: fields.Field[list[int]] = ArrayField(element_type="bigint", default=list)
    is_active = fields.BooleanField(default=True)
    totp_secret = fields.TextField(null=True)
    totp_pending_secret = fields.TextField(null=True)
    totp_pending_until = fields.DatetimeField(null=True)
    totp_last_step = fields.BigIntField(default=0)
    last_login_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "staff_member"


class RecoveryCode(OwnerRow):
    """A one-time recovery code for logging in without the authenticator app, stored as a keyed hash."""

    staff_id = fields.BigIntField()
    code_hash = fields.BinaryField()
    used_at = fields.DatetimeField(null=True)

    class Meta:
        table = "staff_recovery_code"


class KnownDevice(OwnerRow):
    """A device with a full login by a member, stored as a keyed hash of the identifier it sends."""

    staff_id = fields.BigIntField()
    device_hash = fields.BinaryField()
    full_login_at = fields.DatetimeField()

    class Meta:
        table = "staff_device"


class PinAttemptCounter(StoreRow):
    """The number of wrong PINs of a device or a store since ``since``; ``key_hash`` is a keyed hash of which one."""

    key_hash = fields.BinaryField()
    tries = fields.IntField()
    since = fields.DatetimeField()
    locked_until = fields.DatetimeField(null=True)

    class Meta:
        table = "staff_pin_try"


class EnrolledDevice(StoreRow):
    """A register or screen of a store that sends a secret value with each PIN, stored as its SHA-256.

    Without ``device_hash`` it was approved and has not collected its value yet.
    """

    name = fields.CharField(max_length=60)
    device_hash: fields.Field[bytes | None] = fields.BinaryField(null=True)
    enrolled_by = fields.CharField(max_length=50)
    enrolled_at = fields.DatetimeField()
    last_used_at = fields.DatetimeField(null=True)

    class Meta:
        table = "staff_enrolled_device"


class DeviceRequest(StoreRow):
    """A pending enrolment of a device that shows a code; ``device_id`` is set once it was approved."""

    name = fields.CharField(max_length=60)
    source = fields.CharField(max_length=100)
    code_hash = fields.BinaryField()
    poll_hash = fields.BinaryField()
    device_id = fields.BigIntField(null=True)
    created_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()

    class Meta:
        table = "staff_device_request"


class PinPolicy(Model):
    """Which devices of a store may log in by PIN; without a row, all of them."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="store_id")
    owner_id = fields.BigIntField()
    enrolled_devices_only = fields.BooleanField()

    class Meta:
        table = "staff_pin_policy"
