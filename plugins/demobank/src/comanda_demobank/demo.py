"""An account at the demo bank for the demo's owner, so that guests can pay online from the first minute."""

from typing import Final

from comanda.contracts import Showcase
from comanda.operations.demo_data import fill_once
from comanda.platform import runtime
from comanda_payments.api import connect_account

from comanda_demobank.payment_methods import DEMO

DONE: Final = "demobank_account"


async def connect_demo_account(showcase: Showcase) -> None:
    """Connect the account once, in development only."""
    if runtime.settings().development:
        await fill_once(DONE, lambda: connect_account(showcase.caller(), DEMO.code))
