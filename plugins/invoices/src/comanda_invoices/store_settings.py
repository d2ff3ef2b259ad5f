"""The seller of a store's invoices, how they are numbered, and whether guests may ask for them."""

from typing import Annotated, Final

from comanda.contracts import StoreSettings, StoreSettingsFields, Text, setting
from comanda.web import N_
from pydantic import Field

LegalName = Annotated[Text, Field(max_length=255)]
Address = Annotated[Text, Field(max_length=500)]
TaxNumber = Annotated[Text, Field(max_length=50)]
Prefix = Annotated[str, Field(max_length=20, pattern=r"^[A-Za-z0-9/._-]*$")]


class InvoiceSettings(StoreSettingsFields):
    """Who sells; without a legal name and an address there are no invoices."""

    is_offered: bool = setting(
        True,
        label=N_("Guests can ask for an invoice"),
        help_text=N_("On the page of their order, once it is paid and the legal name and address are entered."),
    )
    legal_name: LegalName = setting("", label=N_("Legal name"))
    address: Address = setting("", label=N_("Address"), help_text=N_("As it is to stand on invoices."))
    tax_number: TaxNumber = setting("", label=N_("Tax number"))
    note: Text = setting(
        "",
        label=N_("Further details"),
        help_text=N_("What else your country asks for, such as a register number. It stands below each invoice."),
    )
    prefix: Prefix = setting(
        "INV-",
        label=N_("Prefix of numbers"),
        help_text=N_("Stores with the same prefix share one series. Give each company a prefix of its own."),
    )

    @property
    def is_complete(self) -> bool:
        """Whether invoices can be issued."""
        return bool(self.legal_name and self.address)


STORE_SETTINGS: Final = StoreSettings(plugin="invoices", title=N_("Invoices"), fields=InvoiceSettings)
