"""Card payments on the hosted page of CardPay."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, PaymentMethod, PluginSettings, StoreSettings

from comanda_cardpay.payment_methods import CARDPAY
from comanda_cardpay.settings import CardPaySettings
from comanda_cardpay.store_settings import STORE_SETTINGS


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Register the address of CardPay and its secrets."""
    return CardPaySettings


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    """Register the text on card statements of each store."""
    return [STORE_SETTINGS]


@hookimpl
def register_payment_methods() -> Sequence[PaymentMethod]:
    """Register payments with CardPay."""
    return [CARDPAY]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on CardPay."""
    return [
        Chapter(
            name="cardpay",
            title="CardPay",
            summary="Card payments on a hosted page: the merchant number of an owner or a store, and the callback.",
            package="comanda_cardpay",
            path="docs/cardpay.md",
        )
    ]
