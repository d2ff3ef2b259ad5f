"""The statuses of an order: kitchen, delivery and payment."""

from enum import StrEnum


class Status(StrEnum):
    """The kitchen status of an order."""

    NEW = "new"
    PREPARING = "preparing"
    READY = "ready"
    DELIVERED = "delivered"
    COMPLETED = "completed"
    CANCELLED = "cancelled"

    @property
    def is_open(self) -> bool:
        """Whether there is still something to do for the kitchen, or for who hands out what is ready."""
        return self in {Status.NEW, Status.PREPARING, Status.READY}


class DeliveryStatus(StrEnum):
    """The delivery status of an order. Only orders of a delivery mode have one."""

    PENDING = "pending"
    ASSIGNED = "assigned"
    PICKED_UP = "picked_up"
    OUT_FOR_DELIVERY = "out_for_delivery"
    DELIVERED = "delivered"
    FAILED = "failed"


class PaymentStatus(StrEnum):
    """The payment status of an order."""

    UNPAID = "unpaid"
    PARTIALLY_PAID = "partially_paid"
    PAID = "paid"
    PARTIALLY_REFUNDED = "partially_refunded"
    REFUNDED = "refunded"
