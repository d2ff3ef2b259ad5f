"""The payment methods that can be used now: those of this plugin and those of other plugins."""

from comanda import runtime
from comanda.contracts.payments import PaymentMethod, PaymentProvider
from comanda.errors import ValidationFailed

from comanda_payments.payment_methods import GIFT_CARD, STORE_CREDIT


def get_available_method(code: str) -> PaymentMethod:
    """Return a method that can be used now. Raises ``ValidationFailed`` that lists those that can."""
    known = runtime.registry().payment_methods
    available = [method.code for method in known.values() if method.provider is None or method.provider.is_ready()]
    if code not in available:
        raise ValidationFailed(method=[f"Must be one of: {', '.join(sorted(available))}."])
    return known[code]


def list_online_methods() -> list[PaymentMethod]:
    """List the methods with a hosted payment page that can be used now."""
    known = runtime.registry().payment_methods.values()
    return [method for method in known if method.provider is not None and method.provider.is_ready()]


def list_customer_methods() -> list[str]:
    """List the codes of the methods that customers can use without staff, sorted."""
    return sorted([GIFT_CARD, STORE_CREDIT, *(method.code for method in list_online_methods())])


def is_immediate(code: str) -> bool:
    """Check whether payments and refunds of a method are booked at once, without a provider."""
    method = runtime.registry().payment_methods.get(code)
    return method is not None and method.provider is None


def get_provider(code: str) -> PaymentProvider | None:
    """Return the provider of a method, or None if its plugin is not installed or has no settings."""
    method = runtime.registry().payment_methods.get(code)
    return method.provider if method and method.provider and method.provider.is_ready() else None
