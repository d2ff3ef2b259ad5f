"""Who works in a store, and what stands between them and a token."""

from enum import StrEnum
from typing import Final

from comanda.contracts.model_sets import EncryptedColumn
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class Role(StrEnum):
    """What somebody is employed as; what that lets them do is in ``permissions``."""

    MANAGER = "manager"
    CASHIER = "cashier"
    KITCHEN = "kitchen"
    WAITER = "waiter"


TOTP_SECRET: Final = EncryptedColumn("staff_member", "totp_secret")
TOTP_PENDING_SECRET: Final = EncryptedColumn("staff_member", "totp_pending_secret")


class Member(Model):
    """Somebody who works in one store.

    ``email`` (case-folded) and ``password_hash`` are one way in, ``pin_hash`` (see ``pins``) the other. ``grants`` and
    ``denials`` are permissions beside the role's; a denial wins. ``station_ids`` are those of the kitchen whose tickets
    they see; none are all. Two-factor is on while there is a ``totp_secret``; ``totp_last_step`` is the last 30
    seconds whose code was accepted. A secret that waits to be confirmed is good until ``totp_pending_until``. Both
    secrets are base32, encrypted.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
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


class RecoveryCode(Model):
    """One of the ten codes that open the door once, without the app; kept as a keyed hash."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    staff_id = fields.BigIntField()
    code_hash = fields.BinaryField()
    used_at = fields.DatetimeField(null=True)

    class Meta:
        table = "staff_recovery_code"


class Device(Model):
    """A device on which somebody has logged in in full; kept as a keyed hash of what it calls itself."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    staff_id = fields.BigIntField()
    device_hash = fields.BinaryField()
    full_login_at = fields.DatetimeField()

    class Meta:
        table = "staff_device"


class PinTry(Model):
    """Wrong PINs of a device, or of a store, since ``since``; ``key_hash`` is a keyed hash of whose they are."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    key_hash = fields.BinaryField()
    tries = fields.IntField()
    since = fields.DatetimeField()
    locked_until = fields.DatetimeField(null=True)

    class Meta:
        table = "staff_pin_try"


class EnrolledDevice(Model):
    """A till or screen of a store that sends an unguessable value with each PIN, kept as its SHA-256.

    Without ``device_hash`` it was approved and has not collected its value yet.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    name = fields.CharField(max_length=60)
    device_hash: fields.Field[bytes | None] = fields.BinaryField(null=True)
    enrolled_by = fields.CharField(max_length=50)
    enrolled_at = fields.DatetimeField()
    last_used_at = fields.DatetimeField(null=True)

    class Meta:
        table = "staff_enrolled_device"


class DeviceRequest(Model):
    """A device that shows a code and waits to be enrolled; ``device_id`` is set once somebody approved it."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
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
    """Which devices of a store may log in by PIN; without a row, all."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="store_id")
    owner_id = fields.BigIntField()
    enrolled_devices_only = fields.BooleanField()

    class Meta:
        table = "staff_pin_policy"
