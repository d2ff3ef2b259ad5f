"""Card payments on the hosted page of CardPay."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, PaymentMethod, PluginSettings, StoreSettings

from comanda_cardpay.payment_methods import CARDPAY
from comanda_cardpay.settings import CardPaySettings
from comanda_cardpay.store_settings import STORE_SETTINGS


@hookimpl
def register_settings() -> type[PluginSettings]:
    return CardPaySettings


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_payment_methods() -> Sequence[PaymentMethod]:
    return [CARDPAY]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="cardpay",
            title="CardPay",
            summary="Card payments on a hosted page: the merchant number of an owner or a store, and the callback.",
            package="comanda_cardpay",
            path="docs/cardpay.md",
        )
    ]
