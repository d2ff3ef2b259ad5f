"""Whether guests can pay their orders online."""

from comanda.contracts import PaymentMethod, Record
from comanda.platform import PluginFailed, run_plugin, runtime

PAYMENT_LINK: str = "pay_url"


def can_pay_online() -> bool:
    """Return whether tracked orders have a payment link, and a method behind it can be used now."""
    registry = runtime.registry()
    has_link = any(
        section.record is Record.TRACKING and PAYMENT_LINK in section.fields.model_fields
        for section in registry.sections
    )
    return has_link and any(_is_ready(method) for method in registry.payment_methods.values())


def _is_ready(method: PaymentMethod) -> bool:
    if method.provider is None:
        return False
    try:
        return bool(run_plugin(method, "is_ready", method.provider.is_ready))
    except PluginFailed:
        return False
