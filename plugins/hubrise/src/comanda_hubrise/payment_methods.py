"""Money that a channel of HubRise has collected."""

from typing import Final

from comanda.contracts import PaymentMethod
from comanda.web import N_

HUBRISE: Final = PaymentMethod("hubrise", N_("Paid online, through HubRise"), is_offered=False)
