"""Request and response bodies of device enrolment."""

from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts.fields import Body, ShortText, example
from pydantic import BaseModel, Field

DeviceName = Annotated[ShortText, Field(min_length=1, max_length=60)]
EnrolmentCode = Annotated[ShortText, Field(min_length=1, max_length=20)]


class DeviceRequestBody(Body):
    """The name of the device to enrol."""

    name: DeviceName


class DeviceRequested(BaseModel):
    """The ``user_code`` to show on the device's screen, and the ``poll_token`` that the device keeps to itself."""

    user_code: str
    poll_token: str
    poll_seconds: int
    expires_in: int


class DevicePollBody(Body):
    """The ``poll_token`` that the device received when it requested enrolment."""

    model_config = example({"poll_token": "3kQ9vX2mT7pYb4LwZc8sNdRf"})

    poll_token: Annotated[ShortText, Field(min_length=1, max_length=100)]


class DevicePolled(BaseModel):
    """The status of a request; once approved, ``device`` is the value to send with each PIN. Keep it secret."""

    status: Literal["pending", "approved"]
    name: str
    device: str | None


class DeviceRequestOut(BaseModel):
    """A pending enrolment request; ``source`` is the client address that it came from."""

    name: str
    source: str
    created_at: datetime
    expires_at: datetime


class DeviceApproval(Body):
    """The ``user_code`` that a device shows; without one, the device on which the caller is logged in is enrolled."""

    user_code: EnrolmentCode | None = None
    name: DeviceName | None = None


class EnrolledDeviceOut(BaseModel):
    """An enrolled device."""

    id: int
    name: str
    enrolled_by: str
    enrolled_at: datetime
    last_used_at: datetime | None


class DeviceEnrolled(EnrolledDeviceOut):
    """A newly enrolled device; ``device`` is its secret value if it was enrolled without a code, else null."""

    device: str | None


class PinPolicyBody(Body):
    """Whether PINs are refused from devices that are not enrolled."""

    enrolled_devices_only: bool


class PinPolicyOut(BaseModel):
    """Whether PINs are refused from devices that are not enrolled."""

    enrolled_devices_only: bool
