"""Texts of messages to customers of tool hire."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

RETURNED: Final = MessageTemplate(
    name="rental.returned",
    about="To the customer whose tools were brought back, with what is still to pay.",
    channels=("sms",),
    texts={
        "en": MessageText("{store}: thank you, the tools of order {number} are back. Still to pay: {amount_due}."),
        "pt": MessageText("{store}: obrigado, recebemos as ferramentas da encomenda {number}. A pagar: {amount_due}."),
    },
    fields={"store": "Tool Shed", "number": "18", "amount_due": "40.00 EUR"},
)
