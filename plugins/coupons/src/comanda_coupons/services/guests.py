"""The identity of a guest who redeems a coupon: customer account, phone number, or both."""

from dataclasses import dataclass
from typing import Final, Self

from comanda.basics import to_digits
from comanda.contracts import Caller, OrderRequest

PHONE_KEY_DIGITS: Final = 8
# A shorter number is a typing error or made up, and identifies nobody.
MIN_PHONE_DIGITS: Final = 5

# The same in SQL, exactly as in the index on core's orders.
PHONE_KEY_OF_ORDER: Final = "right(regexp_replace(o.phone, '[^0-9]', '', 'g'), 8)"


@dataclass(frozen=True, slots=True)
class CouponGuest:
    """A guest, as far as known."""

    customer_id: int | None = None
    phone_key: str | None = None

    @classmethod
    def from_order(cls, request: OrderRequest) -> Self:
        """Return the guest of an order request."""
        return cls.from_caller(request.caller, request.body.phone)

    @classmethod
    def from_caller(cls, caller: Caller, phone: str | None) -> Self:
        """Return the guest who orders with a phone number."""
        return cls(caller.subject_id if caller.acts_for("customer") else None, to_phone_key(phone))

    @property
    def is_known(self) -> bool:
        """Check whether the guest can be identified."""
        return self.customer_id is not None or self.phone_key is not None

    @property
    def lock_names(self) -> list[str]:
        """The names to lock for the guest, in a fixed order."""
        parts = [("customer", self.customer_id), ("phone", self.phone_key)]
        return sorted(f"{kind}:{name}" for kind, name in parts if name is not None)


def to_phone_key(text: str | None) -> str | None:
    """Return the last digits of a phone number, or None if the text is not a phone number.

    Eight digits distinguish the guests of one store, and are the same with and without the country code.
    """
    digits = to_digits(text or "")
    return digits[-PHONE_KEY_DIGITS:] if len(digits) >= MIN_PHONE_DIGITS else None
