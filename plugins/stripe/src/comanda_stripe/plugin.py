"""Online payments through Stripe."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, PaymentMethod, PluginSettings

from comanda_stripe.payment_methods import STRIPE
from comanda_stripe.settings import StripeSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    return StripeSettings


@hookimpl
def register_payment_methods() -> Sequence[PaymentMethod]:
    return [STRIPE]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Online payments through Stripe: keys of your own, connected accounts, webhooks."
    return [Chapter("stripe", "Stripe", summary, "comanda_stripe", "docs/stripe.md")]
