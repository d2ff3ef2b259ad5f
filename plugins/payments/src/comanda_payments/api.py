"""What other plugins may call: the cash that drivers hold, taken from them when it is handed in at a drawer.

Lock the cash before the drawer, as refunds do, so that nobody waits in a circle.
"""

from comanda_payments.driver_cash import lock as lock_driver_cash
from comanda_payments.driver_cash import take_handed_in

__all__ = ["lock_driver_cash", "take_handed_in"]
