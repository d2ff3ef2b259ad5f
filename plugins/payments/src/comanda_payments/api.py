"""For other plugins: the cash that drivers hold, and what payment providers report in callbacks.

Lock a driver's cash before the drawer, as refunds do, to avoid deadlocks.
"""

from comanda_payments.services.driver_cash import hand_in_driver_cash, lock_driver_cash
from comanda_payments.services.hosted_payments import record_callback

__all__ = ["hand_in_driver_cash", "lock_driver_cash", "record_callback"]
