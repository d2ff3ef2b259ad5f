"""Request and response bodies of device enrolment."""

from typing import Annotated

from comanda.contracts import Body, ShortText, example
from pydantic import BaseModel, Field

DeviceName = Annotated[ShortText, Field(min_length=1, max_length=60)]
EnrolmentCode = Annotated[ShortText, Field(min_length=1, max_length=20)]


class DeviceRequestBody(Body):
    """The name of the device to enrol."""

    name: DeviceName


class DevicePollBody(Body):
    """The ``poll_token`` that the device received when it requested enrolment."""

    model_config = example({"poll_token": "3kQ9vX2mT7pYb4LwZc8sNdRf"})

    poll_token: Annotated[ShortText, Field(min_length=1, max_length=100)]


class DeviceApproval(Body):
    """The ``user_code`` that a device shows; without one, the device on which the caller is logged in is enrolled."""

    user_code: EnrolmentCode | None = None
    name: DeviceName | None = None


class PinPolicyBody(Body):
    """Whether PINs are refused from devices that are not enrolled."""

    enrolled_devices_only: bool


class PinPolicyOut(BaseModel):
    """Whether PINs are refused from devices that are not enrolled."""

    enrolled_devices_only: bool
