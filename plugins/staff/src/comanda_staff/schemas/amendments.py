"""Bodies of amendments that staff send: those of owners, with the PIN of who approves."""

from typing import Annotated

from comanda.contracts import Body, Id, example
from comanda.orders.amendments import (
    DiscountBody,
    LoweringBody,
    MergeBody,
    MoveBody,
    OrderSplitBody,
    ReopenBody,
    VoidBody,
)
from pydantic import Field

from comanda_staff.schemas.fields import PinText

ApprovalPin = Annotated[PinText | None, Field(description="The PIN of somebody who may approve this.")]


class ApprovableBody(LoweringBody):
    """What may need an approval; a refund always does, unless the member has the permission `coupons`."""

    approval_pin: ApprovalPin = None


class StaffVoidBody(VoidBody, ApprovableBody):
    """What to take off a line. What the kitchen has begun needs the permission `coupons`, or an approval."""


class StaffDiscountBody(DiscountBody, ApprovableBody):
    """A discount to give, which needs the permission `coupons` or an approval."""


class StaffMoveBody(MoveBody, ApprovableBody):
    """The table to move an order to, or the type that it becomes."""


class StaffMergeBody(MergeBody, ApprovableBody):
    """The order whose lines and payments the other one takes over."""


class StaffSplitBody(OrderSplitBody, ApprovableBody):
    """The lines that become an order of their own."""


class StaffReopenBody(ReopenBody):
    """Why a paid order is opened again, which needs the permission `coupons` or an approval."""

    approval_pin: ApprovalPin = None


class ApprovalBody(Body):
    """The approval of somebody with the permission `coupons`; not needed by those who have it."""

    model_config = example({"approval_pin": "739164"})

    approval_pin: ApprovalPin = None


class TransferBody(Body):
    """The member of staff who serves an order from now on."""

    model_config = example({"staff_id": 12})

    staff_id: Id
