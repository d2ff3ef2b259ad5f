"""How a store's container deposits are taxed, and what the labels of its scales hold."""

import re
from typing import Annotated, Final

from comanda.contracts import Number, ShortText, StoreSettings, StoreSettingsFields, setting
from comanda.web import N_
from pydantic import AfterValidator, Field, ValidationInfo

# GS1 General Specifications, section 2.1.12.1: prefixes of EAN-13 that stores number goods with by themselves.
OWN_PREFIX: Final = re.compile("2[0-9]", re.ASCII)
WRONG_PREFIX: Final = N_("Must be numbers from 20 to 29, such as 28, 29.")
USED_TWICE: Final = N_("Must not be a prefix of weights.")

Rate = Annotated[Number, Field(ge=0, le=100)]


def list_prefixes(text: str) -> list[str]:
    """Return the prefixes that a setting names."""
    return [prefix.strip() for prefix in text.split(",") if prefix.strip()]


def _check_prefixes(text: str) -> str:
    prefixes = list_prefixes(text)
    if not all(OWN_PREFIX.fullmatch(prefix) for prefix in prefixes):
        raise ValueError(WRONG_PREFIX)
    return ", ".join(dict.fromkeys(prefixes))


def _check_used_once(text: str, info: ValidationInfo) -> str:
    if not set(list_prefixes(text)).isdisjoint(list_prefixes(info.data.get("weight_prefixes") or "")):
        raise ValueError(USED_TWICE)
    return text


Prefixes = Annotated[ShortText, Field(max_length=60), AfterValidator(_check_prefixes)]


class GoodsSettings(StoreSettingsFields):
    """The tax on container deposits, without a rate none, and the prefixes of codes that scales print."""

    tax_rate: Rate | None = setting(
        None,
        label=N_("Tax rate of container deposits"),
        help_text=N_("Leave it empty if deposits are not taxed in your country."),
        unit="%",
    )
    weight_prefixes: Prefixes = setting(
        "",
        label=N_("Barcodes with a weight"),
        help_text=N_("The first two digits of labels of your scales that hold a weight in grams, such as 28, 29."),
    )
    price_prefixes: Annotated[Prefixes, AfterValidator(_check_used_once)] = setting(
        "",
        label=N_("Barcodes with a price"),
        help_text=N_("The first two digits of labels of your scales that hold a price, such as 22."),
    )


STORE_SETTINGS: Final = StoreSettings(
    plugin="goods", title=N_("Deposits and scales"), fields=GoodsSettings, capability="packaging"
)
