"""Records of staff and their devices, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts import State, StoreId
from pydantic import Field

from comanda_staff.models import Permission, Role


@dataclass(frozen=True, slots=True)
class StaffMember:
    """A member of staff, without credentials; ``permissions`` are the role's, with ``grants`` and without ``denials``.

    ``station_ids`` are the kitchen stations whose tickets they see; an empty list means all.
    """

    id: int
    store_id: StoreId
    name: str
    email: str | None
    phone: str | None
    role: Role
    grants: Sequence[Permission]
    denials: Sequence[Permission]
    permissions: Sequence[Permission]
    station_ids: Sequence[int]
    is_active: bool
    has_password: bool
    has_pin: bool
    two_factor: bool
    last_login_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class SavedMember(StaffMember):
    """A member after a change; ``warnings`` are sentences about accepted but poor values, such as a weak PIN."""

    warnings: Sequence[str]


@dataclass(frozen=True, slots=True)
class SessionMember:
    """The member who logged in, with their current permissions."""

    id: int
    name: str
    role: Role
    permissions: Sequence[Permission]


@dataclass(frozen=True, slots=True)
class StaffSession:
    """A login of a member, with its raw access token, which is not stored."""

    owner_id: int
    store_id: int
    token_id: int
    token: str
    expires_at: datetime | None
    staff: SessionMember


@dataclass(frozen=True, slots=True)
class LoginChoice:
    """A store that a person may log in to, as a client shows it when it has to ask which."""

    owner: int
    owner_name: str
    restaurant_id: int
    title: str


@dataclass(frozen=True, slots=True)
class ProfileStore:
    """The store that a member works in."""

    id: int
    title: str
    store_type: str
    currency: str
    timezone: str
    fulfillment_modes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Server:
    """A member of staff who can serve orders."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class StaffProfile:
    """The profile of the logged-in member of staff, with their current permissions."""

    id: int
    name: str
    email: str | None
    phone: str | None
    role: Role
    permissions: Sequence[Permission]
    station_ids: Sequence[int]
    two_factor: bool
    recovery_codes_left: int
    token_expires_at: datetime | None
    store: Annotated[ProfileStore, Field(serialization_alias="restaurant")]


@dataclass(frozen=True, slots=True)
class PendingTwoFactor:
    """The secret for the authenticator app, not confirmed yet: as text, as a URI and as a QR code."""

    secret: str
    otpauth_uri: str
    qr_svg: str
    expires_in: int
    """The seconds until the setup expires."""


@dataclass(frozen=True, slots=True)
class EnrolmentRequest:
    """The ``user_code`` to show on the device's screen, and the ``poll_token`` that the device keeps to itself."""

    user_code: str
    poll_token: str
    poll_seconds: int
    expires_in: int
    """The seconds until the request expires."""


@dataclass(frozen=True, slots=True)
class EnrolmentPoll:
    """The status of a request; once approved, ``device`` is the value to send with each PIN. Keep it secret."""

    status: Literal["pending", "approved"]
    name: str
    device: str | None


@dataclass(frozen=True, slots=True)
class PendingDevice:
    """A pending enrolment request; ``source`` is the client address that it came from."""

    name: str
    source: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class StoreDevice:
    """An enrolled register or screen of a store."""

    id: int
    name: str
    enrolled_by: str
    enrolled_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewStoreDevice(StoreDevice):
    """A newly enrolled device; ``device`` is its secret value if it was enrolled without a code, else null."""

    device: str | None


@dataclass(frozen=True, slots=True)
class SoldOutEntry:
    """A sold-out item or extra; ``until`` is null if it has no end."""

    id: int
    name: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class SoldOut:
    """A store's sold-out items and extras."""

    items: Annotated[Sequence[SoldOutEntry], Field(serialization_alias="snoozed_items")]
    extras: Annotated[Sequence[SoldOutEntry], Field(serialization_alias="snoozed_extras")]


@dataclass(frozen=True, slots=True)
class Channel:
    """An order channel: whether it is connected, and when it was last used."""

    name: str
    connected: bool
    last_sync_at: datetime | None


@dataclass(frozen=True, slots=True)
class StoreIntake(SoldOut):
    """A store's status, who set it (``default`` if nobody did), its order channels, and what is sold out."""

    status: State
    delay_minutes: int
    until: datetime | None
    reason: str | None
    source: str
    channels: Sequence[Channel]
