"""The tenders: those that payments books itself, and those that plugins bring with a provider."""

from typing import Final

from comanda import runtime
from comanda.contracts.payments import PaymentMethod, PaymentProvider
from comanda.errors import ValidationFailed

from comanda_payments.checkout import HostedCheckout

CASH: Final = "cash"
CARD: Final = "card_external"
GIFT_CARD: Final = "gift_card"
CREDIT: Final = "store_credit"
GATEWAY: Final = "gateway"

METHODS: Final = (
    PaymentMethod(CASH, "Cash"),
    PaymentMethod(CARD, "Card, on a terminal of the store"),
    PaymentMethod(GIFT_CARD, "Gift card"),
    PaymentMethod(CREDIT, "Store credit"),
    PaymentMethod(GATEWAY, "Online", HostedCheckout()),
)


def find(code: str) -> PaymentMethod:
    """Return a method that can be used. Raises ``ValidationFailed`` naming those that can."""
    known = runtime.registry().payment_methods
    usable = [method.code for method in known.values() if method.provider is None or method.provider.is_ready()]
    if code not in usable:
        raise ValidationFailed(method=[f"Must be one of: {', '.join(sorted(usable))}."])
    return known[code]


def online() -> list[PaymentMethod]:
    """List the methods that can be used now and have a page to pay on."""
    known = runtime.registry().payment_methods.values()
    return [method for method in known if method.provider is not None and method.provider.is_ready()]


def for_customers() -> list[str]:
    """List what customers can pay with by themselves: the rest is handed over to somebody, who books it."""
    return sorted([GIFT_CARD, CREDIT, *(method.code for method in online())])


def is_booked(code: str) -> bool:
    """Tell whether a method is booked at once, and given back at once."""
    method = runtime.registry().payment_methods.get(code)
    return method is not None and method.provider is None


def provider_of(code: str) -> PaymentProvider | None:
    """Return the provider of a method, or None where its plugin is gone or its settings let it do nothing."""
    method = runtime.registry().payment_methods.get(code)
    return method.provider if method and method.provider and method.provider.is_ready() else None
