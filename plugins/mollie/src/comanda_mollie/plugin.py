"""Online payments, and payments on terminals, through Mollie."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, PaymentMethod, PluginSettings

from comanda_mollie.payment_methods import MOLLIE
from comanda_mollie.settings import MollieSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    return MollieSettings


@hookimpl
def register_payment_methods() -> Sequence[PaymentMethod]:
    return [MOLLIE]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Online payments through Mollie: keys of your own, terminals, chargebacks, settlements."
    return [Chapter("mollie", "Mollie", summary, "comanda_mollie", "docs/mollie.md")]
