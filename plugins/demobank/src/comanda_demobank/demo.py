"""An account at the demo bank for the demo's owner, so that guests can pay online from the first minute.

What guests of the demo have begun to pay is paid; the task of payments books it within a minute.
"""

from typing import Final

from comanda.contracts import Showcase
from comanda.operations.demo_data import fill_once
from comanda.platform import runtime
from comanda_payments.api import connect_account

from comanda_demobank.payment_methods import DEMO
from comanda_demobank.services import charges

DONE: Final = "demobank_account"
PAID: Final = "demobank_charges"


async def connect_demo_account(showcase: Showcase) -> None:
    """Connect the account once, in development only."""
    if runtime.settings().development:
        await fill_once(DONE, lambda: connect_account(showcase.caller(), DEMO.code))


async def pay_demo_charges(showcase: Showcase) -> None:
    """Pay what the demo's guests have begun to pay, once."""
    if runtime.settings().development:
        await fill_once(PAID, lambda: charges.pay_all_charges(showcase.owners["owner"]))
