"""For other plugins: the cash that drivers hold, and handing it in at a cash drawer.

Lock a driver's cash before the drawer, as refunds do, to avoid deadlocks.
"""

from comanda_payments.services.driver_cash import hand_in_driver_cash, lock_driver_cash

__all__ = ["hand_in_driver_cash", "lock_driver_cash"]
