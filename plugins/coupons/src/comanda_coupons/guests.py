"""Who uses a coupon: a customer, or whoever has a phone number, however it was written."""

import re
from dataclasses import dataclass
from typing import Final, Self

from comanda.contracts.order_participants import OrderRequest

KEY_DIGITS: Final = 8
# A shorter number is a typing error, or made up: it tells nobody from anybody else.
FEWEST_DIGITS: Final = 5

# The same in SQL, to the letter of the index on core's orders.
PHONE_KEY_OF_ORDER: Final = "right(regexp_replace(o.phone, '[^0-9]', '', 'g'), 8)"


@dataclass(frozen=True, slots=True)
class Guest:
    """Who orders, as far as that is known."""

    customer_id: int | None = None
    phone_key: str | None = None

    @classmethod
    def of(cls, incoming: OrderRequest) -> Self:
        """Tell who places an order."""
        caller = incoming.caller
        return cls(caller.subject_id if caller.kind == "customer" else None, phone_key(incoming.body.phone))

    @property
    def is_known(self) -> bool:
        """Tell whether the guest can be told from others."""
        return self.customer_id is not None or self.phone_key is not None

    @property
    def names(self) -> list[str]:
        """What the guest goes by, sorted so that locks on these are taken in one order."""
        names = [("customer", self.customer_id), ("phone", self.phone_key)]
        return sorted(f"{kind}:{name}" for kind, name in names if name is not None)


def phone_key(text: str | None) -> str | None:
    """Return a phone number's last digits, or None for a text that is no phone number.

    Eight of them tell the guests of one store apart, and are the same with the country's code and without.
    """
    digits = re.sub("[^0-9]", "", text or "")
    return digits[-KEY_DIGITS:] if len(digits) >= FEWEST_DIGITS else None
