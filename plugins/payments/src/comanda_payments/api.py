"""For other plugins: the cash that drivers hold, payments and refunds, and payment accounts that need no credentials.

Lock a driver's cash before the drawer, as refunds do, to avoid deadlocks.
"""

from comanda.contracts import Caller

from comanda_payments.schemas import PaymentAccountBody
from comanda_payments.services import account_administration
from comanda_payments.services.driver_cash import hand_in_driver_cash, lock_driver_cash
from comanda_payments.services.money_movements import MoneyMovement, list_money_movements

__all__ = ["MoneyMovement", "connect_account", "hand_in_driver_cash", "list_money_movements", "lock_driver_cash"]


async def connect_account(caller: Caller, provider: str) -> int:
    """Connect an account for all stores of the caller and return its id. Raises ``Conflict`` if there is one."""
    account = await account_administration.create_account(caller, PaymentAccountBody(provider=provider))
    return account.id
