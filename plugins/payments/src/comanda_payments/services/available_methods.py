"""The payment methods that can be used now: those of this plugin and those of other plugins."""

from comanda.basics import ValidationFailed
from comanda.contracts import PaymentMethod, PaymentProvider
from comanda.platform import runtime

from comanda_payments.payment_methods import GIFT_CARD, STORE_CREDIT
from comanda_payments.services.provider_calls import CheckedProvider


def get_available_method(code: str) -> PaymentMethod:
    """Return a method that can be used now. Raises ``ValidationFailed`` that lists those that can."""
    available = {method.code: method for method in list_available_methods()}
    if code not in available:
        raise ValidationFailed(method=[f"Must be one of: {', '.join(sorted(available))}."])
    return available[code]


def list_available_methods() -> list[PaymentMethod]:
    """List the methods that can be used now."""
    known = runtime.registry().payment_methods.values()
    return [method for method in known if method.provider is None or _find_ready_provider(method)]


def list_online_methods() -> list[PaymentMethod]:
    """List the methods with a hosted payment page that can be used now."""
    known = runtime.registry().payment_methods.values()
    return [method for method in known if _find_ready_provider(method)]


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
    return _find_ready_provider(method) if method is not None else None


def _find_ready_provider(method: PaymentMethod) -> PaymentProvider | None:
    if method.provider is None:
        return None
    provider = CheckedProvider(method, method.provider)
    return provider if provider.is_ready() else None
